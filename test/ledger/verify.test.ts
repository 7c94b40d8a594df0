import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sealBooks } from '../../src/ledger/chain.ts';
import { type Verdict, verify } from '../../src/ledger/verify.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { withAudit } from '../../src/store/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import {
  APPROVED,
  child,
  commit,
  commitWithEffects,
  type Database,
  moved,
  NOW,
  nextId,
  OPEN,
  payment,
} from '../contract/storeFixtures.ts';
import { openPostgres } from '../contract/storeOpen.ts';
import { steps, tell } from './families.ts';

const proven = (place: Parameters<typeof withAudit>[0], merchantId: string | null = null): Promise<Verdict> =>
  withAudit(place, (audit) => verify(audit, { merchantId, onStep: () => {}, signal: new AbortController().signal }));

const words = ({ findings }: Verdict): string => findings.map(({ block, says }) => `${block ?? 'unsealed'}: ${says}`).join('\n');

/** Two merchants with a chain of several blocks, families, and something that is in no block yet. */
async function fill(store: Store): Promise<void> {
  const keep = async (change: Payment) => {
    const version = (await store.family(change.merchantId, change.familyId))?.version ?? 0;
    assert.deepEqual(await commitWithEffects(store, commit(change, version)), { is: 'kept' });
  };
  for (let round = 0; round < 4; round += 1) {
    const at = NOW + round * 1_000;
    for (const merchantId of ['a', 'b']) {
      const times = { merchantId, createdAt: at, movedAt: at };
      const open = payment({ ...times, phase: OPEN });
      await keep(open);
      const reserve = payment({ ...times, paymentType: 'PA', amount: 500n });
      await keep(reserve);
      await keep(child(reserve, { ...times, paymentType: 'CP', amount: 300n }));
      const done = moved(open, { phase: APPROVED, movedAt: at + 500 });
      await keep(done);
      await keep(child(done, { ...times, paymentType: 'RF', amount: 1n }));
    }
    if (round < 3) await sealBooks(store);
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-verify-'));
before(async () => {
  const store = await openSqliteStore({ dataDir });
  await fill(store);
  await store.close();
});
after(() => rmSync(dataDir, { recursive: true }));

test('an untouched database is clean, whole or merchant by merchant', async () => {
  const all = await proven({ dataDir });
  assert.deepEqual(all.findings, []);
  assert.deepEqual([all.postings, all.payments, all.blocks, all.heads.length], [40, 32, 6, 2]);
  assert.ok(all.entries > all.postings * 2);
  const one = await proven({ dataDir }, 'a');
  assert.deepEqual([one.findings, one.postings, one.payments], [[], 20, 16]);
});

const where = "WHERE n = (SELECT from_n FROM ledger_block WHERE merchant_id = 'a' AND number = 2)";
const posting = (set: string) => `UPDATE posting SET ${set} ${where}`;
const block = (set: string) => `UPDATE ledger_block SET ${set} WHERE merchant_id = 'a' AND number = 2`;

/** Changes the first hex digit of a column. */
const otherDigit = (name: string) => `${name} = CASE substr(${name}, 1, 1) WHEN 'a' THEN 'b' ELSE 'a' END || substr(${name}, 2)`;

/** Damages that are possible without the triggers, and the findings about them. */
const damages: readonly (readonly [what: string, statement: string, says: RegExp])[] = [
  [
    'an amount and its counterpart',
    posting('merchant = merchant + 1, acquirer = acquirer - 1'),
    /2: its hash is not[\s\S]*its payment says/,
  ],
  ['one bit of one amount', posting('merchant = merchant + 64'), /2: its entries add up to 64 instead of 0/],
  ['the time of a posting', posting('at = at + 1'), /its hash is not/],
  ['the currency of a posting', posting("currency = 'EUS'"), /its balances are not[\s\S]*its payment says/],
  ['the mode of a posting', posting("mode = 'LIVE'"), /its payment says/],
  ['the kind of a posting', posting("kind = 'settlement'"), /its hash is not[\s\S]*it is not in the books/],
  ['the revision of a posting', posting('revision = revision + 2'), /no payment accounts for it/],
  ['the subject of a posting', posting("subject_id = 'x'"), /no payment accounts for it[\s\S]*it is not in the books/],
  ['the merchant of a posting', posting("merchant_id = 'b'"), /does not hold as many/],
  ['the number of a posting', posting('n = n + 1000'), /2: it does not hold as many/],
  ['a posting removed', `DELETE FROM posting ${where}`, /it is not in the books/],
  ['an unsealed posting removed', 'DELETE FROM posting WHERE n = (SELECT MAX(n) FROM posting)', /it is not in the books/],
  [
    'a posting twice',
    `INSERT INTO posting SELECT NULL, merchant_id, subject_id, revision, kind, at, currency, mode, shopper, reserve, contra, merchant,
      acquirer, fees, chargebacks FROM posting ${where}`,
    /unsealed: it is in the books more than once/,
  ],
  ['where a block begins', block('from_n = from_n + 1'), /2: it does not hold as many/],
  ['where a block ends', block('to_n = to_n - 1'), /2: it does not hold as many/],
  ['the count of a block', block('count = count + 1'), /2: it does not hold as many/],
  ['the first instant of a block', block('first_at = first_at - 1'), /2: its first instant/],
  ['the last instant of a block', block('last_at = last_at + 1'), /2: its last instant/],
  ['the latest instant of a block', block('through_at = through_at + 1'), /2: its latest instant/],
  ['the lateness of a block', block('late_ms = late_ms + 1'), /2: how far it reaches back/],
  ['the balances of a block', block("balances = replace(balances, '9', '8')"), /2: its balances/],
  [
    'unreadable balances',
    block("balances = 'x' || balances"),
    /2: its balances[\s\S]*3: the balances of the block before it cannot/,
  ],
  ['the hash of a block', block(otherDigit('hash')), /2: its hash[\s\S]*3: it does not carry the hash/],
  ['the link of a block', block(otherDigit('previous')), /2: it does not carry the hash/],
  ['a block removed', "DELETE FROM ledger_block WHERE merchant_id = 'a' AND number = 2", /3: a block before it is missing/],
  [
    'all postings of a block',
    "DELETE FROM posting WHERE merchant_id = 'a' AND n IN (SELECT p.n FROM posting p, ledger_block b WHERE b.number = 2 AND p.n BETWEEN from_n AND to_n)",
    /2: its postings are missing/,
  ],
  [
    'the amount of a payment',
    "UPDATE payment SET amount = amount + 1 WHERE rowid = (SELECT MIN(rowid) FROM payment WHERE payment_type = 'CP')",
    /its payment says[\s\S]*the books say|the database's own sums/,
  ],
  [
    'the sums of a family',
    'UPDATE balance SET captured = captured - 1 WHERE captured > 0',
    /the database's own sums say 299 captured/,
  ],
  ['the sums of a family gone', 'DELETE FROM balance', /the database keeps no sums of it/],
  ['a payment gone', "DELETE FROM payment WHERE payment_type = 'RF'", /no payment accounts for it/],
];

/** A copy of the database without its triggers. */
function unguarded(): string {
  const path = join(dataDir, 'unguarded.db');
  const hand = new DatabaseSync(join(dataDir, 'turnpike.db'));
  hand.exec(`VACUUM INTO '${path}'`);
  hand.close();
  const db = new DatabaseSync(path);
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  db.exec(`BEGIN; ${triggers.map(({ name }) => `DROP TRIGGER ${String(name)};`).join(' ')} COMMIT`);
  db.close();
  return path;
}

test('every damage is found, with its place', async (t) => {
  const whole = unguarded();
  const path = join(dataDir, 'damaged.db');
  for (const [what, statement, says] of damages) {
    await t.test(what, async () => {
      copyFileSync(whole, path);
      const db = new DatabaseSync(path);
      db.exec('PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF');
      const { changes } = db.prepare(statement).run();
      db.close();
      assert.ok(Number(changes) > 0, 'nothing was damaged');
      assert.match(words(await proven({ path })), says);
    });
  }
});

test('random lives of families are clean in both databases, and one flipped bit is found in the server too', async (t) => {
  const opened = await openPostgres();
  t.after(opened.end);
  const { place, raw } = opened.database as Database;
  const url = { databaseUrl: place.databaseUrl ?? '' };
  const sqlite = mkdtempSync(join(tmpdir(), 'turnpike-verify-'));
  const store = await openSqliteStore({ dataDir: sqlite });
  t.after(async () => {
    await store.close();
    rmSync(sqlite, { recursive: true });
  });
  for (const life of fc.sample(steps, { numRuns: 8, seed: 7 })) {
    for (const each of [opened.store, store]) {
      await tell(each, nextId(), life);
      await sealBooks(each, 6);
    }
  }
  for (const where of [url, { dataDir: sqlite }]) {
    const verdict = await proven(where);
    assert.equal(words(verdict), '');
    assert.ok(verdict.postings > 40 && verdict.families > 5, String(verdict.families));
  }
  await raw('ALTER TABLE posting DISABLE TRIGGER posting_sealed_once');
  await raw('ALTER TABLE posting DROP CONSTRAINT posting_balanced');
  await raw(`UPDATE posting SET acquirer = acquirer # 1024 WHERE (merchant_id, subject_id, revision) IN
    (SELECT merchant_id, subject_id, revision FROM posting WHERE block > 0 AND acquirer <> 0 LIMIT 1)`);
  assert.match(words(await proven(url)), /add up to -?1024[\s\S]*its payment says/);
});
