/** What a character is to who looks for digits. */
export const signs = { other: 0, digit: 1, blank: 2, dash: 3, mark: 4, separator: 5 } as const;
type Kind = (typeof signs)[keyof typeof signs];

/** One character of a text as it was read; written over by the next. */
export type Sign = { is: Kind; digit: number; length: number };

/** Kind and digit in one number, so that a table of them is small. */
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

const ascii = Uint8Array.from({ length: 128 }, (_, code) => packed(String.fromCharCode(code)));
const further = new Map<number, number>();
/** Characters beyond ASCII that are remembered; a text can name more of them than are worth the memory. */
const FURTHER_MAX = 8_192;

function furtherSign(code: number): number {
  const known = further.get(code);
  if (known !== undefined) return known;
  const sign = packed(String.fromCodePoint(code));
  if (further.size < FURTHER_MAX) further.set(code, sign);
  return sign;
}

const PERCENT = 0x25;
const BACKSLASH = 0x5c;

/** Reads the character at a place; with escapes, `%20` and `\n` are one character. */
export function readSign(text: string, at: number, isEscaped: boolean, into: Sign): void {
  const code = text.codePointAt(at) ?? 0;
  let sign = code < 128 ? (ascii[code] as number) : furtherSign(code);
  into.length = code > 0xffff ? 2 : 1;
  if (isEscaped && (code === PERCENT || code === BACKSLASH)) {
    const [meant, length] = code === PERCENT ? percentAt(text, at) : backslashAt(text, at);
    if (length > 0) [sign, into.length] = [meant, length];
  }
  into.is = (sign & 7) as Kind;
  into.digit = sign >> 3;
}

type Escape = readonly [sign: number, length: number];
const NONE: Escape = [0, 0];

/** An escape of an address. Of a longer character the first byte is taken for the separator, those behind it for nothing. */
function percentAt(text: string, at: number): Escape {
  const hex = text.slice(at + 1, at + 3);
  if (!/^[0-9a-f]{2}$/i.test(hex)) return NONE;
  const code = Number.parseInt(hex, 16);
  if (code < 0x80) return [ascii[code] as number, 3];
  return [code < 0xc0 ? signs.mark : signs.separator, 3];
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
