import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreOutOfOrder } from '../payments/storeErrors.ts';
import { migrationsOf, outstanding } from './migrate.ts';

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
    assert.deepEqual(outstanding(dialect, [1]), all.slice(1));
    assert.deepEqual(
      outstanding(
        dialect,
        all.map(({ number }) => number),
      ),
      [],
    );
  });

  test(`${dialect}: a newer schema is left alone, and the sentence says what to do`, () => {
    assert.throws(
      () => outstanding(dialect, [1, 2, 9999]),
      (error: Error) => error instanceof StoreOutOfOrder && /schema 9999.*start the newer version/.test(error.message),
    );
  });
}

test('the common text is put into each dialect', () => {
  const [sqlite, postgres] = [migrationsOf('sqlite')[0]?.text ?? '', migrationsOf('postgres')[0]?.text ?? ''];
  assert.match(sqlite, /amount INTEGER NOT NULL[\s\S]*sealed BLOB[\s\S]*\) STRICT;/);
  assert.match(postgres, /amount bigint NOT NULL[\s\S]*sealed bytea/);
  assert.doesNotMatch(postgres, /STRICT|INTEGER|BLOB/);
});
