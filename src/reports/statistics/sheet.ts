import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import type { Sheet, SheetKey } from './ports.ts';

/** A count, and for money an amount, by key: the sums of one entity and one period. */
export type Sum = { count: number; amount: bigint | null };
export type Sums = Map<string, Sum>;

/** Some time zones differ from UTC by half an hour or three quarters, so their days begin at a quarter of an hour. */
export const QUARTER_MS = HOUR_MS / 4;
export const spans = [QUARTER_MS, HOUR_MS, DAY_MS] as const;

export const keyText = ({ nodeId, span, begins }: SheetKey): string => `${nodeId} ${span} ${begins}`;

export function add(sums: Sums, key: string, { count, amount }: Readonly<Sum>): void {
  const known = sums.get(key);
  if (known === undefined) {
    sums.set(key, { count, amount });
    return;
  }
  known.count += count;
  if (amount !== null) known.amount = (known.amount ?? 0n) + amount;
}

type Written = Readonly<Record<string, number | readonly [count: number, amount: string]>>;

/** Leaves out zeros. Keys are sorted, so that equal sums are equal texts. */
export function writeSums(sums: Sums): string {
  const kept = [...sums].filter(([, { count, amount }]) => count !== 0 || (amount ?? 0n) !== 0n);
  kept.sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(
    Object.fromEntries(kept.map(([key, { count, amount }]) => [key, amount === null ? count : [count, String(amount)]])),
  );
}

/** Adds a sheet to sums, or subtracts it. */
export function addSheet(sums: Sums, { body }: Pick<Sheet, 'body'>, sign: 1 | -1 = 1): void {
  const written = JSON.parse(body) as Written;
  for (const key in written) {
    const one = written[key] as Written[string];
    if (typeof one === 'number') add(sums, key, { count: sign * one, amount: null });
    else add(sums, key, { count: sign * one[0], amount: sign === 1 ? BigInt(one[1]) : -BigInt(one[1]) });
  }
}

/** Removes zeros. */
export function prune(sums: Sums): Sums {
  for (const [key, { count, amount }] of sums) if (count === 0 && (amount ?? 0n) === 0n) sums.delete(key);
  return sums;
}
