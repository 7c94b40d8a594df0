import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryStore } from '../store/memory/memoryStore.ts';
import { createInboxes, type Inbox, inboxUrl, MESSAGES_MAX } from './inbox.ts';

const ID = 'a'.repeat(32);
const url = inboxUrl('https://pay.example', ID);
const inbox: Inbox = { id: ID, entityId: 'e', webhookId: 'w', url, answers: '200', createdAt: 1 };
const bounds = { answerBytesMax: 1, withinMs: 5 };

function opened() {
  const store = createMemoryStore();
  let count = 0;
  const next = () => {
    count += 1;
    return String(count).padStart(32, '0');
  };
  const within = async <T>(): Promise<T> => Promise.reject(new Error('late'));
  return createInboxes({ store, timers: { within }, clock: { now: () => count }, ids: { next } });
}

test('an address is an inbox only as a whole', async () => {
  const service = opened();
  const sent = { body: 'x', headers: {} };
  assert.equal(await service.receive(url, sent, bounds), null, 'there is none yet');
  assert.equal(await service.add(inbox), true);
  assert.deepEqual(await service.receive(url, sent, bounds), { status: 200, retryAfter: null });
  for (const other of [`https://other.example/sandbox/inbox/${ID}`, `${url}0`, `${url}?x=1`, 'https://pay.example/']) {
    assert.equal(await service.receive(other, sent, bounds), null, other);
  }
  assert.equal((await service.messages(ID, { limit: 9 })).length, 1);
});

test('a slow inbox times out and stores the message', async () => {
  const service = opened();
  await service.add(inbox);
  assert.equal((await service.setAnswers(ID, 'slow'))?.answers, 'slow');
  await assert.rejects(service.receive(url, { body: 'x', headers: {} }, bounds), /late/);
  assert.equal((await service.messages(ID, { limit: 9 }))[0]?.answered, null);
  assert.equal(await service.setAnswers('b'.repeat(32), '500'), null);
});

test('the oldest messages go, and all of them with the inbox', async () => {
  const service = opened();
  await service.add(inbox);
  for (let n = 0; n < MESSAGES_MAX + 30; n += 1) await service.receive(url, { body: String(n), headers: {} }, bounds);
  const kept = await service.messages(ID, { limit: 1_000 });
  assert.ok(kept.length >= MESSAGES_MAX && kept.length < MESSAGES_MAX + 25, `${kept.length} are kept`);
  assert.equal(kept[0]?.body, String(MESSAGES_MAX + 29));
  const page = await service.messages(ID, { limit: 2 });
  assert.equal((await service.messages(ID, { limit: 1, after: page[1]?.id ?? '' }))[0]?.body, String(MESSAGES_MAX + 27));
  await service.remove(ID);
  assert.deepEqual(await service.messages(ID, { limit: 9 }), []);
  assert.equal(await service.find(ID), null);
});
