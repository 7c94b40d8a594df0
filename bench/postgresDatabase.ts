import postgres from 'postgres';
import { sandbox } from '../src/merchants/sandbox.ts';
import { QUARTER_MS } from '../src/store/areas/searchStatements.ts';
import { filledTables, fillPlan, portions, postgresWords, type Sample, type SampleRow } from './fill.ts';
import { type FillOptions, samplePrefixes } from './sqliteFile.ts';

const PORTION = 50_000;

async function withSql<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** The address of another database on the server of this address. */
export function databaseAt(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Makes a database on the server of this address and gives its address. */
export async function createDatabase(url: string, name: string): Promise<string> {
  await withSql(url, (sql) => sql.unsafe(`CREATE DATABASE ${name}`));
  return databaseAt(url, name);
}

export const hasDatabase = (url: string, name: string): Promise<boolean> =>
  withSql(url, async (sql) => (await sql.unsafe('SELECT 1 FROM pg_database WHERE datname = $1', [name])).length > 0);

/** How many pages of a database its ended sessions have touched so far, in memory or not. */
export const touchedPages = (url: string): Promise<number> =>
  withSql(databaseAt(url, 'postgres'), async (sql) => {
    const name = new URL(url).pathname.slice(1);
    const [row] = await sql.unsafe('SELECT blks_hit + blks_read AS pages FROM pg_stat_database WHERE datname = $1', [name]);
    return Number(row?.pages);
  });

/** Where the server of this address has its files. */
export const dataFolder = (url: string): Promise<string> =>
  withSql(url, async (sql) => String((await sql.unsafe('SHOW data_directory'))[0]?.data_directory));

/** Fills the database while no gateway uses it, and leaves it as a server would have it that had time to tidy up. */
export function fillPostgres(url: string, { samples, rows, onProgress }: FillOptions): Promise<void> {
  return withSql(url, async (sql) => {
    const columns = new Map<string, string[]>();
    for (const table of filledTables) {
      const found = await sql.unsafe(
        'SELECT column_name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position',
        [table],
      );
      columns.set(
        table,
        found.map(({ column_name }) => column_name as string),
      );
    }
    const plan = fillPlan(postgresWords, (table) => columns.get(table) ?? [], { rows, endMs: Date.now(), samples });
    await sql.unsafe('SET synchronous_commit = off');
    for (const statement of plan.before) await sql.unsafe(statement);
    for (const table of filledTables) {
      for (const sample of [samples.DB, samples.PA]) await insertRow(sql, `fill_${table}`, sample[table as keyof Sample]);
    }
    for (const [first, end] of portions(rows, PORTION)) {
      await sql.unsafe(plan.each.numbers, [first, end]);
      for (const copy of plan.each.copies) await sql.unsafe(copy);
      onProgress(end / rows);
    }
    for (const statement of plan.after) await sql.unsafe(statement);
    for (const table of [...filledTables, 'payment_count']) await sql.unsafe(`VACUUM (ANALYZE) ${table}`);
    await sql.unsafe('CHECKPOINT');
  });
}

export async function insertRow(sql: Pick<postgres.Sql, 'unsafe'>, table: string, row: SampleRow): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, at) => `$${at + 1}`).join(', ');
  const statement = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`;
  await sql.unsafe(statement, Object.values(row) as postgres.ParameterOrJSON<never>[]);
}

/** Ids of stored payments of one type, evenly distributed. */
export function fanOutPostgresIds(url: string, paymentType: 'DB' | 'PA', count: number): Promise<string[]> {
  return withSql(url, async (sql) => {
    const { merchantId, channelId } = sandbox.demoShop;
    const [range] = await sql.unsafe('SELECT min(id) AS first, max(id) AS last FROM payment WHERE merchant_id = $1', [
      merchantId,
    ]);
    const find = `
      SELECT id FROM payment WHERE merchant_id = $1 AND id >= $2 AND payment_type = $3 AND entity_id = $4 AND state = 'approved'
      ORDER BY id LIMIT 1`;
    const ids = new Set<string>();
    for (const prefix of samplePrefixes(range?.first, range?.last, count)) {
      const [found] = await sql.unsafe(find, [merchantId, prefix, paymentType, channelId], { prepare: true });
      if (found) ids.add(found.id);
    }
    return [...ids];
  });
}

/** How many payments are stored; the server counts every row. */
/** Payments that moved money; transactions about stored details are in the same table. */
export function countPostgresPayments(url: string): Promise<number> {
  return withSql(url, async (sql) =>
    Number((await sql.unsafe("SELECT count(*) AS n FROM payment WHERE payment_type NOT IN ('RG', 'TK')"))[0]?.n),
  );
}

export async function dropDatabase(url: string, name: string): Promise<void> {
  await withSql(url, (sql) => sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`));
}

const present = `created_at / ${QUARTER_MS} = (SELECT MAX(created_at) / ${QUARTER_MS} FROM payment)`;

/** The pages that new payments are written to. A server that runs has them in memory, because the payments before were written there. */
export async function readPresentQuarter(url: string): Promise<void> {
  await withSql(url, (sql) =>
    sql.begin(async (tx) => {
      await tx.unsafe(
        'SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL max_parallel_workers_per_gather = 0',
      );
      for (const condition of ["last4 >= ''", 'amount >= 0', "email_hash >= ''", "customer_id >= ''", "short_id >= ''"])
        await tx.unsafe(`SELECT COUNT(*) FROM payment WHERE ${present} AND ${condition}`);
      await tx.unsafe('SELECT COUNT(*) FROM (SELECT key FROM idempotency ORDER BY merchant_id, entity_id, key) AS keys');
    }),
  );
}
