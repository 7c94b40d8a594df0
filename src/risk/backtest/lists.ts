import type { RiskFacts } from '../facts.ts';
import { createLists, subjects } from '../lists/lists.ts';
import type { ListEntry, Listing } from '../ports.ts';

/** The lists as a back-test asks them: the entries do not change while it runs. */
export type PastLists = {
  /** In the order of the questions: the answers about each of the requests. */
  ask(listings: readonly Listing[], requests: readonly RiskFacts[]): Promise<readonly (readonly (boolean | null)[])[]>;
};

/** Most kinds of entry are on nobody's lists, and who is on none is quickly answered: only for the others the lists are looked at. */
export async function createPastLists(entries: readonly ListEntry[], now: number): Promise<PastLists> {
  const lists = createLists({ now: () => now }, Number.POSITIVE_INFINITY);
  for (const entry of entries) await lists.put(entry);
  const kinds = new Set(entries.map(({ kind }) => kind));
  const isEmpty = ({ subject }: Listing) => !subjects[subject].kinds.some((kind) => kinds.has(kind));
  return {
    async ask(listings, requests) {
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
