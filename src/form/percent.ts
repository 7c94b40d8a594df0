/**
 * Percent-decoding of the short ASCII texts that forms are made of. The engine's own function is a call out of compiled code with memory
 * of its own, which is more work than such a text.
 */
const SCRATCH_BYTES = 256;
const scratch = Buffer.alloc(SCRATCH_BYTES);

const [PERCENT, PLUS, SPACE, ASCII] = [0x25, 0x2b, 0x20, 0x80];
const NONE = -1;

/**
 * The text with its escapes and plus signs read; undefined for a bad escape and for escapes that are no UTF-8: overlong, truncated, a
 * surrogate.
 */
export function unescaped(text: string): string | undefined {
  if (text.length > SCRATCH_BYTES) return decoded(text);
  const length = readAscii(text);
  const plain = length === NONE ? decoded(text) : scratch.toString('latin1', 0, length);
  // It may have been a security code, or the beginning of one.
  for (let at = 0; at < text.length; at += 1) scratch[at] = 0;
  return plain;
}

/** Writes the text into the scratch and returns its length; NONE: it has an escape, or a character, that is not ASCII. */
function readAscii(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at);
    if (code === PLUS) code = SPACE;
    else if (code === PERCENT) {
      code = 16 * digitOf(text.charCodeAt(at + 1)) + digitOf(text.charCodeAt(at + 2));
      at += 2;
    }
    if (code >= ASCII) return NONE;
    scratch[length] = code;
    length += 1;
  }
  return length;
}

/** The value of a hexadecimal digit; for anything else a number that makes no ASCII character. */
export function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : ASCII;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.includes('+') ? withSpaces(text) : text);
  } catch {
    return undefined;
  }
}

/** Replaces plus signs in bytes: the engine makes a part of a text for each, which takes a second for millions of them. */
function withSpaces(text: string): string {
  const units = Buffer.from(text, 'utf16le');
  for (let at = 0; at < units.length; at += 2) if (units[at] === PLUS && units[at + 1] === 0) units[at] = SPACE;
  const spaced = units.toString('utf16le');
  units.fill(0);
  return spaced;
}
