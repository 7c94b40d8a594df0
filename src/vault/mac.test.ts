import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { macBy } from './vault.ts';

const texts = ['', 'a', '4200000000000000', 'Müller', '\u{1f4b6}', '\ud800', 'x'.repeat(170), 'é'.repeat(171), 'y'.repeat(5_000)];

for (const bytes of [1, 16, 32, 63, 64, 65, 200]) {
  test(`the code under a key of ${bytes} bytes is that of HMAC-SHA-256`, () => {
    const key = createSecretKey(Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 37 + bytes) % 256)));
    const mac = macBy(key);
    // Twice: a short text after a long one leaves nothing of it behind.
    for (const text of [...texts, ...texts.toReversed()]) {
      assert.equal(mac(text), createHmac('sha256', key).update(text).digest('base64url'), JSON.stringify(text.slice(0, 20)));
    }
    assert.equal(macBy(key), mac);
  });
}
