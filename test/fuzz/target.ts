import assert from 'node:assert/strict';
import type { Draft } from './mutate.ts';

/** A reader of input from outside, and what must hold for whatever it is given. */
export type Target = {
  readonly name: string;
  /** Inputs to begin with, one character for each byte. */
  readonly seeds: readonly string[];
  /** What this reader knows: pieces that chance would not put together. */
  readonly words: readonly string[];
  readonly bytesMax: number;
  /** How many blocks of the sources an input may run through: so many, and so many more for each of its bytes. */
  readonly work: { readonly base: number; readonly perByte: number };
  /** Changes an input where its bytes are encoded once more; false: this one has no such place. */
  readonly change?: (draft: Draft, random: Random) => boolean;
  /** What it costs to judge an input; its length when left out. Cheap inputs are changed more often. */
  readonly cost?: (input: Buffer) => number;
  /** Throws when the reader does what it may not. */
  readonly judge: Judge;
  /** A fault of the kind that the search must find. */
  readonly planted: { readonly what: string; readonly judge: Judge };
  readonly close?: () => Promise<void>;
};

export type Judge = (input: Buffer) => void | Promise<void>;

/** A whole number from 0 to below the limit. */
export type Random = (below: number) => number;

/** The same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A card number that stands among the words of every target. */
export const CANARY = '4200000000000091';
const ALONE = new RegExp(`(?<![0-9])${CANARY}(?![0-9])`);

/** No text that is sent back or logged has the card number. */
export function assertNoCardNumber(text: string): void {
  if (text.includes(CANARY)) assert.ok(!ALONE.test(text), `the card number is in: ${text.slice(0, 300)}`);
}

/** One input in so many, the same ones each time: for what takes long and seldom differs. */
export const isOneIn = (many: number, input: Buffer): boolean => (input.length + (input[input.length >> 1] ?? 0)) % many === 0;

/** Amounts are numbers that JSON does not know. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? `${inner}n` : inner instanceof Map ? [...inner] : inner instanceof Set ? [...inner] : inner,
  ) ?? 'undefined';
