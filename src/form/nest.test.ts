import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEW_FIELDS, nest, nestInSlices } from './nest.ts';

const cases: [fields: Record<string, string>, json: string][] = [
  [{}, '{}'],
  [
    { 'customer.givenName': 'Ann', 'customer.browser.language': 'de' },
    '{"customer":{"givenName":"Ann","browser":{"language":"de"}}}',
  ],
  [{ 'cart.items[0].name': 'pen', 'cart.items[1].name': 'ink' }, '{"cart":{"items":[{"name":"pen"},{"name":"ink"}]}}'],
  [{ 'cart.items[7].name': 'ink', 'cart.items[2].name': 'pen' }, '{"cart":{"items":[{"name":"pen"},{"name":"ink"}]}}'],
  [{ 'customParameters[a.b]': '1', 'customParameters[12]': '2' }, '{"customParameters":{"12":"2","a.b":"1"}}'],
  [{ 'airline.passengers[0].legs[1].flightNumber': 'X1' }, '{"airline":{"passengers":[{"legs":[{"flightNumber":"X1"}]}]}}'],
  [{ 'threeDSecure.schemeData[XX-ITEMSNB]': '02' }, '{"threeDSecure":{"schemeData":{"XX-ITEMSNB":"02"}}}'],
];

for (const [fields, json] of cases) {
  test(`${JSON.stringify(fields)} → ${json}`, async () => {
    assert.equal(JSON.stringify(nest(fields)), json);
    assert.equal(JSON.stringify(await nestInSlices(fields, Object.keys(fields), async () => {})), json);
  });
}

test('many fields are nested in slices as at once, and other requests come in between', async () => {
  const names = ['cart.items[1].name', 'cart.items[1].recipient.city', 'customParameters[k1]', 'customer.x1', 'a[1].b[2].c'];
  const many = Array.from({ length: 900 }, (_, at) =>
    names.map((name) => [name.replace('1', String(at)), `${name} ${at}`]),
  ).flat();
  const fields: Record<string, string> = Object.fromEntries(many);
  let rests = 0;
  const nested = await nestInSlices(fields, Object.keys(fields), async () => {
    rests += 1;
  });
  assert.equal(JSON.stringify(nested), JSON.stringify(nest(fields)));
  assert.ok(many.length > FEW_FIELDS && rests >= 20, `${rests} times`);
});

test('names that mean something to JavaScript are names like any other', () => {
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  const fields = Object.fromEntries(
    ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((key) => [`customParameters[${key}]`, key]),
  );
  const { customParameters } = JSON.parse(JSON.stringify(nest(fields)), (key, value) => (key === '' ? value : value));
  for (const key of ['constructor', 'toString', 'hasOwnProperty']) assert.equal(customParameters[key], key);
  assert.equal(Object.getOwnPropertyDescriptor(customParameters, '__proto__')?.value, '__proto__');
  assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), before);
});
