import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExchangeRequest, ExchangeResult } from '../ports.ts';
import { type AdyenReply, createClient } from './client.ts';

const replied = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ExchangeResult => ({
  is: 'replied',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const failed = (status: number, errorCode: string, errorType = 'validation') => ({
  status,
  errorCode,
  message: 'text',
  errorType,
});

const notSent: ExchangeResult = { is: 'notSent', reason: 'refused' };
const lost: ExchangeResult = { is: 'unanswered', reason: 'cut' };
const done = replied(200, { resultCode: 'Authorised' });
const html = replied(503, '<html>');
const transient = replied(503, failed(503, '703', 'internal'), { 'transient-error': 'true' });
const inProgress = replied(422, failed(422, '704'), { 'transient-error': 'true' });
const tooMany = replied(429, '');
const broken = replied(500, failed(500, '000', 'internal'));
const misconfigured = replied(500, failed(500, '905', 'configuration'));
const unauthorised = replied(401, failed(401, '000', 'security'));
const invalid = replied(422, failed(422, '101'));

async function post(results: readonly ExchangeResult[], key: string | null = 'secret-key') {
  const requests: ExchangeRequest[] = [];
  const slept: number[] = [];
  const client = createClient({
    url: 'https://checkout-test.adyen.com/v72',
    apiKey: async () => key,
    sleep: async (ms) => void slept.push(ms),
    async exchange(request) {
      requests.push(request);
      return results[requests.length - 1] ?? lost;
    },
  });
  const reply = await client({ step: 'pay', path: '/payments', body: { reference: 'r' }, key: 'our-key' });
  return { reply, requests, slept };
}

test('what a request leads to, try by try', async () => {
  const cases: readonly (readonly [string, readonly ExchangeResult[], AdyenReply['is'], number])[] = [
    ['an answer', [done], 'ok', 1],
    ['an answer after a lost one', [lost, done], 'ok', 2],
    ['never answered', [lost, lost, lost], 'unknown', 3],
    ['never sent', [notSent, notSent, notSent], 'unreachable', 3],
    ['lost, then no connection', [lost, notSent, notSent], 'unknown', 3],
    ['no connection, then lost', [notSent, notSent, lost], 'unknown', 3],
    ['no message left for the issuer', [transient, transient, transient], 'unreachable', 3],
    ['the store of keys is back', [transient, done], 'ok', 2],
    ['lost, then transient', [lost, transient, transient], 'unknown', 3],
    ['another request is worked on', [inProgress, inProgress, inProgress], 'unknown', 3],
    ['the other request ended', [lost, inProgress, done], 'ok', 3],
    ['too many', [tooMany, tooMany, tooMany], 'tooMany', 3],
    ['lost, then too many', [lost, tooMany, tooMany], 'unknown', 3],
    ['an error that may have reached the issuer', [broken], 'unknown', 1],
    ['a configuration that is wrong', [misconfigured], 'refused', 1],
    ['wrong credentials', [unauthorised], 'refused', 1],
    ['lost, then wrong credentials', [lost, unauthorised], 'unknown', 2],
    ['a refused request', [invalid], 'refused', 1],
    ['lost, then refused: the key has no other answer', [lost, invalid], 'refused', 2],
    ['a proxy on the way', [html, html, html], 'unknown', 3],
    ['an answer that cannot be read', [replied(200, '~~'), done], 'ok', 2],
    ['a refusal that Adyen did not write', [replied(403, '{"error":"blocked"}'), lost, lost], 'unknown', 3],
    ['a list', [replied(200, []), done], 'ok', 2],
  ];
  for (const [name, results, is, tries] of cases) {
    const { reply, requests } = await post(results);
    assert.equal(reply.is, is, name);
    assert.equal(requests.length, tries, name);
  }
});

test('every try has the same key and the same body, and their times end before the core stops waiting', async () => {
  const { requests, slept } = await post([lost, lost, lost]);
  assert.equal(new Set(requests.map(({ headers, body, url }) => JSON.stringify({ headers, body, url }))).size, 1);
  assert.equal(requests[0]?.headers?.['idempotency-key'], 'our-key');
  const most = requests.reduce((sum, { withinMs }) => sum + withinMs, 0) + slept.reduce((sum, ms) => sum + ms, 0);
  assert.ok(most < 60_000, String(most));
});

test('without an API key nothing is sent', async () => {
  const { reply, requests } = await post([done], null);
  assert.equal(reply.is, 'refused');
  assert.equal(requests.length, 0);
});
