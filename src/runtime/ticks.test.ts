import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticks } from './ticks.ts';

/** The ticks of the event loop in which each of the tasks goes on. */
async function ticksOf(tasks: Readonly<Record<string, () => Promise<void>>>, each: number): Promise<readonly string[]> {
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

test('a tick of the event loop resumes one task, in the order in which they wait', async () => {
  assert.deepEqual(await ticksOf({ a: ticks.next, b: ticks.next, c: ticks.next }, 2), ['a', 'b', 'c', 'a', 'b', 'c']);
});

test('the oldest long form goes on first, and other work has every second tick', async () => {
  const [first, second] = [ticks.ofForm(), ticks.ofForm()];
  assert.deepEqual(await ticksOf({ second, first }, 2), ['first', 'first', 'second', 'second']);
  const resumed = await ticksOf({ second, first, other: ticks.next }, 2);
  assert.deepEqual(
    resumed.filter((name) => name !== 'other'),
    ['first', 'first', 'second', 'second'],
  );
  assert.ok(resumed.lastIndexOf('other') <= 3, resumed.join(' '));
});

test('control: tasks that wait by setImmediate all go on in the same tick', async () => {
  const rest = () => new Promise<void>((resolve) => setImmediate(resolve));
  assert.deepEqual(await ticksOf({ a: rest, b: rest, c: rest }, 2), ['a,b,c', 'a,b,c']);
});
