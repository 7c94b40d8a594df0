import { amountText } from '../../src/money/amount.ts';
import type { SettlementRecord } from '../../src/settlement/record.ts';
import { SCENARIO } from '../../src/spec/scenarios/scenarioReference.ts';
import type { Store } from '../../src/store/store.ts';
import { DEMO, type Fields } from './client.ts';
import { DAY_MS } from './clockFixture.ts';

/** What the simulated acquirer has settled. */

export const JOB = 'settle simulator days';

export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

export const playing = (scenario: string): Fields => ({ [SCENARIO]: scenario });

/** The lines about a payment in the order of their days, matched or not. */
export async function recordsOf(store: Store, paymentId: string): Promise<readonly SettlementRecord[]> {
  const payment = (await Promise.all([DEMO.merchantId, OTHER_MERCHANT].map((one) => store.payment(one, paymentId)))).find(
    Boolean,
  );
  const records = await store.records({ merchantId: payment?.merchantId ?? '', limit: 10_000 });
  return records.filter((record) => record.paymentId === paymentId);
}

const OTHER_MERCHANT = '5eed00000000000000000000000000f2';

/** The lines in short: day, type and exception. */
export async function settledIn(store: Store, paymentId: string, began: number): Promise<readonly (readonly [number, string])[]> {
  const records = await recordsOf(store, paymentId);
  return records.map(({ settledOn, recordType, amount, reasonCode, fee, match }) => {
    const day = (Date.parse(settledOn) - Date.parse(dayOf(began))) / DAY_MS;
    const isSettled = recordType === 'SETTLED';
    const says = [recordType, amountText(amount), isSettled ? `- ${amountText(fee ?? 0n)}` : reasonCode];
    return [day, [...says, ...(match.status === 'MATCHED' ? [] : [match.status])].join(' ')] as const;
  });
}
