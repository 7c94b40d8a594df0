import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { choosable, useMe } from '../app/me.ts';
import { useAddress } from '../app/navigation.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { Empty } from './Empty.tsx';

/** In place of a page about one merchant, while the chosen entity is above merchants. */
export function MerchantPicker(): ReactNode {
  const t = useTexts(shellTexts);
  const me = useMe();
  const { set } = useAddress();
  const merchants = choosable(me).filter(({ kind }) => kind === 'merchant');
  return (
    <Empty title={t.chooseMerchant} says={t.chooseMerchantSays}>
      <Select
        className="merchant-picker"
        label={t.merchant}
        data={merchants.map(({ id, name }) => ({ value: id, label: name }))}
        value={null}
        onChange={(entity) => entity !== null && set({ entity })}
        searchable
        limit={50}
        nothingFoundMessage={t.noResults}
      />
    </Empty>
  );
}
