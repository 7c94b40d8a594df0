import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { EntryView } from '../../../spec/answers/risk.ts';
import { listKinds, listNames } from '../../../spec/areas/risk.ts';
import { useMay, useMe, useOneMerchant, useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import { ConfirmButton } from '../../kit/ConfirmButton.tsx';
import type { Column } from '../../kit/DataTable.tsx';
import { type Filter, useFilters } from '../../kit/Filters.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { MerchantPicker } from '../../kit/MerchantPicker.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { riskTexts } from '../../texts/risk.ts';
import { useTexts } from '../../texts/texts.ts';
import { AddEntry, ImportEntries } from './AddEntry.tsx';
import { kindWords } from './kinds.ts';
import type { Words } from './words.ts';

const shownOf = ({ shown }: EntryView, t: Words): string => shown ?? t.cardUnknown;

const columnsIn = (t: Words, remove: ((entry: EntryView) => ReactNode) | null): readonly Column<EntryView>[] => [
  { id: 'value', header: t.value, isFixed: true, cell: (entry) => <span className="mono">{shownOf(entry, t)}</span> },
  { id: 'kind', header: t.kind, cell: ({ kind }) => t[kindWords[kind]] },
  { id: 'list', header: t.list, cell: ({ list }) => <Status tone={list === 'block' ? 'bad' : 'good'}>{t[list]}</Status> },
  { id: 'stays', header: t.stays, cell: ({ expiresAt }) => (expiresAt === null ? t.forever : <Timestamp at={expiresAt} />) },
  ...(remove ? [{ id: 'remove', header: '', cell: remove }] : []),
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'list', label: t.list, choices: listNames.map((value) => ({ value, label: t[value] })) },
  { name: 'kind', label: t.kind, choices: listKinds.map((value) => ({ value, label: t[kindWords[value]] })) },
  { name: 'search', label: t.search },
];

/** Block and allow lists of the chosen merchant. */
export function Lists(): ReactNode {
  const t = useTexts(riskTexts);
  const isMerchant = useOneMerchant() !== null;
  const { entityId } = useScope();
  const { gatewayUrl } = useMe();
  const may = useMay('risk');
  const [opened, setOpened] = useState<'add' | 'import' | null>(null);
  const close = () => setOpened(null);
  const filters = filtersIn(t);
  const values = { entityId, ...useFilters(filters) };
  const curl = `curl ${gatewayUrl}/admin/v1/riskLists -H "Authorization: Bearer $OPERATOR_TOKEN" \\\n  -H "Content-Type: application/json" -d '{"entityId":"${entityId}","list":"block","kind":"email","value":"bad@shop.example"}'`;
  return (
    <ListPage
      name="riskLists"
      title={t.listsTitle}
      says={t.listsSays}
      actions={
        isMerchant &&
        may && (
          <>
            <Button variant="default" onClick={() => setOpened('import')}>
              {t.import}
            </Button>
            <Button onClick={() => setOpened('add')}>{t.add}</Button>
          </>
        )
      }
      filters={filters}
      list={useApiList('listRiskEntries', values, { rowsOf: ({ entries }) => entries, isWanted: isMerchant })}
      columns={columnsIn(t, may ? (entry) => <RemoveEntry entry={entry} /> : null)}
      keyOf={({ list, kind, value }) => `${list} ${kind} ${value}`}
      empty={{ title: t.listsNone, says: t.listsNoneSays, curl }}
      instead={isMerchant ? null : <MerchantPicker />}
    >
      <AddEntry isOpen={opened === 'add'} onClose={close} />
      <ImportEntries isOpen={opened === 'import'} onClose={close} />
    </ListPage>
  );
}

function RemoveEntry({ entry }: { readonly entry: EntryView }): ReactNode {
  const t = useTexts(riskTexts);
  const { entityId } = useScope();
  const { list, kind, value } = entry;
  return (
    <ConfirmButton
      endpoint="removeRiskEntry"
      request={{ values: { entityId, list, kind, value } }}
      title={t.takeTitle}
      label={t.take}
      ariaLabel={t.takeOf(shownOf(entry, t))}
      variant="subtle"
      size="compact-sm"
      says={t.taken}
    >
      {t.takeSays(shownOf(entry, t), t[list])}
    </ConfirmButton>
  );
}
