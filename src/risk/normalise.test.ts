import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addressOf,
  addressText,
  countryOf,
  domainOf,
  emailOf,
  ipHolder,
  ipOf,
  isSamePerson,
  networkAt,
  networkOf,
  networkText,
  phoneOf,
} from './normalise.ts';

const addresses: [text: string, canonical: string | null][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:CB00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
  ['2001:0db8:0000::0001', '2001:db8:0:0:0:0:0:1'],
  ['::', '0:0:0:0:0:0:0:0'],
  ['1::', '1:0:0:0:0:0:0:0'],
  ['::1.2.3.4', '0:0:0:0:0:0:102:304'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['203.0.113.07', null],
  ['203.0.113', null],
  ['203.0.113.256', null],
  ['fe80::1%eth0', null],
  ['1::2::3', null],
  ['unknown', null],
  ['', null],
];
for (const [text, canonical] of addresses)
  test(`the address "${text}" is ${canonical}`, () => assert.equal(ipOf(text), canonical));

test('an address in its one form is read as itself', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = addressOf(text);
      assert.ok(address);
      assert.deepEqual(addressOf(addressText(address)), address);
    }),
  );
});

const networks: [text: string, canonical: string | null][] = [
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['10.1.2.3', '10.1.2.3'],
  ['10.1.2.3/32', '10.1.2.3'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:db8:1:2:3::/48', '2001:db8:1:0:0:0:0:0/48'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ['::ffff:10.1.2.3/95', null],
  ['10.0.0.0/33', null],
  ['10.0.0.0/08', null],
  ['10.0.0.0/', null],
  ['10.0.0.0/-1', null],
  ['::/129', null],
];
for (const [text, canonical] of networks) {
  test(`the network "${text}" is ${canonical}`, () => {
    const network = networkOf(text);
    assert.equal(network && networkText(network), canonical);
  });
}

test('an address is in each of its networks and in no other', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 1, max: 32 }), (text, prefix) => {
      const address = addressOf(text);
      assert.ok(address);
      const neighbour = { ...address, value: address.value ^ (1n << BigInt(32 - prefix)) };
      assert.deepEqual(networkAt(address, prefix), networkOf(`${text}/${prefix}`));
      assert.notDeepEqual(networkAt(neighbour, prefix), networkAt(address, prefix));
    }),
  );
});

test('attempts are counted by v4 address and by v6 network of /64', () => {
  assert.equal(ipHolder('203.0.113.7'), '203.0.113.7');
  assert.equal(ipHolder('2001:db8:0:1:aaaa:0:0:1'), ipHolder('2001:db8:0:1:bbbb:0:0:2'));
  assert.notEqual(ipHolder('2001:db8:0:1:0:0:0:1'), ipHolder('2001:db8:0:2:0:0:0:1'));
});

const forms: [form: (text: string) => string | null, text: string, normal: string | null][] = [
  [emailOf, ' Ann@Shop.Example ', 'ann@shop.example'],
  [emailOf, 'ann', null],
  [emailOf, '@shop.example', null],
  [emailOf, 'ann@', null],
  [domainOf, 'a@b@shop.example', 'shop.example'],
  [countryOf, 'de', 'DE'],
  [countryOf, 'XX', null],
  [countryOf, 'DEU', null],
  [phoneOf, '+43 (1) 234-56', '+4312345 6'.replace(' ', '')],
  [phoneOf, '01/23456', '0123456'],
  [phoneOf, 'none', null],
];
for (const [form, text, normal] of forms) test(`${form.name} of "${text}" is ${normal}`, () => assert.equal(form(text), normal));

const people: [holder: string, givenName: string, surname: string, same: boolean | null][] = [
  ['Ann Example', 'Ann', 'Example', true],
  ['EXAMPLE ANN', 'Ann', 'Example', true],
  ['A EXAMPLE', 'Ann', 'Example', true],
  ['JOSÉ GARCÍA LÓPEZ', 'Jose', 'Garcia López', true],
  ['Ann M. Example', 'Ann Marie', 'Example', true],
  ['Jean-Luc Muster', 'Jean', 'Muster', true],
  ['Bob Example', 'Ann', 'Example', false],
  ['Ann Other', 'Ann', 'Example', false],
  ['B Example', 'Ann', 'Example', false],
  ['Ann García', 'Ann', 'Garcia López', false],
  ['---', 'Ann', 'Example', null],
  ['Ann Example', '.', 'Example', null],
];
for (const [holder, givenName, surname, same] of people) {
  test(`the card of "${holder}" is that of ${givenName} ${surname}: ${same}`, () => {
    assert.equal(isSamePerson(holder, givenName, surname), same);
  });
}
