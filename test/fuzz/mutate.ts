import type { Random, Target } from './target.ts';

/** The input that is being changed, in place: one buffer for a whole search. What goes beyond its end is cut off. */
export type Draft = {
  readonly bytes: Buffer;
  length: number;
};

type Stretch = readonly [from: number, to: number];
type Change = (draft: Draft, random: Random, parts: Parts) => void;
type Parts = { readonly words: readonly Buffer[]; readonly other: Buffer };

/** Puts a piece of `source` in the place of a stretch. */
export function splice(draft: Draft, [from, to]: Stretch, source: Buffer, [start, end]: Stretch): void {
  const { bytes, length } = draft;
  const room = Math.min(end - start, bytes.length - from);
  const tail = Math.min(length - to, bytes.length - from - room);
  if (tail > 0) bytes.copyWithin(from + room, to, to + tail);
  if (room > 0) source.copy(bytes, from, start, start + room);
  draft.length = from + room + Math.max(0, tail);
}

const whole = (piece: Buffer): Stretch => [0, piece.length];
const any = <One>(random: Random, list: readonly One[]): One => list[random(list.length)] as One;

/** A place in the draft, its end included, and no bytes. */
function place({ length }: Draft, random: Random): Stretch {
  const at = random(length + 1);
  return [at, at];
}

/** A stretch of at most so many bytes. */
function stretch(length: number, random: Random, longest: number): Stretch {
  const from = random(length + 1);
  return [from, Math.min(length, from + 1 + random(longest))];
}

const QUOTE = 0x22;
const TOKEN_BYTES_MAX = 64;
const isOfToken = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.') isOfToken[character.charCodeAt(0)] = 1;

/** The word or number at some place, with the quotes around it. */
function token({ bytes, length }: Draft, random: Random): Stretch {
  let from = random(length + 1);
  let to = from;
  while (from > 0 && to - from < TOKEN_BYTES_MAX && isOfToken[bytes[from - 1] as number] === 1) from -= 1;
  while (to < length && to - from < TOKEN_BYTES_MAX && isOfToken[bytes[to] as number] === 1) to += 1;
  return from > 0 && to < length && bytes[from - 1] === QUOTE && bytes[to] === QUOTE ? [from - 1, to + 1] : [from, to];
}

const buffersOf = (texts: readonly string[]): readonly Buffer[] => texts.map((text) => Buffer.from(text, 'latin1'));

const REMARKABLE = buffersOf([
  ...['0', '1', '-1', '9', '00', '65535', '65536'],
  ...['2147483648', '4294967296', '9007199254740993', '1e9', '99999999999999999999'],
]);
const BYTES = Buffer.from('\0\t\n\r "%&\'+./:=[\\{\x7f\x80\xc3\xed\xff', 'latin1');

/** What stands around something else, in the languages that are read here; as often as is ever repeated. */
const DEPTH_BITS = 14;
const PAIRS = [
  ['[', ']'],
  ['{"a":', '}'],
  ['(', ')'],
  ['<a>', '</a>'],
].map(([open = '', close = '']) => ({
  open: Buffer.from(open.repeat(1 << DEPTH_BITS)),
  close: Buffer.from(close.repeat(1 << DEPTH_BITS)),
  openBytes: open.length,
  closeBytes: close.length,
}));

/** Changes that need to know nothing of the language. */
const plainChanges: readonly Change[] = [
  (draft, random) => {
    const at = random(Math.max(1, draft.length));
    draft.bytes[at] = (draft.bytes[at] ?? 0) ^ (1 << random(8));
  },
  (draft, random) => {
    draft.bytes[random(Math.max(1, draft.length))] = random(4) === 0 ? random(256) : (BYTES[random(BYTES.length)] ?? 0);
  },
  (draft, random) => splice(draft, stretch(draft.length, random, 16), BYTES, [0, 0]),
  (draft, random) => {
    const [from, to] = stretch(draft.length, random, 64);
    const copied = Buffer.from(draft.bytes.subarray(from, to));
    splice(draft, [to, to], copied, whole(copied));
  },
];

const changes: readonly Change[] = [
  ...plainChanges,
  (draft, random, { words }) => {
    const word = any(random, words);
    splice(draft, place(draft, random), word, whole(word));
  },
  (draft, random, { words }) => {
    const word = any(random, words);
    splice(draft, stretch(draft.length, random, 12), word, whole(word));
  },
  (draft, random) => {
    const number = any(random, REMARKABLE);
    splice(draft, stretch(draft.length, random, 4), number, whole(number));
  },
  (draft, random, { words }) => {
    const [word, at] = [any(random, words), place(draft, random)];
    for (let left = 1 + random(1 << random(6)); left > 0; left -= 1) splice(draft, at, word, whole(word));
  },
  (draft, random) => {
    const [from, to] = token(draft, random);
    const { open, close, openBytes, closeBytes } = any(random, PAIRS);
    // Deep ones are seldom: they are as long as hundreds of others.
    const wanted = 1 << random(1 + random(DEPTH_BITS));
    const depth = Math.min(wanted, Math.floor((draft.bytes.length - draft.length) / (openBytes + closeBytes)));
    splice(draft, [to, to], close, [0, depth * closeBytes]);
    splice(draft, [from, from], open, [0, depth * openBytes]);
  },
  (draft, random, { other }) =>
    splice(draft, [random(draft.length + 1), draft.length], other, [random(other.length + 1), other.length]),
  (draft, random, { other }) => splice(draft, place(draft, random), other, stretch(other.length, random, 64)),
];

type Mutable = Pick<Target, 'words' | 'bytesMax' | 'change' | 'cost'>;
const lengthOf = ({ length }: Buffer): number => length;

/** Makes inputs out of others. The result is valid until the next one is made. */
export type Mutate = (inputs: readonly Buffer[], random: Random) => Buffer;

/** One of the inputs, changed in one to four places. Of two to five inputs the cheapest is taken. */
export function createMutate({ words, bytesMax, change, cost = lengthOf }: Mutable): Mutate {
  const draft: Draft = { bytes: Buffer.alloc(bytesMax), length: 0 };
  const pieces = buffersOf(words);
  return (inputs, random) => {
    let base = any(random, inputs);
    for (let others = 1 + random(4); others > 0; others -= 1) {
      const other = any(random, inputs);
      if (cost(other) < cost(base)) base = other;
    }
    draft.length = base.copy(draft.bytes);
    for (let left = 1 + random(4); left > 0; left -= 1) {
      if (change && random(2) === 0 && change(draft, random)) continue;
      any(random, changes)(draft, random, { words: pieces, other: any(random, inputs) });
    }
    return draft.bytes.subarray(0, draft.length);
  };
}

/** Changes one to three bytes, for places that a target decodes itself. */
export function changeBytes(bytes: Buffer, random: Random): Buffer {
  const draft: Draft = { bytes: Buffer.alloc(bytes.length + 64), length: 0 };
  draft.length = bytes.copy(draft.bytes);
  for (let left = 1 + random(3); left > 0; left -= 1) any(random, plainChanges)(draft, random, { words: [], other: bytes });
  return draft.bytes.subarray(0, draft.length);
}
