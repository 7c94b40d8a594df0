import { join } from 'node:path';
import { inspect } from 'node:util';
import { loadWidget } from '../assets/assets.ts';
import { withBrandImages } from '../assets/files.ts';
import { type Config, configOf } from '../config/config.ts';
import { recordMachine, thisMachine } from '../config/machine.ts';
import { doubtfulNames } from '../config/settings.ts';
import { storedMasterKey } from '../config/storedMasterKey.ts';
import { buildNumberOf } from '../http/buildNumber.ts';
import { createGateway, createGatewayBudget, type Gateway, type GatewayOptions } from '../http/gateway.ts';
import { createReplies } from '../http/replies.ts';
import type { Services } from '../http/services.ts';
import { trustOf } from '../http/transport/clientAddress.ts';
import { probePort } from '../http/transport/server.ts';
import type { Unreadable } from '../ledger/ports.ts';
import { holdsSandbox, sandboxKeys, sandboxRows } from '../merchants/sandbox.ts';
import { StoreOutOfOrder } from '../payments/storeErrors.ts';
import { boundedStore } from '../store/bounded.ts';
import { describeStoreError } from '../store/errors.ts';
import { createReplica, type Replica } from '../store/replica.ts';
import { unreadableRecords } from '../store/sqlite/audit.ts';
import { folderFault, pathOf } from '../store/sqlite/file.ts';
import { openSqliteStore, type SqliteStore } from '../store/sqlite/sqliteStore.ts';
import type { Store } from '../store/store.ts';
import { createLog, type Log, standardOutput } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { openBreachedList } from '../users/breachedList.ts';
import { firstInvitation } from '../users/invitations.ts';
import { localMasters } from '../vault/masterKey.ts';
import { systemRandom } from '../vault/randomBytes.ts';
import { readVersion } from '../version.ts';
import { createQuiet, type Job, startLoop } from '../workers/loop.ts';
import { createApp } from './app.ts';
import { backtestInBackground } from './backtest/backtest.ts';
import { createBackupJob } from './backup/backupJob.ts';
import { createCallPacker } from './inspector/callPacker.ts';
import { openPeers } from './nodes/handover.ts';
import { isOperatorError, OperatorError } from './operatorError.ts';
import { configured, poolShare, sharersOf } from './options.ts';
import { banner } from './process/banner.ts';
import { createCrashHandler, endInOrder } from './process/shutdown.ts';
import { createTelemetry } from './process/telemetry.ts';
import { clock, createIds, elapsed, sleep, timers } from './system.ts';
import { adaptMainWorld } from './threads/mainThread.ts';
import { attachSharedMemory, createSharedMemory, type SharedState } from './threads/sharedMemory.ts';
import { type RequestThreads, startThreads } from './threads/startThreads.ts';

const TICKET_BYTES = 48;

/** `stop` returns the names of the parts that did not end in time. */
type Running = { stop(): Promise<readonly string[]> };

const out = standardOutput();
// A closed pipe or a full disk behind either stream is no reason to stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const print = (line: string) => process.stdout.write(`${line}\n`);
const printError = (line: string) => process.stderr.write(`${line}\n`);

/**
 * The store of this thread, how others join it where they do not open their own, and where the back office reads lists; null:
 * from the store. The replica is connected by the first of them.
 */
type OpenedStore = {
  readonly store: Store;
  readonly shareWriter: SqliteStore['shareWriter'];
  readonly replica: Replica | null;
};

async function openStore(config: Config, log: Log): Promise<OpenedStore> {
  const replicated = config.replica;
  if (config.databaseUrl !== null) {
    // Loaded where there is one: its driver takes memory.
    const { openPostgresStore } = await import('../store/postgres/postgresStore.ts');
    const store = boundedStore(await openPostgresStore({ url: config.databaseUrl, ...poolShare(config.threads) }), timers);
    const shareWriter = () => Promise.reject(new Error('there is no writer to share'));
    if (replicated === null) return { store, shareWriter, replica: null };
    const { openReplica } = await import('../store/postgres/postgresStore.ts');
    const source = openReplica(replicated.url, config.databaseUrl);
    const replica = createReplica(store, source, { now: elapsed, lagMsMax: replicated.lagMsMax, log });
    const close = async () => void (await Promise.all([store.close(), source.close()]));
    return { store: { ...store, close }, shareWriter, replica };
  }
  if (replicated !== null) throw new OperatorError('DATABASE_REPLICA_URL: needs DATABASE_URL, whose standby it is');
  const store = await openSqliteStore({ dataDir: config.dataDir });
  reportUnreadable(unreadableRecords(pathOf(config), store.isFrozen), log);
  return { store: boundedStore(store, timers), shareWriter: store.shareWriter, replica: null };
}

const REPORTED_MAX = 20;

/** A damaged record stops nothing but itself; the operator hears of it before a merchant does. */
function reportUnreadable(records: readonly Unreadable[], log: Log): void {
  const advice = 'npx turnpike verify names every damaged record';
  for (const { merchantId, id, says } of records.slice(0, REPORTED_MAX))
    log.error({ alarm: true, merchantId, recordId: id, records: records.length }, `${says}; ${advice}`);
}

function createTicketKeys(): Uint8Array {
  const keys = new Uint8Array(TICKET_BYTES);
  systemRandom(keys);
  return keys;
}

/** Adds the sandbox to a test environment. Live refuses a database that contains it. */
async function prepareSandbox(store: Store, config: Config): Promise<void> {
  if (config.environment === 'test') await store.insertAccounts(sandboxRows(clock.now()));
  else if (
    holdsSandbox({
      entities: await store.lineages(sandboxKeys.entityIds),
      tokens: await store.tokensOfUsers(sandboxKeys.userIds),
    })
  ) {
    throw new OperatorError('ENVIRONMENT: live does not start on a database that holds the public credentials of the sandbox');
  }
}

function listenFault(error: NodeJS.ErrnoException, name: string, { host, port }: Pick<Config, 'host' | 'port'>): Error {
  if (error.code === 'EADDRINUSE')
    return new OperatorError(`${name}: ${port} on ${host} is in use by another program; choose another one`);
  if (error.code === 'EACCES') return new OperatorError(`${name}: this user may not listen on ${port}`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new OperatorError(`HOST: ${host} is no address of this machine`);
  return error;
}

/** The memory budget of connections is divided among the threads. */
const budgetOptionsOf = ({ connectionsPerAddressMax, threads }: Config) => ({
  bounds: { perAddress: connectionsPerAddressMax },
  sharers: sharersOf(threads),
});

/** Listens on the port of the API, and resolves with it. */
async function listenForRequests(gateway: Gateway, config: Config): Promise<number> {
  const isShared = config.threads > 1;
  if (isShared) await assertFree(config);
  return gateway.listen(config.port, config.host, isShared).catch((error) => Promise.reject(listenFault(error, 'PORT', config)));
}

/** Where ports are shared, the system would let another gateway of the same user listen too. */
async function assertFree(config: Config): Promise<void> {
  if (config.port === 0) return;
  await probePort(config.port, config.host).catch((error) => Promise.reject(listenFault(error, 'PORT', config)));
}

function ownMasterKey({ dataDir }: Config): Uint8Array {
  try {
    return storedMasterKey(dataDir);
  } catch (error) {
    throw 'code' in (error as Error) ? folderFault(dataDir, error) : new OperatorError(`DATA_DIR: ${(error as Error).message}`);
  }
}

/** The back office asks for no client certificates. */
const backOfficeTls = ({ tls }: Config): Config['tls'] => tls && { cert: tls.cert, key: tls.key };

const peerFault = (error: Error, { host, peerUrl }: Config): Error =>
  listenFault(error, 'PEER_URL', { host, port: Number(URL.parse(peerUrl ?? '')?.port) });

/** Listens on the port of the back office, where there is one. */
async function listenBackOffice(
  options: GatewayOptions,
  { host, backOfficePort }: Config,
): Promise<(Gateway & { port: number }) | null> {
  if (backOfficePort === null) return null;
  const office = createGateway({ ...options, side: 'backOffice' });
  const fault = (error: Error) => Promise.reject(listenFault(error, 'BACKOFFICE_PORT', { host, port: backOfficePort }));
  return { ...office, port: await office.listen(backOfficePort, host).catch(fault) };
}

/** The operator's list of breached passwords, where there is one. */
const breachedList = async ({ breachedPasswordsFile: path }: Config) =>
  path === null
    ? undefined
    : openBreachedList(path).catch((error: Error) => {
        throw new OperatorError(`BREACHED_PASSWORDS_FILE: ${path} ${error.message}`);
      });

/** The widget, with the operator's own images of brands where there are any. */
async function widgetFiles({ brandImagesDir: folder }: Config) {
  const build = await loadWidget();
  if (folder === null) return build;
  return withBrandImages(build, folder).catch((error: Error) => {
    throw new OperatorError(`BRAND_IMAGES_DIR: ${error.message}`);
  });
}

/** No invitation can be created while the store cannot write. */
function withoutInvitation(error: unknown): null {
  if (!(error instanceof StoreOutOfOrder)) throw error;
  return null;
}

/** The port of the back office, and the invitation of its first administrator. */
const officeBanner = async (office: { readonly port: number } | null, { users }: Services) =>
  office && { port: office.port, firstToken: await firstInvitation(users.needs).catch(withoutInvitation) };

/** The interval of retries of writes that failed at the start. */
const RETRY_MS = 1_000;

/**
 * Runs a write of the start, or returns a job that retries it: on a full disk or a standby, existing payments can still be read.
 */
async function writeOrRetry(log: Log, name: string, write: () => Promise<void>): Promise<readonly Job[]> {
  try {
    await write();
    return [];
  } catch (error) {
    if (!(error instanceof StoreOutOfOrder)) throw error;
    log.warn({ job: name, problem: describeStoreError(error) }, 'the gateway starts for reading: nothing can be written now');
  }
  let isDone = false;
  const run = async () => {
    if (isDone) return;
    await write();
    isDone = true;
    log.warn({ job: name }, 'what could not be written at the start is written');
  };
  return [{ name, everyMs: RETRY_MS, run }];
}

/** The state that the threads of a process share, as options of the main one. */
const sharedOptions = (threads: RequestThreads, state: SharedState) => ({
  adaptWorld: adaptMainWorld(threads.drain),
  threadFigures: threads.figures,
  onReloaded: threads.reload,
  onFlushed: threads.flush,
  onTestClocks: state.setTestClocks,
  throttler: state.throttler(clock),
});

/** The input of a start. `serving`: everything that takes requests, to be stopped after an uncaught error. */
type Starting = {
  readonly config: Config;
  readonly texts: ReadonlyMap<string, string>;
  readonly log: Log;
  readonly serving: Pick<Gateway, 'stop'>[];
  readonly crash: (error: unknown) => void;
};

const time = { clock, timers };

/** Opens the store, creates the app and serves requests. Resolves when payments can be taken. */
async function open({ config, texts, log, serving, crash }: Starting): Promise<Running> {
  const buildNumber = buildNumberOf(join(import.meta.dirname, '..'));
  const replies = createReplies({ clock, ids: createIds(clock.now) }, buildNumber);
  const isShared = config.threads > 1;
  const memory = createSharedMemory();
  const state = attachSharedMemory(memory);
  const metrics = createMetrics(readVersion());
  const telemetry = createTelemetry(config.telemetry, { metrics, log, timers });
  const tracer = telemetry?.tracer ?? null;
  const trust = trustOf(config.trustProxy);
  const quiet = createQuiet({ now: elapsed, sleep });
  const base = { replies, metrics, log, tracer };
  const shared = {
    ...base,
    onRequest: quiet.noteRequest,
    budget: createGatewayBudget({ ...budgetOptionsOf(config), metrics, trust, networks: isShared ? state.networks : undefined }),
    tlsBy: config.environment === 'live' ? trust : undefined,
    limits: { connectionsMax: config.connectionsMax },
  };
  const ticketKeys = createTicketKeys();
  const tls = config.tls && { ...config.tls, ticketKeys };
  const gateway = createGateway({ ...shared, tls, ...(isShared && { count: state.connections(config.connectionsMax) }) });
  const port = await listenForRequests(gateway, config);
  const office = await listenBackOffice({ ...shared, tls: backOfficeTls(config) }, config);
  const threads = startThreads({ count: isShared ? config.threads : 0, timers, log, crash });
  serving.push(gateway, ...(office ? [office] : []), threads);
  const masterKey = config.masterKey ?? ownMasterKey(config);
  const { shareWriter, ...opened } = await openStore(config, log);
  const { store } = opened;
  const seeding = await writeOrRetry(log, 'insert sandbox', () => prepareSandbox(store, config));
  const widget = await widgetFiles(config);
  const packCalls = createCallPacker();
  const { world, services, jobs, records, leases, begin, stop } = await createApp({
    ...configured(config, masterKey),
    ...base,
    ...time,
    ...opened,
    trust,
    gatewayPort: port,
    isBreached: await breachedList(config),
    widget,
    backtest: backtestInBackground,
    packCalls,
    ...(isShared && sharedOptions(threads, state)),
  });
  const beginning = await writeOrRetry(log, 'write start entries', begin);
  const noteRequest = quiet.noteRequest;
  await threads.listen(
    { host: config.host, port, memory, masterKey, ticketKeys, buildNumber, widget, texts },
    { world, services, log, crash, packCalls, shareWriter, noteRequest, writeLines: out.write },
  );
  await threads.open();
  gateway.open(services);
  if (isShared) gateway.leavePort();
  office?.open(services);
  const masters = localMasters(masterKey, config.previousMasterKeys);
  const peers = await openPeers({ config, store, masters, world, log }).catch((error) =>
    Promise.reject(peerFault(error, config)),
  );
  const backups = createBackupJob({ store, masters, clock, metrics, config });
  const loop = startLoop([...jobs, ...seeding, ...beginning, backups], { ...quiet, timers, records, leases, log });
  const missing = await services.health.missing();
  const facts = { version: readVersion(), now: clock.now(), office: await officeBanner(office, services), missing };
  for (const line of banner(config, port, facts)) print(line);
  // Payments come first: another process builds the pages while requests are served.
  if (office)
    services.backOffice().catch((error) => log.error({ err: error }, 'the pages of the back office could not be built'));
  return { stop: () => endInOrder({ gateway, office, threads, peers, loop, stop, store, telemetry }, config.drainSeconds) };
}

/** One Ctrl-C may arrive twice: from the terminal, and from the supervisor. */
const ECHO_MS = 1_000;

/** The first signal starts an orderly shutdown; a second one exits immediately. */
function stopOnSignals(running: Running, log: Log): void {
  let askedAt: number | null = null;
  const end = async () => {
    if (askedAt !== null && clock.now() - askedAt > ECHO_MS) process.exit(130);
    if (askedAt !== null) return;
    askedAt = clock.now();
    let code = 0;
    try {
      const left = await running.stop();
      // Requests that are cut off here had no reply, so nothing acknowledged is lost.
      if (left.length > 0) log.warn({ left }, 'the shutdown stopped waiting: the next start continues what was left');
    } catch (error) {
      log.error({ err: error }, 'the shutdown failed');
      code = 1;
    }
    out.flushSync();
    process.exit(code);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

/** Runs the gateway, from its configuration to its shutdown. */
export async function start(): Promise<void> {
  const { machine, texts } = recordMachine(thisMachine);
  const config = configOf(process.env, machine);
  if ('length' in config) {
    for (const fault of config) printError(fault);
    process.exit(1);
  }
  const log = createLog(config.logLevel, out, clock.now);
  const names = doubtfulNames(process.env);
  if (names.length > 0) log.info({ names }, 'environment variables begin like settings and are none');
  const serving: Pick<Gateway, 'stop'>[] = [];
  const exit = (code: number): never => {
    out.flushSync();
    process.exit(code);
  };
  const stopServing = () => Promise.all(serving.map((gateway) => gateway.stop()));
  const crash = createCrashHandler({ log, timers, stopServing, exit });
  process.on('uncaughtException', crash);
  try {
    stopOnSignals(await open({ config, texts, log, serving, crash }), log);
  } catch (error) {
    printError(isOperatorError(error) ? error.message : inspect(error));
    process.exit(1);
  }
}
