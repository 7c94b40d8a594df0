import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOf, faultsOfGeneratorDocument, faultsOfParts, operationsOf, type Served } from './generatorDocuments.ts';
import { startGateway, type TestGateway } from './http/gateway.ts';

/** The OpenAPI documents that a gateway serves, as generators of clients need them (decisions/0105). */

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.close());

async function served(name: string): Promise<Served> {
  const response = await fetch(`${gateway.url}/openapi${name}.json`);
  assert.equal(response.status, 200, name);
  return (await response.json()) as Served;
}

for (const name of ['', '.merchant', '.administration'])
  test(`openapi${name}.json: one declared tag each, names for five languages, no reference into nothing`, async () => {
    const document = await served(name);
    assert.ok(operationsOf(document).length > 40);
    assert.deepEqual(faultsOf(document), []);
  });

for (const part of ['merchant', 'administration'])
  test(`openapi.${part}.generators.json: nothing that stock generators make wrong, and every operation of its part`, async () => {
    const [plain, full] = [await served(`.${part}.generators`), await served(`.${part}`)];
    assert.deepEqual(faultsOfGeneratorDocument(plain), []);
    const ids = (document: Served): readonly string[] =>
      operationsOf(document).map(({ at, operationId }) => `${at} ${operationId}`);
    assert.deepEqual(ids(plain), ids(full));
  });

test('the document for merchants and that of the administration share no operation, and are the whole together', async () => {
  const parts = { merchant: await served('.merchant'), administration: await served('.administration') };
  assert.deepEqual(faultsOfParts(await served(''), parts), []);
  const plain = { merchant: await served('.merchant.generators'), administration: await served('.administration.generators') };
  assert.deepEqual(faultsOfParts(await served(''), plain), []);
});

// biome-ignore lint/suspicious/noExplicitAny: a planted fault may be anywhere in the document.
type Open = any;
const pay = (document: Open): Open => document.paths['/v1/payments'].post;
const paid = (document: Open): Open => pay(document).responses['200'].content;
const form = (document: Open): Open => pay(document).requestBody.content['application/x-www-form-urlencoded'].schema.properties;
const payment = (document: Open): Open => document.components.schemas.Payment;

const planted: readonly (readonly [name: string, plant: (document: Open) => void, found: string])[] = [
  ['no tag', (one) => delete pay(one).tags, 'POST /v1/payments has 0 tags'],
  ['two tags', (one) => pay(one).tags.push('Queries'), 'POST /v1/payments has 2 tags'],
  [
    'a tag that is not declared',
    (one) => (pay(one).tags = ['Charges']),
    'POST /v1/payments has the tag Charges, which is not declared',
  ],
  ['a tag without operations', (one) => one.tags.push({ name: 'Events' }), 'tag Events has no operation'],
  ['one id twice', (one) => (pay(one).operationId = 'readPayment'), 'operation readPayment is readPayment in some language'],
  [
    'ids that differ in case alone',
    (one) => (pay(one).operationId = 'readpayment'),
    'operation readPayment is readpayment in some language',
  ],
  ['an id with a hyphen', (one) => (pay(one).operationId = 'create-payment'), 'operation create-payment is no identifier'],
  ['an id with a digit first', (one) => (pay(one).operationId = '3dsPay'), 'operation 3dsPay does not begin with a letter'],
  ['an id reserved in Python', (one) => (pay(one).operationId = 'yield'), 'operation yield is reserved in Python'],
  ['an id reserved in Java', (one) => (pay(one).operationId = 'goto'), 'operation goto is reserved in Java'],
  ['an id reserved in C#', (one) => (pay(one).operationId = 'params'), 'operation params is reserved in C#'],
  ['an id reserved in Go', (one) => (pay(one).operationId = 'func'), 'operation func is reserved in Go'],
  ['an id reserved in TypeScript', (one) => (pay(one).operationId = 'delete'), 'operation delete is reserved in TypeScript'],
  [
    'schemas that differ in case alone',
    (one) => (one.components.schemas.PAYMENT = { type: 'object' }),
    'schema PAYMENT is Payment in some language',
  ],
  [
    'a reference into nothing',
    (one) => (paid(one)['application/json'].schema.$ref = '#/components/schemas/Charge'),
    '/paths//v1/payments/post/responses/200/content/application/json/schema leads to #/components/schemas/Charge',
  ],
  ['webhooks', (one) => (one.webhooks = {}), 'the document has webhooks'],
  ['OpenAPI 3.1', (one) => (one.openapi = '3.1.0'), 'the document is OpenAPI 3.1.0'],
  ['no licence', (one) => delete one.info.license, 'the document has no licence by its SPDX name'],
  ['a licence of 3.1', (one) => (one.info.license.identifier = 'Apache-2.0'), 'the licence has an identifier'],
  [
    'patternProperties',
    (one) => (payment(one).patternProperties = { '^x': { type: 'string' } }),
    'Payment has patternProperties',
  ],
  ['anyOf', (one) => (payment(one).properties.amount = { anyOf: [{ type: 'string' }] }), 'Payment.amount has anyOf'],
  ['const', (one) => (payment(one).properties.currency.const = 'EUR'), 'Payment.currency has const'],
  ['a pattern', (one) => (form(one)['card.holder'].pattern = '^\\p{L}+$'), 'createPayment(body).card.holder has pattern'],
  [
    'a list of types',
    (one) => (payment(one).properties.amount.type = ['string', 'null']),
    'Payment.amount has the type ["string","null"]',
  ],
  ['allOf of objects', (one) => (payment(one).allOf = [{ type: 'object' }]), 'Payment has allOf of what is no reference'],
  [
    'words beside a reference',
    (one) => (paid(one)['application/json'].schema.nullable = true),
    'createPayment 200 has words beside $ref, which are lost',
  ],
  ['a requirement of nothing', (one) => payment(one).required.push('ghost'), 'Payment requires ghost, which it does not have'],
  [
    'a closed set in a reply',
    (one) => (payment(one).properties.paymentType.enum = ['PA']),
    'Payment.paymentType limits a reply by enum',
  ],
  ['a closed reply', (one) => delete payment(one).additionalProperties, 'Payment is a closed reply'],
  [
    'two parameters that become one',
    (one) => (form(one).card_number = { type: 'string' }),
    'createPayment: parameter card_number is card.number in some language',
  ],
  [
    'a parameter with brackets',
    (one) => (form(one)['cart.items[0].name'] = { type: 'string' }),
    'createPayment: parameter cart.items[0].name has brackets',
  ],
  [
    'more parameters than Java has',
    (one) => {
      const has = Object.keys(form(one)).length + pay(one).parameters.length;
      for (let at = has; at < 251; at += 1) form(one)[`more${at}`] = { type: 'string' };
    },
    'createPayment has 251 parameters',
  ],
  [
    'two kinds of content in one reply',
    (one) => (paid(one)['text/csv'] = { schema: { type: 'string' } }),
    'createPayment answers 200 with 2 kinds of content',
  ],
  [
    'a reply without a name',
    (one) => (paid(one)['application/json'].schema = { type: 'object', properties: {}, additionalProperties: true }),
    'createPayment 200 is an object without a name',
  ],
];

test('control: every planted fault of a document is found', async () => {
  const text = JSON.stringify(await served('.merchant.generators'));
  for (const [name, plant, expected] of planted) {
    const document = JSON.parse(text);
    plant(document);
    const found = faultsOfGeneratorDocument(document);
    assert.ok(found.includes(expected), `${name}: ${JSON.stringify(found)}`);
  }
});

test('control: an operation in the wrong part, in none and in one alone is found', async () => {
  const [whole, merchant, administration] = [
    await served(''),
    await served('.merchant'),
    await served('.administration'),
  ] as Open[];
  administration.paths['/v1/payments'] = { post: merchant.paths['/v1/payments'].post };
  merchant.paths['/admin/v1/clock'] = { get: administration.paths['/admin/v1/clock'].get };
  delete administration.paths['/admin/v1/clock'].get;
  delete merchant.paths['/v1/query'];
  merchant.paths['/v1/ghosts'] = { get: { operationId: 'readGhosts' } };
  assert.deepEqual(faultsOfParts(whole, { merchant, administration }), [
    'GET /admin/v1/clock readClock is in the document for merchants',
    'POST /v1/payments createPayment is in the document of the administration',
    'GET /v1/query queryPayments is in neither part',
    'GET /v1/ghosts readGhosts is not in the whole',
  ]);
});
