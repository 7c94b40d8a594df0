import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { isLoopback, isPublic } from '../../../src/outbound/address.ts';
import { createOutbound } from '../../../src/outbound/client.ts';
import { addressFault } from '../../../src/webhooks/webhook.ts';
import { assertNoCardNumber, CANARY, isOneIn, type Judge, type Target } from '../target.ts';

/** Every name leads to this machine. */
const outbound = createOutbound({
  timers: { within: (_ms, promise) => promise },
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});

/** What is inside, by the first bytes of an address alone: written apart from the lists of the gateway. */
function isInside(host: string): boolean {
  if (isIP(host) === 0) return true;
  const [first = 0, second = 0] = host.split('.').map(Number);
  if (isIP(host) === 4)
    return (
      first === 0 ||
      first === 10 ||
      first === 127 ||
      first >= 224 ||
      (first === 169 && second === 254) ||
      (first === 192 && second === 168)
    );
  return !/^[23][0-9a-f]{3}:/i.test(host);
}

/** An address is refused in words, or can be called; and nothing inside is called by any of them. */
const judge: Judge = (input) => {
  const text = input.toString('utf8');
  const called = new Set<string>();
  for (const environment of ['test', 'live'] as const) {
    const fault = addressFault(text, environment);
    assert.equal(addressFault(text, environment), fault);
    if (fault !== null) {
      assertNoCardNumber(fault);
      continue;
    }
    const url = new URL(text);
    assert.equal(new URL(url.href).href, url.href);
    assert.ok(url.host !== '' && url.username === '' && url.password === '' && url.hash === '', url.href);
    assert.ok(environment === 'test' ? /^https?:$/.test(url.protocol) : url.protocol === 'https:', url.href);
    if (environment === 'live') assert.ok(['', '80'].includes(url.port), url.href);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!isInside(host)) continue;
    assert.ok(isIP(host) === 0 || !isPublic(host), `${host} counts as public`);
    // A call by name goes through a client of the platform first, which takes a hundred times as long as everything else.
    if (isIP(host) !== 0 || isOneIn(64, input)) called.add(url.href);
  }
  return called.size === 0 ? undefined : assertUnreached([...called]);
};

async function assertUnreached(addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const says = await outbound.get(address, { answerBytesMax: 1, withinMs: 1 }).then(
      () => 'it is called',
      (error: Error) => error.message,
    );
    assert.match(says, /the host is not a public one|only http/);
  }
}

export const webhookAddress: Target = {
  name: 'webhookAddress',
  seeds: [
    'https://shop.example/hook?a=1&b=%20',
    'http://localhost:3000/hook',
    'https://[2606:4700::1111]:443/',
    'https://0x7f000001/',
    'https://127.1/',
    'https://[::ffff:7f00:1]/',
    'https://user@shop.example/',
    'https://\xe2\x91\xa0\xe2\x91\xa1\xe2\x91\xa6.\xe2\x93\xaa.\xe2\x93\xaa.\xe2\x91\xa0/',
  ],
  words: [
    ...[
      'https://',
      'http://',
      'ftp://',
      'javascript:',
      '//',
      '\\',
      '@',
      ':',
      '#',
      '?',
      '[',
      ']',
      '::',
      '.',
      '%00',
      '%2e',
      '\t',
      '\n',
      ' ',
      ':80',
      ':443',
      ':8443',
    ],
    ...[
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '017700000001',
      '2130706433',
      '[::1]',
      '[64:ff9b::7f00:1]',
      '[fe80::1]',
      '[::ffff:10.0.0.1]',
      'localhost.',
    ],
    ...['\xe3\x80\x82', '\xef\xbc\x8e', '\xc2\xad', '\xe2\x80\x8d', 'xn--', 'xn--a', '0x', '255', CANARY],
  ],
  bytesMax: 2_100,
  work: { base: 4_000, perByte: 40 },
  judge,
  planted: {
    what: 'a check that knows this machine by its usual name only',
    judge: (input) => {
      const url = URL.parse(input.toString('utf8'));
      const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
      if (isIP(host) !== 0 && isLoopback(host)) assert.ok(input.includes('127.0.0.1'), 'another name of this machine');
    },
  },
};
