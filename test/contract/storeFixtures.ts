import { createHash } from 'node:crypto';
import { createCommitEffects } from '../../src/app/modules/paymentModule.ts';
import { commitPayment } from '../../src/payments/commitPayment.ts';
import { exampleCommit } from '../../src/payments/examples.ts';
import type { Payment, Phase } from '../../src/payments/payment.ts';
import type {
  Commit,
  CommitOutcome,
  IdempotencyKey,
  NewOutboxEvent,
  RegistrationChange,
  ScheduleChange,
} from '../../src/payments/ports.ts';
import type { Digest } from '../../src/payments/search/search.ts';
import type { HistoryDatabase } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import type { TokenUse } from '../../src/wallets/ports.ts';

/** A stored outbox event. */
export type Posted = Pick<NewOutboxEvent, 'id' | 'code' | 'action'> & {
  readonly paymentId: string;
  readonly revision: number;
  readonly about: 'payment' | 'registration';
};

/** A store on data of its own, and what the contract needs beside it to look behind its back. */
export type Opened = {
  readonly store: Store;
  /** What was posted for one merchant, in any order. */
  outbox(merchantId: string): Promise<readonly Posted[]>;
  /** Only for a database. */
  readonly database?: Database;
  end(): Promise<void>;
};

export type Database = {
  /** Another node on the same data. */
  again(): Promise<Store>;
  /** The same data in the words of the configuration. */
  readonly place: HistoryDatabase;
  /** Where the rows of one merchant are, if that is one of several databases. */
  placeOf?(merchantId: string): Promise<HistoryDatabase>;
  /** A raw SQL statement on a separate connection, outside the program. */
  raw(statement: string): Promise<readonly Record<string, unknown>[]>;
};

export type Open = () => Promise<Opened>;

let count = 0;
/** 32 hex digits that rise, as those of the gateway do. */
export function nextId(): string {
  count += 1;
  const front = (1_700_000_000_000 + count).toString(16).padStart(12, '0');
  return front + createHash('sha256').update(`${process.pid} ${count}`).digest('hex').slice(0, 20);
}

export const NOW = 1_800_000_000_000;
export const APPROVED: Phase = { at: 'final', code: '000.100.110' };
export const DECLINED: Phase = { at: 'final', code: '800.100.151' };
export const OPEN: Phase = { at: 'acquirer', dueAt: NOW + 35_000 };

/** An approved debit of 92.00 by default. */
export function payment(changes: Partial<Payment> = {}): Payment {
  const id = changes.id ?? nextId();
  return {
    id,
    merchantId: 'merchant',
    entityId: 'channel',
    familyId: id,
    referencedId: null,
    paymentType: 'DB',
    paymentBrand: 'VISA',
    isBrandDetected: false,
    method: 'CC',
    amount: 9200n,
    currency: 'EUR',
    mode: 'INTERNAL',
    connector: 'simulator',
    shortId: '1234.5678.9012',
    ndc: `channel_${id}`,
    descriptor: '1234.5678.9012 Shop',
    merchantTransactionId: null,
    industryPractice: null,
    isLast: false,
    numberOfCaptures: null,
    createdAt: NOW,
    movedAt: NOW,
    revision: 1,
    phase: APPROVED,
    instrument: null,
    fingerprint: null,
    registrationId: null,
    checkoutId: null,
    details: {},
    threeDS: null,
    risk: null,
    fields: {},
    ...changes,
  };
}

/** A payment that references another. */
export const child = (of: Payment, changes: Partial<Payment> = {}): Payment =>
  payment({ merchantId: of.merchantId, entityId: of.entityId, familyId: of.familyId, referencedId: of.id, ...changes });

export const moved = (from: Payment, changes: Partial<Payment>): Payment => ({
  ...from,
  revision: from.revision + 1,
  ...changes,
});

type Extras = {
  readonly sealed?: Uint8Array;
  readonly idempotencyKey?: IdempotencyKey;
  readonly eventId?: string;
  readonly registration?: RegistrationChange;
  readonly tokenUse?: TokenUse;
  readonly schedule?: ScheduleChange;
};

export function commit(change: Payment, version: number, extras: Extras = {}): Commit & { readonly event: NewOutboxEvent } {
  const code = change.phase.at === 'final' ? change.phase.code : '000.200.000';
  const { sealed = null, idempotencyKey = null, registration = null, tokenUse = null, schedule = null } = extras;
  const event: NewOutboxEvent = { id: extras.eventId ?? nextId(), type: 'PAYMENT', action: null, code };
  const whole = exampleCommit(change, {
    version,
    sealed,
    idempotencyKey,
    registration,
    tokenUse,
    schedule,
  });
  return { ...whole, event };
}

export const idempotencyKeyOf = (key: string, entityId = 'channel'): IdempotencyKey => ({
  entityId,
  key,
  bodyHash: `hash of ${key}`,
});

/** Commits a payment on the version its family has now; answers the outcome's word. */
export async function keep(store: Store, change: Payment): Promise<string> {
  const family = await store.family(change.merchantId, change.familyId);
  return (await store.commit(commit(change, family?.version ?? 0))).is;
}

/** Commits as the gateway does: with the ledger posting, the statistics line and the search key. */
export const commitWithEffects = (store: Store, change: Commit, digest: Digest = () => ''): Promise<CommitOutcome> =>
  commitPayment({ store, deriveEffects: createCommitEffects({ store, digest }) }, change);

/** The same on the version that the family has now; returns the outcome's word. */
export async function keepWithEffects(store: Store, change: Payment): Promise<string> {
  const family = await store.family(change.merchantId, change.familyId);
  return (await commitWithEffects(store, commit(change, family?.version ?? 0))).is;
}
