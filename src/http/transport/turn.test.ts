import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn, turnsOfForm } from './turn.ts';

/** The turns of the event loop in which each of the tasks goes on. */
async function turnsOf(tasks: Readonly<Record<string, () => Promise<void>>>, each: number): Promise<readonly string[]> {
  const resumed: string[][] = [[]];
  let isOver = false;
  const count = (): void => {
    resumed.push([]);
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    Object.entries(tasks).map(async ([name, rest]) => {
      for (let at = 0; at < each; at += 1) {
        await rest();
        resumed.at(-1)?.push(name);
      }
    }),
  );
  isOver = true;
  return resumed.map((names) => names.join()).filter((names) => names !== '');
}

test('a turn of the event loop resumes one task, in the order in which they wait', async () => {
  assert.deepEqual(await turnsOf({ a: nextTurn, b: nextTurn, c: nextTurn }, 2), ['a', 'b', 'c', 'a', 'b', 'c']);
});

test('the oldest long form goes on first, and other work has every second turn', async () => {
  const [first, second] = [turnsOfForm(), turnsOfForm()];
  assert.deepEqual(await turnsOf({ second, first }, 2), ['first', 'first', 'second', 'second']);
  const turns = await turnsOf({ second, first, other: nextTurn }, 2);
  assert.deepEqual(
    turns.filter((name) => name !== 'other'),
    ['first', 'first', 'second', 'second'],
  );
  assert.ok(turns.lastIndexOf('other') <= 3, turns.join(' '));
});

test('control: tasks that wait by setImmediate all go on in the same turn', async () => {
  const rest = () => new Promise<void>((resolve) => setImmediate(resolve));
  assert.deepEqual(await turnsOf({ a: rest, b: rest, c: rest }, 2), ['a,b,c', 'a,b,c']);
});
