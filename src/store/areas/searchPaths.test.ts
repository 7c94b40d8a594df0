import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from '../../payments/examples.ts';
import { noFilters } from '../../payments/search/search.ts';
import { type FoundKey, searchBy } from './searchPaths.ts';

const LIMIT = 50;

/** Merchants with some payments each, one instant after the other, and a count of what a search reads. */
function setUp(merchants: number, each: number) {
  const keys: FoundKey[] = Array.from({ length: merchants * each }, (_, at) => ({
    merchantId: `m${at % merchants}`,
    createdAt: at,
    id: `p${String(at).padStart(6, '0')}`,
  }));
  const read = { statements: 0, rows: 0 };
  const count = <Row>(rows: readonly Row[]): readonly Row[] => {
    read.statements += 1;
    read.rows += rows.length;
    return rows;
  };
  const store = searchBy({
    // As PostgreSQL answers a bare statement: the newest of all merchants.
    keys: async (_, __, { limit, at }) =>
      count(
        keys
          .filter(({ createdAt }) => createdAt < Number(at))
          .toReversed()
          .slice(0, Number(limit)),
      ),
    rows: async (wanted) => count(wanted.map(({ id, merchantId, createdAt }) => examplePayment({ id, merchantId, createdAt }))),
    any: async () => null,
    rowCost: 8,
    insideCost: 16,
    hasHistory: false,
    page: null,
  });
  const merchantIds = Array.from({ length: merchants }, (_, at) => `m${at}`);
  const asked = { ...noFilters, merchantIds, entityId: null, needles: null, after: null, limit: LIMIT, effort: 20_000 };
  return { store, read, asked, keys };
}

test('a page of all merchants takes two statements and two pages of rows, however many merchants there are', async () => {
  for (const merchants of [1, 60, 500]) {
    const { store, read, asked } = setUp(merchants, 3_000 / merchants);
    const { payments } = await store.search(asked);
    assert.equal(payments.length, LIMIT);
    assert.deepEqual(read, { statements: 2, rows: 2 * LIMIT + 1 });
  }
});

test('pages of all merchants follow each other without a gap and without a repetition', async () => {
  const { store, asked, keys } = setUp(60, 5);
  const found: string[] = [];
  let after: Awaited<ReturnType<typeof store.search>>['next'] = null;
  do {
    const page = await store.search({ ...asked, after });
    found.push(...page.payments.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  assert.deepEqual(found, keys.map(({ id }) => id).toReversed());
});
