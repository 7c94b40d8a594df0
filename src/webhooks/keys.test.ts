import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIds } from '../app/system.ts';
import { createMemoryStore } from '../store/memory/memoryStore.ts';
import { localMaster } from '../vault/masterKey.ts';
import { systemRandom } from '../vault/randomBytes.ts';
import { openVault } from '../vault/vault.ts';
import { exampleWebhook } from './examples.ts';
import { createWebhookKeys, keyFault } from './keys.ts';
import { secretName } from './webhook.ts';

const T = 1_790_000_000_000;
const GIVEN = 'AB'.repeat(32);

async function stage() {
  const store = createMemoryStore();
  const vault = await openVault({ masters: [localMaster(Buffer.alloc(32, 7))], store, now: () => T });
  const needs = { store, vault, ids: createIds(() => T), random: systemRandom };
  const keys = createWebhookKeys(needs);
  const started = exampleWebhook();
  const made = await keys.make(started, T, GIVEN);
  const webhook = { ...started, keys: [made.key] };
  await store.addWebhook(webhook);
  return { store, keys, needs, webhook, made };
}
const hex = (keys: readonly Uint8Array[]) => keys.map((key) => Buffer.from(key).toString('hex'));

test('a key of the owner is taken as it is, stored only sealed, and read again by another process', async () => {
  const { store, keys, needs, webhook, made } = await stage();
  assert.equal(made.hex, GIVEN);
  const sealed = await store.secret(webhook.entityId, secretName(webhook.id, made.key.id));
  assert.ok(sealed && !Buffer.from(sealed).toString('latin1').toLowerCase().includes('abababab'));
  assert.deepEqual(hex(await keys.read(webhook, T)), [GIVEN.toLowerCase()]);
  assert.deepEqual(hex(await createWebhookKeys(needs).read(webhook, T)), [GIVEN.toLowerCase()]);
});

test('a key is 64 hexadecimal digits', async () => {
  const { keys, webhook } = await stage();
  const isKey = (text: string) => keyFault(text) === null;
  assert.deepEqual([GIVEN, 'a'.repeat(63), 'g'.repeat(64), 'a'.repeat(66), ''].map(isKey), [true, false, false, false, false]);
  await assert.rejects(keys.make(webhook, T, 'short'), /64 hexadecimal/);
  const [one, other] = [await keys.make(webhook, T), await keys.make(webhook, T)];
  assert.ok(isKey(one.hex) && one.hex !== other.hex);
});

test('two keys are good while they are exchanged; then the older is gone', async () => {
  const { store, keys, webhook } = await stage();
  const first = await keys.rotate(webhook, { now: T, untilMs: 1_000 });
  assert.ok(first);
  assert.deepEqual(hex(await keys.read(first.webhook, T + 999)), [first.hex, GIVEN.toLowerCase()]);
  assert.deepEqual(hex(await keys.read(first.webhook, T + 1_000)), [first.hex]);
  const second = await keys.rotate(first.webhook, { now: T + 2_000, untilMs: 1_000 });
  assert.ok(second);
  assert.deepEqual(hex(await keys.read(second.webhook, T + 2_000)), [second.hex, first.hex]);
  assert.equal(await store.secret(webhook.entityId, secretName(webhook.id, webhook.keys[0]?.id ?? '')), null);
  assert.deepEqual((await store.webhooks())[0], second.webhook);
});

test('an exchange at once leaves no key but the new one', async () => {
  const { keys, webhook } = await stage();
  const rotated = await keys.rotate(webhook, { now: T, untilMs: 0, hex: 'CD'.repeat(32) });
  assert.deepEqual(rotated && hex(await keys.read(rotated.webhook, T)), ['cd'.repeat(32)]);
});

test('an exchange on a webhook that has changed meanwhile keeps the change', async () => {
  const { store, keys, webhook } = await stage();
  await store.saveWebhook({ ...webhook, name: 'renamed', revision: 2 });
  const rotated = await keys.rotate(webhook, { now: T, untilMs: 1_000 });
  assert.deepEqual([rotated?.webhook.name, rotated?.webhook.revision, rotated?.webhook.keys.length], ['renamed', 3, 2]);
});

test('a webhook that is gone gets no key, and its keys can be forgotten', async () => {
  const { store, keys, webhook, made } = await stage();
  await store.removeWebhook(webhook.id);
  assert.equal(await keys.rotate({ ...webhook, name: 'x' }, { now: T, untilMs: 1_000 }), null);
  await keys.forget(webhook);
  assert.equal(await store.secret(webhook.entityId, secretName(webhook.id, made.key.id)), null);
  await assert.rejects(keys.read(webhook, T), /is not there/);
});
