import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AccountMandateCursor, findMandates, type KnownMandate, type MandateBook, type NamedBook } from './mandate.ts';

const MERCHANT = 'm';

const mandate = (id: string, createdAt: number): KnownMandate => ({
  id,
  merchantId: MERCHANT,
  scheme: 'CORE',
  signedOn: '2026-01-05',
  state: createdAt % 2 === 0 ? 'active' : 'ended',
  createdAt,
  endedAt: null,
  lapsesOn: '2029-01-05',
  uses: 0,
  collections: [],
  next: null,
  lastDueOn: null,
  creditorId: '',
  creditorName: '',
  last4: null,
  customerId: null,
  registrationId: null,
});

/** An account's mandates in memory, in the order of the stores. */
function book(all: readonly KnownMandate[]): MandateBook {
  const sorted = all.toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1));
  return {
    list: async (_, { limit, before }) =>
      sorted
        .filter(
          ({ createdAt, id }) =>
            before === null || createdAt < before.createdAt || (createdAt === before.createdAt && id < before.id),
        )
        .slice(0, limit),
    find: async (_, id) => all.find((one) => one.id === id) ?? null,
    end: async () => null,
  };
}

test('pages over several accounts have each mandate once, the newest first, whatever the size of a page', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 260, size: 'max' }), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom(undefined, 'active' as const),
      async (instants, limit, state) => {
        const mandates = instants.map((own) => own.map((at, number) => mandate(`N${String(number).padStart(3, '0')}`, at)));
        const books: readonly NamedBook[] = mandates.map((own, at) => ({ account: `bank${at}`, book: book(own) }));
        const seen: string[] = [];
        const times: number[] = [];
        let after: AccountMandateCursor | null = null;
        for (let pages = 0; pages < 2_000; pages += 1) {
          const part = await findMandates(books, MERCHANT, { filters: { state }, after, limit });
          assert.ok(part.found.length <= limit);
          for (const { account, mandate: one } of part.found) {
            seen.push(`${account} ${one.id}`);
            times.push(one.createdAt);
          }
          after = part.next;
          if (after === null) break;
        }
        const wanted = mandates.flatMap((own, at) =>
          own.filter((one) => state === undefined || one.state === state).map(({ id }) => `bank${at} ${id}`),
        );
        assert.deepEqual(seen.toSorted(), wanted.toSorted());
        assert.deepEqual(
          times,
          times.toSorted((one, other) => other - one),
        );
      },
    ),
    { numRuns: 60 },
  ));
