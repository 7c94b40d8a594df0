import { waitMsMax } from '../../merchants/merchantFilter.ts';
import { NO_CURRENCY } from '../../money/amount.ts';
import type { NetworkToken } from '../../registrations/instrument.ts';
import { deleted, extended, withoutToken, withToken } from '../../registrations/moves.ts';
import type { StoredRegistration } from '../../registrations/ports.ts';
import {
  type Mode,
  type Registration,
  type RegistrationState,
  sealedRecordOf,
  secretsText,
} from '../../registrations/registration.ts';
import type { RegistrationType, ScheduleType } from '../../spec/paymentTypes.ts';
import type { FinalCode } from '../../spec/resultCodes.ts';
import { commitPayment, registrationEventFor } from '../commitPayment.ts';
import { newTransaction } from '../draft.ts';
import { openSecrets } from '../instrument.ts';
import { SUCCESS } from '../lifecycle.ts';
import type { Refusal } from '../order.ts';
import type { Payment } from '../payment.ts';
import type { IdempotencyKey, RegistrationChange, World } from '../ports.ts';
import type { DueBatch } from '../sweep.ts';
import { replay } from '../take.ts';

/** A deletion or an extension of stored details. */
export type RegistrationCommand = {
  readonly merchantId: string;
  readonly registrationId: string;
  /** The channel that sends the command; null when the merchant does: then it is the one that stored the details. */
  readonly entityId: string | null;
  readonly environment: 'test' | 'live';
  readonly idempotencyKey: IdempotencyKey | null;
  /** Checked again right before the commit: the details may have been extended meanwhile. */
  readonly isStillWanted?: (registration: Registration) => boolean;
};

export type RegistrationCommandResult =
  | { readonly is: 'done'; readonly payment: Payment; readonly isReplayed?: true }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'otherBody' };

type CommandRules = {
  readonly type: 'DR' | 'TE';
  /** The refusal for each state; null: the command is allowed. */
  readonly refusal: Readonly<Record<RegistrationState | 'unknown', Refusal | null>>;
  readonly change: (registration: Registration, now: number) => Registration;
  readonly action: 'UPDATED' | 'DELETED';
  readonly sealed: null | 'kept';
};

const deletion: CommandRules = {
  type: 'DR',
  refusal: { unknown: '100.350.303', rejected: '100.350.303', deleted: '100.150.202', open: null, active: null },
  change: deleted,
  action: 'DELETED',
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
  action: 'UPDATED',
  sealed: 'kept',
};

/** Deletes stored details: this commit erases the number, and the id is unknown from then on. */
export const deregister = (world: World, command: RegistrationCommand): Promise<RegistrationCommandResult> =>
  changeRegistration(world, command, deletion);

/** Keeps stored details longer. */
export const extendLife = (world: World, command: RegistrationCommand): Promise<RegistrationCommandResult> =>
  changeRegistration(world, command, extension);

const TRIES_MAX = 64;

async function changeRegistration(
  world: World,
  command: RegistrationCommand,
  rules: CommandRules,
): Promise<RegistrationCommandResult> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const result = await tryChange(world, command, rules);
    if (result) return result;
  }
  throw new Error(`the registration ${command.registrationId} changed too often`);
}

async function tryChange(
  world: World,
  command: RegistrationCommand,
  rules: CommandRules,
): Promise<RegistrationCommandResult | null> {
  const { merchantId, registrationId, idempotencyKey } = command;
  const registered = await world.store.registration(merchantId, registrationId);
  const refusal = rules.refusal[registered?.registration.state ?? 'unknown'];
  if (refusal !== null || !registered)
    return (await replayed(world, command)) ?? { is: 'refused', refusal: refusal ?? '100.150.200' };
  const { registration } = registered;
  if (command.isStillWanted?.(registration) === false) return { is: 'refused', refusal: '100.350.303' };
  const payment = registrationTransaction(world, registration, {
    type: rules.type,
    entityId: command.entityId ?? registration.entityId,
    mode: command.environment === 'live' ? 'LIVE' : 'INTERNAL',
  });
  const outcome = await commitRegistrationCommand(world, payment, {
    change: {
      registration: rules.change(registration, payment.createdAt),
      sealed: rules.sealed,
      event: registrationEventFor(world, payment, rules.action),
    },
    idempotencyKey: idempotencyKey,
  });
  if (outcome.is === 'keyUsed') return replayed(world, command);
  return outcome.is === 'kept' ? { is: 'done', payment } : null;
}

/** A retry with the same idempotency key gets the first result again. */
async function replayed(
  world: World,
  { idempotencyKey, merchantId }: RegistrationCommand,
): Promise<RegistrationCommandResult | null> {
  const known = idempotencyKey && (await world.store.idempotencyKey(merchantId, idempotencyKey.entityId, idempotencyKey.key));
  if (!idempotencyKey || !known) return null;
  const taken = await replay(world, { merchantId }, { ...known, bodySent: idempotencyKey.bodyHash });
  return taken.is === 'replayed' ? { is: 'done', payment: taken.payment, isReplayed: true } : { is: 'otherBody' };
}

/** Commits a transaction that concerns nothing but stored details. */
function commitRegistrationCommand(
  world: World,
  payment: Payment,
  { change, idempotencyKey }: { readonly change: RegistrationChange; readonly idempotencyKey: IdempotencyKey | null },
) {
  return commitPayment(world, {
    payment,
    version: 0,
    idempotencyKey,
    event: null,
    registration: change,
  });
}

type RegistrationTransaction = {
  readonly type: RegistrationType | ScheduleType;
  readonly entityId: string;
  readonly mode: Mode;
  readonly code?: FinalCode;
};

/** A transaction about stored details, or about a schedule that charges them: immediately final, and it moves no money. */
export function registrationTransaction(
  world: World,
  registration: Registration,
  { type, entityId, mode, code }: RegistrationTransaction,
): Payment {
  const start = newTransaction(world, entityId);
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

/** Background jobs of registrations: deletion when they expire, and network tokens for their cards. */

/** Deletes registrations that have expired; returns how many. */
export async function deleteExpiredRegistrations(world: World, environment: 'test' | 'live', batch: DueBatch): Promise<number> {
  const now = world.clock.now();
  const outlived = await world.store.outlived({ ...batch, now });
  const isStillWanted = ({ expiresAt }: Registration): boolean => expiresAt <= now;
  for (const { merchantId, entityId, id } of outlived) {
    await deregister(world, {
      merchantId,
      entityId,
      registrationId: id,
      environment,
      idempotencyKey: null,
      isStillWanted,
    });
  }
  return outlived.length;
}

const RETRY_MS_FIRST = 60_000;
/** With the waits doubling up to a day, that is about a week. */
const TOKEN_TRIES_MAX = 16;

/** Requests network tokens for stored cards; returns how many were requested. */
export async function requestNetworkTokens(world: World, batch: DueBatch): Promise<number> {
  const awaiting = await world.store.awaitingToken({ ...batch, now: world.clock.now() });
  for (const registered of awaiting) await requestNetworkToken(world, registered);
  return awaiting.length;
}

async function requestNetworkToken(world: World, { registration, sealed }: StoredRegistration): Promise<void> {
  const now = world.clock.now();
  const connector = world.connector(registration.connector, registration.entityId);
  const stored = sealed === null ? null : await openSecrets(world, registration, sealed);
  if (!connector?.tokens || stored?.number === undefined) return noteNoToken(world, registration, null);
  let token: NetworkToken | null;
  try {
    const asked = connector.tokens.provide(registration, { number: stored.number });
    token = await world.timers.within(connector.answerMsMax, asked);
  } catch {
    const wait = Math.min(RETRY_MS_FIRST * 2 ** registration.tokenTries, waitMsMax.networkToken);
    return noteNoToken(world, registration, registration.tokenTries + 1 < TOKEN_TRIES_MAX ? now + wait : null);
  }
  if (token === null) return noteNoToken(world, registration, null);
  const keys = world.vault.ready(registration.merchantId);
  if (keys) await keys;
  const clear = secretsText({ ...stored, networkToken: token }) ?? '';
  const payment = registrationTransaction(world, registration, { ...about(registration), code: SUCCESS[registration.mode] });
  // When the registration has changed meanwhile, the next run requests the token again if it is still needed.
  await commitRegistrationCommand(world, payment, {
    change: {
      registration: withToken(registration, now, token),
      sealed: world.vault.seal(sealedRecordOf(registration), clear),
      event: registrationEventFor(world, payment, 'UPDATED'),
    },
    idempotencyKey: null,
  });
}

const about = ({ entityId, mode }: Registration) => ({ type: 'TK', entityId, mode }) as const;

/** Records a failed request with the time of the next one. The merchant's card is as it was: no event. */
async function noteNoToken(world: World, registration: Registration, againAt: number | null): Promise<void> {
  const payment = registrationTransaction(world, registration, { ...about(registration), code: '800.900.303' });
  const change = { registration: withoutToken(registration, world.clock.now(), againAt), sealed: 'kept', event: null } as const;
  await commitRegistrationCommand(world, payment, { change, idempotencyKey: null });
}
