import { createConnectors } from './connectors/registry.ts';
import { createDocuments } from './http/documents.ts';
import type { Log } from './http/log.ts';
import type { Metrics } from './http/metrics.ts';
import type { Trust } from './http/peer.ts';
import type { Responder } from './http/respond.ts';
import type { Rooms } from './http/rooms.ts';
import { createDirectory } from './merchants/directory.ts';
import { createThrottler } from './merchants/throttle.ts';
import { hear } from './payments/hear.ts';
import type { Clock, Timers, World } from './payments/needs.ts';
import type { MasterKey } from './registrations/masterKey.ts';
import { systemRandom } from './registrations/randomBytes.ts';
import { openVault } from './registrations/vault.ts';
import { createSandboxIssuer, sandboxSeed } from './registrations/wallets/issuer/sandboxIssuer.ts';
import { createWallets } from './registrations/wallets/wallets.ts';
import { createBareDesk } from './risk/desk.ts';
import { riskSettingFaults } from './risk/settings.ts';
import type { Store } from './store/store.ts';
import { createSandboxThreeDS } from './threeds/sandbox/server.ts';
import { jobsOf } from './workers/jobs.ts';
import type { Job } from './workers/loop.ts';
import { createHeld, createIds, createWorld, sleep } from './world.ts';

/** What the house is built with. Time and patience are given, so that a test can bring its own. */
export type HouseParts = {
  readonly environment: 'test' | 'live';
  readonly store: Store;
  /** The master key that wraps now first, older ones after it. */
  readonly masters: readonly [MasterKey, ...MasterKey[]];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly respond: Responder;
  readonly metrics: Metrics;
  readonly trust: Trust;
};

export type House = { readonly world: World; readonly rooms: Rooms; readonly jobs: readonly Job[] };

function random(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  systemRandom(bytes);
  return bytes;
}

/** Furnishes every room around an open store; nothing is listened to and nothing runs yet. */
export async function buildHouse(parts: HouseParts): Promise<House> {
  const { environment, store, masters, clock, timers, log, respond, metrics, trust } = parts;
  const ids = createIds(clock.now);
  const vault = await openVault({ masters, store, now: clock.now });
  const directory = await createDirectory(store, clock, { risk: riskSettingFaults, threeDS: () => [] });
  const alarm: World['alarm'] = (message, about) => log.error({ alarm: true, ...about }, message);
  const walletIssuer = environment === 'test' ? createSandboxIssuer({ seed: sandboxSeed(vault), ids }) : null;
  const wallets = createWallets({
    entity: directory.entity,
    secrets: store,
    vault,
    environment,
    clock,
    issuer: walletIssuer,
    alarm,
  });
  const connectors = createConnectors({
    clock,
    sleep: (ms) => sleep(ms),
    random,
    tell: async (named, answer) => {
      await hear(world, named, answer);
    },
  });
  const world: World = {
    ...createWorld({
      store,
      vault,
      wallets,
      connectors,
      alarm,
      risk: createBareDesk(clock, timers),
      channel: (entityId) => directory.entity(entityId)?.channel ?? null,
    }),
    clock,
    ids,
    timers,
    threeDS: environment === 'test' ? createSandboxThreeDS(clock) : null,
    held: createHeld(clock),
  };
  const rooms: Rooms = {
    environment,
    world,
    directory,
    throttler: createThrottler(clock),
    respond,
    metrics,
    documents: createDocuments(),
    trust,
    walletIssuer,
    digest: vault.digest,
    ping: () => store.ping(),
  };
  const jobs = jobsOf({ world, environment, directory, refreshKeys: vault.refresh, swept: metrics.swept });
  return { world, rooms, jobs };
}
