import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasManyFields, isSliced, readInSlices, writeInSlices } from './longRecords.ts';

type Fields = Record<string, string>;

const ODD = ['', '\n', '\r\n', '","', '",\n"', '}}', '\\', '\u2028', '\0', 'ä', '😀', '{"a":"b"}'];

const recordOf = (count: number, extra: Fields = {}) => ({
  method: 'CC',
  details: { text: 'a\nb' },
  fields: Object.assign(
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`cart.items[${n}].name`, `${ODD[n % ODD.length]}`])),
    extra,
  ) as Fields,
});

/** How many turns of the event loop go by until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isOver = true;
  return turns;
}

for (const count of [1_001, 1_999, 2_000, 2_001, 45_045]) {
  test(`a record with ${count} fields is JSON, and comes back`, async () => {
    const record = recordOf(count, { last: 'x' });
    assert.ok(hasManyFields(record));
    const text = await writeInSlices(record);
    assert.ok(isSliced(text));
    assert.deepEqual(JSON.parse(text), record);
    assert.deepEqual(await readInSlices(text), record);
  });
}

test('names that mean something to JavaScript are names like any other', async () => {
  const named = Object.fromEntries(['__proto__', 'constructor', 'toString', ''].map((name) => [name, `of ${name}`]));
  const { fields, ...rest } = recordOf(2_500);
  const record = { ...rest, fields: Object.fromEntries([...Object.entries(named), ...Object.entries(fields)]) };
  assert.deepEqual(await readInSlices(await writeInSlices(record)), record);
});

test('a record with few fields and its text are no matter of slices, however long the text is', () => {
  const record = { ...recordOf(1_000), note: '\n'.repeat(100_000) };
  assert.ok(!hasManyFields(record));
  assert.ok(!isSliced(JSON.stringify(record)));
});

test('a thousand fields at most are written and read in a turn, also when several records wait', async () => {
  const records = [recordOf(10_000), recordOf(10_000), recordOf(10_000)];
  const writing = Promise.all(records.map(writeInSlices));
  assert.ok((await turnsDuring(writing)) >= 30);
  assert.ok((await turnsDuring(Promise.all((await writing).map((text) => readInSlices(text))))) >= 30);
});

test('a text that was damaged is refused, and the next one is read', async () => {
  const text = await writeInSlices(recordOf(3_000));
  const damaged = readInSlices(text.replace('[1500]', '"'));
  const next = readInSlices(text);
  await assert.rejects(damaged, SyntaxError);
  assert.deepEqual(await next, recordOf(3_000));
});
