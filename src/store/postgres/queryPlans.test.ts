import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allStatements } from '../../../test/contract/allStatements.ts';
import { type PostgresServer, startPostgres } from '../../../test/postgres.ts';
import { queryStatements } from '../areas/queries.ts';
import { rankedFilters } from '../areas/searchStatements.ts';
import { openPool, type Pool } from './pool.ts';
import { openPostgresStore } from './postgresStore.ts';

/**
 * The plan of every statement that the modules of this folder and of areas/ export. A new statement is found by itself: it goes by an
 * index, or an entry below says why not.
 */

type Finding =
  /** Reads a table without an index. */
  | 'seq scan'
  /** Goes through an index from its first entry to its last. */
  | 'whole index'
  /** Goes through all rows of a merchant. */
  | 'whole merchant'
  | 'sort';

type Exception = { readonly finding: Finding; readonly because: string; readonly statements: readonly string[] };

const exceptions: readonly Exception[] = [
  {
    finding: 'whole merchant',
    because: 'some hundred batches of calls are kept of a merchant, and counted from the newest on',
    statements: ['callStatements.trimCalls'],
  },
  {
    finding: 'seq scan',
    because: 'the table holds only events that waited for their fan-out when a webhook was added',
    statements: ['webhookStatements.deleteEarlierEvents'],
  },
  {
    finding: 'seq scan',
    because: 'the program keeps all webhooks in memory',
    statements: ['webhookStatements.webhooks'],
  },
  {
    finding: 'whole index',
    because: 'the program keeps all of them in memory',
    statements: [
      'clockStatements.clocks',
      'accountStatements.entities',
      'accountStatements.tokens',
      'vaultStatements.keys',
      'riskStatements.listEntries',
    ],
  },
  {
    finding: 'whole index',
    because: 'its last entry, and some of its first',
    statements: ['accountStatements.deleteDirectoryChanges', 'accountStatements.lastDirectoryChange'],
  },
  {
    finding: 'sort',
    because: 'a gateway has one top entity, or a few',
    statements: ['accountStatements.entitiesAtTop'],
  },
  {
    finding: 'whole merchant',
    because: 'the tokens of one entity: some dozens',
    statements: ['accountStatements.tokensOfEntity'],
  },
  {
    finding: 'whole index',
    because: 'its first entry, and then a step along it for each merchant',
    statements: ['ledgerStatements.unsealedMerchants'],
  },
  {
    finding: 'whole index',
    because: 'whether a table has a row at all',
    statements: ['eventStatements.passEvents.ofAll', 'eventStatements.passEvents.ofOne'],
  },
  {
    finding: 'whole index',
    because: 'the first so many rows of a queue, in the order of its key',
    statements: ['statisticsStatements.changes'],
  },
  {
    finding: 'whole merchant',
    because: 'the program keeps all entries of the merchant in memory',
    statements: ['riskStatements.listEntriesOf'],
  },
  {
    finding: 'whole merchant',
    because: 'the first or last entry of the merchant',
    statements: ['ledgerStatements.lastBlock', 'scheduleStatements.nextRunAt'],
  },
  {
    finding: 'whole merchant',
    because: 'the blocks of one merchant, for a report',
    statements: ['ledgerStatements.sumsBehind'],
  },
  {
    finding: 'sort',
    because: 'the rows of one call are written in the same order on every node, so that two nodes do not deadlock',
    statements: [
      'auditLogStatements.appendAudit',
      'commitStatements.further',
      'commitStatements.withSchedule',
      'claimStatements.claimPayments.ofAll',
      'claimStatements.claimPayments.ofOne',
      'deliveryStatements.addDeliveries',
      'vaultStatements.reseal',
    ],
  },
  {
    finding: 'sort',
    because: 'one page of each merchant, webhook or period, and one page of them all',
    statements: [
      'deliveryStatements.claimDeliveries.ofAll',
      'deliveryStatements.claimDeliveries.ofOne',
      'listStatements.checkoutsListed',
      'listStatements.listSchedules',
      'listStatements.registrationsEnding',
      'listStatements.registrationsListed',
      'listStatements.reviewKeys',
      'listStatements.reviewsWaiting',
      'queryStatements.hoursOf',
      'queryStatements.pageOf',
      'queryStatements.placesOf',
      ...['all', 'declined', ...rankedFilters].map((along) => `postgresSearch.${along}Bare.statement`),
    ],
  },
  {
    finding: 'sort',
    because: 'few rows: those that a prefix, a payment, an amount within some days or a list of entities finds',
    statements: [
      'postgresSearch.idFitting.statement',
      'postgresSearch.referenceBare.statement',
      'postgresSearch.referenceFitting.statement',
      'postgresSearch.shortIdFitting.statement',
      'postgresSearchOfOne.idFitting.statement',
      'postgresSearchOfOne.referenceBare.statement',
      'postgresSearchOfOne.referenceFitting.statement',
      'postgresSearchOfOne.shortIdFitting.statement',
      'settlementStatements.filesOf',
      'settlementStatements.paymentsAlike',
      'traceStatements.eventsOf',
      'traceStatements.postingsOf',
    ],
  },
  {
    finding: 'sort',
    because: 'only what is under way, the ties of one instant, or the last of some thousand',
    statements: [
      'postgresSearch.historyAddressed.statement',
      'postgresSearch.historyFitting.statement',
      'postgresSearch.historyStop.statement',
      'eventStatements.pendingEvents.ofAll',
      'eventStatements.pendingEvents.ofOne',
      'sandboxDayStatements.scheduledSettlementsDue.ofAll',
      'sandboxDayStatements.scheduledSettlementsDue.ofOne',
      'reconciliationStatements.dueReconciliations',
    ],
  },
  {
    finding: 'sort',
    because: 'grouped for a report',
    statements: ['settlementStatements.aggregations'],
  },
  {
    finding: 'sort',
    because: 'the program keeps all webhooks in memory',
    statements: ['webhookStatements.webhooks'],
  },
];

/** Partial indexes that hold only what is under way: a statement may go through all of one. */
const underWay: readonly string[] = [
  'checkout_call',
  'checkout_call_of_merchant',
  'delivery_due',
  'delivery_due_of_merchant',
  'delivery_subject',
  'outbox_new',
  'reconciliation_run_due',
  'registration_awaiting',
  'registration_awaiting_of_merchant',
  'settlement_file_reading',
  'settlement_file_unfinished',
  'settlement_record_due',
];

const ROWS = 500;
/** The statistics speak of this many times as many rows as there are. */
const MAGNIFIED = 2_000;
/** The state of nearly all rows of a table. Partial indexes hold the others. */
const usualState: Readonly<Record<string, string>> = {
  delivery: 'delivered',
  outbox: 'fanned_out',
  payment: 'approved',
  registration: 'active',
  settlement_file: 'kept',
};

let server: PostgresServer;
let pool: Pool;
before(async () => {
  server = await startPostgres({ fsync: false });
  await (await openPostgresStore({ url: server.url() })).close();
  pool = openPool({ url: server.url(), poolMax: 1 });
  await fillTables();
  const unique = await pool.read<{ readonly name: string }>(`
    SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
    WHERE i.indisunique AND i.indnkeyatts = 1 AND a.attname = 'merchant_id'`);
  onePerMerchant = new Set(unique.map(({ name }) => name));
});
after(async () => {
  await pool.close();
  await server.stop();
});

type Column = { readonly table: string; readonly name: string; readonly type: string; readonly isKey: boolean };

/** Fills every table with rows of meaningless values, and makes the planner believe that there are many more. */
async function fillTables(): Promise<void> {
  const columns = await pool.read<Column>(`
    SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type, EXISTS (
      SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum
    ) AS "isKey"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'migration'
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = ''`);
  const checks = await pool.read<{ readonly table: string; readonly name: string }>(`
    SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint
    WHERE contype = 'c' AND connamespace = 'public'::regnamespace`);
  await pool.transaction(async (tx) => {
    await tx.run('SET LOCAL session_replication_role = replica');
    for (const { table, name } of checks) await tx.run(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
      const names = own.map(({ name }) => `"${name}"`).join(', ');
      await tx.run(`
        INSERT INTO ${table} (${names}) SELECT ${own.map(exampleFor).join(', ')} FROM generate_series(1, ${ROWS}) n
        ON CONFLICT DO NOTHING`);
    }
    await tx.run('ANALYZE');
    await tx.run(`
      UPDATE pg_class SET reltuples = reltuples * ${MAGNIFIED} WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`);
  });
}

function exampleFor({ table, name, type, isKey }: Column): string {
  if (name === 'state' && usualState[table] !== undefined) return `'${usualState[table]}'`;
  if ((name === 'merchant_id' || name === 'entity_id') && !isKey) return "'m' || n % 9";
  if (type === 'timestamp with time zone') return 'now()';
  if (type === 'bytea') return "'\\x00'::bytea";
  return type === 'text' ? "'x' || n" : 'n';
}

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
};

async function planOf(text: string): Promise<PlanNode> {
  type Row = { readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] };
  const [row] = await pool.read<Row>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`, [], 'anew');
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  assert.ok(plan, text);
  return plan;
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const MERCHANT_ONLY = /^\((?:\w+\.)?(?:merchant_id|entity_id) = (?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+\)$/;

/** Indexes that hold one row for each merchant. */
let onePerMerchant: ReadonlySet<string> = new Set();

function findingOf(node: PlanNode): Finding | null {
  const { 'Node Type': type, 'Index Name': index, 'Index Cond': condition } = node;
  if (type === 'Seq Scan') return 'seq scan';
  if (index === undefined || underWay.includes(index)) return null;
  if (condition === undefined) return 'whole index';
  return MERCHANT_ONLY.test(condition) && !onePerMerchant.has(index) ? 'whole merchant' : null;
}

/** Scans in the plan of the program's own sessions, and whether it sorts where sorting is the last resort. */
async function findingsOf(text: string): Promise<ReadonlySet<Finding>> {
  const findings = new Set(nodesOf(await planOf(text)).flatMap((node) => findingOf(node) ?? []));
  await pool.read('SET enable_sort = off');
  if (nodesOf(await planOf(text)).some((node) => node['Node Type'].endsWith('Sort'))) findings.add('sort');
  await pool.read('RESET enable_sort');
  return findings;
}

test('every statement goes by an index, or is on the list of exceptions', async () => {
  const statements = await allStatements('postgres');
  const found: string[] = [];
  for (const [name, text] of statements) {
    for (const finding of await findingsOf(text)) found.push(`${finding}: ${name}`);
  }
  const listed = exceptions.flatMap(({ finding, statements: names }) => names.map((name) => `${finding}: ${name}`));
  assert.deepEqual(
    found.filter((each) => !listed.includes(each)),
    [],
    'a statement does not go by an index: give it one, or list it with the reason',
  );
  assert.deepEqual(
    listed.filter((each) => !found.includes(each)),
    [],
    'an exception is no longer needed: remove it from the list',
  );
  const partial = await pool.read<{ readonly name: string }>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL',
  );
  assert.deepEqual(
    underWay.filter((index) => !partial.some(({ name }) => name === index)),
    [],
    'an index is gone or holds all rows: remove it from the list',
  );
  // A list that is no longer found would pass unseen.
  assert.ok(statements.size > 200, `${statements.size} statements`);
});

test('the control: statements without an index are noticed', async () => {
  const control: readonly (readonly [statement: string, Finding])[] = [
    ['SELECT id FROM payment WHERE data = ?1', 'seq scan'],
    ['UPDATE delivery SET tries = ?2 WHERE code = ?1', 'seq scan'],
    ['SELECT id FROM payment WHERE merchant_id = ?1 AND data = ?2', 'whole merchant'],
    ['SELECT id FROM payment WHERE data = ?1 ORDER BY merchant_id, id LIMIT ?2', 'whole index'],
    ['SELECT id FROM payment WHERE merchant_id = ?1 AND id > ?2 ORDER BY data', 'sort'],
  ];
  for (const [statement, finding] of control) assert.ok((await findingsOf(statement)).has(finding), statement);
});

test('the hours of a day are read by their time, and not all hours that a merchant has ever had', async () => {
  const values = ["'m1'", "'m1'", 'NULL', 'NULL', 'NULL', '3600000', `'[{"from":7200000,"before":14400000}]'`];
  const hoursOf = queryStatements.hoursOf.postgres ?? '';
  const isByTime = async (text: string): Promise<boolean> => {
    const given = text.replace(/\?(\d)/g, (_, place: string) => values[Number(place) - 1] ?? '');
    return nodesOf(await planOf(given)).some((node) => node['Index Cond']?.includes('(begins >= '));
  };
  assert.ok(await isByTime(hoursOf));
  assert.ok(!(await isByTime(hoursOf.replace('OFFSET 0', ''))), 'the control: as a join it begins with the counts');
});
