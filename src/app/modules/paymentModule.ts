import { join } from 'node:path';
import { findUndone, postingOf, undoes } from '../../ledger/book.ts';
import { type Clocks, perClock } from '../../merchants/clocks.ts';
import { createOutbound } from '../../outbound/client.ts';
import { onCallback } from '../../payments/callbacks.ts';
import type { DeriveEffects, PaymentStore, World } from '../../payments/ports.ts';
import { createCountedEvents } from '../../payments/riskMemory/countedEvents.ts';
import { type Digest, emailHashFor } from '../../payments/search/search.ts';
import { createFamilyQueue } from '../../payments/take.ts';
import { createPendingSecrets } from '../../payments/threeDS/startAuthentication.ts';
import type { RegistrationStore } from '../../registrations/ports.ts';
import { paymentLine } from '../../reports/statistics/line.ts';
import { createRiskEngine } from '../../risk/engine.ts';
import { createStoredLists } from '../../risk/lists/lists.ts';
import { emptyLookups } from '../../risk/lookups/lookups.ts';
import { createAgedVelocity } from '../../risk/velocity/agedVelocity.ts';
import { createVelocity } from '../../risk/velocity/windows.ts';
import { UNSENT_SECONDS } from '../../spec/routing.ts';
import { type Clock, SECOND_MS } from '../../spec/time.ts';
import { createRangeFiles } from '../../threeds/live/rangeLoader.ts';
import { createLiveThreeDS, type LiveThreeDS } from '../../threeds/live/server.ts';
import { createSandboxThreeDS } from '../../threeds/sandbox/directoryServer.ts';
import { isProof } from '../../threeds/sandbox/proof.ts';
import type { Vault } from '../../vault/ports.ts';
import { systemRandom } from '../../vault/randomBytes.ts';
import { createSandboxIssuer, sandboxSeed } from '../../wallets/issuer/issuer.ts';
import type { Wallets } from '../../wallets/ports.ts';
import { createWallets } from '../../wallets/wallets.ts';
import { createConnectorModule } from '../connectors/connectorModule.ts';
import type { Foundation } from '../foundation.ts';
import type { AppOptions } from '../options.ts';
import { traceWorld, watchPayments } from '../process/telemetry.ts';
import { clock, createIds, sleep, timers } from '../system.ts';

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
  return async (payment) => {
    const undone = undoes(payment) ? await findUndone(payment, (id) => store.payment(payment.merchantId, id)) : null;
    return {
      posting: postingOf(payment, undone),
      statisticsLine: paymentLine(payment),
      emailHash: emailHashFor(digest, payment),
    };
  };
}

/** The World under the clock of each merchant. */
const createWorlds = (clocks: Clocks, world: World): ((merchantId: string | null) => World) =>
  perClock(clocks, world, (merchantId) => {
    const clock = clocks.of(merchantId);
    return { ...world, clock, ids: createIds(clock.now), threeDS: world.threeDS && createSandboxThreeDS(clock) };
  });

function random(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  systemRandom(bytes);
  return bytes;
}

const simulated = ({ of: clockOf, row }: Clocks, pause = (ms: number) => sleep(ms)) => ({
  clockOf,
  advancesTo: (merchantId: string) => row(merchantId).target,
  sleep: pause,
  random,
  isProof,
});

export type PaymentModule = Awaited<ReturnType<typeof createPaymentModule>>;

/** Creates the World of the payments, and the parts of it that other modules use. */
export async function createPaymentModule(parts: AppOptions, { ids, clocks, vault, directory, alarm }: Foundation) {
  const { environment, store, clock, timers } = parts;
  const walletIssuer = environment === 'test' ? createSandboxIssuer({ seed: sandboxSeed(vault), ids }) : null;
  const { entity } = directory;
  const wallets = createWallets({
    entity,
    secrets: store,
    vault,
    environment,
    clock,
    alarm,
    clockOf: clocks.of,
    issuer: walletIssuer,
  });
  const connectors = createConnectorModule(
    parts,
    { vault, directory, alarm },
    {
      ...simulated(clocks, parts.sleep),
      notify: (named, answer) => onCallback(worldOf(named.merchantId), named, answer).then(() => {}),
    },
  );
  const live = liveThreeDS(parts, { ids, alarm });
  const { risk, lists, countedEvents } = await createRiskService(parts, { now: clocks.earliest });
  const channel: World['channel'] = (entityId) => directory.entity(entityId)?.channel ?? null;
  const own: World = {
    ...createWorld({
      store,
      deriveEffects: createCommitEffects({ store, digest: vault.digest }),
      vault,
      wallets,
      connector: connectors.connector,
      alarm,
      risk,
      countedEvents,
      channel,
      unsentMs: parts.unsentMs,
    }),
    clock,
    ids,
    timers,
    threeDS: live ?? (environment === 'test' ? createSandboxThreeDS(clock) : null),
    pendingSecrets: createPendingSecrets(clock, clocks.of),
  };
  const adapted = parts.adaptWorld?.(own) ?? own;
  const { tracer = null } = parts;
  const world = { ...(tracer ? traceWorld(adapted, tracer) : adapted), watch: watchPayments(parts.metrics, tracer) };
  const worldOf = createWorlds(clocks, world);
  return { world, worldOf, live, walletIssuer, lists, countedEvents, connectors };
}

/** The risk engine. Its counters and lists expire by the merchant clock that is furthest behind. */
async function createRiskService({ store, clock, timers, lookups = emptyLookups }: AppOptions, earliest: Clock) {
  const lists = await createStoredLists({ store, clock: earliest });
  const velocity = createAgedVelocity(createVelocity({ seed: seedOf(random(4)) }), earliest);
  const risk = createRiskEngine({ velocity, lists, lookups, timers, screening: () => null });
  return { risk, lists, countedEvents: createCountedEvents(clock) };
}

const seedOf = (bytes: Uint8Array): number => Buffer.from(bytes).readUInt32LE();

function liveThreeDS(
  { environment, connections = null, dataDir = '.', clock, timers }: AppOptions,
  { ids, alarm }: Pick<World, 'ids' | 'alarm'>,
): LiveThreeDS | null {
  if (environment !== 'live' || connections === null) return null;
  const { poster } = createOutbound({ timers });
  return createLiveThreeDS({ connections, poster, clock, ids, rangeStore: createRangeFiles(join(dataDir, 'cardRanges')), alarm });
}
