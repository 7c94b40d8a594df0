import type { Commit, CommitEffects, CommitOutcome, World } from './ports.ts';
import { releaseAtOf } from './validity.ts';

/** What the caller decides. Whatever is left out is null: the commit changes nothing there. */
export type PaymentChange = Pick<Commit, 'payment' | 'version' | 'event'> &
  Partial<Omit<Commit, 'payment' | 'version' | 'event' | 'releaseAt' | keyof CommitEffects>>;

/** The only way to write a payment: adds the ledger posting, the statistics line and the search key, and commits all of it at once. */
export function commitPayment(
  { store, deriveEffects }: Pick<World, 'deriveEffects'> & Committer,
  change: PaymentChange,
): Promise<CommitOutcome> {
  const commit = (effects: CommitEffects) => store.commit(commitOf(change, effects));
  const derived = deriveEffects(change.payment);
  return derived instanceof Promise ? derived.then(commit) : commit(derived);
}

function commitOf(change: PaymentChange, { posting, statisticsLine, emailHash }: CommitEffects): Commit {
  return {
    payment: change.payment,
    version: change.version,
    sealed: change.sealed ?? null,
    idempotencyKey: change.idempotencyKey ?? null,
    event: change.event,
    registration: change.registration ?? null,
    tokenUse: change.tokenUse ?? null,
    schedule: change.schedule ?? null,
    releaseAt: releaseAtOf(change.payment),
    posting,
    statisticsLine,
    emailHash,
  };
}

type Committer = { readonly store: Pick<World['store'], 'commit'> };
