import { theOffice } from '../assets/assets.ts';
import { createDocuments } from '../http/api/documents.ts';
import type { Rooms } from '../http/services.ts';
import { balancesAt } from '../ledger/balances.ts';
import { sealBooks } from '../ledger/seal.ts';
import { createDirectory } from '../merchants/directory.ts';
import type { RoomFaults } from '../merchants/moduleSettings.ts';
import { createThrottler } from '../merchants/throttle.ts';
import { createOutbound } from '../outbound/client.ts';
import type { World } from '../payments/ports.ts';
import { createMemory } from '../payments/riskMemory/memory.ts';
import { reconciliationSettingFaults } from '../reports/reconciliation/settings.ts';
import { countingDeliveries } from '../reports/statistics/keep.ts';
import { riskSettingFaults } from '../risk/settings.ts';
import { putRight, runDue } from '../schedules/runDue.ts';
import { scheduleSettingFaults } from '../schedules/settings.ts';
import { settlementSettingFaults } from '../settlement/match/tolerance.ts';
import { scenarioSettingFaults } from '../spec/scenarios/attached.ts';
import { createResultsDoor } from '../threeds/live/resultsAccess.ts';
import { threeDSSettingFaults } from '../threeds/settings.ts';
import { openVault } from '../vault/vault.ts';
import { jobsOf, riskJobs, scheduleJobs } from '../workers/jobs.ts';
import { ledgerJobs } from '../workers/ledgerJobs.ts';
import type { Job } from '../workers/loop.ts';
import { createJobRecords, type JobRecords } from '../workers/records.ts';
import { furnishAccounts } from './accounts.ts';
import { furnishAudit } from './audit.ts';
import { furnishClocks, openClocks, roomsOf } from './clocks.ts';
import { furnishDeveloper } from './developer.ts';
import { createHealth, noticingRefusals } from './health.ts';
import type { HouseParts } from './options.ts';
import { type BuiltWorld, furnishWorld, type Ground } from './payments.ts';
import { furnishReconciliation } from './reconciliation.ts';
import { furnishRisk } from './risk.ts';
import { furnishDays } from './sandboxSettlement.ts';
import { furnishScenarios, playedReceiver } from './scenarios.ts';
import { furnishSettlement } from './settlement.ts';
import { statisticsJobs } from './statistics.ts';
import { createIds, elapsed, rest } from './system.ts';
import { furnishPeople, peopleJobs } from './users.ts';
import { furnishWebhooks, type WebhookHouse, type WebhookParts } from './webhooks.ts';
import { checkoutRoom, putBuild, widgetJobs } from './widget.ts';

/** It knows itself when it is time to ask again. */
const RANGES_MS = 5_000;
/** How long what is told at the end may take. */
const LAST_WORDS_MS = 5_000;

export type House = {
  readonly world: World;
  readonly rooms: Rooms;
  readonly jobs: readonly Job[];
  /** When each job ran last; the loop writes it. */
  readonly records: JobRecords;
  /** Writes what is to be written before the first payment. */
  begin(): Promise<void>;
  /** Ends what the jobs have begun and not waited for. */
  stop(): Promise<void>;
};

const roomFaults: RoomFaults = {
  risk: riskSettingFaults,
  threeDS: threeDSSettingFaults,
  schedules: scheduleSettingFaults,
  scenarios: scenarioSettingFaults,
  settlement: settlementSettingFaults,
  reconciliation: reconciliationSettingFaults,
};

/** Furnishes every room around an open store; nothing is listened to and nothing runs yet. */
export async function buildHouse(given: HouseParts): Promise<House> {
  const records = createJobRecords({ now: elapsed, onEnd: given.metrics.jobEnded });
  const health = createHealth({ store: given.store, jobs: records.list, timers: given.timers, now: elapsed });
  const parts: HouseParts = { ...given, store: noticingRefusals(given.store, health.refused) };
  const { environment, store, clock, timers, isAlone = false } = parts;
  const ground = await layGround(parts);
  const built = await furnishWorld(parts, ground);
  const { clocks, directory, vault, alarm } = ground;
  const { world, worldOf, live } = built;
  const developer = furnishDeveloper(parts, ground);
  const webhooks = webhookHouse(parts, { world, worldOf, clocks, vault, directory, inboxes: developer.room.inboxes });
  const settlement = furnishSettlement({ ...parts, vault, directory, world, worldOf, reach: reachOf(parts) });
  const days = furnishDays({ store, directory, clocks, worldOf, settlement: settlement.room, alarm });
  const reconciliation = furnishReconciliation({ store, directory, vault, clocks, timers, alarm, reach: reachOf(parts) });
  // Shops of the test environment often stand on this machine.
  const { get } = createOutbound({ timers, reach: environment === 'test' ? 'loopback' : 'public' });
  const moving = furnishClocks({ ...{ clocks, store, clock, get, isAlone, webhooks, days, alarm }, rooms: () => rooms });
  const audit = furnishAudit(parts, vault);
  const risk = furnishRisk(parts, ground, built);
  const rooms: Rooms = roomsOf(clocks, worldOf, {
    ...plainRooms(parts, ground, built),
    health,
    webhooks: webhooks.room,
    settlement: settlement.room,
    risk,
    developer: developer.room,
    audit: audit.room.write,
    auditLog: audit.room,
    clocks: environment === 'test' ? moving.room : null,
  });
  // The loop sleeps before it works: what is needed from the first payment on is fetched now.
  void live?.refresh();
  const jobs = [
    ...[webhooks, settlement, reconciliation, developer].flatMap((house) => house.jobs),
    ...ownJobs(parts, ground, built),
    ...peopleJobs(rooms.people),
    ...widgetJobs(parts, rooms, { clocks, get }),
    ...scheduleJobs(
      clocks,
      ({ merchantId, whose }, limit) => runDue(rooms.at(merchantId).schedules, { limit, whose }),
      ({ merchantId, whose }) => putRight(rooms.at(merchantId).schedules, { whose, rest }),
    ),
    ...(environment === 'test' ? [...moving.jobs, ...days.jobs] : []),
  ];
  // A store that does not answer any more cannot hold the end either.
  const lastWords = async () => {
    await Promise.all([developer.stop(), risk.backtests.stop()]);
    await audit.end();
  };
  const stop = async () => {
    await Promise.all([moving.stop(), webhooks.stop(), reconciliation.stop()]);
    await timers.within(LAST_WORDS_MS, lastWords()).catch(() => {});
  };
  const begin = async () => {
    // Another node may be asked for a checkout of this one a moment later.
    await putBuild(parts);
    await audit.begin();
  };
  return { world, rooms, jobs, records, begin, stop };
}

/** What everything stands on. */
async function layGround({ environment, store, masters, clock, log }: HouseParts): Promise<Ground> {
  return {
    ids: createIds(clock.now),
    clocks: await openClocks(environment, store, clock),
    vault: await openVault({ masters, store, now: clock.now }),
    directory: await createDirectory(store, clock, roomFaults),
    alarm: (message, about) => log.error({ alarm: true, ...about }, message),
  };
}

/** The rooms that stand by themselves. */
function plainRooms(parts: HouseParts, { vault, directory, ids }: Ground, { world, live, walletIssuer }: BuiltWorld) {
  const { environment, store, clock, respond, metrics, trust, publicUrl = null, operatorHash = null } = parts;
  return {
    ...{ environment, world, directory, respond, metrics, trust, publicUrl, operatorHash, walletIssuer },
    throttler: createThrottler(clock),
    documents: createDocuments(),
    office: theOffice,
    checkouts: checkoutRoom(parts, world, directory),
    queries: store,
    stored: store,
    search: store,
    statistics: store,
    accounts: furnishAccounts(parts, { vault, directory, ids }, roomFaults),
    people: furnishPeople(parts, { vault, directory, ids }),
    reports: { store, entity: directory.entity },
    schedules: { world, store, environment },
    resultsDoor: live && parts.connections ? createResultsDoor(parts.connections, clock) : null,
    digest: vault.digest,
    balances: (merchantId: string, at: number) => balancesAt(store, merchantId, at),
    scenarios: environment === 'test' ? furnishScenarios({ store, directory, vault }) : null,
  };
}

/** What the core does when nobody asks. */
function ownJobs(parts: HouseParts, { clocks, vault, directory }: Ground, built: BuiltWorld): readonly Job[] {
  const { environment, store, metrics, isAlone = false } = parts;
  const { world, worldOf, live, lists, told } = built;
  const memory = createMemory({ world, history: store, told, isAlone, rest });
  return [
    ...jobsOf({ ...{ world, worldOf, clocks, environment, directory }, refreshKeys: vault.refresh, swept: metrics.swept }),
    ...riskJobs({ clock: { now: clocks.earliest }, remember: memory.run, refreshLists: lists.refresh, store }),
    ...ledgerJobs(() => sealBooks(store)),
    ...statisticsJobs({ store, directory }),
    ...(live ? [{ name: 'load card ranges', everyMs: RANGES_MS, run: live.refresh }] : []),
  ];
}

/** Whom we call by ourselves: in the test environment this machine too, where the operator does not forbid it. */
const reachOf = ({ environment, webhookReach }: HouseParts): 'loopback' | 'public' =>
  webhookReach ?? (environment === 'test' ? 'loopback' : 'public');

const webhookHouse = (
  parts: HouseParts,
  built: Pick<WebhookParts, 'world' | 'worldOf' | 'clocks' | 'vault' | 'directory' | 'inboxes'>,
): WebhookHouse =>
  furnishWebhooks({
    ...built,
    store: countingDeliveries(parts.store),
    timers: parts.timers,
    log: parts.log,
    buildNumber: parts.respond.base('').buildNumber,
    ...(parts.environment === 'test' && { receiver: playedReceiver(parts.store) }),
    reach: reachOf(parts),
  });
