import type { Build } from '../assets/asset.ts';
import type { Config } from '../config/config.ts';
import type { ConnectorKind } from '../connectors/kind.ts';
import type { PackCalls } from '../http/inspector/inspector.ts';
import type { Replies } from '../http/replies.ts';
import type { Services } from '../http/services.ts';
import type { TrustedProxies } from '../http/transport/clientAddress.ts';
import type { LocalThrottler } from '../merchants/throttle.ts';
import type { RunBacktest } from '../payments/backtest/run.ts';
import type { Ids, Timers, World } from '../payments/ports.ts';
import type { Lookups } from '../risk/ports.ts';
import type { RetentionDays } from '../spec/retention.ts';
import { type Clock, SECOND_MS } from '../spec/time.ts';
import type { Replica } from '../store/replica.ts';
import type { Store } from '../store/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import type { LiveConnections } from '../threeds/live/connection.ts';
import type { BreachedList } from '../users/breachedList.ts';
import type { PasswordCost } from '../users/passwordRules.ts';
import { localMaster, type MasterKey } from '../vault/masterKey.ts';

/** The options of `createApp`. Clock and timers are options, so that a test can pass its own. */
export type AppOptions = {
  readonly environment: 'test' | 'live';
  readonly store: Store;
  /** Where lists, searches and statistics of the back office are read; null: from the store. */
  readonly replica?: Replica | null;
  /** The master key that wraps new keys first, then older ones. */
  readonly masters: readonly [MasterKey, ...MasterKey[]];
  readonly clock: Clock;
  /** Makes ids. Default: from the system's randomness; only a test passes another. */
  readonly createIds?: (now: () => number) => Ids;
  readonly timers: Timers;
  readonly log: Log;
  readonly replies: Replies;
  readonly metrics: Metrics;
  readonly trust: TrustedProxies;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer | null | undefined;
  /** The cost of a password's hash. Default: the advice of OWASP; only a test passes another. */
  readonly passwordCost?: PasswordCost;
  /** The operator's list of breached passwords. */
  readonly isBreached?: BreachedList | undefined;
  /** The port of the API, for the back office. Default: the port of its own requests. */
  readonly gatewayPort?: number;
  /** The origin of the gateway for browsers. Default: the origin of each request. */
  readonly publicUrl?: string | null;
  /** The widget as this node serves it. */
  readonly widget: Build;
  /** Part of the ids of this node's checkouts. */
  readonly nodeName: string;
  /** The address at which other nodes reach this one; null: none. */
  readonly peerUrl?: string | null;
  /** Connections to the schemes' directory servers; null: no 3-D Secure in live. */
  readonly connections?: LiveConnections | null;
  /** Lookups of card ranges and IP addresses. */
  readonly lookups?: Lookups;
  /** Runs back-tests in other threads. Default: in this thread. */
  readonly backtest?: RunBacktest;
  /** No other process takes payments into the store. */
  readonly isAlone?: boolean;
  /** False in request threads that have a main thread, which has the shared state. */
  readonly isMain?: boolean;
  /** The threads that divide the bounds of the process. Default: one. */
  readonly threads?: number;
  /** Replaces parts of the World that threads share. */
  readonly adaptWorld?: (own: World) => World;
  /** The rate limits. Default: in the memory of this thread. */
  readonly throttler?: LocalThrottler;
  /** The figures of the other request threads. */
  readonly threadFigures?: Services['threadFigures'];
  /** Called after the directory was reloaded: other threads follow. */
  readonly onReloaded?: () => Promise<void>;
  /** Called after inspected requests were written: other threads write theirs. */
  readonly onFlushed?: () => Promise<void>;
  /** Called when the first merchant sets a test clock, and when the last one gives it up. */
  readonly onTestClocks?: (hasAny: boolean) => void;
  /** Reads the files of the widget again, for the check of the served files. Default: from the package or the sources. */
  readonly reloadWidget?: () => Promise<Build>;
  /** The folder of files that this node may lose. */
  readonly dataDir?: string;
  /** The folder in which acquirers' files arrive; null: none. */
  readonly settlementDir?: string | null;
  /** The size limit of a settlement file. Default: 512 MiB. */
  readonly settlementBytesMax?: number;
  /** The folder in which accounts put files for banks; null: none. */
  readonly deliveryDir?: string | null;
  /** SHA-256 of the operator's token; null: no operator access. */
  readonly operatorHash?: Uint8Array | null;
  /** Retention of inspected requests, per merchant; null: none. The default depends on the environment. */
  readonly inspect?: { readonly days: number; readonly callsMax: number } | null;
  /** How many days data are kept. */
  readonly retention?: RetentionDays;
  /** Masks inspected requests in another thread. Default: in this thread. */
  readonly packCalls?: PackCalls;
  /** The servers that webhooks may be on: `loopback` includes this machine. The default depends on the environment. */
  readonly webhookReach?: 'loopback' | 'public';
  /** The pauses of connectors between tries. Default: the system's; a test need not wait. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** The connectors of this gateway. Default: the registry's; a test passes its own. */
  readonly connectorKinds?: ReadonlyMap<string, ConnectorKind>;
  /** Hosts inside the operator's network that connectors may reach, with or without a port. */
  readonly connectorHosts?: readonly string[];
  /** How long a payment may wait until a request that can book it has left. Default: that of the setting. */
  readonly unsentMs?: number;
};

/** The servers that the gateway calls by itself. In the test environment this includes this machine, unless the operator forbids it. */
export const outboundReach = ({ environment, webhookReach }: AppOptions): 'loopback' | 'public' =>
  webhookReach ?? (environment === 'test' ? 'loopback' : 'public');

type Configured =
  | 'environment'
  | 'masters'
  | 'publicUrl'
  | 'nodeName'
  | 'peerUrl'
  | 'connections'
  | 'lookups'
  | 'isAlone'
  | 'dataDir'
  | 'operatorHash'
  | 'webhookReach'
  | 'inspect'
  | 'retention'
  | 'settlementDir'
  | 'deliveryDir'
  | 'settlementBytesMax'
  | 'connectorHosts'
  | 'unsentMs'
  | 'threads';

/** The options of the app that the operator's settings decide, the same in every thread. */
export const configured = (config: Config, masterKey: Uint8Array): Pick<AppOptions, Configured> => ({
  environment: config.environment,
  masters: [localMaster(masterKey), ...config.previousMasterKeys.map((key) => localMaster(key))],
  publicUrl: config.publicUrl,
  nodeName: config.nodeName,
  peerUrl: config.peerUrl,
  connections: config.threeDS,
  lookups: config.lookups,
  isAlone: config.databaseUrl === null,
  dataDir: config.dataDir,
  operatorHash: config.operatorHash,
  webhookReach: config.webhookReach,
  inspect: config.inspect,
  retention: config.retention,
  settlementDir: config.settlementDir,
  deliveryDir: config.deliveryDir,
  settlementBytesMax: config.settlementBytesMax,
  connectorHosts: config.connectorHosts,
  unsentMs: config.unsentSeconds * SECOND_MS,
  threads: sharersOf(config.threads),
});

/** Connections of one node to PostgreSQL, and concurrent statements of commits. */
const CONNECTIONS = 8;
const QUEUES = 2;
/** One for commits and one for everything else. */
const CONNECTIONS_MIN = 2;

/** The threads of a process that divide its bounds. Several request threads share a main thread, which they ask. */
export const sharersOf = (requestThreads: number): number => (requestThreads === 1 ? 1 : requestThreads + 1);

/** The share of the connections that each of them may open. */
export const poolShare = (requestThreads: number): { readonly poolMax: number; readonly queues: number } => ({
  poolMax: Math.max(CONNECTIONS_MIN, Math.floor(CONNECTIONS / sharersOf(requestThreads))),
  queues: Math.max(1, Math.floor(QUEUES / sharersOf(requestThreads))),
});
