import type { Config } from '../../config/config.ts';
import { SECOND_MS } from '../../spec/time.ts';
import { localMaster } from '../../vault/masterKey.ts';
import type { AppOptions } from '../options.ts';

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

/** The threads of a process that divide its bounds. Beside several request threads there is the main one, which they ask. */
export const sharersOf = (requestThreads: number): number => (requestThreads === 1 ? 1 : requestThreads + 1);

/** The share of the connections that each of them may open. */
export const poolShare = (requestThreads: number): { readonly poolMax: number; readonly queues: number } => ({
  poolMax: Math.max(CONNECTIONS_MIN, Math.floor(CONNECTIONS / sharersOf(requestThreads))),
  queues: Math.max(1, Math.floor(QUEUES / sharersOf(requestThreads))),
});
