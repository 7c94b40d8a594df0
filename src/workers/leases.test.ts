import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJobRecords, startLoop } from './loop.ts';

test('a job of another node is skipped and not late; one that fails three times in a row is left to others', async () => {
  const pauses: string[] = [];
  const refused: string[] = [];
  const over = Promise.withResolvers<void>();
  const sleep = (kind: string) => async (_: number, signal: AbortSignal) => {
    pauses.push(kind);
    if (pauses.length < 14) return;
    over.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  let now = 0;
  const records = createJobRecords({ now: () => now, onEnd: () => {} });
  const runs: string[] = [];
  const loop = startLoop(
    [
      { name: 'fan out events', everyMs: 1, run: async () => void runs.push('fan out') },
      { name: 'seal ledger blocks', everyMs: 1, run: () => Promise.reject(new Error('out of order')) },
    ],
    {
      sleep: sleep('long'),
      promptSleep: sleep('prompt'),
      timers: { within: (_, promise) => promise },
      records,
      log: { error: () => {} },
      leases: {
        isHeld: (name) => {
          now += 1;
          return name !== 'fan out events';
        },
        hasOthers: () => true,
        refuse: (name) => refused.push(name),
      },
    },
  );
  await over.promise;
  await loop.stop(0);
  assert.deepEqual(runs, []);
  const ages = new Map(records.list().map(({ name, ageMs }) => [name, ageMs]));
  assert.ok((ages.get('fan out events') ?? 99) <= 3, String(ages.get('fan out events')));
  assert.ok((ages.get('seal ledger blocks') ?? 0) > 6);
  assert.ok(refused.length >= 1 && refused.every((name) => name === 'seal ledger blocks'), refused.join());
  // The holder keeps its pace while requests come to other nodes only.
  assert.ok(pauses.includes('prompt') && pauses.includes('long'));
});
