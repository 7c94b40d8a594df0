import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listBrands, resultCodes } from '../src/http/api/documents.ts';
import { endpoints } from '../src/spec/endpoints.ts';
import { languageCodes } from '../src/spec/languages.ts';
import { openApi } from '../src/spec/openApi/openApi.ts';
import { resultCodes as catalogue } from '../src/spec/resultCodes.ts';
import { assertDescribed, assertFits } from './describedReplies.ts';

/** The OpenAPI document against itself: every example fits its schema, and the check of replies finds what is wrong. */
type Media = { readonly schema?: object; readonly example?: unknown };
type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly schema: object; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
};

const document = openApi() as unknown as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

test('every example fits its schema', () => {
  let count = 0;
  const check = (example: unknown, ...steps: readonly string[]): void => {
    if (example === undefined) return;
    assertFits(example, ...steps, 'schema');
    count += 1;
  };
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries(methods)) {
      const at = ['paths', path, method];
      for (const [index, { example }] of parameters.entries()) check(example, ...at, 'parameters', String(index));
      for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
        check(example, ...at, 'requestBody', 'content', type);
      }
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const [type, { example }] of Object.entries(content)) check(example, ...at, 'responses', status, 'content', type);
      }
    }
  }
  assert.ok(count >= 13, String(count));
});

test('what a browser calls for a merchant is described too', () => {
  for (const path of ['/v1/checkouts/{id}/payment', '/v1/checkouts/{id}/registration']) {
    const { requestBody, responses } = document.paths[path]?.post ?? assert.fail(path);
    assert.ok(requestBody?.content['application/x-www-form-urlencoded']);
    assert.ok(responses['200']?.content?.['application/json'] && responses['303']);
  }
  assert.ok(document.paths['/v1/paymentWidgets.js']?.get?.responses['200']?.content?.['text/javascript']);
});

test('the catalogue of result codes has class, group, advice and a text for the shopper in every language', () => {
  const bodies = ['', 'language=de', 'language=dk', 'language=xx'].map((query) => JSON.parse(resultCodes(null, { query }).body));
  for (const body of bodies) assertDescribed('GET', '/v1/resultcodes', { status: 200, body });
  const [english, german, danish, unknown] = bodies;
  assert.equal(english.resultCodes.length, Object.keys(catalogue).length);
  const texts = bodies.map((body) => body.resultCodes.find(({ code }: { code: string }) => code === '800.100.155').shopperText);
  assert.equal(new Set([texts[0], texts[1], texts[2]]).size, 3);
  assert.equal(texts[3], texts[0]);
  for (const { shopperTextId } of english.resultCodes) {
    assert.deepEqual(Object.keys(english.shopperTexts[shopperTextId]), [...languageCodes]);
  }
  for (const { code, group } of german.resultCodes) {
    const matching = danish.groups.filter(({ pattern }: { pattern: string }) => new RegExp(pattern).test(code));
    assert.deepEqual(
      matching.map(({ name }: { name: string }) => name),
      group === null ? [] : [group],
      code,
    );
  }
  assert.deepEqual(unknown.groups, english.groups);
});

test('the catalogue of brands is as described', () => {
  const body = JSON.parse(listBrands().body);
  assertDescribed('GET', '/v1/brands', { status: 200, body });
  const ideal = body.brands.find(({ brand }: { brand: string }) => brand === 'IDEAL');
  assert.deepEqual(
    [ideal.name, ideal.method, ideal.workflow, ideal.countries, ideal.currencies],
    ['iDEAL', 'OT', 'async', ['NL'], ['EUR']],
  );
});

const base = { buildNumber: 'b', timestamp: '2031-10-02 09:15:31+0000', ndc: 'a-1' };
const good = { id: 'a'.repeat(32), paymentType: 'RI', result: { code: '000.100.110', description: 'x' }, ...base };
const wrong: readonly (readonly [what: string, status: number, body: object])[] = [
  ['an ndc with an underscore', 200, { ...good, ndc: 'a_1' }],
  ['no build number', 200, { ...good, buildNumber: undefined }],
  ['an unknown type', 200, { ...good, paymentType: 'ZZ' }],
  ['an amount that is a number', 200, { ...good, amount: 92 }],
  ['a code of another form', 200, { ...good, result: { ...good.result, code: '1' } }],
  ['a status that is not described', 418, good],
];

test('control: a reply as described passes', () => {
  assertDescribed('GET', `/v1/payments/${'a'.repeat(32)}?entityId=x`, { status: 200, body: JSON.parse(JSON.stringify(good)) });
});

for (const [what, status, body] of wrong) {
  test(`control: ${what} is found`, () => {
    const reply = { status, body: JSON.parse(JSON.stringify(body)) };
    assert.throws(() => assertDescribed('POST', endpoints.pay.path, reply), /OpenAPI|has no status/);
  });
}
