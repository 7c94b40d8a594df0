import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  base64Bytes,
  base64UrlBytes,
  hexBytes,
  jsonObject,
  memberOf,
  millisecondsOf,
  textOf,
  tokenObject,
  utf8Text,
} from './text.ts';

test('base64 has one spelling', () => {
  assert.deepEqual(base64Bytes('AAE='), Buffer.from([0, 1]));
  for (const text of ['AAE', 'AAF=', 'AAE==', 'AA E=', 'AAE=\n', 'A-E=', '=', 'A']) assert.equal(base64Bytes(text), null, text);
  assert.deepEqual(base64UrlBytes('AAE'), Buffer.from([0, 1]));
  for (const text of ['AAE=', 'AAF', 'A+E', 'A']) assert.equal(base64UrlBytes(text), null, text);
});

test('hexadecimal is lower case and whole', () => {
  assert.deepEqual(hexBytes('00ff'), Buffer.from([0, 255]));
  for (const text of ['00FF', '0', '0g', '00f']) assert.equal(hexBytes(text), null, text);
});

test('JSON is an object, shallow, with no member twice', () => {
  assert.deepEqual(jsonObject('{"a":{"a":[{"a":"\\"{"}]},"b":1}'), { a: { a: [{ a: '"{' }] }, b: 1 });
  const bad = [
    '',
    '[]',
    'null',
    '1',
    '"a"',
    '{',
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"b":{"a":1,"c":[],"a":2}}',
    '{"a":1}x',
  ];
  for (const text of bad) assert.equal(jsonObject(text), null, text);
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  assert.notEqual(jsonObject(nested(16)), null);
  assert.equal(jsonObject(nested(17)), null);
  assert.equal(jsonObject(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`), null);
});

test('a prototype is never asked', () => {
  const object = jsonObject('{"__proto__":{"version":"EC_v1"},"constructor":1}');
  assert.ok(object);
  assert.equal(textOf(object, 'version'), null);
  assert.equal(memberOf(object, 'toString'), undefined);
  assert.deepEqual(memberOf(object, '__proto__'), { version: 'EC_v1' });
  assert.equal(({} as { version?: string }).version, undefined);
});

test('a token is JSON or base64 of it', () => {
  const text = '{"a":"ü"}';
  for (const token of [text, ` ${text}\n`, Buffer.from(text).toString('base64')])
    assert.deepEqual(tokenObject(token), { a: 'ü' });
  for (const token of ['', 'null', 'bnVsbA==', '{"a":1', Buffer.from([0xff, 0xfe]).toString('base64')])
    assert.equal(tokenObject(token), null);
  assert.equal(utf8Text(Buffer.from([0xc3])), null);
});

test('milliseconds are digits, as text or as a whole number', () => {
  const read = (json: string) => millisecondsOf(jsonObject(`{"at":${json}}`) ?? {}, 'at');
  assert.equal(read('"1595616845229"'), 1_595_616_845_229);
  assert.equal(read('1595616845229'), 1_595_616_845_229);
  for (const json of ['"1e3"', '1.5', '-1', '""', 'null', '[1]', '"1234567890123456"', '1e300'])
    assert.equal(read(json), null, json);
});
