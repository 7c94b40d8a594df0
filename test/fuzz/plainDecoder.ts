import { isUtf8 } from 'node:buffer';

export type PlainField = { readonly name: string; readonly value: string } | null;

/** A second decoder of forms, byte by byte and without a thought for speed: null where a field cannot be read. */
export function plainly(body: Uint8Array): readonly PlainField[] {
  const pieces = Buffer.from(body)
    .toString('latin1')
    .split('&')
    .filter((piece) => piece !== '');
  return pieces.map((piece) => {
    if (!isUtf8(Buffer.from(piece, 'latin1'))) return null;
    const [name = '', ...rest] = piece.split('=');
    const [first, second] = [bytesOf(name), bytesOf(rest.join('='))];
    return first && second && { name: first.toString(), value: second.toString() };
  });
}

function bytesOf(latin1: string): Buffer | null {
  const bytes: number[] = [];
  for (let at = 0; at < latin1.length; at += 1) {
    const sign = latin1[at];
    if (sign !== '%') bytes.push(sign === '+' ? 0x20 : latin1.charCodeAt(at));
    else {
      const digits = latin1.slice(at + 1, at + 3);
      if (!/^[0-9A-Fa-f]{2}$/.test(digits)) return null;
      bytes.push(Number.parseInt(digits, 16));
      at += 2;
    }
  }
  const all = Buffer.from(bytes);
  return isUtf8(all) ? all : null;
}

const stepsOf = (name: string): number => name.replace(/\[[^\]]*\]?/g, '.').split('.').length;

export const isPlainName = (name: string): boolean =>
  !name.includes('\0') && Buffer.byteLength(name) <= 256 && (stepsOf(name) <= 6 || name.length < 13);
