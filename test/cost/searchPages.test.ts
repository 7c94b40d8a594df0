import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import postgres from 'postgres';
import { touchedPages } from '../../bench/postgresDatabase.ts';
import { exampleCommit, examplePayment } from '../../src/payments/examples.ts';
import { noFilters, SEARCH_EFFORT, type SearchQuery } from '../../src/payments/search/search.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { testDatabase } from '../postgres.ts';

/**
 * The pages of 8 KB that one answer of a search touches in PostgreSQL, in memory or not: the same on every machine. A page that is not in
 * memory is a read of the disk, so these numbers bound the time of an answer among any number of payments (decisions/0075).
 */

const OTHERS = 150;
const ROWS = 16_000;
const START = 1_780_000_000_000;
/** A year of them: five quarters. */
const STEP_MS = 2_000_000;
const BIG = 'big';
const allMerchants = [BIG, ...Array.from({ length: OTHERS }, (_, at) => `small-${at}`)];

type Question = { readonly what: string; readonly pages: number; readonly asked: Partial<SearchQuery> };
const everywhere = { merchantIds: allMerchants } as const;
const ADDRESS = hash('md5', 'address 42');
const nowhere = { brand: 'NONE' } as const;

/** The most pages that each answer may touch; a change that makes one of them rise must change its number here. */
const questions: readonly Question[] = [
  { what: 'the newest', pages: 50, asked: {} },
  { what: 'a brand without payments', pages: 300, asked: nowhere },
  { what: 'a currency without payments, at one channel', pages: 300, asked: { currency: 'XXX', entityId: 'channel' } },
  { what: 'declined payments', pages: 320, asked: { state: 'declined' } },
  { what: 'a code', pages: 80, asked: { code: '800.100.151' } },
  { what: 'a code and no such brand', pages: 420, asked: { code: '800.100.151', ...nowhere } },
  { what: 'an amount and no such brand', pages: 720, asked: { amount: 9_200n, ...nowhere } },
  { what: 'what many references begin with', pages: 360, asked: { needles: [{ is: 'reference', prefix: 'order-' }] } },
  { what: 'the beginning of an address', pages: 200, asked: { needles: [{ is: 'emailPrefix', prefix: 'nobody@' }] } },
  { what: 'a card number', pages: 240, asked: { needles: [{ is: 'last4', last4: '0042' }] } },
  {
    what: 'a card number and an amount without payments',
    pages: 170,
    asked: { needles: [{ is: 'last4', last4: '0042' }], amount: 1n },
  },
  { what: 'an address', pages: 180, asked: { needles: [{ is: 'email', hash: ADDRESS }] } },
  { what: 'all merchants: the newest', pages: 260, asked: everywhere },
  { what: 'all merchants: a brand without payments', pages: 540, asked: { ...everywhere, ...nowhere } },
  {
    what: 'half of the merchants: a brand without payments',
    pages: 1_350,
    asked: { ...nowhere, merchantIds: allMerchants.slice(1, 76) },
  },
  { what: 'all merchants: declined payments', pages: 570, asked: { ...everywhere, state: 'declined' } },
  {
    what: 'all merchants: a reference',
    pages: 540,
    asked: { ...everywhere, needles: [{ is: 'reference', prefix: 'order-77' }] },
  },
  { what: 'all merchants: a card number', pages: 2_250, asked: { ...everywhere, needles: [{ is: 'last4', last4: '0042' }] } },
  { what: 'all merchants: an address', pages: 3_200, asked: { ...everywhere, needles: [{ is: 'email', hash: ADDRESS }] } },
  {
    what: 'all merchants: an amount',
    pages: 1_000,
    asked: { ...everywhere, needles: [{ is: 'amount', amount: 9_200n, currency: null }] },
  },
];

let database: Awaited<ReturnType<typeof testDatabase>>;
before(async () => {
  database = await testDatabase();
  await fill(database.url);
});
after(() => database.drop());

/** Copies of one payment, made by the server: half of them of one merchant, between payments of others. One in fifty is declined. */
async function fill(url: string): Promise<void> {
  const store = await openPostgresStore({ url });
  // A payment takes a quarter of a page, as in life.
  const filler = Array.from({ length: 10 }, (_, at) => hash('sha256', String(at))).join('');
  const fields = { 'customer.email': 'ann@example.org', 'customer.street1': filler };
  await store.commit(exampleCommit(examplePayment({ merchantId: 'sample', createdAt: START, fields })));
  await store.close();
  await withSql(url, async (sql) => {
    const columns = await sql.unsafe(`SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'payment'`);
    const cells: Readonly<Record<string, string>> = {
      merchant_id: `CASE WHEN n % 2 = 0 THEN '${BIG}' ELSE 'small-' || n / 2 % ${OTHERS} END`,
      entity_id: `'channel'`,
      id: `lpad(n::text, 32, '0')`,
      family_id: `lpad(n::text, 32, '0')`,
      created_at: `${START}::bigint + n::bigint * ${STEP_MS}`,
      state: `CASE WHEN n % 50 < 2 THEN 'declined' ELSE t.state END`,
      code: `CASE WHEN n % 50 < 2 THEN '800.100.151' ELSE t.code END`,
      amount: `CASE WHEN n % 20 = 0 THEN 9200 ELSE n END`,
      merchant_transaction_id: `'order-' || n`,
      last4: `lpad((n % 500)::text, 4, '0')`,
      email_hash: `md5('address ' || n % 1000)`,
    };
    const names = columns.map(({ name }) => String(name));
    await sql.unsafe(`SET session_replication_role = replica`);
    await sql.unsafe(`
      INSERT INTO payment (${names.join(', ')}) SELECT ${names.map((name) => cells[name] ?? `t.${name}`).join(', ')}
      FROM generate_series(1, ${ROWS}) n CROSS JOIN payment t WHERE t.merchant_id = 'sample'`);
    await sql.unsafe('VACUUM (ANALYZE) payment');
  });
}

async function withSql(url: string, work: (sql: postgres.Sql) => Promise<void>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await work(sql).finally(() => sql.end());
}

/** Sessions report what they have touched when they end. */
async function pagesOf(asked: Partial<SearchQuery>, calls: number): Promise<number> {
  const earlier = await touchedPages(database.url);
  // One connection: each reads what it must know about tables when it is first used, and how many a search finds free is chance.
  const store = await openPostgresStore({ url: database.url, poolMax: 1 });
  const query = {
    ...noFilters,
    merchantIds: [BIG],
    entityId: null,
    needles: null,
    after: null,
    limit: 50,
    effort: SEARCH_EFFORT,
  };
  for (let call = 0; call < calls; call += 1) await store.search({ ...query, ...asked });
  await store.close();
  return (await touchedPages(database.url)) - earlier;
}

/** Without what the first calls of a session read about tables and columns. */
const [FIRST, CALLS] = [2, 10];
const pagesEach = async (asked: Partial<SearchQuery>): Promise<number> =>
  Math.round(((await pagesOf(asked, FIRST + CALLS)) - (await pagesOf(asked, FIRST))) / CALLS);

test('an answer of a search touches a bounded number of pages, whatever is asked', async () => {
  const found: string[] = [];
  for (const { what, pages, asked } of questions) {
    const touched = await pagesEach(asked);
    if (touched > pages) found.push(`${what}: ${touched}, at most ${pages}`);
    // A bound that nothing comes near holds nothing.
    if (touched < pages / 3) found.push(`${what}: ${touched}, and ${pages} are allowed`);
  }
  assert.deepEqual(found, []);
});

test('control: without the columns in the index, and merchant by merchant, more pages are touched', async () => {
  await withSql(database.url, async (sql) => {
    await sql.unsafe('DROP INDEX payment_filtered');
    await sql.unsafe('CREATE INDEX payment_listed ON payment (merchant_id, created_at, id)');
  });
  assert.ok((await pagesEach(nowhere)) > 1_000);
});
