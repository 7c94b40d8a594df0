import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eventStatements } from '../areas/deliveryStatements.ts';
import { paymentStatements } from '../areas/payments.ts';
import { createPrepare, migrateFile, openForWriting, withUnplannedLimits } from './file.ts';
import { createWrite } from './write.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-limits-'));
after(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'limits.db');
migrateFile(path);
const db = openForWriting(path);
after(() => db.close());
/** SQLite asks for leave while it prepares a statement, and only then. */
let asked = 0;
db.setAuthorizer(() => {
  asked += 1;
  return 0;
});

/** Whether a second execution prepares again. */
function isPreparedAgain(run: () => unknown): boolean {
  run();
  const before = asked;
  run();
  return asked > before;
}

test('a statement with a limit is prepared once', () => {
  const { write } = createWrite(db, createPrepare(db));
  const text = eventStatements.passEvents.ofAll.sqlite;
  assert.equal(
    isPreparedAgain(() => write([[text, false, [['[]', 500]]]])),
    false,
  );
  const apart = db.prepare(withUnplannedLimits(paymentStatements.deleteIdempotencyKeys));
  assert.equal(
    isPreparedAgain(() => apart.run(0, 10)),
    false,
  );
});

test('the control: a bare limit prepares the statement again', () => {
  const bare = db.prepare(paymentStatements.deleteIdempotencyKeys);
  assert.equal(
    isPreparedAgain(() => bare.run(0, 10)),
    true,
  );
});

test('the limit still holds', () => {
  const rows = db.prepare(withUnplannedLimits("SELECT value FROM json_each('[1, 2, 3, 4]') LIMIT ?1")).all(3);
  assert.equal(rows.length, 3);
});
