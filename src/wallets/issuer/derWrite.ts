import { tags } from '../der.ts';

/** An ASN.1 value of definite length. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return Buffer.from(length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]);
}

/** A value of indefinite length, as in the envelopes of real signatures. */
export const indefinite = (tag: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.from([0, 0])]);

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(tags.sequence, ...parts);

/** An object identifier, from the form of oid(). */
export const identifier = (hex: string): Buffer => der(tags.oid, Buffer.from(hex, 'hex'));

/** `230307053348Z`. */
export function utcTime(time: number): Buffer {
  const text = new Date(time).toISOString().replace(/[-:T]/g, '');
  return der(tags.utcTime, Buffer.from(`${text.slice(2, 14)}Z`));
}
