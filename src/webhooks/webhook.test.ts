import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressFault } from './webhook.ts';

const long = (length: number): string => 'https://shop.example/'.padEnd(length, 'x');
const cases: readonly (readonly [url: string, test: boolean, live: boolean])[] = [
  ['https://shop.example/hook', true, true],
  ['https://shop.example/hook?a=1&b=%20', true, true],
  ['https://shop.example:443/', true, true],
  ['https://shop.example:80/', true, true],
  ['https://shop.example:8443/', true, false],
  ['http://shop.example/', true, false],
  ['http://localhost:3000/hook', true, false],
  [long(2048), true, true],
  [long(2049), false, false],
  ['https://user@shop.example/', false, false],
  ['https://user:word@shop.example/', false, false],
  ['https://shop.example/#top', false, false],
  ['https://shop.example/#', false, false],
  ['https://shop.example/a b', false, false],
  ['https://shop.example/\n', false, false],
  ['ftp://shop.example/', false, false],
  ['javascript:1', false, false],
  ['shop.example', false, false],
  ['', false, false],
];
for (const [url, inTest, inLive] of cases) {
  test(`${url.slice(0, 60)}: ${inTest ? 'good' : 'no address'} in test, ${inLive ? 'good' : 'none'} in live`, () => {
    assert.deepEqual([addressFault(url, 'test') === null, addressFault(url, 'live') === null], [inTest, inLive]);
  });
}
