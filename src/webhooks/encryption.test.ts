import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decryptPayload, encryptPayload } from './wireFormat.ts';

const key = Buffer.from('000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f', 'hex');
const iv = Buffer.alloc(12);
const HEX = '0A3471C72D9BE49A8520F79C66BBD9A12FF9';
const TAG = 'CE573FB7A41AB78E743180DC83FF09BD';
const given = { body: HEX, iv: '0'.repeat(24), tag: TAG };

test('the known answer of facts 7.2', () => {
  const sealed = encryptPayload('{"type":"PAYMENT"}', key, { iv, wrapper: 'NONE' });
  assert.deepEqual(sealed, {
    body: HEX,
    headers: { 'Content-Type': 'text/plain', 'X-Initialization-Vector': '0'.repeat(24), 'X-Authentication-Tag': TAG },
  });
  assert.equal(decryptPayload(given, key), '{"type":"PAYMENT"}');
});

test('in a JSON object', () => {
  const { body, headers } = encryptPayload('{"type":"PAYMENT"}', key, { iv, wrapper: 'JSON' });
  assert.deepEqual([body, headers['Content-Type']], [`{"encryptedBody":"${HEX}"}`, 'application/json']);
  assert.equal(decryptPayload({ ...given, body }, key), '{"type":"PAYMENT"}');
});

const refused: readonly (readonly [says: string, received: typeof given, key: Uint8Array])[] = [
  ['another key', given, Buffer.alloc(32, 9)],
  ['a bit of the body', { ...given, body: HEX.replace(/^0A/, '0B') }, key],
  ['a bit of the tag', { ...given, tag: TAG.replace(/^CE/, 'CF') }, key],
  ['a bit of the vector', { ...given, iv: `1${'0'.repeat(23)}` }, key],
  ['a short tag', { ...given, tag: TAG.slice(0, 8) }, key],
  ['no tag', { ...given, tag: '' }, key],
  ['a short vector', { ...given, iv: '00' }, key],
  ['half a byte', { ...given, body: HEX.slice(1) }, key],
  ['no hex', { ...given, body: 'zz' }, key],
  ['no body', { ...given, body: '' }, key],
  ['JSON without a body', { ...given, body: '{}' }, key],
  ['broken JSON', { ...given, body: '{"encryptedBody":' }, key],
];
for (const [says, received, ours] of refused) {
  test(`refused: ${says}`, () => assert.equal(decryptPayload(received, ours), null));
}

test('whatever is sealed opens to the same text, and with no bit changed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array({ minLength: 12, maxLength: 12 }),
      fc.nat(),
      (text, vector, at) => {
        const { body, headers } = encryptPayload(text, key, { iv: vector, wrapper: 'NONE' });
        const received = { body, iv: headers['X-Initialization-Vector'], tag: headers['X-Authentication-Tag'] };
        assert.equal(decryptPayload(received, key), text);
        const bytes = Buffer.from(body + received.tag, 'hex');
        bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ (1 << (at % 8));
        const hex = bytes.toString('hex');
        assert.equal(decryptPayload({ ...received, body: hex.slice(0, -32), tag: hex.slice(-32) }, key), null);
      },
    ),
  );
});
