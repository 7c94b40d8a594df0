import { sumOf } from './chain.ts';
import { accounts, type Holding, holdingsOf } from './entry.ts';
import type { LedgerStore } from './ports.ts';

/** The balances of a merchant at an instant, included: those of a block, plus the postings after it. */
export async function balancesAt(
  store: Pick<LedgerStore, 'blockThrough' | 'sumsBehind'>,
  merchantId: string,
  at: number,
): Promise<readonly Holding[]> {
  const block = await store.blockThrough(merchantId, at);
  const sum = sumOf(block ? holdingsOf(block.balances) : []);
  for (const { mode, currency, accounts: held } of await store.sumsBehind({ merchantId, number: block?.number ?? 0, at })) {
    sum.add(
      mode,
      currency,
      accounts.map((account) => held[account]),
    );
  }
  return sum.holdings().toSorted((one, other) => (`${one.mode} ${one.currency}` < `${other.mode} ${other.currency}` ? -1 : 1));
}
