import { inspect } from 'node:util';
import { loadWidget } from '../assets/assets.ts';
import { type Config, configOf, thisMachine } from '../config.ts';
import { buildNumberOf } from '../http/server/buildNumber.ts';
import { trustOf } from '../http/server/clientAddress.ts';
import { createLog, type Log, standardOutput } from '../http/server/log.ts';
import { createMetrics } from '../http/server/metrics.ts';
import { createReplies } from '../http/server/replies.ts';
import { createGateway, type Gateway, processConnections, type ServeOptions } from '../http/server/server.ts';
import type { Services } from '../http/services.ts';
import { BrokenDirectory } from '../merchants/directory.ts';
import { holdsSandbox, sandboxRows } from '../merchants/sandbox.ts';
import { troubleIn } from '../store/errors.ts';
import { openPostgresStore } from '../store/postgres/postgresStore.ts';
import { folderFault } from '../store/sqlite/file.ts';
import { openSqliteStore } from '../store/sqlite/sqliteStore.ts';
import type { Store } from '../store/store.ts';
import { boundedStore } from '../store/tables/bounded.ts';
import { openBreachedList } from '../users/breachedList.ts';
import { firstInvitation } from '../users/invitations.ts';
import { localMaster, WrongMasterKey } from '../vault/masterKey.ts';
import { type Job, type Loop, startLoop } from '../workers/loop.ts';
import { createApp } from './app.ts';
import { backtestAside } from './backtest/backtestInBackground.ts';
import { banner } from './banner.ts';
import { createCrash } from './crashHandler.ts';
import { type Stopping, shutDown } from './shutdown.ts';
import { storedMasterKey } from './storedMasterKey.ts';
import { clock, createIds, sleep, timers } from './system.ts';

/** Something the operator can mend: told in a line, without a trace. */
class OperatorError extends Error {}

/** How long the end waits for requests and jobs, and then for the store; what has not ended by then is left to the next process. */
const WORK_MS_MAX = 11_000;
const JOBS_MS_MAX = 10_500;
const STORE_MS_MAX = 2_000;

/** Answers the names of what had not ended in time. */
type Life = { stop(): Promise<readonly string[]> };

const out = standardOutput();
// Nobody to listen is no reason to stop: a closed pipe or a full disk behind either stream is not our error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const tell = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`${line}\n`);

const openStore = (config: Config): Promise<Store> =>
  config.databaseUrl === null ? openSqliteStore({ dataDir: config.dataDir }) : openPostgresStore({ url: config.databaseUrl });

/** The sandbox belongs into every test environment and into no live one. */
async function settleSandbox(store: Store, config: Config): Promise<void> {
  if (config.environment === 'test') await store.insertAccounts(sandboxRows(clock.now()));
  else if (holdsSandbox({ entities: await store.entities(), tokens: await store.tokens() })) {
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

function ownMasterKey({ dataDir }: Config): Uint8Array {
  try {
    return storedMasterKey(dataDir);
  } catch (error) {
    throw 'code' in (error as Error) ? folderFault(dataDir, error) : new OperatorError(`DATA_DIR: ${(error as Error).message}`);
  }
}

/** People show no certificates of schemes. */
const tlsOfPages = ({ tls }: Config): Config['tls'] => tls && { cert: tls.cert, key: tls.key };

/** The port of the back office, where there is one. */
async function openOffice(options: ServeOptions, { host, backOfficePort }: Config): Promise<(Gateway & { port: number }) | null> {
  if (backOfficePort === null) return null;
  const office = createGateway({ ...options, side: 'backOffice' });
  const fault = (error: Error) => Promise.reject(listenFault(error, 'BACKOFFICE_PORT', { host, port: backOfficePort }));
  return { ...office, port: await office.listen(backOfficePort, host).catch(fault) };
}

/** The operator's own list of lost passwords, where there is one. */
const breachedList = async ({ breachedPasswordsFile: path }: Config) =>
  path === null
    ? undefined
    : openBreachedList(path).catch((error: Error) => {
        throw new OperatorError(`BREACHED_PASSWORDS_FILE: ${path} ${error.message}`);
      });

/** Nobody can be invited while nothing can be written. */
function nothingWritten(error: unknown): null {
  if (!isRefusal(error)) throw error;
  return null;
}

/** Where people come in; the link is for whoever is the first of them. */
const officeBanner = async (office: { readonly port: number } | null, { users }: Services) =>
  office && { port: office.port, firstToken: await firstInvitation(users.needs).catch(nothingWritten) };

/** How often something is tried that could not be written at the start. */
const LATER_MS = 1_000;

/**
 * Does what is to be written at the start, or gives the job that does it later: on a full disk or a standby, payments that are there can
 * still be read.
 */
async function sooner(log: Log, name: string, write: () => Promise<void>): Promise<readonly Job[]> {
  try {
    await write();
    return [];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn({ job: name, problem: troubleIn(error) }, 'the gateway starts for reading: nothing can be written now');
  }
  let isDone = false;
  const run = async () => {
    if (isDone) return;
    await write();
    isDone = true;
    log.warn({ job: name }, 'what could not be written at the start is written');
  };
  return [{ name, everyMs: LATER_MS, run }];
}

const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === 'StoreOutOfOrder';

/** Builds the house around the store and opens the door. Resolves when payments are taken. `serving` is told of what listens. */
async function open(config: Config, log: Log, serving: Gateway[]): Promise<Life> {
  const ids = createIds(clock.now);
  const replies = createReplies({ clock, ids }, buildNumberOf(import.meta.dirname));
  const metrics = createMetrics();
  const trust = trustOf(config.trustProxy);
  const shared = {
    ...{ replies, metrics, log },
    connections: processConnections(metrics, trust, { perAddress: config.connectionsPerAddressMax }),
    buffers: { bytes: 0 },
    tlsBy: config.environment === 'live' ? trust : undefined,
    limits: { connectionsMax: config.connectionsMax },
  };
  const gateway = createGateway({ ...shared, tls: config.tls });
  const port = await gateway
    .listen(config.port, config.host)
    .catch((error) => Promise.reject(listenFault(error, 'PORT', config)));
  const office = await openOffice({ ...shared, tls: tlsOfPages(config) }, config);
  serving.push(gateway, ...(office ? [office] : []));
  const masterKey = localMaster(config.masterKey ?? ownMasterKey(config));
  const store = boundedStore(await openStore(config), timers);
  const seeding = await sooner(log, 'enter the sandbox', () => settleSandbox(store, config));
  const { services, jobs, records, begin, stop } = await createApp({
    environment: config.environment,
    store,
    masters: [masterKey, ...config.previousMasterKeys.map((key) => localMaster(key))],
    clock,
    timers,
    log,
    replies,
    metrics,
    trust,
    publicUrl: config.publicUrl,
    gatewayPort: port,
    isBreached: await breachedList(config),
    widget: await loadWidget(),
    nodeName: config.nodeName,
    connections: config.threeDS,
    lookups: config.lookups,
    backtest: backtestAside,
    isAlone: config.databaseUrl === null,
    dataDir: config.dataDir,
    operatorHash: config.operatorHash,
    webhookReach: config.webhookReach,
    inspect: config.inspect,
    settlementDir: config.settlementDir,
    settlementBytesMax: config.settlementBytesMax,
  });
  const beginning = await sooner(log, 'write what is written at a start', begin);
  gateway.open(services);
  office?.open(services);
  const loop = startLoop([...jobs, ...seeding, ...beginning], { sleep, timers, records, log });
  for (const line of banner(config, port, { now: clock.now(), office: await officeBanner(office, services) })) tell(line);
  // Payments come first: the pages are made behind an open door, by another process.
  if (office) services.backOffice().catch((error) => log.error({ err: error }, 'the pages of the back office could not be made'));
  return { stop: () => shutDown(phasesOf({ gateway, office, loop, stop, store }), timers) };
}

type Running = {
  readonly gateway: Gateway;
  readonly office: Gateway | null;
  readonly loop: Loop;
  readonly store: Store;
  stop(): Promise<void>;
};

/** The order in which everything ends: the store last. */
function phasesOf({ gateway, office, loop, stop, store }: Running): readonly (readonly Stopping[])[] {
  const phase = (name: string, end: () => Promise<void> | undefined, ms = WORK_MS_MAX): Stopping => ({
    ...{ name, ms },
    stop: async () => {
      await end();
      return [];
    },
  });
  return [
    [
      phase('requests', gateway.stop),
      phase('requests of the back office', () => office?.stop()),
      { name: 'jobs', ms: WORK_MS_MAX, stop: () => loop.stop(JOBS_MS_MAX) },
      phase('what jobs have begun', stop),
    ],
    [phase('the database', store.close, STORE_MS_MAX)],
  ];
}

/** One Ctrl-C may arrive twice: from the terminal, and from whoever started us. */
const ECHO_MS = 1_000;

/** The first signal asks for an orderly end, a second one gets an end at once. */
function endOnSignals(life: Life, log: Log): void {
  let askedAt: number | null = null;
  const end = async () => {
    if (askedAt !== null && clock.now() - askedAt > ECHO_MS) process.exit(130);
    if (askedAt !== null) return;
    askedAt = clock.now();
    let code = 0;
    try {
      const left = await life.stop();
      // No answer was sent for what is cut off here, so nothing that was promised is lost.
      if (left.length > 0) log.warn({ left }, 'the end did not wait any longer: the next start goes on with what was left');
    } catch (error) {
      log.error({ err: error }, 'the end was not orderly');
      code = 1;
    }
    out.flushSync();
    process.exit(code);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

/** The whole life of the process: from its environment to its end. */
export async function start(): Promise<void> {
  const config = configOf(process.env, thisMachine);
  if ('length' in config) {
    for (const fault of config) complain(fault);
    process.exit(1);
  }
  const log = createLog(config.logLevel, out, clock.now);
  const serving: Gateway[] = [];
  const exit = (code: number): never => {
    out.flushSync();
    process.exit(code);
  };
  const stopServing = () => Promise.all(serving.map((gateway) => gateway.stop()));
  process.on('uncaughtException', createCrash({ log, timers, stopServing, exit }));
  try {
    endOnSignals(await open(config, log, serving), log);
  } catch (error) {
    // A trace is for us; an operator wants to know what to change.
    complain(error instanceof Error && isOperatorError(error) ? error.message : inspect(error));
    process.exit(1);
  }
}

const isOperatorError = (error: Error): boolean =>
  error instanceof OperatorError ||
  error instanceof BrokenDirectory ||
  error instanceof WrongMasterKey ||
  error.name === 'StoreOutOfOrder';
