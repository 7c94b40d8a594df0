import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { allStatements } from '../../../test/contract/allStatements.ts';
import { sqliteBrokenRecords } from '../areas/audit.ts';
import { openSqliteStore } from './sqliteStore.ts';

/**
 * The plan of every statement that the modules of this folder and of areas/ export. A new statement is found by itself: it goes by an
 * index, or an entry below says why not.
 */

type Finding =
  /** Reads a table, or an index from its first entry to its last. */
  | 'scan'
  /** Goes through all rows of a merchant or an entity. */
  | 'whole merchant'
  | 'sort'
  | 'group';

type Exception = { readonly finding: Finding; readonly because: string; readonly statements: readonly string[] };

const exceptions: readonly Exception[] = [
  {
    finding: 'scan',
    because: 'every record of a small file, once at a start',
    statements: sqliteBrokenRecords.map((_, at) => `sqliteBrokenRecords.${at}.text`),
  },
  {
    finding: 'scan',
    because: 'the program keeps all of them in memory',
    statements: [
      'clockStatements.clocks',
      'accountStatements.entities',
      'accountStatements.tokens',
      'webhookStatements.webhooks',
      'vaultStatements.keys',
      'riskStatements.listEntries',
    ],
  },
  {
    finding: 'scan',
    because: 'all of a small table: events that waited while a webhook was added',
    statements: ['webhookStatements.deleteEarlierEvents'],
  },
  {
    finding: 'scan',
    because: 'the first so many rows of a queue, in the order of its key',
    statements: ['statisticsStatements.changes'],
  },
  {
    finding: 'scan',
    because: 'whether a table has a row at all',
    statements: ['eventStatements.passEvents.ofAll', 'eventStatements.passEvents.ofOne'],
  },
  {
    finding: 'scan',
    because: 'its last entry',
    statements: ['accountStatements.lastDirectoryChange'],
  },
  {
    finding: 'scan',
    because: 'through the few entities at and above those that are asked for',
    statements: ['accountStatements.lineages'],
  },
  {
    finding: 'sort',
    because: 'few rows: a merchant with its channels, or the tokens of a user',
    statements: ['accountStatements.lineages', 'accountStatements.tokensOfUsers'],
  },
  {
    finding: 'whole merchant',
    because: 'the tokens of one entity: some dozens',
    statements: ['accountStatements.tokensOfEntity'],
  },
  {
    finding: 'whole merchant',
    because: 'whether there is any row at all',
    statements: ['accountStatements.insertEntity'],
  },
  {
    finding: 'whole merchant',
    because: 'the program keeps all entries of the merchant in memory',
    statements: ['riskStatements.listEntriesOf'],
  },
  {
    finding: 'whole merchant',
    because: 'all due deliveries of the merchant, each time the clock is set',
    statements: ['clockStatements.endDeliveryClaims', 'clockStatements.makeDeliveriesDue'],
  },
  {
    finding: 'whole merchant',
    because: 'the last block of the merchant, or one step for each merchant',
    statements: [
      'ledgerStatements.lastBlock',
      'ledgerStatements.unsealed',
      'ledgerStatements.unsealedMerchants',
      'ledgerStatements.seal',
    ],
  },
  {
    finding: 'whole merchant',
    because: 'the blocks of one merchant, for a report',
    statements: ['ledgerStatements.sumsBehind'],
  },
  {
    finding: 'whole merchant',
    because: 'all settlement files of some entities: few a day',
    statements: ['settlementStatements.filesOf'],
  },
  {
    finding: 'whole merchant',
    because: 'some hundred batches of calls are kept of a merchant, and counted from the newest on',
    statements: ['callStatements.trimCalls'],
  },
  {
    finding: 'scan',
    because: 'some hundred batches of calls are kept of a merchant, and counted from the newest on',
    statements: ['callStatements.trimCalls'],
  },
  {
    finding: 'sort',
    because: 'one page of each webhook, and one page of them all',
    statements: ['deliveryStatements.claimDeliveries.ofAll', 'deliveryStatements.claimDeliveries.ofOne'],
  },
  {
    finding: 'sort',
    because: 'few rows: those that a prefix, a payment, an amount within some days or a list of entities finds',
    statements: [
      'sqliteSearch.idFitting.statement',
      'sqliteSearch.referenceBare.statement',
      'sqliteSearch.referenceFitting.statement',
      'settlementStatements.exceptions',
      'settlementStatements.filesOf',
      'settlementStatements.paymentsAlike',
      'settlementStatements.recordsOfPayments',
    ],
  },
  {
    finding: 'sort',
    because: 'a portion of payments whose search keys are not written yet',
    statements: [
      'sqliteSearch.amountBehind.statement',
      'sqliteSearch.emailBehind.statement',
      'sqliteSearch.last4Behind.statement',
      'sqliteSearch.shortIdBehind.statement',
    ],
  },
  {
    finding: 'sort',
    because: 'one page of events, with the earlier ones of the same subjects',
    statements: ['eventStatements.pendingEvents.ofAll', 'eventStatements.pendingEvents.ofOne'],
  },
  {
    finding: 'sort',
    because: 'the program keeps all webhooks in memory',
    statements: ['webhookStatements.webhooks'],
  },
  {
    finding: 'group',
    because: 'added up for a report, a page or a block',
    statements: [
      'ledgerStatements.sumsBehind',
      'ledgerStatements.seal',
      'settlementStatements.batchTotals',
      'settlementStatements.aggregations',
      'settlementStatements.countFile',
      'queryStatements.hoursOf',
    ],
  },
];

/** Indexes that hold only what is under way: a statement may go through all of one. */
const underWay: readonly string[] = ['reconciliation_run_due', 'settlement_file_unfinished', 'settlement_record_due'];

/** Tables with one row for each merchant. */
const onePerMerchant: readonly string[] = ['sqlite_autoindex_merchant_clock_1', 'sqlite_autoindex_settlement_day_1'];

/** As the triggers ask for the sums of a family. */
const SUMS = `
  SELECT * FROM payment_sums WHERE merchant_id = ?1 AND payment_id IN
    (?2, (SELECT i.referenced_id FROM payment i WHERE i.merchant_id = ?1 AND i.id = ?2))`;

const folder = mkdtempSync(join(tmpdir(), 'turnpike-plans-'));
let db: DatabaseSync;
before(async () => {
  const path = join(folder, 'plans.db');
  await (await openSqliteStore({ path })).close();
  db = new DatabaseSync(path);
});
after(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const MERCHANT_ONLY = /\((?:merchant_id|entity_id)=\?\)/;
/** Constants, lists of parameters, and the intermediate results that statements name so. */
const INTERMEDIATE = /^SCAN (?:CONSTANT ROW|json_each .*|entry|few|hook|least|looked|next|numbers|owner|page|waiting)$/;
/** An inverted index that is asked for a word: `M` is what it matches. */
const MATCHING = /^SCAN \w+ VIRTUAL TABLE INDEX \d+:M/;

function findingIn(step: string): Finding | null {
  const index = /USING (?:COVERING )?INDEX (\w+)/.exec(step)?.[1] ?? '';
  if (underWay.includes(index) || INTERMEDIATE.test(step) || MATCHING.test(step)) return null;
  if (step.startsWith('SCAN ')) return 'scan';
  if (step.startsWith('SEARCH ') && MERCHANT_ONLY.test(step)) return onePerMerchant.includes(index) ? null : 'whole merchant';
  if (!step.includes('TEMP B-TREE') || step.includes('FOR LAST')) return null;
  return step.includes('FOR GROUP BY') ? 'group' : 'sort';
}

const findingsOf = (text: string): ReadonlySet<Finding> =>
  new Set(
    db
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .flatMap(({ detail }) => findingIn(String(detail)) ?? []),
  );

test('every statement goes by an index, or is on the list of exceptions', async () => {
  const statements = new Map([...(await allStatements('sqlite')), ['SUMS', SUMS]]);
  const found = [...statements].flatMap(([name, text]) => [...findingsOf(text)].map((finding) => `${finding}: ${name}`));
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
  const indexes = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index'").all();
  assert.deepEqual(
    underWay.filter((index) => !indexes.some(({ name, sql }) => name === index && / WHERE /i.test(String(sql)))),
    [],
    'an index is gone or holds all rows: remove it from the list',
  );
  // A list that is no longer found would pass unseen.
  assert.ok(statements.size > 200, `${statements.size} statements`);
});

test('every index of payments is used by a statement', async () => {
  const plans = [...(await allStatements('sqlite')).values(), SUMS].flatMap((text) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
  const indexes = db.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'payment' AND sql NOT LIKE '%UNIQUE%'",
  );
  const unused = indexes
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !plans.some((plan) => new RegExp(`INDEX ${name}\\b`).test(plan)));
  assert.deepEqual(unused, [], 'an index of a filter needs a `rank` in filterColumns of store/areas/searchStatements.ts');
});

test('the control: statements without an index are noticed', () => {
  const control: readonly (readonly [statement: string, Finding])[] = [
    ['SELECT id FROM payment WHERE data = ?1', 'scan'],
    ['SELECT p.id FROM payment p WHERE p.data = ?1', 'scan'],
    ['SELECT rowid FROM search_word WHERE rowid > ?1', 'scan'],
    ['UPDATE delivery SET tries = ?2 WHERE code = ?1', 'scan'],
    ['SELECT id FROM payment WHERE merchant_id = ?1 AND data = ?2', 'whole merchant'],
    ['SELECT id FROM payment WHERE merchant_id = ?1 AND id > ?2 ORDER BY data', 'sort'],
    ['SELECT data, COUNT(*) FROM payment WHERE merchant_id = ?1 AND id > ?2 GROUP BY data', 'group'],
  ];
  for (const [statement, finding] of control) assert.ok(findingsOf(statement).has(finding), statement);
});
