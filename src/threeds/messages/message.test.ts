import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeMessage, decodeMethodData, encodeMessage, encodeMethodData } from './message.ts';

test('a message comes out of base64url as it went in', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), (message) => {
      const text = encodeMessage(message);
      assert.match(text, /^[A-Za-z0-9_-]+$/);
      assert.equal(JSON.stringify(decodeMessage(text)), JSON.stringify(message));
    }),
  );
});

test('method data comes out as it went in', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.webUrl(), (threeDSServerTransID, threeDSMethodNotificationURL) => {
      const data = { threeDSServerTransID, threeDSMethodNotificationURL };
      assert.deepEqual(decodeMethodData(encodeMethodData(data)), data);
    }),
  );
});

test('padding is forgiven, everything else is not', () => {
  const plain = encodeMessage({ a: 1 });
  assert.deepEqual({ ...decodeMessage(`${plain}=`) }, { a: 1 });
  const twice = Buffer.from('{"a":1,"a":2}').toString('base64url');
  for (const text of ['', 'abc', '!!!!', `${plain}===`, `${plain}+`, encodeMessage([1]), twice, 'A'.repeat(70_000)]) {
    assert.equal(decodeMessage(text), null, text.slice(0, 20));
  }
});
