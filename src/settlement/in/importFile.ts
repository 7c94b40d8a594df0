import type { Directory } from '../../merchants/directory.ts';
import type { Ids } from '../../payments/ports.ts';
import { maskCardNumbers } from '../../spec/cardNumbers.ts';
import type { Clock } from '../../spec/time.ts';
import { type MatchStore, matchBatch } from '../match/batch.ts';
import { type Scopes, scopesOf } from '../match/scope.ts';
import type { FileCount, SettlementStore } from '../ports.ts';
import type { LineFault, SettledLine, SettlementFile } from '../record.ts';
import { digesting, digestOf } from './digest.ts';
import { withoutCardNumbers } from './readers/clean.ts';
import { headOf } from './readers/decode.ts';
import { formatOf, UNKNOWN_FORMAT } from './readers/formats.ts';
import { type Format, isFault } from './readers/reader.ts';

/** A file that can be read from its beginning more than once. */
export type Source = { readonly name: string; readonly open: () => AsyncIterable<Uint8Array> };

export type ImportNeeds = {
  readonly store: SettlementStore & MatchStore;
  readonly directory: Pick<Directory, 'entity' | 'below'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** What it is by a merchant's own clock; left out: there is one for all. */
  readonly nowOf?: (merchantId: string | null) => number;
  /** Told how many lines are done. */
  readonly progress?: (done: number) => void;
};

/** `known`: the same bytes were brought before, and nothing changes. `busy`: another file is being read; bring it again. */
export type ImportResult =
  | { readonly is: 'kept'; readonly file: SettlementFile; readonly count: FileCount }
  | { readonly is: 'known' | 'refused' | 'busy'; readonly file: SettlementFile };

/** Whoever reads says so at least this often. */
const LEASE_MS = 60_000;
/** Faults that are kept of one file; the others are counted. */
export const FAULTS_MAX = 1_000;
const NAME_MAX = 200;

/** Reads a file, matches its lines and keeps all of them, or none. */
export async function importFile(needs: ImportNeeds, entityId: string, source: Source): Promise<ImportResult> {
  const { store, directory, clock, ids } = needs;
  const scopes = scopesOf(directory, entityId);
  if (!scopes) throw new Error(`there is no entity ${entityId}`);
  const { hex: digest } = await digestOf(source.open());
  const format = formatOf(await headOf(source.open()));
  const now = clock.now();
  const file: SettlementFile = {
    id: ids.next(),
    entityId,
    pspId: directory.entity(entityId)?.path.at(-1) ?? entityId,
    name: maskCardNumbers(source.name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '').slice(0, NAME_MAX)),
    format: format?.name ?? 'unknown',
    digest,
    lines: 0,
    state: 'reading',
    readUntil: now + LEASE_MS,
    faults: [],
    faultCount: 0,
    createdAt: now,
  };
  const inTheWay = await begin(needs, file);
  if (inTheWay) return { is: inTheWay.state === 'kept' ? 'known' : 'busy', file: inTheWay };
  try {
    return await readIn(needs, { file, format, source, scopes });
  } catch (error) {
    await store.dropFile(file.id);
    throw error;
  }
}

/** What was refused before may be brought again; what somebody left is cleared away. */
async function begin(
  { store, clock }: Pick<ImportNeeds, 'store' | 'clock'>,
  file: SettlementFile,
): Promise<SettlementFile | null> {
  for (;;) {
    const inTheWay = await store.beginFile(file);
    if (!inTheWay || inTheWay.state === 'kept') return inTheWay;
    if (inTheWay.state === 'reading' && inTheWay.readUntil >= clock.now()) return inTheWay;
    await store.dropFile(inTheWay.id);
  }
}

type Reading = {
  readonly file: SettlementFile;
  readonly format: Format | null;
  readonly source: Source;
  readonly scopes: Scopes;
};

async function readIn(needs: ImportNeeds, reading: Reading): Promise<ImportResult> {
  const { file, format, source } = reading;
  if (!format) return refuse(needs, file, { faults: [{ line: 0, message: UNKNOWN_FORMAT }], count: 1 });
  const found = await faultsIn(needs, file, withoutCardNumbers(format.read(source.open())));
  if (found.count > 0) return refuse(needs, file, found);
  const lines = await matchAll(needs, { ...reading, format });
  if (lines === null)
    return refuse(needs, file, { faults: [{ line: 0, message: 'the file changed while it was read' }], count: 1 });
  if (!(await needs.store.keepFile(file.id, lines))) throw new Abandoned(file.name);
  const kept: SettlementFile = { ...file, state: 'kept', lines };
  return { is: 'kept', file: kept, count: await needs.store.countFile(file.id) };
}

/** Reading took so long without a word that somebody else cleared the file away. Nothing of it was kept. */
class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

type Faults = { readonly faults: readonly LineFault[]; readonly count: number };

async function refuse({ store, clock }: ImportNeeds, file: SettlementFile, { faults, count }: Faults): Promise<ImportResult> {
  await store.dropFile(file.id);
  const refused: SettlementFile = { ...file, state: 'refused', faults, faultCount: count };
  const other = await begin({ store, clock }, refused);
  return { is: 'refused', file: other ?? refused };
}

/** Everything that is wrong, before anything is kept. */
async function faultsIn(needs: ImportNeeds, file: SettlementFile, portions: ReturnType<Format['read']>): Promise<Faults> {
  const faults: LineFault[] = [];
  let [count, lines] = [0, 0];
  const alive = createLease(needs, file);
  for await (const portion of portions) {
    const wrong = portion.filter(isFault);
    lines += portion.length - wrong.length;
    count += wrong.length;
    faults.push(...wrong.slice(0, FAULTS_MAX - faults.length));
    await alive();
  }
  return lines + count === 0 ? { faults: [{ line: 0, message: 'the file has no lines' }], count: 1 } : { faults, count };
}

/** Says from time to time that the file is still being read. */
function createLease({ store, clock }: ImportNeeds, { id, name }: SettlementFile): () => Promise<void> {
  let saidAt = clock.now();
  return async () => {
    const now = clock.now();
    if (now - saidAt < LEASE_MS / 4) return;
    saidAt = now;
    if (!(await store.addRecords(id, [], now + LEASE_MS))) throw new Abandoned(name);
  };
}

/** What has to be looked for among all payments of a time is looked for once for so many lines. */
const PORTION = 2_000;

/** Adds the records of every line; answers how many there are, or null when the bytes are not those of before. */
async function matchAll(
  needs: ImportNeeds,
  { file, format, source, scopes }: Reading & { readonly format: Format },
): Promise<number | null> {
  const { store, clock, nowOf = () => file.createdAt, progress } = needs;
  const counted = digesting(source.open());
  let before = 0;
  const add = async (lines: readonly SettledLine[]) => {
    const records = await matchBatch(store, { file, lines, before, scopes, nowOf });
    if (!(await store.addRecords(file.id, records, clock.now() + LEASE_MS))) throw new Abandoned(file.name);
    before += lines.length;
    progress?.(before);
  };
  let waiting: SettledLine[] = [];
  for await (const portion of withoutCardNumbers(format.read(counted.bytes))) {
    waiting.push(...portion.filter((one): one is SettledLine => !isFault(one)));
    while (waiting.length >= PORTION) await add(waiting.splice(0, PORTION));
  }
  if (waiting.length > 0) await add(waiting);
  waiting = [];
  return counted.hex() === file.digest ? before : null;
}

/** Clears away what somebody began to read and left; answers how many files. */
export async function deleteAbandoned({ store, clock }: Pick<ImportNeeds, 'store' | 'clock'>): Promise<number> {
  const left = await store.abandonedFiles(clock.now(), 100);
  for (const { id } of left) await store.dropFile(id);
  return left.length;
}
