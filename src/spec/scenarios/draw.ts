import { durationText, endsOf } from './durations.ts';
import type { Acts, Scenario } from './language.ts';

/** What is left to chance is drawn by the seed and by where in the scenario it stands: never by the order in which it is asked for. */

/** A number from 0 up to 1 that follows from a seed and a place. */
export function chanceOf(seed: number, place: string): number {
  let state = 0x811c9dc5;
  for (const letter of `${seed}|${place}`) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  // Without this a seed and the next one would give numbers beside each other.
  for (const [shift, factor] of MIX) state = Math.imul(state ^ (state >>> shift), factor);
  return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32;
}

const MIX = [
  [16, 0x85ebca6b],
  [13, 0xc2b2ae35],
  [15, 0x2c1b3c6d],
] as const;

/** The acts of a scenario with nothing left to chance: the same for the same seed, for ever. */
export function draw({ name: _name, says: _says, seed: _seed, oneOf, ...acts }: Scenario, seed: number): Acts {
  const { weight: _weight, ...chosen } = oneOf ? chosenOf(oneOf, chanceOf(seed, 'oneOf')) : {};
  return fixed({ ...acts, ...chosen }, seed, '') as Acts;
}

function chosenOf<Option extends { readonly weight?: number }>(options: readonly Option[], chance: number): Option {
  let left = chance * options.reduce((sum, { weight = 1 }) => sum + weight, 0);
  for (const option of options) {
    left -= option.weight ?? 1;
    if (left < 0) return option;
  }
  return options.at(-1) as Option;
}

/** Every range is one length of time. A text with two dots in it stands nowhere else. */
function fixed(value: unknown, seed: number, place: string): unknown {
  if (typeof value === 'string') return value.includes('..') ? within(value, chanceOf(seed, place)) : value;
  if (Array.isArray(value)) return value.map((item, index) => fixed(item, seed, `${place}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fixed(member, seed, `${place}.${name}`)]));
}

function within(range: string, chance: number): string {
  const [from, to] = endsOf(range) ?? [0, 0];
  return durationText(from + Math.floor(chance * (to - from + 1)));
}
