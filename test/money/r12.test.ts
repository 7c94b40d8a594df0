import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { reportFigure } from '../figures.ts';
import { bodyOf, cardPayment } from '../requests.ts';
import { amounts, changedOnTheWay, edges, faultsOf } from './journey.ts';

test('no amount changes between the form and the books, in memory', async () => {
  const sent = [...edges, ...fc.sample(amounts, 500)];
  assert.deepEqual(await changedOnTheWay(createMemoryStore(), sent), []);
  reportFigure('R12', 'amounts', sent.length);
});

test('no amount changes between the form and the books, in SQLite', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-money-'));
  const store = await openSqliteStore({ dataDir });
  try {
    const sent = [...edges, ...fc.sample(amounts, 2_000)];
    assert.deepEqual(await changedOnTheWay(store, sent), []);
    reportFigure('R12', 'amounts', sent.length);
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** What is no amount, in every way of writing. */
const illegal: readonly string[] = ['-1.00', '-0.01', '-0', '\u22121.00', '(1.00)', '+1.00', '1.00-', '1e2', '1E2', '1.00e0']
  .concat('0x10', '0b1', '0o7', '1n', 'NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', '[object Object]')
  .concat('\uFF11.00', '1.0\uFF10', '\uFF11\uFF0E\uFF10\uFF10', '\u0661.00', '\u0967\u0966.00', '\u00B2.00', '\u{1D7CF}.00')
  .concat('10000000000.00', '10000000000', '00000000001.00', '99999999999.99', '9'.repeat(400), '1'.repeat(13))
  .concat('1.0', '1.000', '1.', '.50', '.', '0.1', '0.001', '1.00.00', '1..00', '1.00.', '9999999999.999')
  .concat(
    ' 1.00',
    '1.00 ',
    '1 .00',
    '1. 00',
    ' ',
    '\t1.00',
    '1.00\n',
    '1.00\r',
    '\u00A01.00',
    '1.00\u200B',
    '\uFEFF1.00',
    '1.00\0',
  )
  .concat('1,000.00', '1.000,00', '1,00', '1 000.00', "1'000.00", '1_000.00', '1\u202F000.00', '1\u066B00')
  .concat('1.00EUR', 'EUR1.00', '\u20AC1.00', '$1', '1/2', '1.00;2.00', '1.00,2.00', '1%', '""', '"1.00"', 'one', '=1+1');

const isRefused = (body: string): boolean =>
  [true, false].every((isLenient) => faultsOf(body, isLenient).some(({ name }) => name === 'amount'));

test('what is no amount is refused before anything is stored', () => {
  const taken = illegal.filter((amount) => !isRefused(bodyOf(cardPayment, { amount })));
  assert.deepEqual(taken, []);
});

test('so is an amount that is empty, absent, sent twice or badly encoded', () => {
  const without = bodyOf(cardPayment, { amount: null });
  const endings = ['', '&amount=', '&amount=1.00&amount=2.00', '&amount=+1.00', '&amount=1.00+', '&amount=%311.0', '&amount=%FF'];
  assert.deepEqual(
    endings.filter((ending) => !isRefused(without + ending)),
    [],
  );
});

test('a legal amount with one letter more, less or otherwise is taken only where it is legal again', () => {
  const legal = /^[0-9]{1,10}(?:\.[0-9]{2})?$/;
  const letter = fc.oneof(
    fc.constantFrom(..."0123456789.,-+eExX_ '\t\uFF10\u0660"),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(amounts, fc.nat(13), letter, fc.nat(1), ({ text }, place, other, gone) => {
      const at = place % (text.length + 1);
      const amount = text.slice(0, at) + other + text.slice(at + gone);
      const faults = faultsOf(bodyOf(cardPayment, { amount }), false);
      assert.equal(faults.length === 0, legal.test(amount), amount);
    }),
    { numRuns: 3_000 },
  );
});
