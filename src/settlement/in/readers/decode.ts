import { Unreadable } from './reader.ts';

/** Encodings that banks declare, with their names for TextDecoder. */
const encodings: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  'windows-1252': 'windows-1252',
};

/** Decodes a file chunk by chunk, without its byte order mark. Throws `Unreadable` at a byte outside the encoding. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding = 'utf-8'): AsyncIterable<string> {
  const known = encodings[encoding.toLowerCase()];
  if (known === undefined) throw new Unreadable(1, `the encoding ${JSON.stringify(encoding)} is not read; send UTF-8`);
  const decoder = new TextDecoder(known, { fatal: true });
  let line = 1;
  const read = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new Unreadable(line, `this is not ${encoding.toUpperCase()}, on this line or not far behind it`);
    }
  };
  for await (const chunk of bytes) {
    const text = read(chunk);
    yield text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line += 1;
  }
  yield read();
}

/** An envelope may have a signature in front of its document. */
const HEAD_BYTES = 65_536;

/** The beginning of a file as text. Only its ASCII part is reliable, because the encoding is not known yet. */
export async function headOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks)
    .subarray(0, HEAD_BYTES)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}
