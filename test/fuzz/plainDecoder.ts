import { isUtf8 } from 'node:buffer';

export type PlainField = { readonly name: string; readonly value: string } | null;

/** A second decoder of forms, byte by byte and without a thought for limits: null where a field cannot be read. */
export function plainly(body: Uint8Array): readonly PlainField[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const found: PlainField[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const at = bytes.indexOf(AMPERSAND, from);
    const to = at < 0 ? bytes.length : at;
    if (to > from) found.push(plainField(bytes.subarray(from, to)));
    from = to + 1;
  }
  return found;
}

const [AMPERSAND, EQUALS, PERCENT, PLUS, SPACE] = [0x26, 0x3d, 0x25, 0x2b, 0x20];

function plainField(piece: Buffer): PlainField {
  if (!isUtf8(piece)) return null;
  const equals = piece.indexOf(EQUALS);
  const name = plainText(equals < 0 ? piece : piece.subarray(0, equals));
  const value = plainText(equals < 0 ? piece.subarray(piece.length) : piece.subarray(equals + 1));
  return name === null || value === null ? null : { name, value };
}

function plainText(piece: Buffer): string | null {
  if (!piece.includes(PERCENT)) return piece.toString().replaceAll('+', ' ');
  const bytes = Buffer.alloc(piece.length);
  let length = 0;
  for (let at = 0; at < piece.length; at += 1) {
    const byte = piece[at] as number;
    if (byte === PERCENT) {
      const [high, low] = [digit(piece[at + 1]), digit(piece[at + 2])];
      if (high < 0 || low < 0) return null;
      bytes[length] = 16 * high + low;
      at += 2;
    } else bytes[length] = byte === PLUS ? SPACE : byte;
    length += 1;
  }
  const all = bytes.subarray(0, length);
  return isUtf8(all) ? all.toString() : null;
}

const digit = (byte: number | undefined): number =>
  byte === undefined ? -1 : '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());

const stepsOf = (name: string): number => name.replace(/\[[^\]]*\]?/g, '.').split('.').length;

export const isPlainName = (name: string): boolean =>
  !name.includes('\0') && Buffer.byteLength(name) <= 256 && (stepsOf(name) <= 6 || name.length < 13);
