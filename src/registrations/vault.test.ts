import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVault } from './vault.ts';

const vault = createVault(new Uint8Array(32).fill(7));
const record = { entityId: '5eed0000000000000000000000000001', recordId: 'a'.repeat(32), field: 'instrument' };
const clear = '{"number":"4200000000000000"}';

test('what is sealed opens again, for its own record only', () => {
  const sealed = vault.seal(record, clear);
  assert.equal(vault.open(record, sealed), clear);
  for (const other of [
    { ...record, entityId: '5eed0000000000000000000000000002' },
    { ...record, recordId: 'b'.repeat(32) },
    { ...record, field: 'iban' },
  ]) {
    assert.throws(() => vault.open(other, sealed));
  }
});

test('every flipped bit and every cut is noticed', () => {
  const sealed = vault.seal(record, clear);
  for (let at = 0; at < sealed.length; at += 1) {
    const flipped = Uint8Array.from(sealed);
    flipped[at] = (flipped[at] as number) ^ 1;
    assert.throws(() => vault.open(record, flipped), `byte ${at}`);
    assert.throws(() => vault.open(record, sealed.subarray(0, at)), `cut at ${at}`);
  }
});

test('another master key opens nothing and recognises nothing', () => {
  const other = createVault(new Uint8Array(32).fill(8));
  assert.throws(() => other.open(record, vault.seal(record, clear)));
  assert.notEqual(other.fingerprint('m', '4200000000000000'), vault.fingerprint('m', '4200000000000000'));
});

test('the same number is recognised within a merchant and not across', () => {
  assert.equal(vault.fingerprint('m1', '4200000000000000'), vault.fingerprint('m1', '4200000000000000'));
  assert.notEqual(vault.fingerprint('m1', '4200000000000000'), vault.fingerprint('m2', '4200000000000000'));
});

test('a hundred thousand seals use a hundred thousand nonces', () => {
  const nonces = new Set<string>();
  for (let i = 0; i < 100_000; i += 1) nonces.add(Buffer.from(vault.seal(record, 'x').subarray(1, 13)).toString('hex'));
  assert.equal(nonces.size, 100_000);
});

test('a key of the wrong length is refused', () => assert.throws(() => createVault(new Uint8Array(16))));
