import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRecentFlags } from './countedEvents.ts';

const MAX = 20;

const step = fc.record({ id: fc.nat({ max: 60 }).map(String), flags: fc.nat({ max: 3 }) });

test('an id keeps its flags until half of the bound are new behind it, and never has those of another', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      const kept = createRecentFlags(MAX);
      const known = new Map<string, number>();
      /** The ids in the order in which they were new. */
      const added: string[] = [];
      for (const [at, { id, flags }] of steps.entries()) {
        const isAdded = kept.get(id) === 0;
        kept.set(id, flags, at);
        known.set(id, flags);
        if (isAdded && flags !== 0) added.push(id);
        assert.equal(kept.get(id), flags);
        for (const other of added.slice(-MAX / 2)) assert.equal(kept.get(other), known.get(other));
        for (const [other, last] of known) assert.ok([0, last].includes(kept.get(other)), other);
        assert.ok(kept.size() <= MAX);
      }
    }),
  );
});

test('what had no new id since an instant is forgotten', () => {
  const kept = createRecentFlags(MAX);
  for (let at = 0; at < 15; at += 1) kept.set(`${at}`, 1, at);
  kept.forget(10);
  assert.deepEqual([kept.get('9'), kept.get('10'), kept.size()], [0, 1, 5]);
  kept.forget(15);
  assert.equal(kept.size(), 0);
});
