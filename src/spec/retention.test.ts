import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrationsOf } from '../store/migrate.ts';
import { jobSharing } from '../workers/sharing.ts';
import { defaultRetention, type RetentionRow, readRetention, retention, retentionNames } from './retention.ts';

const rows = Object.values<RetentionRow>(retention);

/** The tables of both engines, as their migrations leave them. */
function tables(): Set<string> {
  const db = new DatabaseSync(':memory:');
  for (const { text } of migrationsOf('sqlite')) db.exec(text);
  const found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  const made = migrationsOf('postgres').flatMap(({ text }) =>
    [...text.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+) \(/gm)].map(([, name]) => name as string),
  );
  const dropped = migrationsOf('postgres').flatMap(({ text }) =>
    [...text.matchAll(/^DROP TABLE (\w+)/gm)].map(([, name]) => name),
  );
  const names = [...found.map(({ name }) => name as string), ...made.filter((name) => !dropped.includes(name)), 'migration'];
  return new Set(names);
}

const unnamed = (kept: readonly RetentionRow[]) => [...tables().difference(new Set(kept.flatMap(({ tables: some }) => some)))];

test('every table has a row that says how long it is kept, and no row names a table that is not there', () => {
  assert.deepEqual(unnamed(rows), []);
  const named = new Set(rows.flatMap(({ tables: some }) => some));
  assert.deepEqual([...named.difference(tables())], []);
});

test('control: a table without a row is found', () => {
  assert.deepEqual(unnamed(rows.filter((row) => row !== retention.events)), ['outbox', 'delivery', 'earlier_event']);
});

test('every row that ends has a job, and every job that deletes has a row', () => {
  const jobs = new Set(rows.flatMap(({ job }) => (job === undefined ? [] : [job])));
  for (const { days, what, job, tables: some } of rows)
    assert.equal(job !== undefined, days !== null && some.length > 0, `${what}: ${job}`);
  const deleting = Object.keys(jobSharing).filter((name) => /^(?:delete|erase) /.test(name));
  assert.deepEqual(
    deleting.filter((name) => !jobs.has(name)),
    ['delete old rate limits'],
  );
  assert.deepEqual([...jobs.difference(new Set(deleting))], []);
});

test('defaults are within their ranges, and texts name what they change', () => {
  for (const { days, range } of rows) if (range) assert.ok(days !== null && days >= range[0] && days <= range[1]);
  assert.deepEqual(retentionNames, ['cardData', 'idempotencyKeys', 'events']);
  assert.deepEqual(readRetention('cardData=180, events=40'), { ...defaultRetention, cardData: 180, events: 40 });
  const wrong: readonly (readonly [text: string, says: RegExp])[] = [
    ['cardData', /pairs such as/],
    ['calls=3', /the names are cardData, idempotencyKeys, events/],
    ['books=3', /the names are/],
    ['cardData=0', /cardData must be 1 to 3650 days/],
    ['idempotencyKeys=30', /must be 31 to 365 days/],
    ['events=40,events=41', /set twice/],
    ['events=-1', /pairs/],
  ];
  for (const [text, says] of wrong) assert.match(String(readRetention(text)), says);
});
