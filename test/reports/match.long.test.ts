import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults, tell } from './acquirer.ts';
import { judge } from './matching.ts';

test('every planted fault is found and nothing is matched falsely, in 100,000 lines', () => {
  const story = tell(116_000, 20_311_002);
  const counts = judge(story);
  assert.ok(story.planted.length >= 100_000, `only ${story.planted.length} lines`);
  for (const fault of faults) assert.ok((counts.get(fault) ?? 0) >= 500, `${fault} was planted`);
});
