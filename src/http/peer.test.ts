import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { addressOf, isInside, trustOf } from './peer.ts';

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

const cases: [
  what: string,
  trust: boolean | readonly string[],
  remote: string,
  forwarded: string | undefined,
  expected: string,
][] = [
  ['no proxy', false, '198.51.100.7', undefined, '198.51.100.7'],
  ['a header of a stranger is not believed', false, '198.51.100.7', '10.0.0.1', '198.51.100.7'],
  ['every proxy is believed, to the far end', true, '10.0.0.1', '198.51.100.7, 10.0.0.2', '198.51.100.7'],
  ['our proxy is believed', ['10.0.0.0/8'], '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['what a client put in front is not', ['10.0.0.0/8'], '10.0.0.1', '127.0.0.1, 198.51.100.7', '198.51.100.7'],
  ['a proxy that is not listed is the client', ['10.0.0.1'], '10.0.0.2', '198.51.100.7', '10.0.0.2'],
  ['IPv4 in IPv6 clothes', ['10.0.0.0/8'], '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['nonsense stops the search', ['10.0.0.0/8'], '10.0.0.1', 'x', '10.0.0.1'],
];
for (const [what, trust, remote, forwarded, expected] of cases) {
  test(what, () => assert.equal(addressOf(from(remote, forwarded), trustOf(trust)), expected));
}

for (const address of ['127.0.0.1', '::1', '10.1.2.3', '172.31.0.1', '192.168.1.1', 'fd00::1', '::ffff:127.0.0.1']) {
  test(`${address} is inside`, () => assert.equal(isInside(address), true));
}
for (const address of ['198.51.100.7', '172.32.0.1', '2001:db8::1', '', 'x']) {
  test(`"${address}" is not`, () => assert.equal(isInside(address), false));
}
