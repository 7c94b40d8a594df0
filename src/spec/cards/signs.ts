/** The part that a character plays in the search for digits. */
export const signs = { other: 0, digit: 1, blank: 2, dash: 3, mark: 4, separator: 5 } as const;
type Kind = (typeof signs)[keyof typeof signs];

/** One character of a text as it was read: kind and digit in one number. Written over by the next. */
export type Sign = { packed: number; length: number };

export const kindIn = (sign: number): number => sign & 7;
export const digitIn = (sign: number): number => sign >> 3;

const packed = (character: string): number => {
  const digit = digitOf(character);
  return digit === null ? kindOf(character) : signs.digit + 8 * digit;
};

function kindOf(character: string): Kind {
  // They are not seen, or stand above the digit before them: `4️⃣`.
  if (/[\p{M}\p{Cf}]/u.test(character)) return signs.mark;
  if (/[\p{Z}\t\r\n]/u.test(character)) return signs.blank;
  if (/[\p{Pd}\u2212]/u.test(character)) return signs.dash;
  return /[\p{L}\p{N}]/u.test(character) ? signs.other : signs.separator;
}

/** The digit that a character means in whatever script or form; null for none. */
function digitOf(character: string): number | null {
  if (!/\p{N}/u.test(character)) return null;
  const plain = character.normalize('NFKC');
  if (/^[0-9]$/.test(plain)) return Number(plain);
  if (!/\p{Nd}/u.test(character)) return null;
  // The digits of a script are ten in a row, so the zero is as far back as there are digits.
  const code = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

/** The signs of ASCII, for who reads a text without escapes quickly. */
export const ascii = Uint8Array.from({ length: 128 }, (_, code) => packed(String.fromCharCode(code)));
/** Characters beyond ASCII that are remembered; a text can name more of them than are worth the memory. */
const FURTHER_MAX = 8_192;

function createFurtherSigns(): (code: number) => number {
  const further = new Map<number, number>();
  return (code) => {
    const known = further.get(code);
    if (known !== undefined) return known;
    const sign = packed(String.fromCodePoint(code));
    if (further.size < FURTHER_MAX) further.set(code, sign);
    return sign;
  };
}

const furtherSign = createFurtherSigns();

export const PERCENT = 0x25;
export const BACKSLASH = 0x5c;

/** Reads the character at a place; with escapes, `%20` and `\n` are one character. */
export function readSign(text: string, at: number, isEscaped: boolean, into: Sign): void {
  const code = text.codePointAt(at) ?? 0;
  let sign = code < 128 ? (ascii[code] as number) : furtherSign(code);
  into.length = code > 0xffff ? 2 : 1;
  if (isEscaped && (code === PERCENT || code === BACKSLASH)) {
    const [meant, length] = code === PERCENT ? percentAt(text, at) : backslashAt(text, at);
    if (length > 0) [sign, into.length] = [meant, length];
  }
  into.packed = sign;
}

type Escape = readonly [sign: number, length: number];
const NONE: Escape = [0, 0];

const byteAt = (text: string, at: number): number => {
  const hex = text.slice(at + 1, at + 3);
  return text.charCodeAt(at) === PERCENT && /^[0-9a-f]{2}$/i.test(hex) ? Number.parseInt(hex, 16) : -1;
};

/** An escape of an address: one character, which takes up to four of them. Bytes that are no UTF-8 are a separator. */
function percentAt(text: string, at: number): Escape {
  const first = byteAt(text, at);
  if (first < 0) return NONE;
  if (first < 0x80) return [ascii[first] as number, 3];
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  let code = first & (0x3f >> more);
  for (let next = 1; next <= more; next += 1) {
    const byte = byteAt(text, at + 3 * next);
    if (byte < 0x80 || byte > 0xbf) return [signs.separator, 3];
    code = code * 64 + (byte & 0x3f);
  }
  return more === 0 || code > 0x10ffff ? [signs.separator, 3] : [furtherSign(code), 3 * (more + 1)];
}

/** An escape of JSON. */
function backslashAt(text: string, at: number): Escape {
  const next = text.slice(at + 1, at + 6);
  if (/^u[0-9a-f]{4}$/i.test(next)) {
    const code = Number.parseInt(next.slice(1), 16);
    return [code < 128 ? (ascii[code] as number) : furtherSign(code), 6];
  }
  return /^[bfnrt"\\/]/.test(next) ? [signs.separator, 2] : NONE;
}
