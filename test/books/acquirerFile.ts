import assert from 'node:assert/strict';
import { type createClient, DEMO } from '../http/client.ts';
import { playing } from '../http/settlementFixture.ts';

/** A file of an acquirer as a merchant may import it, with what the simulated one never sends: other currencies, fees of their own, failed lines. */

type Shop = ReturnType<typeof createClient>;

const NAMES = ['ReconciliationType', 'PaymentType', 'Cashflow', 'UniqueID', 'Amount', 'Currency', 'SettlementAmount']
  .concat('SettlementCurrency', 'SettlementFee', 'SettlementFxRate', 'SettlementStatus', 'SettlementTxId')
  .concat('SettlementDate', 'ClearingInstituteMerchantId', 'ClearingInstituteName');

/** Of 1,000.00 each: the other currency, its rate with two decimals, what arrived and what was kept of it. */
const exchanged = [
  ['EUR', 'USD', '1.10', '1095.60', '4.40'],
  ['JPY', 'EUR', '0.01', '9.90', '0.10'],
  ['KWD', 'EUR', '2.97', '2958.12', '11.88'],
  ['BHD', 'EUR', '2.44', '2430.24', '9.76'],
] as const;

export type OwnFile = { readonly text: string; readonly lines: number };

/** Tells the gateway of a chargeback as an acquirer's notification does. */
export type Notify = (paymentId: string, amount: string) => Promise<void>;

/**
 * Pays in every currency, and has it settled by a file: exchanged, with fees on both ways, with a fee line, failed at first, and charged back. Of each
 * chargeback the file may be the first word, or follow a platform's record, an acquirer's notification, or both.
 */
export async function acquirerFile(shop: Shop, day: string, notify: Notify): Promise<OwnFile> {
  const lines: string[] = [];
  const add = (...cells: readonly string[]) =>
    lines.push([...cells, `own-${lines.length}`, day, 'OWN-ACCOUNT', 'Another acquirer'].join(';'));
  for (const [currency, other, rate, arrived, fee] of exchanged) {
    const pay = () => shop.pay({ amount: '1000.00', currency, ...playing('never-settled') });
    const [abroad, home] = [await pay(), await pay()];
    const refund = await shop.refer(abroad.id, { paymentType: 'RF', amount: '100.00', currency });
    const disputed = await pay();
    const recorded = await shop.refer(disputed.id, { paymentType: 'CB', amount: '100.00', currency });
    for (const { status } of [abroad, home, refund, disputed, recorded]) assert.equal(status, 200);
    for (const amount of ['100.00', '200.00', '300.00']) await notify(disputed.id, amount);
    add('SETTLED', 'DEBIT', 'POS', abroad.id, '1000.00', currency, arrived, other, fee, rate, 'SUCCESS');
    add('SETTLED', 'DEBIT', 'POS', home.id, '1000.00', currency, '988.00', currency, '12.00', '1.00', 'FAILED');
    add('SETTLED', 'DEBIT', 'POS', home.id, '1000.00', currency, '985.00', currency, '15.00', '1.00', 'SUCCESS');
    add('SETTLED', 'REFUND', 'NEG', refund.id, '100.00', currency, '103.00', currency, '3.00', '1.00', 'SUCCESS');
    add('FEE', 'AUTH_FEE', 'NEG', home.id, '1000.00', currency, '2.00', currency, '', '1.00', 'SUCCESS');
    add('FEE', 'REFUND_FEE', 'POS', refund.id, '100.00', currency, '1.00', currency, '', '1.00', 'SUCCESS');
    add('SETTLED', 'DEBIT', 'POS', disputed.id, '1000.00', currency, '1000.00', currency, '0.00', '1.00', 'SUCCESS');
    for (const amount of ['100.00', '300.00', '200.00', '50.00', '100.00'])
      add('CHARGEBACK', 'DEBIT', 'NEG', disputed.id, amount, currency, amount, currency, '0.00', '1.00', 'SUCCESS');
  }
  return { text: [NAMES.join(';'), ...lines, ''].join('\n'), lines: lines.length };
}

export async function importFile(url: string, { text, lines }: OwnFile): Promise<void> {
  const response = await fetch(`${url}/admin/v1/settlements?entityId=${DEMO.merchantId}&name=own.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO.token}`, 'content-type': 'text/csv' },
    body: text,
  });
  const body = (await response.json()) as { readonly count?: { readonly MATCHED: number } };
  assert.equal(body.count?.MATCHED, lines, JSON.stringify(body));
}
