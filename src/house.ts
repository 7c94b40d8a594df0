import { join } from 'node:path';
import { type Build, integrityOf } from './assets/build.ts';
import { createWidgetFiles } from './assets/files.ts';
import { selfCheck } from './assets/selfCheck.ts';
import { callMerchants } from './checkouts/callMerchants.ts';
import type { CheckoutRoom } from './checkouts/needs.ts';
import { createConnectors } from './connectors/registry.ts';
import { furnishWebhooks, type WebhookHouse, type WebhookParts } from './houseWebhooks.ts';
import { createDocuments } from './http/documents.ts';
import type { Log } from './http/log.ts';
import type { Metrics } from './http/metrics.ts';
import type { Trust } from './http/peer.ts';
import type { Responder } from './http/respond.ts';
import type { Rooms } from './http/rooms.ts';
import { createDirectory, type Directory } from './merchants/directory.ts';
import type { RoomFaults } from './merchants/roomSettings.ts';
import { createThrottler } from './merchants/throttle.ts';
import { everybody } from './merchants/whose.ts';
import { createOutbound } from './outbound/client.ts';
import { hear } from './payments/hear.ts';
import type { Clock, Timers, World } from './payments/needs.ts';
import { createMemory } from './payments/remember.ts';
import { createTold } from './payments/rememberTold.ts';
import type { MasterKey } from './registrations/masterKey.ts';
import { systemRandom } from './registrations/randomBytes.ts';
import { openVault } from './registrations/vault.ts';
import { createSandboxIssuer, sandboxSeed } from './registrations/wallets/issuer/sandboxIssuer.ts';
import { createWallets } from './registrations/wallets/wallets.ts';
import { createAgedVelocity } from './risk/aged.ts';
import { createDesk } from './risk/desk.ts';
import { createKeptLists } from './risk/keptLists.ts';
import { nothingKnown } from './risk/lookups.ts';
import type { Lookups } from './risk/needs.ts';
import { riskSettingFaults } from './risk/settings.ts';
import { createVelocity } from './risk/windows.ts';
import { runDue } from './schedules/runDue.ts';
import { scheduleSettingFaults } from './schedules/settings.ts';
import type { Store } from './store/store.ts';
import type { LiveConnections } from './threeds/live/connection.ts';
import { createRangeFiles } from './threeds/live/rangeFiles.ts';
import { createResultsDoor } from './threeds/live/resultsDoor.ts';
import { createLiveThreeDS, type LiveThreeDS } from './threeds/live/server.ts';
import { isProof } from './threeds/sandbox/claim.ts';
import { createSandboxThreeDS } from './threeds/sandbox/server.ts';
import { threeDSSettingFaults } from './threeds/settings.ts';
import { checkoutJobs, jobsOf, riskJobs, scheduleJobs } from './workers/jobs.ts';
import type { Job } from './workers/loop.ts';
import { createHeld, createIds, createWorld, rest, sleep } from './world.ts';

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
  /** The origin under which browsers know the gateway; null or left out: the one that a request came by. */
  readonly publicUrl?: string | null;
  /** The widget as this node serves it. */
  readonly widget: Build;
  /** Stands in the ids of this node's checkouts. */
  readonly nodeName: string;
  /** How the schemes' directory servers are reached; null: nobody is authenticated in live. */
  readonly connections?: LiveConnections | null;
  /** What is known of cards and addresses by their numbers. */
  readonly lookups?: Lookups;
  /** No other process takes payments into the store. */
  readonly isAlone?: boolean;
  /** Where this node keeps what it may lose. */
  readonly dataDir?: string;
  /** SHA-256 of the operator's own token; left out: nobody is the operator. */
  readonly operatorHash?: Uint8Array | null;
  /** Whom webhooks may be; left out: as the environment has it. */
  readonly webhookReach?: 'loopback' | 'public';
};

export type House = {
  readonly world: World;
  readonly rooms: Rooms;
  readonly jobs: readonly Job[];
  /** Ends what the jobs have begun and not waited for. */
  stop(): Promise<void>;
};

function random(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  systemRandom(bytes);
  return bytes;
}

const simulated = (clock: Clock) => ({ clock, sleep: (ms: number) => sleep(ms), random, isProof });

const roomFaults: RoomFaults = { risk: riskSettingFaults, threeDS: threeDSSettingFaults, schedules: scheduleSettingFaults };

/** Furnishes every room around an open store; nothing is listened to and nothing runs yet. */
export async function buildHouse(parts: HouseParts): Promise<House> {
  const { environment, store, masters, clock, timers, log, respond, metrics, trust } = parts;
  const ids = createIds(clock.now);
  const vault = await openVault({ masters, store, now: clock.now });
  const directory = await createDirectory(store, clock, roomFaults);
  const alarm: World['alarm'] = (message, about) => log.error({ alarm: true, ...about }, message);
  const walletIssuer = environment === 'test' ? createSandboxIssuer({ seed: sandboxSeed(vault), ids }) : null;
  const { entity } = directory;
  const wallets = createWallets({ entity, secrets: store, vault, environment, clock, issuer: walletIssuer, alarm });
  const connectors = createConnectors({
    ...simulated(clock),
    tell: (named, answer) => hear(world, named, answer).then(() => {}),
  });
  const live = liveThreeDS(parts, { ids, alarm });
  const { risk, lists, told } = await riskRoom(parts);
  const channel: World['channel'] = (entityId) => directory.entity(entityId)?.channel ?? null;
  const world: World = {
    ...createWorld({ store, vault, wallets, connectors, alarm, risk, told, channel }),
    clock,
    ids,
    timers,
    threeDS: live ?? (environment === 'test' ? createSandboxThreeDS(clock) : null),
    held: createHeld(clock),
  };
  const webhooks = webhookHouse(parts, { world, vault, directory });
  const rooms: Rooms = {
    environment,
    world,
    directory,
    throttler: createThrottler(clock),
    respond,
    metrics,
    documents: createDocuments(),
    trust,
    publicUrl: parts.publicUrl ?? null,
    checkouts: checkoutRoom(parts, world, directory),
    schedules: { world, store, environment },
    webhooks: webhooks.room,
    operatorHash: parts.operatorHash ?? null,
    audit: (act) => log.info({ admin: true, ...act }, 'administered'),
    resultsDoor: live && parts.connections ? createResultsDoor(parts.connections, clock) : null,
    walletIssuer,
    digest: vault.digest,
    ping: () => store.ping(),
  };
  const memory = createMemory({ world, history: store, told, isAlone: parts.isAlone ?? false, rest });
  const jobs = [
    ...webhooks.jobs,
    ...jobsOf({ world, environment, directory, refreshKeys: vault.refresh, swept: metrics.swept }),
    ...riskJobs({ clock, remember: memory.run, refreshLists: lists.refresh, store }),
    ...widgetJobs(parts, rooms.checkouts),
    ...scheduleJobs((limit) => runDue(rooms.schedules, { limit, whose: everybody })),
    ...(live ? [{ name: 'load card ranges', everyMs: RANGES_MS, run: live.refresh }] : []),
  ];
  // The loop sleeps before it works: what is needed from the first payment on is fetched now.
  void live?.refresh();
  // Another node may be asked for a checkout of this one a moment later.
  await putBuild(parts);
  return { world, rooms, jobs, stop: webhooks.stop };
}

/** Receivers of the test environment often stand on this machine too; the operator may forbid it. */
const webhookHouse = (
  { environment, store, timers, log, respond, webhookReach }: HouseParts,
  built: Pick<WebhookParts, 'world' | 'vault' | 'directory'>,
): WebhookHouse =>
  furnishWebhooks({
    ...built,
    store,
    timers,
    log,
    buildNumber: respond.base('').buildNumber,
    reach: webhookReach ?? (environment === 'test' ? 'loopback' : 'public'),
  });

/** Other nodes serve this node's build too, for as long as a checkout of it lives. */
const putBuild = ({ store, widget, clock }: HouseParts): Promise<void> =>
  store.putAssets(
    widget.files.map((file) => ({ build: widget.name, ...file })),
    clock.now(),
  );

const checkoutRoom = (
  { environment, store, timers, widget, nodeName }: HouseParts,
  world: World,
  { entity }: Pick<Directory, 'entity'>,
): CheckoutRoom => ({
  world,
  environment,
  store,
  files: createWidgetFiles(widget, store),
  integrityOf,
  entity,
  nodeName,
  secrets: store,
  postAs: createOutbound({ timers }).poster,
});

/** What checkouts and the widget need when nobody asks. Shops of the test environment often stand on this machine. */
function widgetJobs(parts: HouseParts, room: CheckoutRoom): readonly Job[] {
  const { environment, store, timers, widget } = parts;
  const { get } = createOutbound({ timers, reach: environment === 'test' ? 'loopback' : 'public' });
  const { clock, alarm } = room.world;
  return checkoutJobs({
    clock,
    store,
    callMerchants: async () => {
      await callMerchants(room, get);
    },
    putBuild: () => putBuild(parts),
    checkFiles: async () => {
      const changed = await selfCheck(room.files, widget);
      if (changed.length > 0) alarm('files of the widget are not what they were built from', { files: changed.join(', ') });
    },
  });
}

/** Where payments are judged, and what it remembers. */
async function riskRoom({ store, clock, timers, lookups = nothingKnown }: HouseParts) {
  const lists = await createKeptLists({ store, clock });
  const velocity = createAgedVelocity(createVelocity({ seed: seedOf(random(4)) }), clock);
  const risk = createDesk({ velocity, lists, lookups, timers, screening: () => null });
  return { risk, lists, told: createTold(clock) };
}

const seedOf = (bytes: Uint8Array): number => Buffer.from(bytes).readUInt32LE();

/** It knows itself when it is time to ask again. */
const RANGES_MS = 5_000;

function liveThreeDS(
  { environment, connections = null, dataDir = '.', clock, timers }: HouseParts,
  { ids, alarm }: Pick<World, 'ids' | 'alarm'>,
): LiveThreeDS | null {
  if (environment !== 'live' || connections === null) return null;
  const { poster } = createOutbound({ timers });
  return createLiveThreeDS({ connections, poster, clock, ids, keeper: createRangeFiles(join(dataDir, 'cardRanges')), alarm });
}
