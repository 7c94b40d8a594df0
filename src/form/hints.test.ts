import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { check } from './check.ts';
import type { Fault } from './checked.ts';
import { decode } from './decode.ts';

const faultsOf = (endpoint: EndpointName, body: string, isLenient = false): readonly Fault[] => {
  const outcome = check(decode(body), { endpoint, isLenient, source: 'server', environment: 'test' });
  return outcome.is === 'faulty' ? outcome.faults : [];
};

/** How people mistype a name: a letter too few, two swapped, another case. */
const mistyped = (name: string): readonly string[] => {
  const at = Math.floor(name.length / 2);
  const [before, one = '', other = '', after] = [name.slice(0, at), name[at], name[at + 1], name.slice(at + 2)];
  return [`${before}${other}${after}`, `${before}${other}${one}${after}`, name.toUpperCase(), `${name}s`].filter(
    (sent) => sent !== name,
  );
};

/** Endpoints that search: without one of these parameters there is nothing to search for. */
const searches = (['query', 'findPayments', 'queryRecords'] as const).flatMap((endpoint) =>
  [
    ['merchantTransactionId', ''],
    ['date.from', '&date.to=2027-01-01 00:00:00'],
    ['date.to', '&date.from=2027-01-01 00:00:00'],
  ].map(([name = '', beside = '']) => ({ endpoint, name, beside })),
);

const required = (Object.keys(endpoints) as EndpointName[]).flatMap((endpoint) =>
  endpoints[endpoint].required.map((name) => ({ endpoint, name: name as string, beside: '' })),
);

test('a missing parameter that was mistyped is named with what was sent, on every endpoint and channel', () => {
  let count = 0;
  for (const { endpoint, name, beside } of [...searches, ...required]) {
    for (const sent of mistyped(name)) {
      for (const isLenient of [false, true]) {
        const fault = faultsOf(endpoint, `${sent}=1${beside}`, isLenient).find((one) => one.name === name);
        assert.ok(
          fault?.message.endsWith(`; ${sent} is unknown, did you mean ${name}?`),
          `${endpoint} ${sent}: ${fault?.message}`,
        );
        count += 1;
      }
    }
  }
  assert.ok(count > 300, String(count));
});

test('an unknown name alone is no fault, and one that resembles nothing missing gives no hint', () => {
  assert.deepEqual(faultsOf('query', `entityId=${'0'.repeat(32)}&merchantTransactionId=x&limti=100`), []);
  for (const { message } of faultsOf('query', 'plugin.version=7&limti=100')) assert.doesNotMatch(message, /did you mean/);
});

test('a query by registrationId or id is told what to send instead, unless it selects something', () => {
  const [byRegistration] = faultsOf('query', `entityId=${'0'.repeat(32)}&registrationId=${'1'.repeat(32)}`);
  assert.equal(byRegistration?.name, 'merchantTransactionId');
  assert.match(byRegistration.message, /; registrationId does not search: send date\.from and date\.to/);
  const [byId] = faultsOf('queryRecords', `entityId=${'0'.repeat(32)}&id=${'1'.repeat(32)}`, true);
  assert.match(byId?.message ?? '', /; an id belongs into the path: /);
  assert.deepEqual(faultsOf('query', `entityId=${'0'.repeat(32)}&registrationId=x&merchantTransactionId=x`), []);
});

test('a card number in an unknown name is not repeated', () => {
  const faults = faultsOf('pay', 'amount4200000000000000=1&currenci=EUR');
  assert.ok(!JSON.stringify(faults).includes('4200000000000000'));
});
