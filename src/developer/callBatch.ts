import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ticks } from '../runtime/ticks.ts';
import { HOUR_MS } from '../spec/time.ts';
import type { Call, CallBatch, CallQuery } from './ports.ts';

/**
 * Calls in batches: each call is three lines, the texts by which it is found, its JSON without the answer, and the answer; a batch is
 * compressed. Nothing in a line breaks it: a line of JSON has its breaks escaped.
 */

/** A batch is opened as a whole, in a few milliseconds. */
const CALLS_MAX = 250;
const CHARACTERS_MAX = 524_288;

const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** How every compressed batch begins. A batch without it is plain text: a call from the time before batches. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

const TIME_DIGITS = 12;

/** Every id that was made before the instant is less than this, as ids begin with their time. */
export const idAt = (instant: number): string => Math.max(0, Math.ceil(instant)).toString(16).padStart(TIME_DIGITS, '0');

/** No batch that has the call is behind this id. */
export const lastIdBeside = (id: string): string => idAt((Number.parseInt(id.slice(0, TIME_DIGITS), 16) || 0) + HOUR_MS + 1);

/** The texts by which a call can be found. */
const wordsOf = ({ id, ndc, aboutIds, merchantTransactionId }: Call): string =>
  [id, ndc ?? '', ...aboutIds, merchantTransactionId ?? ''].join(' ').toLowerCase().replaceAll('\n', ' ');

function linesOf(call: Call): string {
  const { answer, ...rest } = call;
  // An answer as the gateway prints it is one line.
  const isLine = answer !== null && answer !== '' && !answer.includes('\n');
  return `${wordsOf(call)}\n${JSON.stringify(isLine ? rest : call)}\n${isLine ? answer : ''}\n`;
}

const LINES = 3;

function callAt(lines: readonly string[], at: number): Call {
  const call = JSON.parse(lines[at + 1] as string) as Call;
  const answer = lines[at + 2];
  return answer ? { ...call, answer } : call;
}

type Open = { readonly key: string; readonly calls: Call[]; lines: string; firstAt: number };

const byId = (one: Call, other: Call): number => (one.id < other.id ? -1 : 1);

/**
 * Packs calls into batches of one entity each, in the order of their ids: calls of one millisecond have theirs by chance, and a batch is
 * found by its least and its greatest id.
 */
export function packCalls(calls: readonly Call[]): readonly CallBatch[] {
  const open = new Map<string, Open>();
  const batches: CallBatch[] = [];
  for (const call of calls.toSorted(byId)) {
    const key = `${call.merchantId} ${call.entityId}`;
    let batch = open.get(key);
    if (batch && (batch.calls.length >= CALLS_MAX || batch.lines.length >= CHARACTERS_MAX || call.at - batch.firstAt > HOUR_MS)) {
      batches.push(closed(batch));
      batch = undefined;
    }
    if (!batch) {
      batch = { key, calls: [], lines: '', firstAt: call.at };
      open.set(key, batch);
    }
    batch.calls.push(call);
    batch.lines += linesOf(call);
  }
  return [...batches, ...[...open.values()].map(closed)];
}

function closed({ calls, lines }: Open): CallBatch {
  const [first, last] = [calls[0] as Call, calls.at(-1) as Call];
  const { merchantId, entityId } = last;
  // A copy: the compressed bytes are a view into a larger buffer.
  const data = new Uint8Array(zstdCompressSync(Buffer.from(lines), FAST));
  return { id: last.id, firstId: first.id, merchantId, entityId, calls: calls.length, data };
}

function linesIn(data: Uint8Array): readonly string[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const isPacked = bytes.subarray(0, MAGIC.length).equals(MAGIC);
  return (isPacked ? zstdDecompressSync(bytes) : bytes).toString('utf8').split('\n');
}

/** A batch as it is searched. */
export type StoredBatch = Pick<CallBatch, 'id' | 'data'>;

/** The ids between which a query looks; both are left out. */
export const idsOf = ({ after, to, newer, from }: CallQuery): { readonly above: string; readonly below: string } => ({
  below: [after, to === undefined ? undefined : idAt(to)].reduce<string>(
    (least, id) => (id !== undefined && id < least ? id : least),
    'g',
  ),
  above: [newer, from === undefined ? undefined : idAt(from)].reduce<string>(
    (greatest, id) => (id !== undefined && id > greatest ? id : greatest),
    '',
  ),
});

/**
 * The calls that a query finds, the newest first. `read` returns the next batches below an id, the newest first; none: there are no more.
 * Batches of several nodes overlap, so a call counts as found when no further batch can have a newer one.
 */
export async function findCalls(
  query: CallQuery,
  read: (belowId: string) => Promise<readonly StoredBatch[]>,
): Promise<readonly Call[]> {
  const isAsked = createFilter(query);
  const found: Call[] = [];
  for (let belowId = 'g'; ; ) {
    const batches = await read(belowId);
    if (batches.length === 0) return found;
    for (const { id, data } of batches) {
      const limit = found[query.limit - 1];
      if (limit && limit.id > id) return found;
      for (const call of callsIn(data, isAsked, query.limit)) found.push(call);
      found.sort((one, other) => (one.id < other.id ? 1 : -1));
      found.splice(query.limit);
      belowId = id;
      // A search may open all batches of a merchant: other requests are handled in between.
      await ticks.next();
    }
  }
}

type Filter = { readonly hasWords: (words: string) => boolean; readonly isAsked: (call: Call) => boolean };

/** From the newest on, and only as many as are asked for. */
function callsIn(data: Uint8Array, { hasWords, isAsked }: Filter, limit: number): readonly Call[] {
  const lines = linesIn(data);
  const calls: Call[] = [];
  for (let at = lines.length - (lines.length % LINES) - LINES; at >= 0 && calls.length < limit; at -= LINES) {
    if (!hasWords(lines[at] as string)) continue;
    const call = callAt(lines, at);
    if (isAsked(call)) calls.push(call);
  }
  return calls;
}

function createFilter(query: CallQuery): Filter {
  const { endpoint, statuses, code = '', text = '', paymentId = '' } = query;
  const { above, below } = idsOf(query);
  const lowerText = text.toLowerCase();
  return {
    hasWords: (words) => words.includes(lowerText) && words.includes(paymentId),
    isAsked: (call) =>
      (endpoint === undefined || call.endpoint === endpoint) &&
      (statuses === undefined || (call.status >= statuses[0] && call.status <= statuses[1])) &&
      call.code.startsWith(code) &&
      call.id > above &&
      call.id < below,
  };
}

/** The call of this id in a batch; null when the batch does not have it. */
export function callIn(data: Uint8Array, id: string): Call | null {
  const [call] = callsIn(data, { hasWords: (words) => words.startsWith(`${id} `), isAsked: (one) => one.id === id }, 1);
  return call ?? null;
}

/** All calls of a batch. Throws when it is damaged: it holds whole calls, and at least one. */
export function callsOfBatch(data: Uint8Array): readonly Call[] {
  const calls = callsIn(data, { hasWords: () => true, isAsked: () => true }, Number.MAX_SAFE_INTEGER);
  if (calls.length === 0) throw new RangeError('a batch without calls');
  return calls;
}
