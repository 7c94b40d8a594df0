import assert from 'node:assert/strict';
import { checkAdmin } from '../../../src/form/checkAdmin.ts';
import { type AdminEndpointName, adminFields, fieldsOf } from '../../../src/spec/admin/admin.ts';
import { endpoints } from '../../../src/spec/endpoints.ts';
import { assertNoCardNumber, CANARY, jsonOf, type Target } from '../target.ts';

const names = Object.keys(adminFields) as AdminEndpointName[];
const posts = names.filter((name) => endpoints[name].method === 'POST' && Object.keys(fieldsOf(name)).length > 0);
const fieldNames = [...new Set(posts.flatMap((name) => Object.keys(fieldsOf(name))))];

/** The first byte chooses the endpoint, the rest is its body or its query. */
const endpointOf = (input: Buffer): AdminEndpointName => names[(input[0] ?? 0) % names.length] as AdminEndpointName;

const seedOf = (name: AdminEndpointName): string => {
  const body = Object.fromEntries(Object.entries(fieldsOf(name)).map(([field, { example }]) => [field, example]));
  return `${String.fromCharCode(names.indexOf(name))}${JSON.stringify(body)}`;
};

/** Every fault names a field and repeats no secret; what is taken has members of the table only. */
function judge(input: Buffer): void {
  const endpoint = endpointOf(input);
  const body = input.subarray(1);
  const sent = { query: body.toString('latin1'), body, contentType: 'application/json' };
  const outcome = checkAdmin(endpoint, sent);
  if (outcome.is === 'faulty') {
    assert.ok(outcome.faults.length > 0);
    assertNoCardNumber(jsonOf(outcome.faults));
  } else {
    for (const name of Reflect.ownKeys(outcome.values)) assert.ok(Object.hasOwn(fieldsOf(endpoint), name), String(name));
    assertNoCardNumber(jsonOf(outcome.cardNumbers));
  }
  assert.equal(jsonOf(checkAdmin(endpoint, sent)), jsonOf(outcome));
}

export const adminJson: Target = {
  name: 'adminJson',
  seeds: [...posts.map(seedOf), `${String.fromCharCode(0)}limit=5&cursor=x&from=2031-10-02`],
  words: [
    ...fieldNames.map((name) => `"${name}":`),
    ...[
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '""',
      '"a"',
      'null',
      'true',
      '-0',
      '1e999',
      '"\\ud800"',
      '"__proto__":{',
      '"\\u0000"',
      '[[[[',
      '{"a":',
    ],
    ...[
      `"${CANARY}"`,
      CANARY,
      `"${CANARY}":1`,
      '"4200 0000 0000 0091"',
      '"https://shop.example/hook"',
      '"2031-10-02"',
      '"EUR"',
      '"1.00"',
    ],
  ],
  bytesMax: 65_000,
  work: { base: 40_000, perByte: 400 },
  judge,
  planted: {
    what: 'a reader whose message repeats the whole body',
    judge: (input) => {
      const outcome = checkAdmin(endpointOf(input), { query: '', body: input.subarray(1), contentType: 'application/json' });
      if (outcome.is === 'faulty') assertNoCardNumber(`${outcome.faults[0]?.message}: ${input.toString('latin1')}`);
    },
  },
};
