import { createHash, hash } from 'node:crypto';
import type { Amount } from '../money/amount.ts';
import { type Account, accounts, type Block, type Holding, holdingsOf, holdingsText, readMoney, timeAndMoney } from './entry.ts';

/** Adds up balances by mode and currency. */
export type Sum = { add(mode: string, currency: string, amounts: readonly Amount[]): void; holdings(): readonly Holding[] };

export function sumOf(before: readonly Holding[]): Sum {
  const rows = new Map<string, { readonly mode: string; readonly currency: string; readonly sums: Amount[] }>();
  const rowOf = (mode: string, currency: string) => {
    const key = `${mode} ${currency}`;
    const row = rows.get(key) ?? { mode, currency, sums: accounts.map(() => 0n) };
    rows.set(key, row);
    return row;
  };
  const add: Sum['add'] = (mode, currency, amounts) => {
    const { sums } = rowOf(mode, currency);
    amounts.forEach((amount, at) => {
      if (amount !== 0n) sums[at] = (sums[at] ?? 0n) + amount;
    });
  };
  for (const { mode, currency, accounts: held } of before) {
    add(
      mode,
      currency,
      accounts.map((account) => held[account]),
    );
  }
  return {
    add,
    holdings: () =>
      [...rows.values()].map(({ mode, currency, sums }) => ({
        mode,
        currency,
        accounts: Object.fromEntries(accounts.map((account, at) => [account, sums[at]])) as Record<Account, Amount>,
      })),
  };
}

/** Builds the block of these lines after another. A damaged line counts as zero here; the verification reports it. */
export function blockOf(previous: Block | null, merchantId: string, lines: readonly string[]): Block {
  const sum = sumOf(previous ? holdingsOf(previous.balances) : []);
  let firstAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  const counts = new Map<string, number>();
  for (const line of lines) {
    const { at, money } = timeAndMoney(line);
    firstAt = Math.min(firstAt, at);
    lastAt = Math.max(lastAt, at);
    counts.set(money, (counts.get(money) ?? 0) + 1);
  }
  for (const [money, count] of counts) {
    const { mode, currency, amounts } = readMoney(money);
    if (amounts) sum.add(mode, currency, count === 1 ? amounts : amounts.map((amount) => amount * BigInt(count)));
  }
  const before = previous?.throughAt ?? firstAt;
  const block: Omit<Block, 'hash'> = {
    merchantId,
    number: (previous?.number ?? 0) + 1,
    count: lines.length,
    firstAt,
    lastAt,
    throughAt: Math.max(before, lastAt),
    lateMs: Math.max(previous?.lateMs ?? 0, before - firstAt),
    balances: holdingsText(sum.holdings()),
    previous: previous?.hash ?? '',
  };
  return { ...block, hash: hashOf(block, lines) };
}

function hashOf(block: Omit<Block, 'hash'>, lines: readonly string[]): string {
  const { previous, merchantId, number, count, firstAt, lastAt, throughAt, lateMs, balances } = block;
  const head = [previous, merchantId, number, count, firstAt, lastAt, throughAt, lateMs, balances].join('\n');
  return createHash('sha256')
    .update(`${head}\n${lines.join('\n')}`)
    .digest('hex');
}

/** The hash of one posting, for comparing many of them without storing them. */
export const digestOf = (merchantId: string, line: string): Buffer => hash('sha256', `${merchantId}|${line}`, 'buffer');
