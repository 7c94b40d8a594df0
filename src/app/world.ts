import { createPendingSecrets } from '../payments/pendingSecrets.ts';
import type { PaymentStore, World } from '../payments/ports.ts';
import { createCountedEvents } from '../payments/riskMemory/countedEvents.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import { SECOND_MS } from '../spec/time.ts';
import { UNSENT_SECONDS } from '../spec/unsent.ts';
import type { Vault } from '../vault/ports.ts';
import type { Wallets } from '../wallets/ports.ts';
import { clock, createIds, timers } from './system.ts';

/** The World of a running gateway: system clock, timers and ids around the given store, vault, wallets and connectors. */
export function createWorld<Store extends PaymentStore & RegistrationStore, Safe extends Vault>(parts: {
  readonly store: Store;
  readonly deriveEffects: World['deriveEffects'];
  readonly vault: Safe;
  readonly wallets: Wallets;
  readonly connector: World['connector'];
  readonly alarm: World['alarm'];
  readonly risk: World['risk'];
  readonly countedEvents?: World['countedEvents'];
  readonly channel: World['channel'];
  readonly unsentMs?: World['unsentMs'] | undefined;
}): World & { readonly store: Store; readonly vault: Safe } {
  return {
    clock,
    ids: createIds(clock.now),
    timers,
    unsentMs: parts.unsentMs ?? UNSENT_SECONDS * SECOND_MS,
    store: parts.store,
    deriveEffects: parts.deriveEffects,
    vault: parts.vault,
    wallets: parts.wallets,
    alarm: parts.alarm,
    risk: parts.risk,
    countedEvents: parts.countedEvents ?? createCountedEvents(clock),
    channel: parts.channel,
    threeDS: null,
    pendingSecrets: createPendingSecrets(clock),
    connector: parts.connector,
  };
}
