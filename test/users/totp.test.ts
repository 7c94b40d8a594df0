import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { base32, bytesOfBase32, codeAt, STEP_MS, stepAt, stepOfCode, totpUri } from '../../src/users/secondFactor.ts';

/** The secret of the examples in RFC 4226 (appendix D) and RFC 6238 (appendix B). */
const secret = Buffer.from('12345678901234567890');

const byTime: readonly (readonly [seconds: number, code: string])[] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];
for (const [seconds, code] of byTime) {
  test(`RFC 6238: at ${seconds} s the code is ${code}`, () => {
    assert.equal(codeAt(secret, stepAt(seconds * 1_000), 8), code);
    assert.equal(codeAt(secret, stepAt(seconds * 1_000)), code.slice(2));
  });
}

const byCount = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'];
test('RFC 4226: the codes of the first ten steps', () => {
  assert.deepEqual(
    byCount.map((_, step) => codeAt(secret, step)),
    byCount,
  );
});

const inBase32: readonly (readonly [text: string, coded: string])[] = [
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
];
for (const [text, coded] of inBase32) {
  test(`RFC 4648: ${JSON.stringify(text)} is ${coded} in base32`, () => assert.equal(base32(Buffer.from(text)), coded));
}

test('base32 comes back as it was', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => assert.deepEqual([...bytesOfBase32(base32(bytes))], [...bytes])),
  );
});

test('a code is good one step around its own, and only after the last that was used', () => {
  const around = fc.integer({ min: -4, max: 4 });
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 1e9 }), around, around, (step, off, last) => {
      const now = step * STEP_MS + 1;
      const found = stepOfCode(secret, codeAt(secret, step + off), { now, lastStep: step + last });
      // Two steps may have the same code by chance; then the later one counts.
      if (found !== null && found !== step + off) return assert.equal(codeAt(secret, found), codeAt(secret, step + off));
      assert.equal(found, Math.abs(off) <= 1 && off > last ? step + off : null);
    }),
  );
});

test('what an app reads from the picture', () => {
  assert.equal(
    totpUri('MZXW6YTBOI', 'ann+refunds@shop.example', 'Turnpike'),
    'otpauth://totp/Turnpike:ann%2Brefunds%40shop.example?secret=MZXW6YTBOI&issuer=Turnpike&algorithm=SHA1&digits=6&period=30',
  );
});
