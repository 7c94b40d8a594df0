import { type KeyStore, type SealedLocation, type SealedRow, sealedTables } from './ports.ts';
import { VaultRefused } from './sealedText.ts';
import type { OpenedVault } from './vault.ts';

/** The progress of a rotation. `total` is null when it is unknown. */
export type Progress = {
  readonly phase: 'renewing' | 'waiting' | 'resealing' | 'rewrapping' | 'outliving' | 'retiring';
  readonly done: number;
  readonly total: number | null;
};

export type RotationNeeds = {
  readonly store: KeyStore;
  readonly vault: OpenedVault;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly progress: (at: Progress) => void;
  /** Stops the rotation after the current step. */
  readonly signal?: AbortSignal;
  /** How long every process needs to load a new key and to commit what it has sealed. Shorter only in tests. */
  readonly leaseMs?: number;
  /** How long a value that was read may take until it is opened. */
  readonly settleMs?: number;
  /** How long short-lived sealed values are used. */
  readonly shortLivedMs?: number;
};

/** The location of a value or key that does not open. It is left unchanged. */
export type UnreadableRecord = { readonly table: SealedRow['table'] | 'data_key'; readonly id: string; readonly owner: string };

/** The rotation was stopped. Running it again continues from there. */
export class RotationStopped extends Error {
  override readonly name = 'RotationStopped';
}

export function throwIfStopped({ signal }: RotationNeeds): void {
  if (signal?.aborted) throw new RotationStopped('the rotation was stopped');
}

const PORTION = 250;
const WALKS_MAX = 50;
const SETTLE_MS = 5_000;

export type Resealing = {
  /** The owner of the values; null: all owners. */
  readonly owner: string | null;
  readonly isStale: (row: SealedRow) => boolean;
};

type WalkResult = { readonly stale: number; readonly resealed: number; readonly broken: readonly UnreadableRecord[] };

/**
 * Reseals every stale value, and repeats the walk until none is left, because values may change meanwhile. A pause before each further walk
 * lets every process open the values it read before they were replaced.
 */
export async function resealAll(needs: RotationNeeds, resealing: Resealing): Promise<Omit<WalkResult, 'stale'>> {
  let resealed = 0;
  for (let walks = 1; walks <= WALKS_MAX; walks += 1) {
    const walked = await walk(needs, resealing);
    resealed += walked.resealed;
    // A value that did not open may just have been replaced: only a second walk shows that it is unreadable.
    if (walked.stale === 0 && (walks > 1 || walked.broken.length === 0)) return { resealed, broken: walked.broken };
    await needs.sleep(needs.settleMs ?? SETTLE_MS);
  }
  throw new Error('texts under old keys keep being written: does another process run an older release?');
}

async function walk(needs: RotationNeeds, resealing: Resealing): Promise<WalkResult> {
  const { store, progress } = needs;
  const total = resealing.owner === null ? await store.countSealed() : null;
  let [done, stale, resealed] = [0, 0, 0];
  const broken: UnreadableRecord[] = [];
  for await (const rows of batches(store, resealing.owner)) {
    throwIfStopped(needs);
    const { anew, refused } = await resealRows(needs, rows.filter(resealing.isStale));
    if (anew.length > 0) resealed += await store.reseal(anew);
    stale += anew.length;
    broken.push(...refused);
    done += rows.length;
    // The total is approximate.
    progress({ phase: 'resealing', done, total: total === null ? null : Math.max(total, done) });
  }
  return { stale, resealed, broken };
}

async function resealRows({ vault }: RotationNeeds, rows: readonly SealedRow[]) {
  const anew: (SealedRow & { readonly anew: Uint8Array })[] = [];
  const refused: UnreadableRecord[] = [];
  for (const row of rows) {
    try {
      const clear = await vault.open(row, row.sealed);
      await vault.ready(row.merchantId);
      anew.push({ ...row, anew: vault.seal(row, clear) });
    } catch (error) {
      if (!(error instanceof VaultRefused)) throw error;
      refused.push({ table: row.table, id: row.recordId, owner: row.merchantId });
    }
  }
  return { anew, refused };
}

/** Sealed values in batches: all of them, or one owner's table by table, starting after an empty record id. */
async function* batches(store: KeyStore, owner: string | null): AsyncGenerator<readonly SealedRow[]> {
  const starts: readonly (SealedLocation | null)[] =
    owner === null ? [null] : sealedTables.map((table) => ({ table, merchantId: owner, recordId: '', field: '' }));
  for (const start of starts) {
    for (let after = start; ; ) {
      const rows = await store.sealedAfter(after, PORTION);
      const wanted = start === null ? rows : rows.filter((row) => row.table === start.table && row.merchantId === owner);
      if (wanted.length > 0) yield wanted;
      if (wanted.length < PORTION) break;
      after = wanted.at(-1) ?? null;
    }
  }
}
