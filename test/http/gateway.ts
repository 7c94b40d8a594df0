import { type App, createApp } from '../../src/app/app.ts';
import type { AppOptions } from '../../src/app/options.ts';
import { createTelemetry } from '../../src/app/process/telemetry.ts';
import { createIds, clock as realClock } from '../../src/app/system.ts';
import type { Build } from '../../src/assets/asset.ts';
import type { TelemetrySettings } from '../../src/config/telemetry.ts';
import { buildNumberOf } from '../../src/http/buildNumber.ts';
import { createGateway, createGatewayBudget, type GatewayOptions } from '../../src/http/gateway.ts';
import { createReplies } from '../../src/http/replies.ts';
import type { Services } from '../../src/http/services.ts';
import type { Bounds, Budget } from '../../src/http/transport/budget.ts';
import { trustOf } from '../../src/http/transport/clientAddress.ts';
import { operatorHashOf } from '../../src/merchants/authenticate.ts';
import type { Directory } from '../../src/merchants/directory.ts';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import type { EntityRow, TokenRow } from '../../src/merchants/ports.ts';
import { sandboxRows } from '../../src/merchants/sandbox.ts';
import type { Timers, World } from '../../src/payments/ports.ts';
import { sweep } from '../../src/payments/sweep.ts';
import type { Lookups } from '../../src/risk/ports.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Replica } from '../../src/store/replica.ts';
import type { Store } from '../../src/store/store.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import type { PasswordCost } from '../../src/users/passwordRules.ts';
import { localMaster } from '../../src/vault/masterKey.ts';
import { attendedStepsMs, attendedTimers } from '../attended.ts';
import { tinyBuild } from './tinyBuild.ts';

export type TestGatewayOptions = {
  readonly environment?: 'test' | 'live';
  readonly store?: Store;
  /** Where the back office reads lists. */
  readonly replica?: Replica;
  /** Merchants and tokens beside those of the sandbox. */
  readonly rows?: { readonly entities: readonly EntityRow[]; readonly tokens: readonly TokenRow[] };
  readonly limits?: GatewayOptions['limits'];
  readonly bounds?: Partial<Bounds>;
  /** Requires TLS, as in live. */
  readonly isTlsOnly?: boolean;
  readonly tls?: GatewayOptions['tls'];
  /** Which senders may post results of authentications; left out: all. */
  readonly resultsAccess?: Services['resultsAccess'];
  readonly trustProxy?: boolean | readonly string[];
  /** The longest wait for an acquirer: a lost reply would cost a test half a minute. */
  readonly patienceMs?: number;
  /** Instead of that: how long a wait of so many milliseconds is here. */
  readonly waitOf?: (ms: number) => number;
  /** How long a payment may wait until a request that books it has left. Left out: longer than a busy machine takes. */
  readonly unsentMs?: number;
  /** False: it listens, and `open` is not called yet. */
  readonly isOpen?: boolean;
  /** The build of the widget that this node serves. */
  readonly build?: Build;
  /** What the check of the widget's files finds on disk; left out: the build itself. */
  readonly reloadWidget?: () => Promise<Build>;
  readonly nodeName?: string;
  readonly publicUrl?: string;
  readonly operatorToken?: string;
  readonly webhookReach?: 'loopback' | 'public';
  readonly dataDir?: string;
  readonly settlementBytesMax?: number;
  readonly deliveryDir?: string;
  /** Hosts of this machine that connectors may reach in live. */
  readonly connectorHosts?: readonly string[];
  /** True: only `pass` moves the clock, so that a limit in time does not depend on how busy the machine is. */
  readonly isClockHeld?: boolean;
  /** True: the clock shows the time that this process has run, as its timers do: a busy machine does not make anything late. */
  readonly isClockAttended?: boolean;
  /** Where a held clock begins; now when left out. */
  readonly beginsAt?: number;
  /** Default: next to nothing, because most tests only need that a password matches. */
  readonly passwordCost?: PasswordCost;
  /** Left out: that of all tests. */
  readonly masterKey?: Uint8Array;
  /** Tables of BINs and networks; left out: none. */
  readonly lookups?: Lookups;
  /** Left out: those of the registry. */
  readonly connectorKinds?: AppOptions['connectorKinds'];
  /** Left out: those of the system's randomness. */
  readonly createIds?: AppOptions['createIds'];
  /** True: the log has no lines about requests, for a test that sends thousands and reads none. */
  readonly isQuiet?: boolean;
  /** Traces go to this collector; left out: there are none. */
  readonly telemetry?: TelemetrySettings;
  /** The pauses of connectors. */
  readonly sleep?: (ms: number) => Promise<void>;
};

export type TestGateway = {
  readonly url: string;
  readonly port: number;
  /** The origin of the back office. */
  readonly backOfficeUrl: string;
  readonly officePort: number;
  /** What the clients of both ports make the gateway hold. */
  readonly budget: Budget;
  readonly world: World;
  readonly directory: Directory;
  readonly services: Services;
  /** Every line of the log so far, at level info. */
  readonly lines: readonly string[];
  /** Moves the gateway's clock. */
  pass(ms: number): void;
  /** Its background jobs, and which of them it runs for all nodes. */
  readonly jobs: App['jobs'];
  readonly leases: App['leases'];
  /** Runs a background job, by its name. */
  work(name: string): Promise<void>;
  /** Moves the clock and sweeps until no payment is open any more. */
  settle(): Promise<void>;
  open(): void;
  close(): Promise<void>;
};

export const MASTER_KEY = Buffer.alloc(32, 7);
const CHEAP: PasswordCost = { memory: 8, passes: 1, parallelism: 1 };
const MINUTE_MS = 60_000;
/** Read once: to digest all sources costs as much as the rest of a start. */
const buildNumber = buildNumberOf(`${import.meta.dirname}/../../src`);
/** Enough for every payment to have been inquired as often as it will be. */
const SETTLE_ROUNDS_MAX = 500;

/** A whole gateway in this process, on a free port, with the simulator behind it and a clock that can be moved. */
export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  let aheadMs = 0;
  const begunAt = options.beginsAt ?? realClock.now();
  const { isClockHeld, isClockAttended } = options;
  const current = isClockAttended ? () => begunAt + attendedStepsMs() : realClock.now;
  const clock = { now: () => (isClockHeld ? begunAt : current()) + aheadMs };
  const lines: string[] = [];
  const log = createLog(options.isQuiet ? 'error' : 'info', { write: (line) => lines.push(line) }, Date.now);
  const store = options.store ?? createMemoryStore();
  const seed = sandboxRows(clock.now());
  await store.insertAccounts({
    entities: [...seed.entities, ...(options.rows?.entities ?? [])],
    tokens: [...seed.tokens, ...(options.rows?.tokens ?? [])],
  });
  const widget = options.build ?? tinyBuild('tiny');
  const { waitOf = (ms: number) => Math.min(ms, options.patienceMs ?? 500) } = options;
  const impatient: Timers = { within: (ms, promise) => attendedTimers.within(waitOf(ms), promise) };
  const metrics = createMetrics();
  const telemetry = createTelemetry(options.telemetry ?? null, { metrics, log, timers: attendedTimers });
  const tracer = telemetry?.tracer ?? null;
  const trust = trustOf(options.trustProxy ?? false);
  const replies = createReplies({ clock, ids: createIds(clock.now) }, buildNumber);
  const budget = createGatewayBudget({ metrics, trust, ...(options.bounds && { bounds: options.bounds }) });
  const shared: GatewayOptions = {
    replies,
    metrics,
    log,
    tracer,
    budget,
    tls: options.tls ?? null,
    ...(options.isTlsOnly && { tlsBy: trust }),
    ...(options.limits && { limits: options.limits }),
  };
  const gateway = createGateway(shared);
  const port = await gateway.listen(0, '127.0.0.1');
  const {
    world,
    services: built,
    jobs,
    leases,
    begin,
    stop,
  } = await createApp({
    environment: options.environment ?? 'test',
    store,
    masters: [localMaster(options.masterKey ?? MASTER_KEY)],
    clock,
    timers: impatient,
    unsentMs: options.unsentMs ?? MINUTE_MS,
    log,
    replies,
    metrics,
    tracer,
    trust,
    publicUrl: options.publicUrl ?? null,
    gatewayPort: port,
    widget,
    reloadWidget: options.reloadWidget ?? (async () => widget),
    nodeName: options.nodeName ?? 'test-1',
    passwordCost: options.passwordCost ?? CHEAP,
    ...(options.operatorToken !== undefined && { operatorHash: operatorHashOf(options.operatorToken) }),
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
    ...(options.connectorHosts && { connectorHosts: options.connectorHosts }),
    ...(options.deliveryDir !== undefined && { deliveryDir: options.deliveryDir }),
    ...(options.settlementBytesMax !== undefined && { settlementBytesMax: options.settlementBytesMax }),
    ...(options.replica && { replica: options.replica }),
    ...(options.lookups && { lookups: options.lookups }),
    ...(options.sleep && { sleep: options.sleep }),
    ...(options.createIds && { createIds: options.createIds }),
    ...(options.connectorKinds && { connectorKinds: options.connectorKinds }),
    ...(options.webhookReach && { webhookReach: options.webhookReach }),
  }).catch(async (error) => {
    await gateway.stop();
    throw error;
  });
  await begin();
  const { directory } = built;
  const services: Services = {
    ...built,
    users: { ...built.users, gatewayPort: port },
    ...(options.resultsAccess && { resultsAccess: options.resultsAccess }),
  };
  if (options.isOpen !== false) gateway.open(services);
  const office = createGateway({ ...shared, side: 'backOffice' });
  const officePort = await office.listen(0, '127.0.0.1');
  office.open(services);
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    backOfficeUrl: `${options.tls ? 'https' : 'http'}://127.0.0.1:${officePort}`,
    officePort,
    budget,
    world,
    directory,
    services,
    jobs,
    leases,
    lines,
    pass: (ms) => {
      aheadMs += ms;
    },
    work: async (name) => {
      const job = jobs.find((one) => one.name === name);
      if (!job) throw new Error(`there is no job to ${name}`);
      await job.run(new AbortController().signal);
    },
    settle: async () => {
      for (let round = 0, quiet = 0; round < SETTLE_ROUNDS_MAX && quiet < 60; round += 1) {
        aheadMs += MINUTE_MS;
        quiet = (await sweep(world, { limit: 1_000, merchants: allMerchants })).looked === 0 ? quiet + 1 : 0;
      }
    },
    open: () => gateway.open(services),
    close: async () => {
      await Promise.all([gateway.stop(), office.stop(), stop()]);
      await telemetry?.stop();
      await store.close();
    },
  };
}
