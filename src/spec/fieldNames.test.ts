import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOf, noteNames, setField } from './fieldNames.ts';

test('noted names are those of the fields, whatever is set later', () => {
  const fields: Record<string, string> = {};
  const names = Array.from({ length: 3 }, (_, n) => `cart.items[${n}].name`);
  for (const name of names) fields[name] = 'x';
  noteNames(fields, [...names]);
  setField(fields, 'threeDSecure.eci', '05');
  setField(fields, 'cart.items[1].name', 'y');
  assert.deepEqual(namesOf(fields), Object.keys(fields));
  assert.deepEqual(fields['cart.items[1].name'], 'y');
});

test('names that nobody noted are listed', () => {
  const fields = { amount: '1.00' };
  setField(fields, 'currency', 'EUR');
  assert.deepEqual(namesOf(fields), ['amount', 'currency']);
});
