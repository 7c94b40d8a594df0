import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../form/check.ts';
import { decode } from '../../form/decode.ts';
import type { Request } from '../handler.ts';
import { checkOnce, plainForm } from './plainQuery.ts';

const entityId = '8a8294174b7ecb28014b9699220015ca';
const other = '8a8294174b7ecb28014b9699220015cb';
const none = Buffer.alloc(0);
const read = (given: Partial<Request>): Request =>
  ({ method: 'GET', endpoint: 'read', query: `entityId=${entityId}`, body: none, ...given }) as Request;

test('a query that names the entity alone is decoded once for an endpoint', () => {
  const form = plainForm(read({}));
  assert.deepEqual([...(form?.fields ?? [])], [['entityId', entityId]]);
  assert.equal(plainForm(read({})), form);
  assert.notEqual(plainForm(read({ endpoint: 'readCheckoutPayment' })), form);
  assert.deepEqual([...(plainForm(read({ query: `entityId=${other}` }))?.fields ?? [])], [['entityId', other]]);
});

const others: readonly (readonly [name: string, given: Partial<Request>])[] = [
  ['another parameter', { query: `entityId=${entityId}&amount=1.00` }],
  ['a card number', { query: 'card.number=4200000000000000&amount=1.000' }],
  ['another name of the same length', { query: `entityID=${entityId}` }],
  ['an escaped id', { query: `entityId=%38${entityId.slice(3)}` }],
  ['a body beside it', { body: Buffer.from('a=b') }],
  ['another method', { method: 'POST' }],
];

for (const [name, given] of others)
  test(`a query is not kept: ${name}`, () => {
    assert.equal(plainForm(read(given)), null);
  });

test('a kept form is checked again when its context is another', () => {
  const context: Context = { endpoint: 'read', isLenient: false, source: 'server', environment: 'test' };
  const form = plainForm(read({}));
  assert.ok(form);
  const first = checkOnce(form, context);
  assert.equal(checkOnce(form, { ...context }), first);
  const changes: readonly Partial<Context>[] = [{ isLenient: true }, { environment: 'live' }, { cardNumbers: 'refuse' }];
  for (const changed of changes)
    assert.notEqual(checkOnce(form, { ...context, ...changed } as Context), first, JSON.stringify(changed));
  const usual = decode(`entityId=${entityId}`);
  assert.notEqual(checkOnce(usual, context), checkOnce(usual, context), 'a form that is not kept is checked each time');
});

test('the queries of an endpoint are bounded', () => {
  const form = plainForm(read({}));
  for (let at = 0; at < 1_500; at += 1) plainForm(read({ query: `entityId=${at.toString(16).padStart(32, '0')}` }));
  assert.notEqual(plainForm(read({})), form);
});
