import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonInSlices, namesOf, noteNames, setField } from './json.ts';

const inner = fc.oneof(
  fc.jsonValue(),
  fc.constant(undefined),
  fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 40, maxLength: 120 }),
);
const member = fc.oneof(inner, fc.dictionary(fc.string(), inner, { maxKeys: 4 }));

test('the text is that of JSON.stringify, and a long list lets others in between', async () => {
  let rests = 0;
  const rest = async () => {
    rests += 1;
  };
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), member, { maxKeys: 6, noNullPrototype: true }), async (object) => {
      assert.equal(await jsonInSlices(object, rest), JSON.stringify(object));
    }),
  );
  assert.ok(rests > 50, `${rests} times`);
});

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
