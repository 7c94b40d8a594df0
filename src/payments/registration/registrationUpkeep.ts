import { waitMsMax } from '../../merchants/merchantFilter.ts';
import type { NetworkToken } from '../../registrations/instrument.ts';
import { withoutToken, withToken } from '../../registrations/moves.ts';
import type { StoredRegistration } from '../../registrations/ports.ts';
import { type Registration, sealedRecordOf, secretsText } from '../../registrations/registration.ts';
import { registrationEventFor } from '../commitPayment.ts';
import { openSecrets } from '../instrument.ts';
import { SUCCESS } from '../lifecycle.ts';
import type { World } from '../ports.ts';
import type { DueBatch } from '../sweep.ts';
import { commitRegistrationCommand, deregister, registrationTransaction } from './changeRegistration.ts';

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
const TRIES_MAX = 16;

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
    return noteNoToken(world, registration, registration.tokenTries + 1 < TRIES_MAX ? now + wait : null);
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
