import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isAddress, readResult, resultUrl } from './results.ts';

const ORIGIN = 'https://pay.example';
const ID = `${'A'.repeat(32)}.node1`;
const result = {
  checkoutId: ID,
  resourcePath: `/v1/checkouts/${ID}/payment`,
  url: 'https://shop.example/result?id=1',
  outcome: 'success',
  code: '000.100.110',
  text: 'Thank you',
};
const read = (data: unknown, origin = ORIGIN) => readResult({ data, origin }, ORIGIN, ID);

test('what our own page tells is read', () => assert.deepEqual(read({ turnpike: 1, result }), result));

const refused: readonly (readonly [why: string, data: unknown, origin?: string])[] = [
  ['another origin', { turnpike: 1, result }, 'https://pay.example.evil.example'],
  ['another port', { turnpike: 1, result }, 'https://pay.example:8443'],
  ['an opaque origin', { turnpike: 1, result }, 'null'],
  ['no mark', { result }],
  ['another mark', { turnpike: '1', result }],
  ['no result', { turnpike: 1, result: null }],
  ['another checkout', { turnpike: 1, result: { ...result, checkoutId: `${'B'.repeat(32)}.node1` } }],
  ['no such outcome', { turnpike: 1, result: { ...result, outcome: 'paid' } }],
  ['an outcome that is no text', { turnpike: 1, result: { ...result, outcome: ['success'] } }],
  ['an address that runs', { turnpike: 1, result: { ...result, url: 'javascript:alert(1)' } }],
  ['no address at all', { turnpike: 1, result: { ...result, url: undefined } }],
  ['a text that is none', { turnpike: 1, result: { ...result, text: { toString: 1 } } }],
];
for (const [why, data, origin] of refused) test(`refused: ${why}`, () => assert.equal(read(data, origin), null));

test('ten thousand messages of any shape and origin are not believed', () => {
  const near = fc.record({
    turnpike: fc.oneof(fc.constant(1), fc.anything()),
    result: fc.oneof(fc.anything(), fc.record(Object.fromEntries(Object.keys(result).map((name) => [name, fc.anything()])))),
  });
  const messages = fc.oneof(
    fc.record({ data: fc.oneof(fc.anything(), near), origin: fc.oneof(fc.constant(ORIGIN), fc.webUrl(), fc.string()) }),
    fc.record({ data: fc.constant({ turnpike: 1, result }), origin: fc.oneof(fc.webUrl(), fc.string()) }),
  );
  const believed = fc.property(messages, (one) => readResult(one, ORIGIN, ID) === null);
  fc.assert(believed, { numRuns: 10_000 });
});

test('addresses to which a shopper may be sent', () => {
  const good = ['https://shop.example/x?a=1#b', 'http://localhost:8080/', 'myshop://result', 'com.shop.app:/done'];
  const bad = [
    'javascript:alert(1)',
    'JavaScript:x',
    'data:text/html,x',
    'blob:https://x',
    'file:///x',
    '/result',
    '',
    ' javascript:x',
  ];
  assert.deepEqual([good.filter(isAddress), bad.filter(isAddress)], [good, []]);
});

test('what the shop needs comes into the query and nothing of it is lost', () => {
  const query = `id=${ID}&resourcePath=${encodeURIComponent(`/v1/checkouts/${ID}/payment`)}`;
  const url = (text: string) => resultUrl(text, ID, `/v1/checkouts/${ID}/payment`);
  assert.equal(url('https://a.example/r'), `https://a.example/r?${query}`);
  assert.equal(url('https://a.example/r?x=1'), `https://a.example/r?x=1&${query}`);
  assert.equal(url('https://a.example/r?x=1#top'), `https://a.example/r?x=1&${query}#top`);
});
