import type { KeyStore, SealedLocation, SealedRow } from './ports.ts';
import { VaultRefused } from './sealedText.ts';
import type { OpenedVault } from './vault.ts';

/** How far a rotation has come. `total` is null where it is not known. */
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
  /** Asks for an end after the step that is being done. */
  readonly signal?: AbortSignal;
  /** How long every process needs to hear of a new key and to finish what it has sealed. Shorter only in tests. */
  readonly leaseMs?: number;
  /** How long a text that was read may take until it is opened. */
  readonly settleMs?: number;
  /** How long what is sealed for a while is of use. */
  readonly shortLivedMs?: number;
};

/** A text or a key that does not open: where it stands, and nothing else. It is left as it is. */
export type Broken = { readonly table: SealedRow['table'] | 'data_key'; readonly id: string; readonly owner: string };

/** The rotation was asked to end. What is done is done; running it again goes on from there. */
export class RotationStopped extends Error {
  override readonly name = 'RotationStopped';
}

export function goOn({ signal }: RotationNeeds): void {
  if (signal?.aborted) throw new RotationStopped('the rotation was stopped');
}

const PORTION = 250;
const WALKS_MAX = 50;
const SETTLE_MS = 5_000;
const tables = ['payment', 'registration', 'secret'] as const;

export type Resealing = {
  /** Whose texts; null: everybody's. */
  readonly owner: string | null;
  readonly isStale: (row: SealedRow) => boolean;
};

type Walked = { readonly stale: number; readonly resealed: number; readonly broken: readonly Broken[] };

/**
 * Seals every stale text anew, and walks again until a walk finds none: a text may change under our hands. A pause before each further
 * walk lets everybody open what he read before it was replaced.
 */
export async function resealAll(needs: RotationNeeds, resealing: Resealing): Promise<Omit<Walked, 'stale'>> {
  let resealed = 0;
  for (let walks = 1; walks <= WALKS_MAX; walks += 1) {
    const walked = await walk(needs, resealing);
    resealed += walked.resealed;
    // What did not open may have been replaced in that moment: only a second look tells that it is broken.
    if (walked.stale === 0 && (walks > 1 || walked.broken.length === 0)) return { resealed, broken: walked.broken };
    await needs.sleep(needs.settleMs ?? SETTLE_MS);
  }
  throw new Error('texts under old keys keep being written: does another process run an older release?');
}

async function walk(needs: RotationNeeds, resealing: Resealing): Promise<Walked> {
  const { store, progress } = needs;
  const total = resealing.owner === null ? await store.countSealed() : null;
  let [done, stale, resealed] = [0, 0, 0];
  const broken: Broken[] = [];
  for await (const rows of portions(store, resealing.owner)) {
    goOn(needs);
    const { anew, refused } = await sealAnew(needs, rows.filter(resealing.isStale));
    if (anew.length > 0) resealed += await store.reseal(anew);
    stale += anew.length;
    broken.push(...refused);
    done += rows.length;
    // The total is a rough one.
    progress({ phase: 'resealing', done, total: total === null ? null : Math.max(total, done) });
  }
  return { stale, resealed, broken };
}

async function sealAnew({ vault }: RotationNeeds, rows: readonly SealedRow[]) {
  const anew: (SealedRow & { readonly anew: Uint8Array })[] = [];
  const refused: Broken[] = [];
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

/** Sealed texts by the portion: all of them, or table by table those of one owner, who begins behind an empty record. */
async function* portions(store: KeyStore, owner: string | null): AsyncGenerator<readonly SealedRow[]> {
  const starts: readonly (SealedLocation | null)[] =
    owner === null ? [null] : tables.map((table) => ({ table, merchantId: owner, recordId: '', field: '' }));
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
