import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminFields } from '../admin/admin.ts';
import { type EndpointName, endpoints } from '../endpoints.ts';
import { parameters } from '../parameters.ts';
import { resultCodes } from '../resultCodes.ts';
import { type Row, secrecyOf } from '../row.ts';
import { operationIdOf } from './examples.ts';
import { openApi } from './openApi.ts';

type Tree = { readonly [name: string]: Tree } & { readonly $ref?: string; readonly pattern?: string };
type Operation = {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly example?: string;
  }[];
  readonly requestBody?: {
    readonly description?: string;
    readonly content: Record<
      string,
      { readonly schema: { readonly allOf: { $ref: string }[]; required: string[] }; readonly example?: Record<string, string> }
    >;
  };
  readonly responses: Record<
    string,
    { readonly description: string; readonly content?: Record<string, { readonly schema?: Tree; readonly example?: Tree }> }
  >;
};
type SectionSchema = { readonly properties?: Record<string, Tree>; readonly patternProperties?: Record<string, Tree> };

const document = JSON.parse(JSON.stringify(openApi('https://pay.example'))) as {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, SectionSchema & Tree> };
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const { schemas } = document.components;

function* nodes(tree: unknown): Generator<Tree> {
  if (typeof tree !== 'object' || tree === null) return;
  yield tree as Tree;
  for (const child of Object.values(tree)) yield* nodes(child);
}

test('every endpoint is one operation with its own id', () => {
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  assert.equal(document.openapi, '3.1.0');
  const described = Object.entries(endpoints).filter(
    ([, { answers, access }]) => answers !== 'page' && access !== 'session' && access !== 'signIn',
  );
  assert.deepEqual(
    operations.map(({ operationId }) => operationId).sort(),
    described.map(([name]) => operationIdOf(name as EndpointName)).sort(),
  );
  for (const [, { method, path }] of described) assert.ok(document.paths[path]?.[method.toLowerCase()], `${method} ${path}`);
});

test('every reference leads somewhere, and every pattern is a regular expression', () => {
  let references = 0;
  for (const { $ref, pattern } of nodes(document)) {
    if (typeof $ref === 'string') {
      references += 1;
      assert.ok(schemas[$ref.replace('#/components/schemas/', '')], $ref);
    }
    if (typeof pattern === 'string') assert.ok(new RegExp(pattern, 'u'));
  }
  assert.ok(references > 60);
});

test('every place in a path is a required parameter', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const places = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const { parameters: all } of Object.values(methods)) {
      const inPath = all.filter((one) => one.in === 'path');
      assert.deepEqual(
        inPath.map(({ name }) => name),
        places,
      );
      assert.ok(inPath.every(({ required }) => required));
    }
  }
});

test('a payment request may carry every parameter and must carry the required ones', () => {
  const body = document.paths['/v1/payments']?.post?.requestBody?.content['application/x-www-form-urlencoded']?.schema;
  assert.deepEqual(body?.required, ['entityId', 'paymentType', 'amount', 'currency']);
  const used = body.allOf.map(({ $ref }) => schemas[$ref.replace('#/components/schemas/', '')] as SectionSchema);
  const plain = used.flatMap((schema) => Object.keys(schema.properties ?? {}));
  const titled = used.flatMap((schema) =>
    Object.values(schema.patternProperties ?? {}).map(({ title }) => title as unknown as string),
  );
  assert.deepEqual([...plain, ...titled].sort(), Object.keys(parameters).sort());
});

const wireNames: readonly (readonly [name: string, isKnown: boolean])[] = [
  ['cart.items[0].name', true],
  ['cart.items[1000].name', true],
  ['cart.items[1001].name', false],
  ['cart.items[01].name', false],
  ['cartXitems[0].name', false],
  ['airline.passengers[3].legs[12].fareAmount', true],
  ['customParameters[SHOPPER_x.1]', true],
  ['customParameters[a b]', false],
  ['overridePaymentType[VISA]', true],
];

for (const [name, isKnown] of wireNames) {
  test(`${name} is ${isKnown ? '' : 'not '}a name by the patterns`, () => {
    const patterns = Object.values(schemas).flatMap(({ patternProperties = {} }) => Object.keys(patternProperties));
    assert.equal(
      patterns.some((pattern) => new RegExp(pattern, 'u').test(name)),
      isKnown,
    );
  });
}

test('secret parameters say so', () => {
  const secret = Object.entries<Row<unknown>>(parameters).filter(([name, row]) => row.secret && !name.includes('['));
  const all = Object.assign({}, ...Object.values(schemas).map(({ properties = {} }) => properties)) as Record<string, Tree>;
  for (const [name, row] of secret) assert.equal(all[name]?.['x-secrecy'], row.secret && secrecyOf(row.secret), name);
});

const endpointOf = (operationId: string): EndpointName | undefined =>
  (Object.keys(endpoints) as EndpointName[]).find((name) => operationIdOf(name) === operationId);

const isAdministered = (operationId: string): boolean => endpoints[endpointOf(operationId) ?? 'pay'].access === 'admin';

const VERBS = [
  ...['assess', 'capture', 'change', 'check', 'create', 'delete', 'end', 'extend', 'find', 'list', 'load', 'pay', 'preview'],
  ...['query', 'read', 'refund', 'register', 'report', 'reverse', 'screen', 'update'],
];

test('operations of the merchant API are named by a verb and a noun', () => {
  const own = operations.filter(({ operationId }) => !isAdministered(operationId)).map(({ operationId }) => operationId);
  for (const name of own)
    assert.ok(
      VERBS.some((verb) => name.startsWith(verb) && /^[A-Z]/.test(name.slice(verb.length))),
      name,
    );
  for (const name of ['createPayment', 'capturePayment', 'refundPayment', 'reversePayment', 'readPayment', 'createCheckout'])
    assert.ok(own.includes(name), name);
});

test('whoever needs a token may be told 401 and 403, whoever reads by an id, refers to a payment or administers 404', () => {
  for (const { operationId, security, responses } of operations) {
    assert.equal(security.length > 0, '401' in responses && '403' in responses);
    assert.equal(
      [
        ...['changePayment', 'capturePayment', 'refundPayment', 'reversePayment', 'readPayment'],
        ...['readRegistration', 'readAuthentication', 'readAssessment', 'readSchedule'],
        ...['queryPayments', 'queryPayment', 'findPayments', 'queryRecords', 'queryRecord'],
        ...['reportAggregations', 'reportSettlement', 'reportSettlementPages'],
      ].includes(operationId) || isAdministered(operationId),
      '404' in responses,
      operationId,
    );
    assert.ok(Object.values(responses).every(({ description }) => description.length > 0));
  }
});

test('whoever administers sends JSON by the table, or has its fields in the query', () => {
  const own = operations.filter(({ operationId }) => isAdministered(operationId));
  assert.ok(own.length >= 11);
  for (const { operationId, requestBody, parameters: all, security } of own) {
    const fields = Object.keys(adminFields[endpointOf(operationId) as keyof typeof adminFields]);
    const schema = requestBody?.content['application/json']?.schema as unknown as { readonly properties: object } | undefined;
    const inQuery = all.filter((one) => one.in === 'query').map(({ name }) => name);
    assert.deepEqual(schema ? Object.keys(schema.properties) : inQuery, fields, operationId);
    assert.equal(security.length, 2, 'either token');
  }
});

const ofStored = ['register', 'payRegistered', 'readRegistration', 'deregister', 'extendLife'] as const;

test('stored payment details are answered as such, with examples', () => {
  for (const name of ofStored) {
    const found = operations.find(({ operationId }) => operationId === operationIdOf(name));
    const media = found?.responses['200']?.content?.['application/json'];
    assert.equal(media?.schema?.$ref, `#/components/schemas/${name === 'payRegistered' ? 'Payment' : 'Registration'}`, name);
    assert.ok(media?.example?.result, name);
    const body = found?.requestBody?.content['application/x-www-form-urlencoded'];
    assert.ok(body ? body.example?.entityId : found?.parameters.find((one) => one.name === 'entityId')?.example, name);
  }
});

test('an endpoint tells what it does not read and what it refuses', () => {
  const about = (name: EndpointName) => operations.find(({ operationId }) => operationId === operationIdOf(name));
  assert.match(
    about('register')?.requestBody?.description ?? '',
    /^Not read: amount, .*numberOfCaptures.*Refused: referenceUuid/,
  );
  assert.match(about('payRegistered')?.requestBody?.description ?? '', /^Not read: paymentBrand.*Refused: card\.number/);
  assert.doesNotMatch(about('payRegistered')?.requestBody?.description ?? '', /card\.cvv|holder|cryptogram|dtvc|mandate/);
  const names = about('deregister')?.parameters.map(({ name }) => name) ?? [];
  assert.ok(names.includes('entityId') && names.includes('testMode'));
  assert.deepEqual(
    names.filter((name) => ['amount', 'currency', 'paymentType', 'paymentBrand', 'referenceUuid'].includes(name)),
    [],
  );
});

test('a registration shows its network token and what the scheme wants to hear, and no payment type', () => {
  const { properties = {} } = schemas.Registration as SectionSchema;
  assert.deepEqual(Object.keys(properties.networkToken?.properties ?? {}), ['last4Digits', 'expiryMonth', 'expiryYear']);
  assert.ok(properties.standingInstruction?.properties?.initialTransactionId);
  assert.ok(properties.card?.properties?.last4Digits && properties.tokenAccount?.properties?.type);
  assert.equal(properties.paymentType, undefined);
});

test('every result code is told with its text', () => {
  const listed = schemas.ResultCode?.['x-resultCodes'] as unknown as Record<string, { readonly text: string }>;
  assert.deepEqual(Object.keys(listed), Object.keys(resultCodes));
});

test('an answer nests as it is sent', () => {
  const payment = schemas.Payment as unknown as {
    properties: { result: Tree; redirect: { properties: { parameters: { type: string; items: Tree } } }; resultDetails: Tree };
  };
  assert.ok(payment.properties.result.properties?.code);
  assert.equal(payment.properties.redirect.properties.parameters.type, 'array');
  assert.ok(payment.properties.redirect.properties.parameters.items.properties?.name);
  assert.ok(payment.properties.resultDetails.properties?.AcquirerResponse);
  assert.ok(payment.properties.resultDetails.additionalProperties);
});

test('what is refused is described as JSON, whatever the endpoint answers', () => {
  const refused = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ responses }) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { content = {} }]) => ({ what: `${path} ${status}`, isJson: 'application/json' in content })),
    ),
  );
  assert.ok(refused.length > 500);
  assert.deepEqual(
    refused.filter(({ isJson }) => !isJson).map(({ what }) => what),
    [],
  );
});
