import type { Ids } from '../../payments/ports.ts';
import { maskCardNumbers } from '../../spec/cards/cardNumbers.ts';
import type { Clock } from '../../spec/time.ts';
import { type MatchStore, matchBatch } from '../match/batch.ts';
import { type FileScopes, findFileScopes, type ScopeDirectory } from '../match/checks.ts';
import type { FileCount, SettlementStore } from '../ports.ts';
import type { LineFault, SettlementFile } from '../record.ts';
import type { BankNeeds } from './applyReport.ts';
import { createBankReader } from './bankReports.ts';
import { notification, report, statement } from './readers/camt.ts';
import { ownCsv } from './readers/csv.ts';
import { paymentStatus } from './readers/paymentStatus.ts';
import { type Format, headOf, isLine, type LineResult, withoutCardNumbers } from './readers/reader.ts';
import { digestFile, withDigest } from './uploads.ts';

/** A file that can be read several times from its start. */
export type Source = { readonly name: string; readonly open: () => AsyncIterable<Uint8Array> };

export type ImportNeeds = {
  readonly store: SettlementStore & MatchStore;
  readonly directory: ScopeDirectory;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The time by the clock of a merchant. Default: the time of the import. */
  readonly nowOf?: (merchantId: string | null) => number;
  /** The accounts whose payments go to banks in files. Absent: banks' reports about such payments cannot be applied. */
  readonly bank?: BankNeeds;
  /** Gets the number of imported lines. */
  readonly progress?: (done: number) => void;
};

/** `known`: the same bytes were imported before, and nothing changes. `busy`: another file is being imported; retry later. */
export type ImportResult =
  | { readonly is: 'kept'; readonly file: SettlementFile; readonly count: FileCount }
  | { readonly is: 'known' | 'refused' | 'busy'; readonly file: SettlementFile };

/** An import renews its lease at least this often. */
const LEASE_MS = 60_000;
/** Stored faults of one file; further ones are counted only. */
const FAULTS_MAX = 1_000;
const NAME_MAX = 200;

/** Reads a file, matches its lines and saves all of them, or none. */
export async function importFile(needs: ImportNeeds, entityId: string, source: Source): Promise<ImportResult> {
  const { store, directory, clock, ids } = needs;
  const scopes = findFileScopes(directory, entityId);
  if (!scopes) throw new Error(`there is no entity ${entityId}`);
  const { hex: digest } = await digestFile(source.open());
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
  const existing = await begin(needs, file);
  if (existing) return { is: existing.state === 'kept' ? 'known' : 'busy', file: existing };
  try {
    return await importLines(needs, { file, format, source, scopes });
  } catch (error) {
    await store.dropFile(file.id);
    throw error;
  }
}

/** A refused file may be imported again; an abandoned import is deleted. */
async function begin(
  { store, clock }: Pick<ImportNeeds, 'store' | 'clock'>,
  file: SettlementFile,
): Promise<SettlementFile | null> {
  for (;;) {
    const existing = await store.beginFile(file);
    if (!existing || existing.state === 'kept') return existing;
    if (existing.state === 'reading' && existing.readUntil >= clock.now()) return existing;
    await store.dropFile(existing.id);
  }
}

type Import = {
  readonly file: SettlementFile;
  readonly format: Format | null;
  readonly source: Source;
  readonly scopes: FileScopes;
};

async function importLines(needs: ImportNeeds, reading: Import): Promise<ImportResult> {
  const { file, format, source } = reading;
  if (!format) return refuse(needs, file, { faults: [{ line: 0, message: UNKNOWN_FORMAT }], count: 1 });
  const { faults, notes, unsplit } = await survey(needs, file, { source, format });
  if (faults.count > 0) return refuse(needs, file, { faults: faults.first, count: faults.count });
  const lines = await matchAll(needs, { ...reading, format, unsplit });
  if (lines === null)
    return refuse(needs, file, { faults: [{ line: 0, message: 'the file changed while it was read' }], count: 1 });
  const kept: SettlementFile = { ...file, state: 'kept', lines, notes: notes.first, noteCount: notes.count };
  if (!(await needs.store.keepFile(kept))) throw new Abandoned(file.name);
  return { is: 'kept', file: kept, count: await needs.store.countFile(file.id) };
}

/** The lease expired and another process deleted the import. Nothing was saved. */
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

/** The first messages of a kind, and the number of all. */
function createMessages() {
  const first: LineFault[] = [];
  let count = 0;
  return {
    first,
    get count() {
      return count;
    },
    add(message: LineFault): void {
      count += 1;
      if (first.length < FAULTS_MAX) first.push(message);
    },
  };
}

type Survey = {
  readonly faults: Messages;
  readonly notes: Messages;
  /** Entries that are not read by their details. */
  readonly unsplit: ReadonlySet<number>;
};
type Messages = Pick<ReturnType<typeof createMessages>, 'first' | 'count'>;

/** Reads the file for the first time, before anything is saved: finds its faults and notes. */
async function survey(
  needs: ImportNeeds,
  file: SettlementFile,
  { format, source }: Pick<Import, 'source'> & { readonly format: Format },
): Promise<Survey> {
  const [faults, notes] = [createMessages(), createMessages()];
  const unsplit = new Set<number>();
  let lines = 0;
  const renewLease = createLease(needs, file);
  for await (const batch of withoutCardNumbers(format.read(source.open()))) {
    for (const result of batch) {
      if (result.kind === 'fault') faults.add(result.fault);
      else if (result.kind === 'note') notes.add(result.note);
      else if (result.kind === 'unsplit') unsplit.add(result.entry);
      else lines += 1;
    }
    await renewLease();
  }
  if (lines + faults.count === 0 && format.mayBeEmpty !== true) faults.add({ line: 0, message: 'the file has no lines' });
  return { faults, notes, unsplit };
}

/** Renews the lease of the import from time to time. */
function createLease({ store, clock }: ImportNeeds, { id, name }: SettlementFile): () => Promise<void> {
  let renewedAt = clock.now();
  return async () => {
    const now = clock.now();
    if (now - renewedAt < LEASE_MS / 4) return;
    renewedAt = now;
    if (!(await store.addRecords(id, [], now + LEASE_MS))) throw new Abandoned(name);
  };
}

/** Lines matched together: payments without a reference are searched once for all of them. */
const BATCH = 2_000;

/** Adds the records of all lines; returns their number, or null when the file has changed since the first read. */
async function matchAll(
  needs: ImportNeeds,
  { file, format, source, scopes, unsplit }: Import & { readonly format: Format } & Pick<Survey, 'unsplit'>,
): Promise<number | null> {
  const { store, clock, nowOf = () => file.createdAt, progress } = needs;
  const counted = withDigest(source.open());
  const reader = createBankReader({ bank: needs.bank ?? null, store }, { file, scopes });
  const renewLease = createLease(needs, file);
  let before = 0;
  let read = 0;
  const add = async (results: readonly LineResult[]) => {
    const lines = await reader.apply(results, renewLease);
    const records = await matchBatch(store, { file, lines, before, scopes, nowOf });
    if (!(await store.addRecords(file.id, records, clock.now() + LEASE_MS))) throw new Abandoned(file.name);
    before += lines.length;
    read += results.length;
    progress?.(read);
  };
  let waiting: LineResult[] = [];
  for await (const batch of withoutCardNumbers(format.read(counted.bytes, unsplit))) {
    for (const result of batch) if (isLine(result)) waiting.push(result);
    while (waiting.length >= BATCH) await add(waiting.splice(0, BATCH));
  }
  if (waiting.length > 0) await add(waiting);
  waiting = [];
  return counted.hex() === file.digest ? read : null;
}

/** Deletes abandoned imports; returns their number. */
export async function deleteAbandoned({ store, clock }: Pick<ImportNeeds, 'store' | 'clock'>): Promise<number> {
  const abandoned = await store.abandonedFiles(clock.now(), 100);
  for (const { id } of abandoned) await store.dropFile(id);
  return abandoned.length;
}

/** All file formats. A new format is a file of its own and a row here. */
export const formats: readonly Format[] = [ownCsv, report, statement, notification, paymentStatus];

/** The format of a file by its beginning; null: unknown. */
export const formatOf = (head: string): Format | null => formats.find(({ recognises }) => recognises(head)) ?? null;

const UNKNOWN_FORMAT = `this is none of the kinds of files that are read: ${formats.map(({ description }) => description).join('; ')}`;
