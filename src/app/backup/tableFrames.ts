import type { CopiedTable } from '../../store/postgres/copy.ts';
import { OperatorError } from '../operatorError.ts';
import { createByteReader } from './format.ts';

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
