import assert from 'node:assert/strict';
import type { createAdministrator } from '../http/administrator.ts';
import { type createClient, DEMO } from '../http/client.ts';
import type { Figures } from './figures.ts';
import { hundredths } from './recompute.ts';

/** The figures that the gateway's pages and replies have, by the names of `figures.ts`. */

type Needs = {
  readonly shop: ReturnType<typeof createClient>;
  readonly administrator: ReturnType<typeof createAdministrator>;
  readonly forEach: <T>(list: readonly T[], work: (one: T) => Promise<void>) => Promise<void>;
};

export type FigureQuery = {
  readonly customers: readonly string[];
  readonly paymentIds: readonly string[];
  /** The first and the last day, and the instant after everything. */
  readonly days: readonly [string, string];
  readonly until: string;
};

type TypeFigures = { readonly type: string; readonly currency: string; readonly count: number; readonly amount: string };
type Total = Readonly<Record<'currency' | 'paid' | 'refunded' | 'disputed' | 'credited', string>> & { readonly payments: number };

export async function askFigures({ shop, administrator, forEach }: Needs, asked: FigureQuery): Promise<Figures> {
  const figures = new Map<string, bigint>();
  const set = (name: string, amount: bigint) => {
    if (amount !== 0n) figures.set(name, amount);
  };
  const ask = async (path: string) => {
    const reply = await administrator.ask('GET', path);
    assert.equal(reply.status, 200, `${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  await forEach(asked.paymentIds, async (id) => {
    const { body } = await shop.read(id);
    for (const name of ['captured', 'refunded', 'reversed', 'disputed']) {
      const sum: unknown = body[`${name}Amount`];
      assert.ok(typeof sum === 'string', `${id} has no ${name}Amount`);
      set(`${name}Amount of ${id}`, hundredths(sum));
    }
  });
  await forEach(asked.customers, async (customer) => {
    const { totals, isComplete } = await ask(`/customer?entityId=${DEMO.merchantId}&merchantCustomerId=${customer}`);
    assert.ok(isComplete);
    for (const { currency, payments, ...sums } of totals as readonly Total[]) {
      set(`payments by ${customer} in ${currency}`, BigInt(payments));
      for (const [what, sum] of Object.entries(sums)) set(`${what} by ${customer} in ${currency}`, hundredths(sum));
    }
  });
  const [fromDay, toDay] = asked.days;
  const { total, types } = await ask(`/statistics?entityId=${DEMO.merchantId}&fromDay=${fromDay}&toDay=${toDay}`);
  for (const [currency, count] of Object.entries(total.approved as Record<string, number>))
    set(`attempts in ${currency}`, BigInt(count));
  for (const [currency, volume] of Object.entries(total.volume as Record<string, string>))
    set(`volume of attempts in ${currency}`, hundredths(volume));
  for (const { type, currency, count, amount } of types as readonly TypeFigures[]) {
    set(`${type} in ${currency}`, BigInt(count));
    set(`volume of ${type} in ${currency}`, hundredths(amount));
  }
  for (let after = ''; ; ) {
    const range = `from=${fromDay}T00:00:00Z&to=${asked.until}&limit=200`;
    const { payments, next } = await ask(`/unsettledPayments?entityId=${DEMO.merchantId}&${range}${after}`);
    for (const { id } of payments as readonly { readonly id: string }[]) set(`unsettled ${id}`, 1n);
    if (next === null) return figures;
    after = `&after=${next}`;
  }
}
