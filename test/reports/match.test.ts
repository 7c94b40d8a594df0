import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults, tell } from './acquirer.ts';
import { judge } from './matching.ts';

test('every planted fault is found and nothing is matched falsely, in 5,000 lines', () => {
  for (const seed of [1, 2]) {
    const story = tell(2_500, seed);
    const counts = judge(story);
    for (const fault of faults) assert.ok((counts.get(fault) ?? 0) >= 5, `${fault} was planted`);
    assert.ok(story.missing.length >= 5);
    assert.ok((counts.get('none') ?? 0) >= 1_500);
  }
});
