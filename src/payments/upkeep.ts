import { waitMsMax } from '../merchants/merchantFilter.ts';
import type { NetworkToken } from '../registrations/instrument.ts';
import { withoutToken, withToken } from '../registrations/moves.ts';
import type { Registered } from '../registrations/ports.ts';
import type { Registration } from '../registrations/registration.ts';
import { placeOf, storedText } from '../registrations/stored.ts';
import { commitRegistrationCommand, deregister, transaction } from './changeRegistration.ts';
import { opened } from './instrument.ts';
import { SUCCESS } from './lifecycle.ts';
import type { World } from './ports.ts';
import type { Turn } from './sweep.ts';

/** What becomes of stored details when nobody asks: their time runs out, and schemes give tokens for them. */

/** Deletes what was kept as long as it may be; answers how many. */
export async function forgetOutlived(world: World, environment: 'test' | 'live', turn: Turn): Promise<number> {
  const now = world.clock.now();
  const outlived = await world.store.outlived({ ...turn, now });
  const isUnwanted = ({ expiresAt }: Registration): boolean => expiresAt <= now;
  for (const { merchantId, entityId, id } of outlived) {
    await deregister(world, { merchantId, entityId, registrationId: id, environment, claim: null, isUnwanted });
  }
  return outlived.length;
}

const RETRY_MS_FIRST = 60_000;
/** With the waits doubling up to a day, that is about a week. */
const TRIES_MAX = 16;

/** Asks the schemes for tokens of stored cards; answers how many were asked for. */
export async function provideTokens(world: World, turn: Turn): Promise<number> {
  const awaiting = await world.store.awaitingToken({ ...turn, now: world.clock.now() });
  for (const registered of awaiting) await provideToken(world, registered);
  return awaiting.length;
}

async function provideToken(world: World, { registration, sealed }: Registered): Promise<void> {
  const now = world.clock.now();
  const connector = world.connector(registration.connector);
  const stored = sealed === null ? null : await opened(world, registration, sealed);
  if (!connector?.tokens || stored?.number === undefined) return note(world, registration, null);
  let token: NetworkToken | null;
  try {
    const asked = connector.tokens.provide(registration, { number: stored.number });
    token = await world.timers.within(connector.answerMsMax, asked);
  } catch {
    const wait = Math.min(RETRY_MS_FIRST * 2 ** registration.tokenTries, waitMsMax.networkToken);
    return note(world, registration, registration.tokenTries + 1 < TRIES_MAX ? now + wait : null);
  }
  if (token === null) return note(world, registration, null);
  const keys = world.vault.ready(registration.merchantId);
  if (keys) await keys;
  const clear = storedText({ ...stored, networkToken: token }) ?? '';
  const payment = transaction(world, registration, { ...about(registration), code: SUCCESS[registration.mode] });
  // Moved on meanwhile: it is asked again, if there is still something to ask for.
  await commitRegistrationCommand(world, payment, {
    change: {
      registration: withToken(registration, now, token),
      sealed: world.vault.seal(placeOf(registration), clear),
      event: null,
    },
    claim: null,
  });
}

const about = ({ entityId, mode }: Registration) => ({ type: 'TK', entityId, mode }) as const;

/** No token was given: the attempt is written down with the time of the next one. */
async function note(world: World, registration: Registration, againAt: number | null): Promise<void> {
  const payment = transaction(world, registration, { ...about(registration), code: '800.900.303' });
  const change = { registration: withoutToken(registration, world.clock.now(), againAt), sealed: 'kept', event: null } as const;
  await commitRegistrationCommand(world, payment, { change, claim: null });
}
