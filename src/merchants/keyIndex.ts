/** Keys of 32 hex digits as rows of numbers. A map of strings would take several times the memory, and the collector would walk it. */
export interface KeyIndex {
  /** The row of a key, or −1. */
  find(key: string): number;
  /** The row of a key, which is made if there is none; −1: the string is no key. Rows are numbered from 0. */
  add(key: string): number;
  keyOf(row: number): string;
  size(): number;
}

const WORDS = 4;
const DIGITS = 8;
const KEY_LENGTH = WORDS * DIGITS;
const FIRST_ROWS = 64;
const FREE = 0;

/** The value of a digit by its character code; 16: no digit of a key. */
const digitValues = new Uint8Array(256).fill(16);
for (let value = 0; value < 16; value += 1) digitValues[value.toString(16).charCodeAt(0)] = value;

/** The words of the key that was read last. */
const words = new Int32Array(WORDS);

/** Reads a key into `words`; false: the string is no key. */
function readKey(key: string): boolean {
  if (key.length !== KEY_LENGTH) return false;
  let faulty = 0;
  for (let word = 0, at = 0; word < WORDS; word += 1) {
    let value = 0;
    for (const end = at + DIGITS; at < end; at += 1) {
      const code = key.charCodeAt(at);
      const digit = code < 256 ? (digitValues[code] as number) : 16;
      faulty |= digit;
      value = (value << 4) | (digit & 15);
    }
    words[word] = value;
  }
  return (faulty & 16) === 0;
}

/** A copy with room for twice as many numbers. */
export function doubled<Numbers extends Int32Array | Uint8Array | Float64Array>(numbers: Numbers): Numbers {
  const longer = new (numbers.constructor as new (length: number) => Numbers)(numbers.length * 2);
  longer.set(numbers);
  return longer;
}

/**
 * Ids of this gateway are random. Those of merchants who come from another one may count up, or differ in one digit alone: every bit must
 * change the place, or most keys would be searched among all of them.
 */
export function hashOf(numbers: Int32Array, at: number): number {
  let hash = 0;
  for (let word = 0; word < WORDS; word += 1) {
    hash = Math.imul(hash ^ (numbers[at + word] as number), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** The keys in it are ids that an operator has accepted, so their places need no secret. */
export function createKeyIndex(): KeyIndex {
  let keys = new Int32Array(FIRST_ROWS * WORDS);
  /** One more than the row; at most half of the places are taken. */
  let places = new Int32Array(FIRST_ROWS * 2);
  let count = 0;
  const isAt = (row: number): boolean => {
    const at = row * WORDS;
    return keys[at] === words[0] && keys[at + 1] === words[1] && keys[at + 2] === words[2] && keys[at + 3] === words[3];
  };
  /** The place of the key in `words`, or the free one where it belongs. */
  const placeOf = (): number => {
    const last = places.length - 1;
    for (let place = hashOf(words, 0) & last; ; place = (place + 1) & last) {
      const row = (places[place] as number) - 1;
      if (row < 0 || isAt(row)) return place;
    }
  };
  const rehash = (): void => {
    places = new Int32Array(places.length * 2);
    const last = places.length - 1;
    for (let row = 0; row < count; row += 1) {
      let place = hashOf(keys, row * WORDS) & last;
      while (places[place] !== FREE) place = (place + 1) & last;
      places[place] = row + 1;
    }
  };
  return {
    find: (key) => (readKey(key) ? (places[placeOf()] as number) - 1 : -1),
    add(key) {
      if (!readKey(key)) return -1;
      const place = placeOf();
      if (places[place] !== FREE) return (places[place] as number) - 1;
      if ((count + 1) * WORDS > keys.length) keys = doubled(keys);
      keys.set(words, count * WORDS);
      count += 1;
      places[place] = count;
      if (count * 2 > places.length) rehash();
      return count - 1;
    },
    keyOf(row) {
      let key = '';
      for (let word = 0; word < WORDS; word += 1)
        key += ((keys[row * WORDS + word] as number) >>> 0).toString(16).padStart(DIGITS, '0');
      return key;
    },
    size: () => count,
  };
}
