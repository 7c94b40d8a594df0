import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrationsOf } from './migrate.ts';

/** Payments from before there was a column for the customer. */

const KNOWN = { 'customer.merchantCustomerId': 'ann "1"' };
const stored = '5'.repeat(32);

test('earlier payments get the customer of their request, or of the details that they charged', () => {
  const db = new DatabaseSync(':memory:');
  const [before, after] = [migrationsOf('sqlite').filter(({ number }) => number < 10), migrationsOf('sqlite')];
  for (const { text } of before) db.exec(text);
  const triggers = db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  const insert = (table: string, row: Readonly<Record<string, string | number>>) => {
    const required = db.prepare(`SELECT name, type FROM pragma_table_info('${table}') WHERE "notnull" = 1`).all();
    const filled = Object.fromEntries(required.map(({ name, type }) => [String(name), type === 'TEXT' ? '' : 1]));
    const cells = { ...filled, merchant_id: 'shop', state: 'approved', ...row };
    const names = Object.keys(cells);
    db.exec('PRAGMA ignore_check_constraints = ON');
    db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`).run(...Object.values(cells));
  };
  insert('registration', { id: stored, customer_id: 'bob', state: 'active', data: '{}' });
  insert('payment', { id: 'own', data: JSON.stringify({ registrationId: stored, fields: KNOWN }) });
  insert('payment', { id: 'stored', data: JSON.stringify({ registrationId: stored, fields: {} }) });
  insert('payment', { id: 'none', data: JSON.stringify({ registrationId: null, fields: {} }) });
  insert('payment', { id: 'foreign', merchant_id: 'other', data: JSON.stringify({ registrationId: stored, fields: {} }) });
  for (const { text, name } of after) if (name === 'payment-customers') db.exec(text);
  assert.deepEqual(
    db
      .prepare('SELECT id, customer_id FROM payment ORDER BY id')
      .all()
      .map(({ id, customer_id }) => [id, customer_id]),
    [
      ['foreign', null],
      ['none', null],
      ['own', 'ann "1"'],
      ['stored', 'bob'],
    ],
  );
  const plan = db
    .prepare("EXPLAIN QUERY PLAN SELECT id FROM payment WHERE merchant_id = 'shop' AND customer_id = ? ORDER BY created_at DESC")
    .all();
  assert.match(JSON.stringify(plan), /USING INDEX payment_customer|USING COVERING INDEX payment_customer/);
});
