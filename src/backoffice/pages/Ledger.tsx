import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Balances } from '../../spec/answers/settlement.ts';
import { useOneMerchant } from '../app/me.ts';
import { useAddress } from '../app/navigation.ts';
import { useApiQuery } from '../app/useApi.ts';
import { Empty, LoadError } from '../kit/Empty.tsx';
import { MerchantPicker } from '../kit/MerchantPicker.tsx';
import { Money } from '../kit/Money.tsx';
import { PageHead, Section } from '../kit/Page.tsx';
import { useDateText } from '../kit/Timestamp.tsx';
import { ledgerTexts } from '../texts/settlement.ts';
import { useTexts } from '../texts/texts.ts';

const accounts = ['shopper', 'reserve', 'contra', 'merchant', 'acquirer', 'fees', 'chargebacks'] as const;

type Holding = Balances['balances'][number];

/** The accounts of the chosen merchant, at any instant. */
export function Ledger(): ReactNode {
  const t = useTexts(ledgerTexts);
  const merchant = useOneMerchant();
  return (
    <>
      <PageHead title={t.title} says={t.says} />
      {merchant ? <Accounts merchantId={merchant.id} /> : <MerchantPicker />}
    </>
  );
}

function Accounts({ merchantId }: { readonly merchantId: string }): ReactNode {
  const t = useTexts(ledgerTexts);
  const dateText = useDateText();
  const { search, set } = useAddress();
  const chosen = new Date(search.at ?? '');
  const at = Number.isNaN(chosen.getTime()) ? '' : chosen.toISOString();
  const { data, error, refetch } = useApiQuery('readBalances', { entityId: merchantId, at });
  return (
    <>
      <div className="ledger-at">
        <TextInput
          type="datetime-local"
          step={1}
          label={t.at}
          value={search.at ?? ''}
          onChange={(event) => set({ at: event.currentTarget.value || undefined })}
        />
        {search.at && (
          <Button variant="default" onClick={() => set({ at: undefined })}>
            {t.now}
          </Button>
        )}
      </div>
      {error && !data && <LoadError problem={error} retry={() => void refetch()} />}
      {data && <p className="muted">{t.asOf(dateText(data.at, true))}</p>}
      {data?.balances.length === 0 && <Empty title={t.none} says={t.noneSays} />}
      {data?.balances.map((holding) => (
        <Book key={`${holding.mode} ${holding.currency}`} holding={holding} />
      ))}
    </>
  );
}

function Book({ holding: { mode, currency, accounts: sums } }: { readonly holding: Holding }): ReactNode {
  const t = useTexts(ledgerTexts);
  const title = t.caption(currency, mode);
  return (
    <Section title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a part that scrolls */}
      <section className="table-scroll" aria-label={title} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t.account}</th>
              <th scope="col" data-number>
                {t.balance}
              </th>
              <th scope="col">{t.description}</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map((account) => (
              <tr key={account}>
                <th scope="row">{t[account]}</th>
                <td data-number>
                  <Money amount={sums[account] ?? '0.00'} currency={currency} />
                </td>
                <td className="muted ledger-says">{t[`${account}Says`]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}
