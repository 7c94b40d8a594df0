import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGather } from './database.ts';

type Row = { readonly merchant_id: string; readonly id: string };

/** A server that knows every record but those that begin with "no", and answers when it is told to. */
function createServer() {
  const statements: { readonly asked: readonly Row[]; readonly answer: (error?: Error) => void }[] = [];
  const read = (_text: string, cells: readonly unknown[] = []) =>
    new Promise<Row[]>((resolve, reject) => {
      const asked = (JSON.parse(cells[0] as string) as { merchant: string; record: string }[]).map(({ merchant, record }) => ({
        merchant_id: merchant,
        id: record,
      }));
      const rows = asked.filter(({ id }) => !id.startsWith('no'));
      statements.push({ asked, answer: (error) => (error ? reject(error) : resolve(rows.reverse())) });
    });
  return { statements, find: createGather<Row>({ read } as Parameters<typeof createGather>[0], 'SELECT') };
}

const soon = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('questions of one moment go together, and each gets its own answer', async () => {
  const { statements, find } = createServer();
  const answers = Promise.all([find('a', '1'), find('b', '1'), find('a', 'no'), find('a', '1')]);
  await soon();
  assert.equal(statements.length, 1);
  statements[0]?.answer();
  assert.deepEqual(
    (await answers).map((row) => row && `${row.merchant_id}${row.id}`),
    ['a1', 'b1', null, 'a1'],
  );
});

test('two statements are under way at most; what arrives meanwhile goes into the next, never more than 64', async () => {
  const { statements, find } = createServer();
  const all: Promise<Row | null>[] = [];
  for (const id of ['1', '2']) {
    all.push(find('a', id));
    await soon();
  }
  for (let id = 3; id < 103; id += 1) all.push(find('a', String(id)));
  await soon();
  assert.deepEqual(
    statements.map(({ asked }) => asked.length),
    [1, 1],
  );
  statements[0]?.answer();
  await soon();
  statements[1]?.answer();
  await soon();
  assert.deepEqual(
    statements.map(({ asked }) => asked.length),
    [1, 1, 64, 36],
  );
  for (const { answer } of statements) answer();
  assert.deepEqual(
    (await Promise.all(all)).map((row) => row?.id),
    Array.from({ length: 102 }, (_, at) => String(at + 1)),
  );
});

test('an error reaches the callers of its batch, and no others', async () => {
  const { statements, find } = createServer();
  const first = find('a', '1');
  await soon();
  const second = find('a', '2');
  await soon();
  statements[0]?.answer(new Error('gone'));
  statements[1]?.answer();
  await assert.rejects(first, /gone/);
  assert.equal((await second)?.id, '2');
});
