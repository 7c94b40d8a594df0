import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlices, type LatestRequest } from './slices.ts';

type Message = { readonly head: string; readonly headers: Record<string, string>; readonly body: string };

const message = (name: string, value: string, body: string): Message => ({
  head: `POST / HTTP/1.1\r\nHost: x\r\n${name}: ${value}\r\n\r\n`,
  headers: { [name]: value },
  body,
});
const known = (body: string): Message => message('content-length', String(body.length), body);
const chunked = (...chunks: readonly string[]): Message =>
  message(
    'transfer-encoding',
    'chunked',
    [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join(''),
  );

/** A parser that knows where the messages end. */
function createParser(messages: readonly Message[]) {
  const state = { latest: null, begun: 0 } as { latest: LatestRequest | null; begun: number };
  let read = 0;
  const ends: { readonly head: number; readonly body: number; readonly headers: Record<string, string> }[] = [];
  let at = 0;
  for (const { head, headers, body } of messages) {
    ends.push({ head: at + head.length, body: at + head.length + body.length, headers });
    at += head.length + body.length;
  }
  return {
    state,
    /** How many requests begin in the next bytes. */
    read(length: number): number {
      const begunBefore = state.begun;
      read += length;
      for (const { head, body, headers } of ends.slice(Math.max(0, begunBefore - 1))) {
        if (head > read) break;
        state.begun = ends.findIndex((end) => end.head === head) + 1;
        state.latest = { complete: body <= read, headers };
      }
      return state.begun - begunBefore;
    },
  };
}

/** The slices of reads of this length. None has parts of two requests. */
function slicesOf(messages: readonly Message[], readBytes: number): readonly string[] {
  const all = Buffer.from(messages.map(({ head, body }) => head + body).join(''), 'latin1');
  const parser = createParser(messages);
  const slices = createSlices();
  const made: string[] = [];
  for (let at = 0; at < all.length; at += readBytes) {
    let rest = all.subarray(at, at + readBytes);
    while (rest.length > 0) {
      const end = slices.endOf(rest);
      const slice = rest.subarray(0, end);
      assert.ok(end > 0 && parser.read(end) <= 1, `two requests begin in ${JSON.stringify(slice.toString('latin1'))}`);
      slices.parsed(slice, parser.state);
      made.push(slice.toString('latin1'));
      rest = rest.subarray(end);
    }
  }
  assert.equal(made.join(''), all.toString('latin1'));
  return made;
}

const lineEnds = '\r\n\r\n'.repeat(1_000);
const messages = [known('a=1'), chunked('b=2', '\r\n\r\n'), known(lineEnds), known(''), chunked('c=3'), known('d=4')];

test('a head is a slice, and so is the body behind it, whatever is in it', () => {
  const [first, second] = [known(lineEnds), known('a=1')];
  assert.deepEqual(slicesOf([first, second], 1_000_000), [first.head, first.body, second.head, second.body]);
  assert.equal(slicesOf([first], 1_000).length, 1 + Math.ceil((first.head.length + first.body.length) / 1_000));
});

test('however the bytes arrive, no slice has the heads of two requests', () => {
  for (let length = 1; length < 300; length += 1) slicesOf(messages, length);
});

test('line ends in front of a head belong to it, however they arrive', () => {
  const blank: Message = { ...known('a=1'), head: `${'\r\n'.repeat(500)}${known('a=1').head}` };
  assert.equal(slicesOf([blank, known('b=2')], 1_000_000).length, 4);
  for (let length = 1; length < 100; length += 1) slicesOf([blank, blank], length);
});

test('a slice of a body in chunks has 32 of them at most, and a long chunk is not cut, whatever is in it', () => {
  const tiny = slicesOf([chunked(...Array<string>(1_000).fill('a'))], 1_000_000);
  assert.ok(tiny.every((slice) => slice.split('a').length <= 33));
  assert.ok(tiny.length <= 1 + Math.ceil(1_001 / 32));
  for (const chunk of ['a'.repeat(60_000), '\r\n'.repeat(30_000), '0\r\n\r\n'.repeat(12_000)]) {
    assert.equal(slicesOf([chunked(chunk)], 1_000_000).length, 2);
    assert.equal(slicesOf([chunked(chunk, chunk, chunk), known('a=1')], 1_000_000).length, 4);
    // Cut where reads end, and behind the head.
    for (const bytes of [1_000, 4_096, 65_536]) {
      const { head, body } = chunked(chunk, chunk);
      assert.ok(slicesOf([chunked(chunk, chunk)], bytes).length <= 2 + Math.ceil((head.length + body.length) / bytes));
    }
  }
});

const oddChunks: Readonly<Record<string, string>> = {
  'a size with an extension': '5;a=b\r\n12345\r\n0\r\n\r\n',
  'a size with zeros in front': '000005\r\n12345\r\n0000\r\n\r\n',
  'lines behind the last chunk': '5\r\n12345\r\n0\r\nA: b\r\nC: d\r\n\r\n',
  'the last chunk alone': '0\r\n\r\n',
};
for (const [what, body] of Object.entries(oddChunks))
  test(`${what}: no slice has the heads of two requests, however the bytes arrive`, () => {
    const odd = { ...chunked(), body };
    for (let bytes = 1; bytes < 200; bytes += 1) slicesOf([odd, known('a=1'), odd, odd, known('')], bytes);
  });

test('behind something else than a size every blank line ends a slice', () => {
  const slices = createSlices();
  const latest = { complete: false, headers: {} };
  slices.parsed(Buffer.from('head'), { latest, begun: 1 });
  const odd = Buffer.from('x\r\n\r\nGET / HTTP/1.1\r\n\r\n');
  assert.equal(slices.endOf(odd), 5);
  slices.parsed(odd.subarray(0, 5), { latest, begun: 1 });
  assert.equal(slices.endOf(odd.subarray(5)), odd.length - 5);
});

test('a body that does not end where it said is read on', () => {
  const slices = createSlices();
  const latest = { complete: false, headers: { 'content-length': '3' } };
  slices.parsed(Buffer.from('head'), { latest, begun: 1 });
  assert.equal(slices.endOf(Buffer.from('abcdef')), 3);
  slices.parsed(Buffer.from('abc'), { latest, begun: 1 });
  assert.deepEqual([slices.at, slices.endOf(Buffer.from('def'))], ['chunks', 3]);
  slices.parsed(Buffer.from('def'), { latest: { ...latest, complete: true }, begun: 1 });
  assert.equal(slices.at, 'head');
});
