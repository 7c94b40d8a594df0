import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import { noFilters, type SearchQuery } from '../src/payments/search/search.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../src/store/store.ts';
import { stopOnSignals } from './children.ts';
import { foreignLoad } from './machine.ts';
import { createProgress } from './progress.ts';
import { databaseFile, fanOutIds, fillSqlite, readSamples, withDatabase } from './sqliteFile.ts';

/** How long a search of the back office takes among many payments. */
const usage = 'bench/search.ts [--rows n, default 100,000]';

const { values } = parseArgs({ options: { rows: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}
stopOnSignals();
const ROWS = Number(values.rows ?? 100_000);
const TIMES = 40;
const EFFORT = 20_000;
const progress = createProgress();
const { merchantId } = examplePayment();

const hashed = (number: number): string => `hash-${String(number).padStart(12, '0')}`;

/** Varies ends of card numbers, amounts, addresses, brands and declines as real payments do. */
const varyPayments = `
  UPDATE payment SET
    last4 = printf('%04d', (rowid * 7919) % 10000),
    email_hash = 'hash-' || printf('%012d', (rowid * 104729) % (SELECT MAX(rowid) / 3 + 1 FROM payment)),
    brand = CASE WHEN rowid % 5 = 0 THEN 'MASTER' WHEN rowid % 5003 = 0 THEN 'AMEX' ELSE 'VISA' END,
    code = CASE WHEN rowid % 11 = 0 THEN CASE WHEN rowid % 4099 = 0 THEN '800.100.203' ELSE '800.100.151' END ELSE code END`;
/** Drops the triggers that forbid these changes first. */
const varyAmounts = `
  DROP TRIGGER payment_money_fixed;
  DROP TRIGGER payment_transition;
  UPDATE payment SET amount = 100 + (rowid * 31) % 40000, state = CASE WHEN rowid % 11 = 0 THEN 'declined' ELSE state END`;

type BenchSearch = readonly [what: string, changes: (number: number) => Partial<SearchQuery>];

const golden = 0.618033988749895;
const at = (number: number, below: number): number => Math.floor(((number * golden) % 1) * below);
const digits = (number: number): string => String(at(number, ROWS)).padStart(12, '0');
const dotted = (text: string): string => `${text.slice(0, 4)}.${text.slice(4, 8)}.${text.slice(8)}`;
const last4 = (number: number): string => String(at(number, 10_000)).padStart(4, '0');

const questions = (ids: readonly string[], now: number): readonly BenchSearch[] => [
  ['the newest', () => ({})],
  ['a page in the middle', (number) => ({ after: { createdAt: now - at(number, 360) * 86_400_000, id: '' } })],
  ['an id', (number) => ({ needles: [{ is: 'id', prefix: ids[number % ids.length] ?? '' }] })],
  ['the beginning of an id', (number) => ({ needles: [{ is: 'id', prefix: (ids[number % ids.length] ?? '').slice(0, 8) }] })],
  ['a short id', (number) => ({ needles: [{ is: 'shortId', prefix: dotted(digits(number)) }] })],
  ['a reference', (number) => ({ needles: [{ is: 'reference', prefix: `filled-${digits(number)}` }] })],
  [
    'the beginning of a reference',
    (number) => ({ needles: [{ is: 'reference', prefix: `filled-${digits(number).slice(0, 10)}` }] }),
  ],
  ['what every reference begins with', () => ({ needles: [{ is: 'reference', prefix: 'fill' }] })],
  ['the end of a card number', (number) => ({ needles: [{ is: 'last4', last4: last4(number) }] })],
  ['an address', (number) => ({ needles: [{ is: 'email', hash: hashed(at(number, Math.floor(ROWS / 3))) }] })],
  ['the beginning of an address, one page', () => ({ needles: [{ is: 'emailPrefix', prefix: 'nobody@' }] })],
  ['an amount', (number) => ({ needles: [{ is: 'amount', amount: BigInt(100 + at(number, 40_000)), currency: null }] })],
  [
    'any four digits',
    (number) => ({
      needles: [
        { is: 'last4', last4: last4(number) },
        { is: 'amount', amount: BigInt(last4(number)) * 100n, currency: null },
        { is: 'reference', prefix: last4(number) },
      ],
    }),
  ],
  ['declined', () => ({ state: 'declined' })],
  ['a code that is common', () => ({ code: '800.100.151' })],
  ['a code that is rare', () => ({ code: '800.100.203' })],
  ['a day', (number) => ({ from: now - (1 + at(number, 360)) * 86_400_000, to: now - at(number, 360) * 86_400_000 })],
  ['a brand that is rare, one page', () => ({ brand: 'AMEX' })],
  ['a brand without payments, one page', () => ({ brand: 'NONE' })],
  ['card number and amount together', (number) => ({ needles: [{ is: 'last4', last4: last4(number) }], amount: 9_200n })],
];

async function measure(store: Store, ids: readonly string[]): Promise<void> {
  const now = Date.now();
  const asked = {
    ...noFilters,
    merchantIds: [merchantId],
    entityId: null,
    needles: null,
    after: null,
    limit: 50,
    effort: EFFORT,
  };
  console.log(`sqlite: ${ROWS} payments, pages of 50; foreign load ${await foreignLoad()}`);
  for (const [what, changes] of questions(ids, now)) {
    const taken: number[] = [];
    let found = 0;
    for (let number = 0; number < TIMES; number += 1) {
      const began = performance.now();
      found += (await store.search({ ...asked, ...changes(number) })).payments.length;
      taken.push(performance.now() - began);
    }
    taken.sort((one, other) => one - other);
    const [p50, p95] = [taken[Math.floor(TIMES / 2)] ?? 0, taken[Math.floor(TIMES * 0.95)] ?? 0];
    const each = (found / TIMES).toFixed(1);
    console.log(
      `  ${what.padEnd(36)} p50 ${p50.toFixed(2).padStart(8)} ms  p95 ${p95.toFixed(2).padStart(8)} ms  found ${each.padStart(5)}`,
    );
  }
}

/** A file with two payments in it as the gateway writes them; everything else is copied from them. */
async function begun(dataDir: string) {
  const store = await openSqliteStore({ dataDir });
  for (const [number, paymentType] of (['DB', 'PA'] as const).entries()) {
    const id = `0${number}`.repeat(16);
    const payment = examplePayment({ id, paymentType, createdAt: Date.now(), merchantTransactionId: 'sample' });
    const message = { id, type: 'PAYMENT', action: null, code: '000.100.110' } as const;
    await store.commit(exampleCommit(payment, { event: message }));
  }
  await store.close();
  return readSamples(databaseFile(dataDir), { DB: '00'.repeat(16), PA: '01'.repeat(16) });
}

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
try {
  const samples = await begun(dataDir);
  const file = databaseFile(dataDir);
  progress.step(`making ${ROWS} payments`);
  await fillSqlite(file, { samples, rows: ROWS, onProgress: progress.at });
  progress.step('making them different');
  withDatabase(file, (db) => {
    // Millions of entries are sorted much faster than they are moved one by one.
    const indexes = db
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'payment' AND sql IS NOT NULL")
      .all();
    for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
    db.exec(`${varyAmounts}; ${varyPayments}`);
    for (const { sql } of indexes) db.exec(String(sql));
  });
  progress.end();
  const store = await openSqliteStore({ dataDir });
  await measure(store, fanOutIds(file, 'DB', 1_000));
  await store.close();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);
