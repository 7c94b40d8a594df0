import type { Random, Target } from './target.ts';

type Change = (input: Buffer, random: Random, parts: Parts) => Buffer;
type Parts = { readonly words: readonly string[]; readonly other: Buffer; readonly bytesMax: number };

const spliced = (input: Buffer, from: number, to: number, between: Uint8Array): Buffer =>
  Buffer.concat([input.subarray(0, from), between, input.subarray(to)]);

/** A stretch of at most so many bytes. */
function stretch(input: Buffer, random: Random, longest: number): readonly [from: number, to: number] {
  const from = random(input.length + 1);
  return [from, Math.min(input.length, from + 1 + random(longest))];
}

/** A text in quotes, a word or a number. */
function token(input: Buffer, random: Random): readonly [from: number, to: number] {
  const found = [...input.toString('latin1', 0, 4_096).matchAll(/"[^"]*"|[A-Za-z0-9.]+/g)];
  const one = found[random(Math.max(1, found.length))];
  return one ? [one.index, one.index + one[0].length] : stretch(input, random, 24);
}

const word: (random: Random, words: readonly string[]) => Buffer = (random, words) =>
  Buffer.from(words[random(words.length)] ?? '', 'latin1');

const REMARKABLE = [
  '0',
  '1',
  '-1',
  '9',
  '00',
  '65535',
  '65536',
  '2147483648',
  '4294967296',
  '9007199254740993',
  '1e9',
  '99999999999999999999',
];
const BYTES = [
  0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x25, 0x26, 0x27, 0x2b, 0x2e, 0x2f, 0x3a, 0x3d, 0x5b, 0x5c, 0x7b, 0x7f, 0x80, 0xc3, 0xed,
  0xff,
];

/** What stands around something else, in the languages that are read here. */
const PAIRS = [
  ['[', ']'],
  ['{"a":', '}'],
  ['(', ')'],
  ['<a>', '</a>'],
] as const;

const changes: readonly Change[] = [
  (input, random) => {
    const at = random(input.length);
    const changed = Buffer.from(input);
    changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
    return changed;
  },
  (input, random) => {
    const changed = Buffer.from(input);
    changed[random(input.length)] = random(4) === 0 ? random(256) : (BYTES[random(BYTES.length)] ?? 0);
    return changed;
  },
  (input, random) => spliced(input, ...stretch(input, random, 16), Buffer.alloc(0)),
  (input, random) => {
    const [from, to] = stretch(input, random, 64);
    return spliced(input, to, to, input.subarray(from, to));
  },
  (input, random, { words }) => {
    const at = random(input.length + 1);
    return spliced(input, at, at, word(random, words));
  },
  (input, random, { words }) => spliced(input, ...stretch(input, random, 12), word(random, words)),
  (input, random) => spliced(input, ...stretch(input, random, 4), Buffer.from(REMARKABLE[random(REMARKABLE.length)] ?? '')),
  (input, random, { words }) => {
    const at = random(input.length + 1);
    const piece = word(random, words);
    return spliced(input, at, at, Buffer.concat(Array.from({ length: 1 + random(40) }, () => piece)));
  },
  (input, random, { bytesMax }) => {
    const [from, to] = token(input, random);
    const [open, close] = PAIRS[random(PAIRS.length)] as (typeof PAIRS)[number];
    const depth = Math.min(1 << random(15), Math.floor((bytesMax - input.length) / (open.length + close.length)));
    if (depth < 1) return input;
    const inner = Buffer.concat([Buffer.from(open.repeat(depth)), input.subarray(from, to), Buffer.from(close.repeat(depth))]);
    return spliced(input, from, to, inner);
  },
  (input, random, { other }) =>
    Buffer.concat([input.subarray(0, random(input.length + 1)), other.subarray(random(other.length + 1))]),
  (input, random, { other }) => {
    const at = random(input.length + 1);
    return spliced(input, at, at, other.subarray(...stretch(other, random, 64)));
  },
];

/** One of the inputs, changed in one to four places. */
export function mutate({ words, bytesMax, change }: Target, inputs: readonly Buffer[], random: Random): Buffer {
  const any = (): Buffer => inputs[random(inputs.length)] ?? Buffer.alloc(0);
  let input = any();
  for (let left = 1 + random(4); left > 0; left -= 1) {
    const inside = change && random(2) === 0 ? change(input, random) : null;
    const one = changes[random(changes.length)] as Change;
    input = inside ?? one(input, random, { words, other: any(), bytesMax });
  }
  return input.subarray(0, bytesMax);
}

/** The bytes with one to three of them changed, for places that a target decodes itself. */
export function changeBytes(bytes: Buffer, random: Random): Buffer {
  let changed = bytes;
  for (let left = 1 + random(3); left > 0; left -= 1)
    changed = (changes[random(4)] as Change)(changed, random, { words: [], other: changed, bytesMax: changed.length });
  return changed;
}
