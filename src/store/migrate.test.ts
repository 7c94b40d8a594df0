import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { StoreOutOfOrder } from '../payments/storeErrors.ts';
import { migrationsOf, neededSchema, outstanding } from './migrate.ts';

/** The newest schema before the rule: nothing was released on an older one. */
const RELEASED = 15;

/** What a program of the release before may still use, or cannot fill. */
const TAKING: readonly RegExp[] = [
  /\bDROP\s+(?:TABLE|VIEW|COLUMN)\b/i,
  /\bRENAME\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/i,
  /\bADD\s+(?:COLUMN\s+)?(?!CONSTRAINT)(?:(?!\bDEFAULT\b)[^;])*\bNOT\s+NULL\b(?:(?!\bDEFAULT\b)[^;])*(?:;|$)/i,
];
const takesAway = (text: string): boolean => TAKING.some((one) => one.test(text.replace(/--.*$/gm, '')));

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: migrations are numbered upwards, each number once`, () => {
    const numbers = migrationsOf(dialect).map(({ number }) => number);
    assert.ok(numbers.length >= 2);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((one, other) => one - other),
    );
  });

  test(`${dialect}: only what is missing is outstanding`, () => {
    const all = migrationsOf(dialect);
    assert.deepEqual(outstanding(dialect, []), all);
    const first = all.slice(0, 1);
    assert.deepEqual(outstanding(dialect, first), all.slice(1));
    assert.deepEqual(
      outstanding(
        dialect,
        all.map(({ number, name }) => ({ number: String(number), name })),
      ),
      [],
    );
  });

  test(`${dialect}: a newer schema that only adds is worked on, one that takes away is left alone`, () => {
    const all = migrationsOf(dialect);
    const newest = all.at(-1)?.number ?? 0;
    const four = (number: number) => String(number).padStart(4, '0');
    assert.deepEqual(outstanding(dialect, [...all, { number: 9_998, name: 'more-columns' }]), []);
    assert.deepEqual(outstanding(dialect, [...all, { number: 9_998, name: `fewer-needs-${four(newest)}` }]), []);
    assert.throws(
      () => outstanding(dialect, [...all, { number: 9_999, name: `fewer-needs-${four(newest + 1)}` }]),
      (error: Error) => error instanceof StoreOutOfOrder && /schema 9999.*start the newer version/.test(error.message),
    );
  });

  test(`${dialect}: a migration that the release before could not work on says which schema it needs`, () => {
    const unmarked = migrationsOf(dialect).filter(
      ({ number, name, text }) => number > RELEASED && neededSchema(name) === 0 && takesAway(text),
    );
    assert.deepEqual(
      unmarked.map(({ number, name }) => `${number}-${name}: name it ${name}-needs-NNNN`),
      [],
    );
  });
}

test('the index that operators of large databases build beforehand is the one of the migration', () => {
  const page = readFileSync(new URL('../../docs/upgrading.md', import.meta.url), 'utf8');
  const described = [...page.matchAll(/CREATE INDEX CONCURRENTLY [^;]+;/g)].map(([text]) => text.replace(' CONCURRENTLY', ''));
  const applied = migrationsOf('postgres').map(({ text }) => text);
  assert.ok(described.length > 0);
  for (const text of described)
    assert.ok(
      applied.some((migration) => migration.includes(text)),
      text,
    );
});

const taking: readonly (readonly [text: string, takes: boolean])[] = [
  ['ALTER TABLE payment ADD COLUMN note TEXT', false],
  ["ALTER TABLE payment ADD COLUMN note TEXT NOT NULL DEFAULT ''", false],
  ['ALTER TABLE payment ADD COLUMN note TEXT NOT NULL', true],
  ['CREATE TABLE note (id TEXT NOT NULL PRIMARY KEY); CREATE INDEX notes ON note (id)', false],
  ['DROP TABLE note', true],
  ['DROP INDEX notes', false],
  ['-- DROP TABLE note\nSELECT 1', false],
  ['ALTER TABLE note RENAME TO remark', true],
  ['ALTER TABLE note RENAME COLUMN a TO b', true],
  ['ALTER TABLE note DROP COLUMN a', true],
  ['ALTER TABLE note ALTER COLUMN a SET NOT NULL', true],
  ['ALTER TABLE note ALTER COLUMN a TYPE bigint', true],
  ['ALTER TABLE note DROP CONSTRAINT a', false],
];
for (const [text, takes] of taking)
  test(`${text}: ${takes ? 'takes something away' : 'only adds'}`, () => assert.equal(takesAway(text), takes));

test('the common text is put into each dialect', () => {
  const [sqlite, postgres] = [migrationsOf('sqlite')[0]?.text ?? '', migrationsOf('postgres')[0]?.text ?? ''];
  assert.match(sqlite, /amount INTEGER NOT NULL[\s\S]*sealed BLOB[\s\S]*\) STRICT;/);
  assert.match(postgres, /amount bigint NOT NULL[\s\S]*sealed bytea/);
  assert.doesNotMatch(postgres, /STRICT|INTEGER|BLOB/);
});
