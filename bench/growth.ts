import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import { noFilters, type SearchQuery } from '../src/payments/search/search.ts';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../src/store/store.ts';
import { stopOnSignals } from './children.ts';
import type { Samples } from './fill.ts';
import { foreignLoad } from './machine.ts';
import { createDatabase, dropDatabase, fanOutPostgresIds, fillPostgres } from './postgresDatabase.ts';
import { startOwnServer } from './postgresSide.ts';
import { createProgress } from './progress.ts';
import { databaseFile, readSamples } from './sqliteFile.ts';

/** What commits, reads and searches take on PostgreSQL at several sizes: p99, and how it grows from the first size to the last. */
const usage =
  'bench/growth.ts [--rows sizes, default 1000000,10000000; some 1.5 GB for each million] [--commits n, default 20,000]';

const { values } = parseArgs({ options: { rows: { type: 'string' }, commits: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}
stopOnSignals();
const SIZES = (values.rows ?? '1000000,10000000').split(',').map(Number);
const COMMITS = Number(values.commits ?? 20_000);
const READS = 2_000;
const AT_ONCE = 8;
const progress = createProgress();
const { merchantId } = examplePayment();

const idOf = (number: number): string => Date.now().toString(16).padStart(12, '0') + number.toString(16).padStart(20, '0');

/** The p99 of some calls, several at once. */
async function p99(count: number, call: (number: number) => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      const began = performance.now();
      await call(number);
      taken.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return taken.sort((one, other) => one - other)[Math.floor(count * 0.99)] ?? 0;
}

async function measure(store: Store, ids: readonly string[], rows: number): Promise<Readonly<Record<string, number>>> {
  const asked: SearchQuery = {
    ...noFilters,
    merchantIds: [merchantId],
    entityId: null,
    needles: null,
    after: null,
    limit: 50,
    effort: 20_000,
  };
  const search = (changes: (number: number) => Partial<SearchQuery>) => (number: number) =>
    store.search({ ...asked, ...changes(number) });
  const reference = (number: number) => `filled-${String((number * 7_919) % rows).padStart(12, '0')}`;
  const id = (number: number) => ids[number % ids.length] ?? '';
  return {
    'a payment is committed': await p99(COMMITS, (number) => {
      const payment = examplePayment({ id: idOf(number), createdAt: Date.now(), movedAt: Date.now() });
      const event = { id: idOf(number), type: 'PAYMENT', action: null, code: '000.100.110' } as const;
      return store.commit(exampleCommit(payment, { event }));
    }),
    'a payment is read': await p99(READS, (number) => store.payment(merchantId, id(number))),
    'a family is read': await p99(READS, (number) => store.family(merchantId, id(number))),
    'the newest are listed': await p99(
      READS,
      search(() => ({})),
    ),
    'an id is searched': await p99(
      READS,
      search((number) => ({ needles: [{ is: 'id', prefix: id(number) }] })),
    ),
    'a reference is searched': await p99(
      READS,
      search((number) => ({ needles: [{ is: 'reference', prefix: reference(number) }] })),
    ),
  };
}

/** The rows of two payments as the gateway writes them. */
async function readBegun(): Promise<Samples> {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  try {
    const store = await openSqliteStore({ dataDir });
    for (const [number, paymentType] of (['DB', 'PA'] as const).entries()) {
      const id = `0${number}`.repeat(16);
      const payment = examplePayment({ id, paymentType, createdAt: Date.now(), merchantTransactionId: 'sample' });
      await store.commit(exampleCommit(payment, { event: { id, type: 'PAYMENT', action: null, code: '000.100.110' } }));
    }
    await store.close();
    return readSamples(databaseFile(dataDir), { DB: '00'.repeat(16), PA: '01'.repeat(16) });
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

const samples = await readBegun();
const server = await startOwnServer();
try {
  const found: Readonly<Record<string, number>>[] = [];
  for (const rows of SIZES) {
    const url = await createDatabase(server.url(), 'bench_growth');
    const store = await openPostgresStore({ url });
    progress.step(`making ${rows} payments`);
    await fillPostgres(url, { samples, rows, onProgress: progress.at });
    progress.end();
    found.push(await measure(store, await fanOutPostgresIds(url, 'DB', 500), rows));
    await store.close();
    await dropDatabase(server.url(), 'bench_growth');
  }
  console.log(
    `postgres: p99 in ms at ${SIZES.join(', ')} payments, ${AT_ONCE} calls at once; foreign load ${await foreignLoad()}`,
  );
  for (const what of Object.keys(found[0] ?? {})) {
    const each = found.map((one) => one[what] ?? 0);
    const growth = (each.at(-1) ?? 0) / (each[0] || 1);
    console.log(`  ${what.padEnd(26)} ${each.map((ms) => ms.toFixed(2).padStart(9)).join(' ')}   × ${growth.toFixed(2)}`);
  }
} finally {
  await server.stop();
}
