import type { RiskFacts } from '../facts.ts';
import { createLists, subjects } from '../lists/lists.ts';
import type { ListEntry, Listing } from '../ports.ts';

/** Block and allow lists of a back-test: the entries do not change while it runs. */
export type BacktestLists = {
  /** For each listing, the answers for all requests. */
  answer(listings: readonly Listing[], requests: readonly RiskFacts[]): Promise<readonly (readonly (boolean | null)[])[]>;
};

/** Listings without entries are answered without a lookup: most kinds of entry are unused. */
export async function createBacktestLists(entries: readonly ListEntry[], now: number): Promise<BacktestLists> {
  const lists = createLists({ now: () => now }, Number.POSITIVE_INFINITY);
  for (const entry of entries) await lists.put(entry);
  const kinds = new Set(entries.map(({ kind }) => kind));
  const isEmpty = ({ subject }: Listing) => !subjects[subject].kinds.some((kind) => kinds.has(kind));
  return {
    async answer(listings, requests) {
      const open = listings.filter((listing) => !isEmpty(listing));
      const found = open.length === 0 ? [] : await Promise.all(requests.map((facts) => lists.listed(open, facts)));
      return listings.map((listing) => {
        const at = open.indexOf(listing);
        const { has } = subjects[listing.subject];
        return at === -1 ? requests.map((facts) => (has(facts) ? false : null)) : found.map((answers) => answers[at] ?? null);
      });
    },
  };
}
