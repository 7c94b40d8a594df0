import { NO_CURRENCY } from '../money/amount.ts';
import { deleted, extended } from '../registrations/moves.ts';
import type { Mode, Registration, RegistrationState } from '../registrations/registration.ts';
import type { RegistrationType, ScheduleType } from '../spec/paymentTypes.ts';
import type { FinalCode } from '../spec/resultCodes.ts';
import { commitPayment } from './commitPayment.ts';
import { begun } from './draft.ts';
import { SUCCESS } from './lifecycle.ts';
import { eventFor } from './outboxEvent.ts';
import type { Payment } from './payment.ts';
import type { IdempotencyKey, RegistrationChange, World } from './ports.ts';
import type { Refusal } from './refusal.ts';
import { replay } from './take.ts';

/** What is asked of stored details beside paying with them. */
export type RegistrationCommand = {
  readonly merchantId: string;
  readonly registrationId: string;
  /** The channel that asks; null when the merchant does: then it is the one that stored them. */
  readonly entityId: string | null;
  readonly environment: 'test' | 'live';
  readonly claim: IdempotencyKey | null;
  /** Looked at once more when it is about to be done: somebody may have extended meanwhile what was to be deleted. */
  readonly isUnwanted?: (registration: Registration) => boolean;
};

export type RegistrationCommandResult =
  | { readonly is: 'done'; readonly payment: Payment }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'otherBody' };

type CommandRules = {
  readonly type: 'DR' | 'TE';
  /** Why what is in this state cannot be cared for so; null: it can. */
  readonly refusal: Readonly<Record<RegistrationState | 'unknown', Refusal | null>>;
  readonly change: (registration: Registration, now: number) => Registration;
  readonly sealed: null | 'kept';
};

const deletion: CommandRules = {
  type: 'DR',
  refusal: { unknown: '100.350.303', rejected: '100.350.303', deleted: '100.150.202', open: null, active: null },
  change: deleted,
  sealed: null,
};

const extension: CommandRules = {
  type: 'TE',
  refusal: {
    unknown: '100.350.316',
    rejected: '100.350.316',
    deleted: '100.350.316',
    open: '100.150.201',
    active: null,
  },
  change: extended,
  sealed: 'kept',
};

/** Deletes stored details: the number is gone with this commit, and the id stands for nothing any more. */
export const deregister = (world: World, tending: RegistrationCommand): Promise<RegistrationCommandResult> =>
  changeRegistration(world, tending, deletion);

/** Keeps stored details longer. */
export const extendLife = (world: World, tending: RegistrationCommand): Promise<RegistrationCommandResult> =>
  changeRegistration(world, tending, extension);

const TRIES_MAX = 64;

async function changeRegistration(
  world: World,
  tending: RegistrationCommand,
  care: CommandRules,
): Promise<RegistrationCommandResult> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const tended = await tryTend(world, tending, care);
    if (tended) return tended;
  }
  throw new Error(`the registration ${tending.registrationId} did not hold still`);
}

async function tryTend(
  world: World,
  tending: RegistrationCommand,
  care: CommandRules,
): Promise<RegistrationCommandResult | null> {
  const { merchantId, registrationId, claim } = tending;
  const registered = await world.store.registration(merchantId, registrationId);
  const refusal = care.refusal[registered?.registration.state ?? 'unknown'];
  if (refusal !== null || !registered)
    return (await held(world, tending)) ?? { is: 'refused', refusal: refusal ?? '100.150.200' };
  const { registration } = registered;
  if (tending.isUnwanted?.(registration) === false) return { is: 'refused', refusal: '100.350.303' };
  const payment = transaction(world, registration, {
    type: care.type,
    entityId: tending.entityId ?? registration.entityId,
    mode: tending.environment === 'live' ? 'LIVE' : 'INTERNAL',
  });
  const outcome = await commitRegistrationCommand(world, payment, {
    change: { registration: care.change(registration, payment.createdAt), sealed: care.sealed, event: null },
    claim,
  });
  if (outcome.is === 'claimed') return held(world, tending);
  return outcome.is === 'kept' ? { is: 'done', payment } : null;
}

/** A retry of what was done already hears of it again, not that it cannot be done twice. */
async function held(world: World, { claim, merchantId }: RegistrationCommand): Promise<RegistrationCommandResult | null> {
  const known = claim && (await world.store.idempotencyKey(merchantId, claim.entityId, claim.key));
  if (!claim || !known) return null;
  const taken = await replay(world, { merchantId }, { ...known, bodySent: claim.bodyHash });
  return taken.is === 'replayed' ? { is: 'done', payment: taken.payment } : { is: 'otherBody' };
}

/** Commits a transaction that concerns nothing but stored details. */
export function commitRegistrationCommand(
  world: World,
  payment: Payment,
  { change, claim }: { readonly change: RegistrationChange; readonly claim: IdempotencyKey | null },
) {
  return commitPayment(world, {
    payment,
    version: 0,
    idempotencyKey: claim,
    event: eventFor(world, payment),
    registration: change,
  });
}

export type Tender = {
  readonly type: RegistrationType | ScheduleType;
  readonly entityId: string;
  readonly mode: Mode;
  readonly code?: FinalCode;
};

/** A transaction about stored details, or a plan that charges them: done as soon as it is written down, and it moves no money. */
export function transaction(world: World, registration: Registration, { type, entityId, mode, code }: Tender): Payment {
  const start = begun(world, entityId);
  return {
    ...start,
    merchantId: registration.merchantId,
    entityId,
    familyId: start.id,
    referencedId: null,
    paymentType: type,
    paymentBrand: registration.paymentBrand,
    method: registration.method,
    amount: 0n,
    currency: NO_CURRENCY,
    mode,
    connector: registration.connector,
    descriptor: '',
    merchantTransactionId: null,
    industryPractice: null,
    isBrandDetected: false,
    isLast: false,
    numberOfCaptures: null,
    phase: { at: 'final', code: code ?? SUCCESS[mode] },
    instrument: null,
    fingerprint: registration.fingerprint,
    registrationId: registration.id,
    checkoutId: null,
    details: {},
    threeDS: null,
    risk: null,
    fields: {},
  };
}
