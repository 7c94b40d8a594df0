import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import { allStatements } from '../../test/contract/allStatements.ts';
import { migrationsOf } from './migrate.ts';

/**
 * R29: the merchant is in the condition of every statement about a table of merchants' data, or the statement has a reason here. A new
 * statement that forgets the merchant fails this test (decisions/0073).
 */

const BY_WEBHOOK = 'of a webhook, whose entity the caller has been checked for; ids of webhooks are of one merchant';
const BY_FILE = 'of a settlement file, whose entity the caller has been checked for: lines may be of no merchant yet';
const BY_ID = 'by an id alone, and the handler checks the entity of what it finds before it answers';
const JOB = 'a job over all merchants';
const BEARER = 'the id of a checkout is all that the browser has; endpoints with a token compare its entity';

/** Statements without the merchant in their condition. */
const withoutMerchant: Readonly<Record<string, string>> = {
  redeliver: BY_WEBHOOK,
  redeliverOne: BY_WEBHOOK,
  deliveriesIn: BY_WEBHOOK,
  countDeliveries: BY_WEBHOOK,
  clearWebhook: BY_WEBHOOK,
  delivery: 'by its id, and the store compares its webhook',
  settle: 'the node that has claimed the delivery settles it, by its id',
  call: BY_ID,
  callsOfEntity: 'the entity, which is of one merchant',
  saveCheckout: BEARER,
  checkout: BEARER,
  holdRecord: BY_FILE,
  saveRecord: BY_FILE,
  countFile: BY_FILE,
  dropRecords: BY_FILE,
  exceptions: 'the entities of the files that the caller has been checked for',
  settlementRecord: BY_ID,
  clocks: 'the test clocks of all merchants, at the start',
  cursor: 'how far the search keys have come: no data of a merchant',
  unrecorded: JOB,
  changes: JOB,
  dropChanges: JOB,
  cardDataBatch: JOB,
  eraseCardData: JOB,
  deleteCalls: JOB,
  deleteCheckouts: JOB,
  deleteDeliveries: JOB,
  forgetEarlierEvents: JOB,
};

/** What decides which rows are meant: the columns of an insertion, or everything from the first condition on. */
function conditionOf(text: string): string {
  const at = text.search(/\b(?:WHERE|ON|USING)\b/);
  return /\bINSERT INTO\b/.test(text) ? text : at === -1 ? '' : text.slice(at);
}

const db = new DatabaseSync(':memory:');
for (const { text } of migrationsOf('sqlite')) db.exec(text);
const tables = db
  .prepare(
    "SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = 'merchant_id'",
  )
  .all()
  .map(({ name }) => new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE)\\s+${name}\\b`));
const isUnbound = (text: string): boolean =>
  tables.some((table) => table.test(text)) && !conditionOf(text).includes('merchant_id');

/** These read all records of a small file once, at a start. */
const WHOLE_FILE = 'sqliteBrokenRecords';

/** Every statement of either database, by its name. */
const statements = new Map<string, string>();
before(async () => {
  for (const dialect of ['sqlite', 'postgres'] as const)
    for (const [name, text] of await allStatements(dialect))
      if (!name.startsWith(WHOLE_FILE)) statements.set(`${dialect}.${name}`, text);
});

test('every statement about data of merchants has the merchant in its condition, or a reason', () => {
  assert.ok(statements.size > 250 && tables.length > 20, `${statements.size} statements, ${tables.length} tables`);
  const unbound = [...statements].filter(([, text]) => isUnbound(text)).map(([name]) => name.split('.').at(-1) ?? '');
  assert.deepEqual([...new Set(unbound)].sort(), Object.keys(withoutMerchant).sort());
});

test('control: a statement that forgets the merchant is found', () => {
  for (const text of [
    'SELECT merchant_id, data FROM payment WHERE id = ?1',
    'SELECT data FROM registration',
    'UPDATE schedule SET state = ?2 WHERE id = ?1',
    'DELETE FROM posting WHERE at < ?1',
  ])
    assert.equal(isUnbound(text), true, text);
  assert.equal(isUnbound('SELECT data FROM payment WHERE merchant_id = ?1 AND id = ?2'), false);
});
