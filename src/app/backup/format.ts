import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { CopiedTable } from '../../store/postgres/copy.ts';
import type { MasterKey } from '../../vault/masterKey.ts';
import type { RandomBytes } from '../../vault/randomBytes.ts';
import { OperatorError } from '../operatorError.ts';

/**
 * The format of a backup file: a line that names it, the length of a JSON head (4 bytes), the head, then chunks. A chunk is its length (4
 * bytes), ciphertext and tag of AES-256-GCM under a key of this file alone. The nonce is the number of the chunk and whether it is the
 * last: an altered, reordered or shortened file does not open. The first chunk authenticates the head too. The content is compressed.
 */
const MAGIC = Buffer.from('TURNPIKE BACKUP 1\n');
const HEAD_BYTES_MAX = 65_536;
const CHUNK_BYTES = 262_144;
const [LENGTH_BYTES, NONCE_BYTES, TAG_BYTES, SALT_BYTES] = [4, 12, 16, 32];
const ALGORITHM = 'aes-256-gcm';
const LABEL = 'backup:v1';

/** The head of a file, in clear. */
export type BackupHead = {
  readonly dialect: 'sqlite' | 'postgres';
  /** The migrations of its schema. */
  readonly migrations: readonly number[];
  readonly createdAt: number;
  /** Which key opens it. */
  readonly keyId: string;
  readonly salt: string;
};

/** The key of new backups first, then older keys, which only open. */
export type BackupKeys = readonly [MasterKey, ...MasterKey[]];

const fileKey = (key: MasterKey, salt: Buffer): Uint8Array => {
  if (!key.derive) throw new OperatorError('BACKUP_KEY: is missing; the master key is kept elsewhere and cannot encrypt backups');
  return new Uint8Array(hkdfSync('sha256', key.derive(LABEL), salt, LABEL, 32));
};

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce[0] = isLast ? 1 : 0;
  nonce.writeUInt32BE(number, NONCE_BYTES - 4);
  return nonce;
}

const lengthOf = (bytes: number): Buffer => {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes);
  return length;
};

type SealOptions = {
  readonly key: MasterKey;
  readonly random: RandomBytes;
  readonly about: Omit<BackupHead, 'keyId' | 'salt'>;
};

/** The bytes of a backup file. At any time a few chunks are in memory. */
export async function* sealBackup(
  content: AsyncIterable<Uint8Array>,
  { key, random, about }: SealOptions,
): AsyncGenerator<Uint8Array> {
  const salt = Buffer.alloc(SALT_BYTES);
  random(salt);
  const head = Buffer.from(JSON.stringify({ ...about, keyId: key.id, salt: salt.toString('hex') } satisfies BackupHead));
  const ofFile = fileKey(key, salt);
  yield Buffer.concat([MAGIC, lengthOf(head.length), head]);
  let number = 0;
  const seal = (clear: Uint8Array, isLast: boolean): Buffer => {
    const cipher = createCipheriv(ALGORITHM, ofFile, nonceOf(number, isLast), { authTagLength: TAG_BYTES });
    if (number === 0) cipher.setAAD(head);
    number += 1;
    const body = Buffer.concat([cipher.update(clear), cipher.final()]);
    return Buffer.concat([lengthOf(body.length + TAG_BYTES), body, cipher.getAuthTag()]);
  };
  // The last chunk is known only when nothing follows it.
  let waiting: Uint8Array | null = null;
  for await (const chunk of inChunks(piped(content, createZstdCompress()))) {
    if (waiting) yield seal(waiting, false);
    waiting = chunk;
  }
  yield seal(waiting ?? new Uint8Array(0), true);
}

export type OpenedBackup = { readonly head: BackupHead; readonly content: AsyncIterable<Uint8Array> };

/** Reads the head. The content throws where the file is damaged; only its end proves that all of it is right. */
export async function openBackup(bytes: AsyncIterable<Uint8Array>, keys: BackupKeys): Promise<OpenedBackup> {
  const reader = createByteReader(bytes);
  const magic = await reader.read(MAGIC.length);
  if (!magic?.equals(MAGIC)) throw new OperatorError('This is not a backup of Turnpike, or of a newer version.');
  const length = (await reader.read(LENGTH_BYTES))?.readUInt32BE() ?? 0;
  const text = length > 0 && length <= HEAD_BYTES_MAX ? await reader.read(length) : null;
  if (!text) throw damaged('its head is cut off');
  const head = parseHead(text);
  const key = keys.find(({ id }) => id === head.keyId);
  if (!key)
    throw new OperatorError(
      `The backup needs the key whose id is ${head.keyId}: give it as BACKUP_KEY, MASTER_KEY or MASTER_KEY_PREVIOUS. The ids that are set: ${keys.map(({ id }) => id).join(', ')}.`,
    );
  const chunks = openChunks(reader, { key: fileKey(key, Buffer.from(head.salt, 'hex')), head: text });
  return { head, content: piped(chunks, createZstdDecompress()) };
}

const damaged = (what: string): OperatorError =>
  new OperatorError(`The backup is damaged: ${what}. Nothing was changed; use another one.`);

function parseHead(text: Buffer): BackupHead {
  try {
    const head = JSON.parse(text.toString('utf8')) as BackupHead;
    const isWhole = (head.dialect === 'sqlite' || head.dialect === 'postgres') && /^[0-9a-f]{64}$/.test(head.salt);
    if (
      isWhole &&
      Array.isArray(head.migrations) &&
      head.migrations.every(Number.isSafeInteger) &&
      Number.isSafeInteger(head.createdAt)
    )
      return head;
  } catch {
    // It is no JSON.
  }
  throw damaged('its head cannot be read');
}

type Opening = { readonly key: Uint8Array; readonly head: Buffer };

async function* openChunks(reader: ByteReader, { key, head }: Opening): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number += 1) {
    const length = (await reader.read(LENGTH_BYTES))?.readUInt32BE() ?? 0;
    if (length < TAG_BYTES || length > CHUNK_BYTES + TAG_BYTES)
      throw damaged(length === 0 ? 'its end is missing' : 'a chunk has no length');
    const chunk = await reader.read(length);
    if (!chunk) throw damaged('its end is missing');
    const isLast = await reader.isAtEnd();
    const decipher = createDecipheriv(ALGORITHM, key, nonceOf(number, isLast), { authTagLength: TAG_BYTES });
    if (number === 0) decipher.setAAD(head);
    decipher.setAuthTag(chunk.subarray(length - TAG_BYTES));
    const clear = decipher.update(chunk.subarray(0, length - TAG_BYTES));
    try {
      decipher.final();
    } catch {
      throw damaged(isLast ? 'its end is missing or altered' : `chunk ${number + 1} is altered`);
    }
    yield clear;
    if (isLast) return;
  }
}

/** Sends bytes through a transforming stream. A failure of the source fails the result. */
function piped(
  source: AsyncIterable<Uint8Array>,
  transform: NodeJS.ReadWriteStream & AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  pipeline(Readable.from(source, { objectMode: false }), transform, () => {});
  return transform;
}

/** Pieces of any size as chunks of one size, and a shorter last one. */
async function* inChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunk = Buffer.alloc(CHUNK_BYTES);
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const taken = Math.min(CHUNK_BYTES - filled, piece.length - at);
      chunk.set(piece.subarray(at, at + taken), filled);
      [filled, at] = [filled + taken, at + taken];
      if (filled < CHUNK_BYTES) continue;
      yield chunk;
      [chunk, filled] = [Buffer.alloc(CHUNK_BYTES), 0];
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

/** Reads a stream of bytes in pieces of a given length. */
interface ByteReader {
  /** Null when fewer bytes are left. */
  read(bytes: number): Promise<Buffer | null>;
  isAtEnd(): Promise<boolean>;
}

function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  const waiting: Uint8Array[] = [];
  let [held, isEnded] = [0, false];
  const holdAtLeast = async (bytes: number): Promise<boolean> => {
    while (held < bytes && !isEnded) {
      const { done, value } = await pieces.next();
      isEnded = done === true;
      if (done || value.length === 0) continue;
      waiting.push(value);
      held += value.length;
    }
    return held >= bytes;
  };
  return {
    async read(bytes) {
      if (!(await holdAtLeast(bytes))) return null;
      const result = Buffer.alloc(bytes);
      for (let at = 0; at < bytes; ) {
        const first = waiting[0] as Uint8Array;
        const taken = first.subarray(0, bytes - at);
        result.set(taken, at);
        at += taken.length;
        if (taken.length === first.length) waiting.shift();
        else waiting[0] = first.subarray(taken.length);
      }
      held -= bytes;
      return result;
    },
    isAtEnd: async () => !(await holdAtLeast(1)),
  };
}

/**
 * The content of a backup of PostgreSQL: frames of a kind (1 byte), a length (4 bytes) and so many bytes. `T` begins a table with its name
 * and columns as JSON, `D` has rows of it, `E` is the end.
 */
const KINDS = { table: 0x54, data: 0x44, end: 0x45 } as const;
const PIECE_BYTES = 1_048_576;
const FRAME_BYTES_MAX = PIECE_BYTES;
const HEAD_BYTES = 5;

function frame(kind: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = kind;
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

export async function* framesOf(tables: AsyncIterable<CopiedTable>): AsyncGenerator<Uint8Array> {
  for await (const { name, columns, rows } of tables) {
    yield frame(KINDS.table, Buffer.from(JSON.stringify({ name, columns })));
    for await (const piece of rows)
      for (let at = 0; at < piece.length; at += PIECE_BYTES) yield frame(KINDS.data, piece.subarray(at, at + PIECE_BYTES));
  }
  yield frame(KINDS.end, new Uint8Array(0));
}

/** The tables of a backup. The rows of each must be read before the next table. */
export async function* tablesIn(content: AsyncIterable<Uint8Array>): AsyncGenerator<CopiedTable> {
  const reader = createByteReader(content);
  const next = async (): Promise<{ readonly kind: number; readonly body: Buffer }> => {
    const head = await reader.read(HEAD_BYTES);
    const length = head?.readUInt32BE(1) ?? 0;
    const body = head && length <= FRAME_BYTES_MAX ? await reader.read(length) : null;
    if (!head || !body) throw new OperatorError('The backup is damaged: its tables cannot be read. Nothing was changed.');
    return { kind: head[0] ?? 0, body };
  };
  let at = await next();
  while (at.kind === KINDS.table) {
    const { name, columns } = JSON.parse(at.body.toString('utf8')) as Pick<CopiedTable, 'name' | 'columns'>;
    const rows = async function* (): AsyncGenerator<Uint8Array> {
      for (at = await next(); at.kind === KINDS.data; at = await next()) yield at.body;
    };
    yield { name, columns, rows: rows() };
  }
  // Only the end of the stream proves that the file is whole.
  if (at.kind !== KINDS.end || !(await reader.isAtEnd()))
    throw new OperatorError('The backup is damaged: it does not end. Nothing was changed.');
}
