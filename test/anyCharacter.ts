import fc from 'fast-check';

/** Lone surrogates are no characters. */
const [SURROGATES_FROM, SURROGATES] = [0xd800, 0x800];
const CHARACTERS = 0x110000 - SURROGATES;

/**
 * Any character of Unicode. The same characters as the unit `binary` of fast-check, which builds a map of all of them in every process
 * first: two seconds of processor time.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(CHARACTERS - 1).map(characterAt, placeOf);

function characterAt(place: number): string {
  return String.fromCodePoint(place < SURROGATES_FROM ? place : place + SURROGATES);
}

/** The way back: with it fast-check also tries names such as `__proto__`, as it does for its own units. */
function placeOf(character: unknown): number {
  const code = typeof character === 'string' && character.isWellFormed() ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not a character');
  return code < SURROGATES_FROM ? code : code - SURROGATES;
}
