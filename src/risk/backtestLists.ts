import type { Answered } from './conditions/compile.ts';
import type { RiskFacts } from './facts.ts';
import { createLists } from './lists.ts';
import type { ListEntry, Listing, ListKind, ListSubject } from './needs.ts';

/** The lists as a back-test asks them: the entries do not change while it runs. */
export type PastLists = {
  /** The answers to these questions about one request after the other, in the order of the questions. */
  ask(asked: readonly (readonly [listings: readonly Listing[], facts: RiskFacts])[]): Promise<readonly Answers[]>;
};

type Answers = Answered<boolean | null>;

/** What a request is found by, and whether it has that at all. */
const subjects: Readonly<
  Record<ListSubject, { readonly kinds: readonly ListKind[]; readonly has: (facts: RiskFacts) => boolean }>
> = {
  card: { kinds: ['card'], has: ({ fingerprint }) => fingerprint !== null },
  bin: { kinds: ['bin'], has: ({ bin }) => bin !== null },
  email: { kinds: ['email', 'emailDomain'], has: ({ customer }) => customer.email !== null },
  ip: { kinds: ['ip'], has: ({ customer }) => customer.ip !== null },
  country: {
    kinds: ['country'],
    has: ({ issuer, customer, billing, shipping }) =>
      issuer.country !== null || customer.ipCountry !== null || billing.country !== null || shipping.country !== null,
  },
  customer: { kinds: ['customer'], has: ({ customer }) => customer.merchantCustomerId !== null },
};

/** Most kinds of entry are on nobody's lists, and who is on none is quickly answered: only for the others the lists are looked at. */
export async function createPastLists(entries: readonly ListEntry[], now: number): Promise<PastLists> {
  const lists = createLists({ now: () => now }, Number.POSITIVE_INFINITY);
  for (const entry of entries) await lists.put(entry);
  const kinds = new Set(entries.map(({ kind }) => kind));
  const isEmpty = ({ subject }: Listing) => !subjects[subject].kinds.some((kind) => kinds.has(kind));
  return {
    async ask(asked) {
      const open = asked.map(([listings]) => listings.filter((listing) => !isEmpty(listing)));
      const found = await Promise.all(asked.map(([, facts], at) => (open[at]?.length ? lists.listed(open[at], facts) : null)));
      return asked.map(([listings, facts], at) =>
        answersOf(listings, facts, (listing) => found[at]?.[open[at]?.indexOf(listing) ?? -1]),
      );
    },
  };
}

type Find = (listing: Listing) => boolean | null | undefined;

const answersOf = (listings: readonly Listing[], facts: RiskFacts, find: Find): Answers => ({
  at(slot) {
    const listing = listings[slot];
    if (!listing) return null;
    const found = find(listing);
    if (found !== undefined) return found;
    return subjects[listing.subject].has(facts) ? false : null;
  },
});
