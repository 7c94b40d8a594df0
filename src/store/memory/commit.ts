import type { Payment } from '../../payments/payment.ts';
import { type Commit, type CommitOutcome, NEVER_AGAIN, type RegistrationChange } from '../../payments/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { registrationTransitions } from '../../registrations/moves.ts';
import type { StoredRegistration } from '../../registrations/ports.ts';
import type { TokenUse } from '../../wallets/ports.ts';
import { stateOf } from '../commit/cells.ts';
import { checkCommit, fixedFields, fixedInRegistration } from '../commit/check.ts';
import { eventsOf, isPosted, writeEvent } from './events.ts';
import { writePosting } from './ledger.ts';
import { isScheduleBroken, isScheduleOvertaken, writeScheduleChange } from './schedules.ts';
import { queueLine } from './statistics.ts';
import { isOverrun } from './sums.ts';
import { join, type Tables } from './tables.ts';

export const membersOf = (tables: Tables, merchantId: string, ids: readonly string[]): Payment[] =>
  ids.flatMap((id) => tables.payments.get(join(merchantId, id)) ?? []);

/**
 * The key first, because a retry must hear of its payment whatever has become of the family; then version and revision; then the
 * checkout; then the wallet's token; then the sums.
 */
export function commit(tables: Tables, change: Commit): CommitOutcome {
  checkCommit(change);
  const { payment, version, idempotencyKey, registration, tokenUse, schedule } = change;
  const { merchantId, id, familyId } = payment;
  const held = idempotencyKey
    ? tables.idempotencyKeys.get(join(merchantId, idempotencyKey.entityId, idempotencyKey.key))
    : undefined;
  if (held && held.paymentId !== id) return { is: 'keyUsed', paymentId: held.paymentId, bodyHash: held.bodyHash };
  const family = tables.families.get(join(merchantId, familyId)) ?? { version: 0, ids: [] };
  const stored = tables.payments.get(join(merchantId, id));
  if (family.version !== version || (version === 0 && stored)) return { is: 'moved' };
  const registered = registration ? tables.registrations.get(join(merchantId, registration.registration.id)) : undefined;
  const revisionBefore = registered?.registration.revision ?? 0;
  if (registration && registration.registration.revision !== revisionBefore + 1) return { is: 'moved' };
  if (schedule && isScheduleOvertaken(tables, schedule)) return { is: 'moved' };
  if (!stored && isBusy(tables, payment)) return { is: 'busy' };
  if (tokenUse && tables.tokenUses.has(tokenUseAt(merchantId, tokenUse))) return { is: 'tokenUsed' };
  if (!continues(stored, payment) || eventsOf(change).some(([event]) => isPosted(tables, event))) {
    throw new BrokenCommit(`commit of payment ${id}: the stored payment is not the one that the commit continues`);
  }
  if (registration && registered && !continuesRegistration(registered, registration)) {
    throw new BrokenCommit(`commit of payment ${id}: the stored registration is not the one that the commit continues`);
  }
  if (schedule && isScheduleBroken(tables, schedule)) {
    throw new BrokenCommit(`commit of payment ${id}: the stored schedule is not the one that the commit continues`);
  }
  const others = membersOf(tables, merchantId, family.ids).filter((other) => other.id !== id);
  if (isOverrun([...others, payment], payment)) return { is: 'overrun' };
  write(tables, change, { version: version + 1, ids: stored ? family.ids : [...family.ids, id] });
  return { is: 'kept' };
}

export const attemptsAt = (tables: Tables, merchantId: string, checkoutId: string): Payment[] =>
  membersOf(tables, merchantId, tables.attempts.get(join(merchantId, checkoutId)) ?? []);

/** A payment that is declined from the start blocks no other. */
function isBusy(tables: Tables, payment: Payment): boolean {
  const { merchantId, checkoutId } = payment;
  if (checkoutId === null || payment.revision > 1 || stateOf(payment) === 'declined') return false;
  return attemptsAt(tables, merchantId, checkoutId).some((other) => stateOf(other) !== 'declined');
}

const tokenUseAt = (merchantId: string, { wallet, tokenId }: TokenUse): string => join(merchantId, wallet, tokenId);

/** Only an open payment moves, one revision at a time, and nothing that records money changes. */
function continues(stored: Payment | undefined, payment: Payment): boolean {
  if (!stored) return payment.revision === 1;
  const isNext = payment.revision === stored.revision + 1 && stateOf(stored) === 'open';
  return isNext && fixedFields.every((name) => stored[name] === payment[name]);
}

const continuesRegistration = ({ registration: stored }: StoredRegistration, { registration }: RegistrationChange): boolean =>
  registrationTransitions[stored.state].includes(registration.state) &&
  fixedInRegistration.every((name) => stored[name] === registration[name]);

function write(tables: Tables, change: Commit, family: { readonly version: number; readonly ids: readonly string[] }): void {
  const { payment, sealed, idempotencyKey, registration, tokenUse, schedule } = change;
  const { merchantId, id, familyId, movedAt, checkoutId } = payment;
  const at = join(merchantId, id);
  if (checkoutId !== null && !tables.payments.has(at)) {
    const place = join(merchantId, checkoutId);
    tables.attempts.set(place, [...(tables.attempts.get(place) ?? []), id]);
  }
  tables.payments.set(at, payment);
  tables.families.set(join(merchantId, familyId), family);
  if (stateOf(payment) === 'open') tables.open.set(at, payment);
  else tables.open.delete(at);
  writeRelease(tables, change);
  if (sealed) tables.sealed.set(at, sealed);
  if (change.emailHash !== null) tables.emailHashes.set(at, change.emailHash);
  if (idempotencyKey)
    tables.idempotencyKeys.set(join(merchantId, idempotencyKey.entityId, idempotencyKey.key), {
      ...idempotencyKey,
      paymentId: id,
      createdAt: movedAt,
    });
  if (registration) writeRegistration(tables, registration);
  if (tokenUse) tables.tokenUses.set(tokenUseAt(merchantId, tokenUse), tokenUse);
  if (schedule) writeScheduleChange(tables, schedule, payment);
  writePosting(tables, change);
  if (change.statisticsLine !== null)
    queueLine(tables, { merchantId, subjectId: id, revision: payment.revision, line: change.statisticsLine });
  for (const [event, at] of eventsOf(change)) writeEvent(tables, event, at);
}

function writeRelease({ releases }: Tables, { payment, releaseAt }: Commit): void {
  const { merchantId, id, paymentType } = payment;
  if (paymentType !== 'PA' || stateOf(payment) !== 'approved') return;
  if (releaseAt !== NEVER_AGAIN) releases.set(join(merchantId, id), { merchantId, id, releaseAt });
}

function writeRegistration({ registrations }: Tables, { registration, sealed }: RegistrationChange): void {
  const at = join(registration.merchantId, registration.id);
  const kept = registrations.get(at)?.sealed ?? null;
  registrations.set(at, { registration, sealed: sealed === 'kept' ? kept : sealed });
}
