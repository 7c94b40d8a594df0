import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { reportFigure } from '../figures.ts';
import { runR20 } from './r20.ts';

test('1,000 due instants, four nodes, kills and wrong clocks: each has one payment or one recorded skip', async (context) => {
  const store = createMemoryStore();
  const asked = { plans: 20, instantsEach: 50, kills: 6, seed: 20 };
  const { charged, skipped, kills } = await runR20({ stores: [store, store, store, store], ...asked });
  context.diagnostic(`${charged} charged, ${skipped} skipped, ${kills} kills`);
  assert.equal(charged + skipped, 1_000);
  assert.ok(charged > 300 && kills >= 4, `${charged} charged, ${kills} kills`);
  reportFigure('R20', 'due instants', charged + skipped);
  reportFigure('R20', 'kills', kills);
});

test('the control: who does not write down what he leaves out is found', async () => {
  const store = createMemoryStore();
  const careless = { ...store, saveSchedule: (plan: Parameters<typeof store.saveSchedule>[0]) => store.saveSchedule(plan, []) };
  const asked = { plans: 2, instantsEach: 12, kills: 0, seed: 3 };
  await assert.rejects(runR20({ stores: [careless, careless, careless, careless], ...asked }), /plan [0-9a-f]{32}/);
});
