import { MINUTE_MS } from '../spec/time.ts';
import {
  type AuditAction,
  type AuditEntry,
  type AuditHead,
  type AuditStore,
  chainEntries,
  type StampedAction,
  sealedText,
} from './entry.ts';

export type AuditWriterNeeds = {
  readonly store: Pick<AuditStore, 'auditHead' | 'appendAudit'>;
  /** Keyed hash by the vault. */
  readonly digest: (owner: string, text: string) => string;
  readonly now: () => number;
  readonly node: string;
  /** Called for every durable entry. A log shipped elsewhere proves later that no entry was changed. */
  readonly onWritten?: (entry: AuditEntry) => void;
};

export type AuditWriter = {
  /** Resolves when the entry is durable. */
  write(act: AuditAction): Promise<void>;
  /** The same for unauthenticated callers. Many in a short time are counted instead. */
  writeUnauthenticated(act: AuditAction): Promise<void>;
};

/** The purpose of the keyed hash that seals the head. */
const OWNER = 'audit';
export const sealOf = (digest: AuditWriterNeeds['digest'], head: Pick<AuditHead, 'number' | 'hash'>): string =>
  digest(OWNER, sealedText(head));

/** Every failed try means that another node was faster. */
const TRIES_MAX = 500;
const BATCH_MAX = 200;
const UNAUTHENTICATED_PER_MINUTE_MAX = 600;

type Waiting = { readonly action: StampedAction; readonly settle: () => void; readonly reject: (error: unknown) => void };

/** Writes the audit log of one process: actions that arrive during a commit share the next one. */
export function createAuditWriter(needs: AuditWriterNeeds): AuditWriter {
  const { now, node } = needs;
  const append = createAppend(needs);
  let waiting: Waiting[] = [];
  let isBusy = false;
  const work = async () => {
    isBusy = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      try {
        await append(batch.map(({ action }) => action));
        for (const { settle } of batch) settle();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isBusy = false;
  };
  const write: AuditWriter['write'] = (act) =>
    new Promise((settle, reject) => {
      waiting.push({ action: { ...act, at: now(), node }, settle, reject });
      if (!isBusy) void work();
    });
  return { write, writeUnauthenticated: bounded(write, now) };
}

/** A flood of refused calls must not fill the disk: beyond the limit they are counted, and the next entry has the count. */
function bounded(write: AuditWriter['write'], now: () => number): AuditWriter['write'] {
  let [since, written, unwritten] = [0, 0, 0];
  return async (act) => {
    if (now() - since >= MINUTE_MS) [since, written] = [now(), 0];
    if (written >= UNAUTHENTICATED_PER_MINUTE_MAX) {
      unwritten += 1;
      return;
    }
    written += 1;
    const note = unwritten > 0 ? { note: `${unwritten} more were counted, not written` } : {};
    unwritten = 0;
    await write({ ...act, ...note });
  };
}

/** Behind the end of the chain as far as it is known here; when another node has gone on, behind its new end. */
function createAppend({ store, digest, onWritten: onKept }: AuditWriterNeeds): (acts: readonly StampedAction[]) => Promise<void> {
  let known: AuditHead | null = null;
  return async (acts) => {
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const head: AuditHead = known ?? (await store.auditHead());
      known = null;
      const entries = chainEntries(head, acts);
      const { number, hash } = entries.at(-1) ?? head;
      const next = { number, hash, seal: sealOf(digest, { number, hash }) };
      if (!(await store.appendAudit(head, entries, next))) continue;
      known = next;
      for (const entry of entries) onKept?.(entry);
      return;
    }
    throw new Error('the audit log could not be written: its end does not hold still, or its head was changed by hand');
  };
}
