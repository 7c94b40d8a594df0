import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selfSigned } from '../../../test/http/certificate.ts';
import { officeUrl } from './banner.ts';

const certified = (...names: readonly string[]) => selfSigned({ names });
const plain = { host: '127.0.0.1', tls: null, publicUrl: null };
const shop = certified('pay.example', 'office.example');

const cases = [
  ['without TLS and a public address', plain, 'http://127.0.0.1:8081'],
  ['behind a proxy', { ...plain, publicUrl: 'https://pay.example' }, 'https://pay.example:8081'],
  ['the public name is certified', { ...plain, tls: shop, publicUrl: 'https://pay.example:444' }, 'https://pay.example:8081'],
  ['another public name', { ...plain, tls: shop, publicUrl: 'https://other.example' }, 'https://pay.example:8081'],
  ['an address that nothing certifies', { ...plain, tls: shop }, 'https://pay.example:8081'],
  ['the host is certified', { ...plain, host: 'office.example', tls: shop }, 'https://office.example:8081'],
  ['all addresses', { ...plain, host: '0.0.0.0', tls: certified('pay.example', 'localhost') }, 'https://localhost:8081'],
  ['a wildcard alone', { ...plain, tls: certified('*.example') }, 'https://127.0.0.1:8081'],
  [
    'a wildcard and a public name',
    { ...plain, tls: certified('*.shop.example'), publicUrl: 'https://a.shop.example' },
    'https://a.shop.example:8081',
  ],
  ['a common name alone', { ...plain, tls: selfSigned() }, 'https://localhost:8081'],
] as const;

for (const [what, config, url] of cases)
  test(`the address of the back office, ${what}: ${url}`, () => assert.equal(officeUrl(config, 8081), url));
