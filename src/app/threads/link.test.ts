import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { CutOff } from '../../http/transport/body.ts';
import { BrokenCommit, StoreOutOfOrder, UnknownOutcome } from '../../payments/storeErrors.ts';
import { type Calls, createLink, type Link } from './link.ts';

/** Both ends in one thread: the ports behave as they do between two. */
function connect<Ours extends Calls>(ours: Ours): { readonly asking: Link<Ours>; readonly answering: Link<Calls> } {
  const { port1, port2 } = new MessageChannel();
  return { asking: createLink<Ours>(port1, {}), answering: createLink<Calls>(port2, ours) };
}

test('answers come back to their questions, whatever comes first', async () => {
  const waiting: (() => void)[] = [];
  const calls = {
    now: (value: number) => value * 2,
    late: (value: number) => new Promise<number>((resolve) => waiting.push(() => resolve(-value))),
  };
  const { asking } = connect(calls);
  const late = asking.ask('late', 7);
  assert.equal(await asking.ask('now', 21), 42);
  for (const go of waiting) go();
  assert.equal(await late, -7);
  asking.close();
});

const errors: [thrown: Error, kind: new (...given: never[]) => Error, about: object][] = [
  [new UnknownOutcome('lost', '08006'), UnknownOutcome, { code: '08006' }],
  [new StoreOutOfOrder('full', 'SQLITE_FULL'), StoreOutOfOrder, { code: 'SQLITE_FULL' }],
  [new BrokenCommit('sums', 'sums_check'), BrokenCommit, { constraint: 'sums_check' }],
  [new CutOff('gone'), CutOff, {}],
  [Object.assign(new TypeError('odd'), { code: 'ENOTSUP' }), Error, { code: 'ENOTSUP' }],
];
for (const [thrown, kind, about] of errors) {
  test(`${thrown.name} stays what it is`, async (t) => {
    const { asking } = connect({ fail: () => Promise.reject(thrown), failAtOnce: () => assert.fail(thrown) });
    t.after(() => asking.close());
    for (const name of ['fail', 'failAtOnce'] as const)
      await assert.rejects(asking.ask(name, undefined as never), (error: Error) => {
        assert.ok(error instanceof kind);
        assert.equal(error.message, thrown.message);
        assert.partialDeepStrictEqual({ ...error }, about);
        return true;
      });
  });
}

test('what was posted is noted by a drain, before anything that was asked after it', async () => {
  const noted: string[] = [];
  const { asking, answering } = connect({
    note: (text: string) => void noted.push(text),
    read: (_: null) => noted.join(' '),
  });
  asking.post('note', 'one');
  const read = asking.ask('read', null);
  asking.post('note', 'two');
  answering.drain();
  assert.deepEqual(noted, ['one', 'two']);
  assert.equal(await read, 'one two');
  asking.close();
});

test('what is posted soon has left when whoever awaited goes on, in one message and in its order', async () => {
  const noted: string[] = [];
  const { asking, answering } = connect({
    note: (text: string) => void noted.push(text),
    read: (_: null) => noted.join(' '),
  });
  const note = async (text: string): Promise<void> => asking.postSoon('note', text);
  const read = asking.ask('read', null);
  await Promise.all([note('one'), note('two')]);
  asking.post('note', 'three');
  answering.drain();
  assert.deepEqual(noted, ['one', 'two', 'three']);
  // It was asked before them, and is answered in its turn.
  assert.equal(await read, 'one two three');
  asking.postSoon('note', 'four');
  assert.equal(await asking.ask('read', null), 'one two three four');
  asking.close();
});

test('a stream is taken piece by piece, as fast as it is read, and ends where the reader does', async () => {
  let [made, isOver] = [0, false];
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (; made < 100; made += 1) yield Buffer.from(`piece ${made}`);
    } finally {
      isOver = true;
    }
  };
  const offer = (): number => answering.offer(pieces());
  const { asking, answering } = connect({ open: (_: null): number => offer() });
  const seen: string[] = [];
  for await (const piece of asking.pieces((await asking.ask('open', null)) as number)) {
    seen.push(Buffer.from(piece).toString());
    if (seen.length === 3) break;
  }
  assert.deepEqual([seen, made, isOver], [['piece 0', 'piece 1', 'piece 2'], 2, true]);
  asking.close();
});

test('a thread that is gone leaves no question open', async () => {
  const { asking, answering } = connect({ never: (_: null) => new Promise<void>(() => {}) });
  const asked = asking.ask('never', null);
  answering.close();
  await assert.rejects(asked, UnknownOutcome);
});

test('what cannot cross to another thread fails by itself, asked or answered, and nothing beside it', async (t) => {
  const { asking } = connect({ same: (value: unknown) => value, wrong: (_: null) => () => {} });
  t.after(() => asking.close());
  const sent = [asking.ask('same', 1), asking.ask('same', () => {}), asking.ask('wrong', null), asking.ask('same', 2)];
  const ends = (await Promise.allSettled(sent)).map((end) => (end.status === 'fulfilled' ? end.value : 'failed'));
  assert.deepEqual(ends, [1, 'failed', 'failed', 2]);
});
