import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureFault } from './notifications.ts';

const body = Buffer.from('{"id":"evt_1"}');
const SIGNED = 'c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925';
const OTHER = SIGNED.replace('c', 'd');
const at = 1_700_000_000_000;
const check = (header: string | undefined, now = at, secret = 'whsec_test') => signatureFault(header, { body, secret, now });

const accepted: readonly [string, string, number][] = [
  ['the signature of the vector', `t=1700000000,v1=${SIGNED}`, at],
  ['one of two signatures', `t=1700000000,v1=${OTHER},v1=${SIGNED}`, at],
  ['another scheme beside it', `t=1700000000,v0=${OTHER},v1=${SIGNED}`, at],
  ['300 seconds later', `t=1700000000,v1=${SIGNED}`, at + 300_000],
  ['300 seconds earlier', `t=1700000000,v1=${SIGNED}`, at - 300_000],
];
for (const [name, header, now] of accepted) test(`accepted: ${name}`, () => assert.equal(check(header, now), null));

const refused: readonly [string, string | undefined, number][] = [
  ['no header', undefined, at],
  ['an empty header', '', at],
  ['no time', `v1=${SIGNED}`, at],
  ['another time', `t=1700000001,v1=${SIGNED}`, at],
  ['no signature of this scheme', `t=1700000000,v0=${SIGNED}`, at],
  ['another signature', `t=1700000000,v1=${OTHER}`, at],
  ['half a signature', `t=1700000000,v1=${SIGNED.slice(0, 32)}`, at],
  ['301 seconds later', `t=1700000000,v1=${SIGNED}`, at + 301_000],
  ['301 seconds earlier', `t=1700000000,v1=${SIGNED}`, at - 301_000],
];
for (const [name, header, now] of refused) test(`refused: ${name}`, () => assert.notEqual(check(header, now), null));

test('refused: another secret', () => assert.notEqual(check(`t=1700000000,v1=${SIGNED}`, at, 'whsec_other'), null));
