import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback, isPublic } from './address.ts';

const inside = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255', '127.0.0.1'],
  ...['127.255.255.255', '168.63.129.16', '169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8'],
  ...['192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe'],
  ...['100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1'],
  ...['fec0::1', 'ff02::1', '', 'localhost', '8.8.8', '8.8.8.8.8', '08.8.8.8', '8.8.8.8 '],
];
for (const address of inside) test(`"${address}" is not public`, () => assert.equal(isPublic(address), false));

const outside = ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'];
const farther = ['128.0.0.1', '172.15.255.255', '172.32.0.0', '192.167.255.255', '223.255.255.255', '2606:4700::1111', '2a00::1'];
for (const address of [...outside, ...farther]) test(`${address} is public`, () => assert.equal(isPublic(address), true));

test('loopback is this machine and nothing else', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1']) assert.equal(isLoopback(address), true, address);
  for (const address of ['128.0.0.1', '10.0.0.1', '::2', 'localhost', '']) assert.equal(isLoopback(address), false, address);
});
