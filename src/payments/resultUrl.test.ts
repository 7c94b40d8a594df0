import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from './examples.ts';
import { isAllowedHost, resultUrlOf } from './resultUrl.ts';

const ID = '018f2b7c9a3d4e5f60718293a4b5c6d7';
const SAID = `id=${ID}&resourcePath=%2Fv1%2Fpayments%2F${ID}`;
const urls: readonly [given: string, sent: string][] = [
  ['https://shop.example', `https://shop.example?${SAID}`],
  ['https://shop.example/done', `https://shop.example/done?${SAID}`],
  ['https://shop.example/done?order=1&x=a%20b', `https://shop.example/done?order=1&x=a%20b&${SAID}`],
  ['https://shop.example/done?', `https://shop.example/done?${SAID}`],
  ['https://shop.example/done?a=1&', `https://shop.example/done?a=1&${SAID}`],
  ['https://münchen.example/ü?ö', `https://xn--mnchen-3ya.example/%C3%BC?%C3%B6&${SAID}`],
  ['https://shop.example/#/完', `https://shop.example/?${SAID}#/%E5%AE%8C`],
  ['https://shop.example/#/done?x', `https://shop.example/?${SAID}#/done?x`],
];

for (const [given, sent] of urls) {
  test(`${given} is gone back to with the id of the payment`, () => {
    assert.equal(resultUrlOf(examplePayment({ id: ID, fields: { shopperResultUrl: given } })), sent);
  });
}

test('a payment without a way back has none', () => assert.equal(resultUrlOf(examplePayment()), null));

const hosts: readonly [url: string, isAllowed: boolean][] = [
  ['https://shop.example/x', true],
  ['https://SHOP.example/x', true],
  ['https://shop.example:8443/x', false],
  ['https://pay.shops.example/x', true],
  ['https://shops.example/x', false],
  ['https://evil.example/shop.example', false],
  ['https://shop.example.evil.example/', false],
  ['https://shop.example@evil.example/', false],
  ['nonsense', false],
];
for (const [url, isAllowed] of hosts) {
  test(`${url} is ${isAllowed ? '' : 'not '}on a listed host`, () => {
    assert.equal(isAllowedHost(url, ['shop.example', '*.shops.example']), isAllowed);
  });
}

test('without a list every host will do', () => assert.equal(isAllowedHost('https://anywhere.example', null), true));
