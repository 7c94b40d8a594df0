import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressOf, isForwardedByOthers, isInside, isSecure, trustOf } from './clientAddress.ts';
import type { Message } from './message.ts';

type Headers = Readonly<Record<string, string | undefined>>;
const message = (remoteAddress: string, headers: Headers) =>
  ({ peer: { address: remoteAddress, isEncrypted: false }, headers }) as unknown as Message;
const from = (remote: string, forwarded?: string) =>
  message(remote, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });

const OURS = ['10.0.0.0/8', 'fd00::/8'];
type Trusted = boolean | readonly string[];
const cases: [what: string, trust: Trusted, remote: string, forwarded: string | undefined, expected: string][] = [
  ['no proxy', false, '198.51.100.7', undefined, '198.51.100.7'],
  ['a header of a stranger is not believed', false, '198.51.100.7', '10.0.0.1', '198.51.100.7'],
  ['true is one hop', true, '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['one hop ends at what the proxy has added', true, '10.0.0.1', '127.0.0.1, 198.51.100.7', '198.51.100.7'],
  ['one hop, whatever the address is', true, '10.0.0.1', '198.51.100.7, 10.0.0.2', '10.0.0.2'],
  ['our proxy is believed', OURS, '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['and the proxy before it', OURS, '10.0.0.1', '198.51.100.7, 10.0.0.3, 10.0.0.2', '198.51.100.7'],
  ['what a client put in front is not', OURS, '10.0.0.1', '127.0.0.1, 198.51.100.7', '198.51.100.7'],
  ['an address of ours that a client put in front is not', OURS, '10.0.0.1', '10.9.9.9, 198.51.100.7', '198.51.100.7'],
  ['a proxy that is not listed is the client', ['10.0.0.1'], '10.0.0.2', '198.51.100.7', '10.0.0.2'],
  ['only proxies: the farthest of them', OURS, '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['IPv4 inside IPv6', OURS, '::ffff:10.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
  ['IPv4 inside IPv6, in hex', OURS, '::ffff:a00:1', '::FFFF:c633:6407', '198.51.100.7'],
  ['a port', OURS, '10.0.0.1', '198.51.100.7:50412', '198.51.100.7'],
  ['IPv6 with brackets and a port', OURS, '10.0.0.1', '[2001:DB8::7]:443', '2001:db8::7'],
  ['IPv6 with brackets', OURS, 'fd00::1', '[2001:db8:0:0::7]', '2001:db8::7'],
  ['IPv6', OURS, 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['several headers, as Node joins them', OURS, '10.0.0.1', '127.0.0.1, 203.0.113.5, 198.51.100.7', '198.51.100.7'],
  ['blanks', OURS, '10.0.0.1', ' 198.51.100.7\t', '198.51.100.7'],
  ['nonsense ends the search', OURS, '10.0.0.1', 'x', '10.0.0.1'],
  ['nonsense behind a proxy', OURS, '10.0.0.1', '198.51.100.7, unknown, 10.0.0.2', '10.0.0.2'],
  ['nothing at all', OURS, '10.0.0.1', '', '10.0.0.1'],
  ['a comma at the end', true, '10.0.0.1', '198.51.100.7,', '10.0.0.1'],
  ['a zone', OURS, '10.0.0.1', 'fe80::1%eth0', '10.0.0.1'],
  ['a peer with a zone', ['fe80::/10'], 'fe80::1%eth0', '198.51.100.7', '198.51.100.7'],
  ['a port that is none', OURS, '10.0.0.1', '198.51.100.7:999999', '10.0.0.1'],
  ['octal digits', OURS, '10.0.0.1', '0198.051.100.7', '10.0.0.1'],
  ['a very long list of strangers', OURS, '10.0.0.1', `${'127.0.0.1,'.repeat(1_500)}198.51.100.7`, '198.51.100.7'],
  ['a very long list of proxies ends somewhere', OURS, '10.0.0.1', '10.0.0.2,'.repeat(1_500).slice(0, -1), '10.0.0.2'],
  ['whoever has left', OURS, '', '198.51.100.7', ''],
];
for (const [what, trust, remote, forwarded, expected] of cases) {
  test(what, () => assert.equal(addressOf(from(remote, forwarded), trustOf(trust)), expected));
}

test('the Forwarded header is not read', () => {
  const asked = message('10.0.0.1', { forwarded: 'for=127.0.0.1', 'x-forwarded-for': '198.51.100.7' });
  assert.equal(addressOf(asked, trustOf(OURS)), '198.51.100.7');
});

const hop = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom('10.0.0.9', '127.0.0.1', 'unknown', '', '[::1]:9', '%', 'a'.repeat(300)),
);
const prefix = fc.array(hop, { maxLength: 8 }).map((hops) => hops.join(', '));
const client = fc.ipV4().filter((address) => !address.startsWith('10.'));

test('nothing that a client sends changes the address that is found', () => {
  fc.assert(
    fc.property(prefix, client, fc.integer({ min: 0, max: 3 }), (sent, address, proxies) => {
      // Each proxy appends who asked it; the last one of them is the peer of our socket.
      const own = [address, ...Array.from({ length: proxies }, (_, at) => `10.0.0.${at + 2}`)].join(', ');
      const header = sent === '' ? own : `${sent}, ${own}`;
      assert.equal(addressOf(from('10.0.0.1', header), trustOf(OURS)), address);
      assert.equal(addressOf(from('10.0.0.1', sent === '' ? address : `${sent}, ${address}`), trustOf(true)), address);
      assert.equal(addressOf(from(address, header), trustOf(OURS)), address, 'past the proxy');
    }),
  );
});

const protos: [trust: Trusted, remote: string, proto: string | undefined, expected: boolean][] = [
  [false, '198.51.100.7', 'https', false],
  [true, '10.0.0.1', 'https', true],
  [true, '10.0.0.1', 'HTTPS', true],
  [true, '10.0.0.1', 'http', false],
  [true, '10.0.0.1', undefined, false],
  [OURS, '10.0.0.1', 'https', true],
  [OURS, '10.0.0.1', 'https, http', false],
  [OURS, '10.0.0.1', 'http, https', false],
  [OURS, '10.0.0.1', 'https,https', true],
  [OURS, '10.0.0.1', '', false],
  [OURS, '198.51.100.7', 'https', false],
];
for (const [trust, remote, proto, expected] of protos) {
  test(`"${proto}" of ${remote}, trusting ${trust}: ${expected ? 'TLS' : 'none'}`, () => {
    const asked = message(remote, proto === undefined ? {} : { 'x-forwarded-proto': proto });
    assert.equal(isSecure(asked, trustOf(trust)), expected);
  });
}

test('a request by a proxy that nobody has named is known by its headers', () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'via']) {
    assert.equal(isForwardedByOthers(message('127.0.0.1', { [name]: 'x' }), trustOf(false)), true, name);
    assert.equal(isForwardedByOthers(message('10.0.0.1', { [name]: 'x' }), trustOf(OURS)), false, name);
  }
  assert.equal(isForwardedByOthers(message('127.0.0.1', {}), trustOf(false)), false);
});

for (const address of ['127.0.0.1', '::1', '10.1.2.3', '172.31.0.1', '192.168.1.1', 'fd00::1', '::ffff:127.0.0.1']) {
  test(`${address} is inside`, () => assert.equal(isInside(address), true));
}
for (const address of ['198.51.100.7', '172.32.0.1', '2001:db8::1', '', 'x']) {
  test(`"${address}" is not`, () => assert.equal(isInside(address), false));
}
