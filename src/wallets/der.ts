/**
 * An ASN.1 value: its tag with class and form, its whole encoding, its content, and the values inside when it is constructed.
 */
export type Der = {
  readonly tag: number;
  readonly bytes: Buffer;
  readonly body: Buffer;
  readonly children: readonly Der[];
};

/** Tags in certificates and signatures. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  nothing: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context3: 0xa3,
} as const;

const DEPTH_MAX = 16;
const VALUES_MAX = 2000;
const CONSTRUCTED = 0x20;
const INDEFINITE = 0x80;

type Cursor = { at: number; values: number; readonly bytes: Buffer; readonly openTo: number };

/**
 * Parses exactly one value with all its children, or returns null. Lengths must be definite and minimal, tags have one byte; only the
 * outermost `openTo` levels may have an indefinite length, as in the envelopes of real signatures.
 */
export function readDer(bytes: Buffer, openTo = 0): Der | null {
  const cursor: Cursor = { at: 0, values: 0, bytes, openTo };
  const value = readValue(cursor, bytes.length, 0);
  return value && cursor.at === bytes.length ? value : null;
}

function readValue(cursor: Cursor, end: number, depth: number): Der | null {
  const start = cursor.at;
  cursor.values += 1;
  if (end - start < 2 || depth > DEPTH_MAX || cursor.values > VALUES_MAX) return null;
  const tag = cursor.bytes[cursor.at++] as number;
  if (tag === 0 || (tag & 0x1f) === 0x1f) return null;
  if (cursor.bytes[cursor.at] === INDEFINITE) return readIndefinite(cursor, { start, end, depth, tag });
  const length = readLength(cursor, end);
  if (length === null || length > end - cursor.at) return null;
  const bodyStart = cursor.at;
  const bodyEnd = bodyStart + length;
  const inside: Der[] = [];
  if (tag & CONSTRUCTED) {
    while (cursor.at < bodyEnd) {
      const value = readValue(cursor, bodyEnd, depth + 1);
      if (!value) return null;
      inside.push(value);
    }
  }
  cursor.at = bodyEnd;
  return { tag, bytes: cursor.bytes.subarray(start, bodyEnd), body: cursor.bytes.subarray(bodyStart, bodyEnd), children: inside };
}

type ValueStart = { readonly start: number; readonly end: number; readonly depth: number; readonly tag: number };

/** A value of indefinite length: two zero bytes end it. */
function readIndefinite(cursor: Cursor, { start, end, depth, tag }: ValueStart): Der | null {
  if (!(tag & CONSTRUCTED) || depth >= cursor.openTo) return null;
  cursor.at += 1;
  const bodyStart = cursor.at;
  const inside: Der[] = [];
  while (end - cursor.at >= 2 && cursor.bytes.readUInt16BE(cursor.at) !== 0) {
    const value = readValue(cursor, end, depth + 1);
    if (!value) return null;
    inside.push(value);
  }
  if (end - cursor.at < 2) return null;
  const body = cursor.bytes.subarray(bodyStart, cursor.at);
  cursor.at += 2;
  return { tag, bytes: cursor.bytes.subarray(start, cursor.at), body, children: inside };
}

/** A length of one to three bytes in its shortest form. */
function readLength(cursor: Cursor, end: number): number | null {
  const first = cursor.bytes[cursor.at++] as number;
  if (first < 0x80) return first;
  const size = first & 0x7f;
  if (size > 2 || end - cursor.at < size) return null;
  const length = cursor.bytes.readUIntBE(cursor.at, size);
  cursor.at += size;
  return length >= (size === 1 ? 0x80 : 0x100) ? length : null;
}

/** The content of the object identifier `1.2.840.10045` in hexadecimal: identifiers are compared in this form. */
export function oid(dotted: string): string {
  const [first = 0, second = 0, ...others] = dotted.split('.').map((part) => Number.parseInt(part, 10));
  return [first * 40 + second, ...others].map(base128).join('');
}

function base128(number: number): string {
  const groups = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(groups).toString('hex');
}

/** The object identifier of a value, in the form of oid(); null when it is none. */
export const oidOf = (value: Der | undefined): string | null => (value?.tag === tags.oid ? value.body.toString('hex') : null);

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
