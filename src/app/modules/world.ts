import { findUndone, postingOf, type Undone, undoes } from '../../ledger/book.ts';
import { type Clocks, perClock } from '../../merchants/clocks.ts';
import type { Payment } from '../../payments/payment.ts';
import { createPendingSecrets } from '../../payments/pendingSecrets.ts';
import { createFamilyQueue } from '../../payments/perform.ts';
import type { DeriveEffects, PaymentStore, World } from '../../payments/ports.ts';
import { createCountedEvents } from '../../payments/riskMemory/countedEvents.ts';
import { type Digest, emailHashFor } from '../../payments/search/search.ts';
import type { RegistrationStore } from '../../registrations/ports.ts';
import { paymentLine } from '../../reports/statistics/line.ts';
import { UNSENT_SECONDS } from '../../spec/routing.ts';
import { SECOND_MS } from '../../spec/time.ts';
import { createSandboxThreeDS } from '../../threeds/sandbox/directoryServer.ts';
import type { Vault } from '../../vault/ports.ts';
import type { Wallets } from '../../wallets/ports.ts';
import { clock, createIds, timers } from '../system.ts';

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
    families: createFamilyQueue(),
    pendingSecrets: createPendingSecrets(clock),
    connector: parts.connector,
  };
}

type Needs = { readonly store: Pick<PaymentStore, 'payment'>; readonly digest: Digest };

/** The parts of each commit for ledger, statistics and search. A reversal or a chargeback reads the payment that it undoes. */
export function createCommitEffects({ store, digest }: Needs): DeriveEffects {
  const effectsOf = (payment: Payment, undone: Undone) => ({
    posting: postingOf(payment, undone),
    statisticsLine: paymentLine(payment),
    emailHash: emailHashFor(digest, payment),
  });
  return (payment) => {
    const { merchantId } = payment;
    if (!undoes(payment)) return effectsOf(payment, null);
    return findUndone(payment, (id) => store.payment(merchantId, id)).then((undone) => effectsOf(payment, undone));
  };
}

/** The World under the clock of each merchant. */
export const createWorlds = (clocks: Clocks, world: World): ((merchantId: string | null) => World) =>
  perClock(clocks, world, (merchantId) => {
    const clock = clocks.of(merchantId);
    return { ...world, clock, ids: createIds(clock.now), threeDS: world.threeDS && createSandboxThreeDS(clock) };
  });
