import { workerData } from 'node:worker_threads';
import { type Config, configOf } from '../../config/config.ts';
import { replayMachine, thisMachine } from '../../config/machine.ts';
import { anyThread, forwardedRequest, replyFrom } from '../../http/forwarded.ts';
import { createGateway, createGatewayBudget, type GatewayOptions, handleRequest } from '../../http/gateway.ts';
import { createReplies } from '../../http/replies.ts';
import type { Request } from '../../http/request.ts';
import { trustOf } from '../../http/transport/clientAddress.ts';
import type { Reply } from '../../http/transport/reply.ts';
import { boundedStore } from '../../store/bounded.ts';
import { joinSqliteStore } from '../../store/sqlite/sqliteStore.ts';
import type { Store } from '../../store/store.ts';
import { createLog, type LogOutput } from '../../telemetry/log.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { sentCall } from '../../telemetry/tracer.ts';
import { readVersion } from '../../version.ts';
import { startLoop } from '../../workers/loop.ts';
import { createApp } from '../app.ts';
import { configured, poolShare, sharersOf } from '../options.ts';
import { createTelemetry } from '../process/telemetry.ts';
import { clock, createIds, elapsed, sleep, timers } from '../system.ts';
import type { MainCalls, ThreadCalls, ThreadData, ThreadStart } from './calls.ts';
import { createLink, type Link } from './link.ts';
import { attachSharedMemory, type SharedState } from './sharedMemory.ts';
import { adaptThreadWorld } from './threadWorld.ts';

/** A request thread: it listens on the port of the API, which the main thread then leaves, and shares the store. */

/** The calls that the main thread may make once this one listens. */
type ListeningCalls = Omit<ThreadCalls, 'listen'>;

let listening: ListeningCalls | null = null;
/** Before that there is nothing to reload, to write or to count. */
const idle: ListeningCalls = {
  reload: async () => {},
  flush: async () => {},
  figures: () => [],
  open: () => {},
  announceStop: () => {},
  stop: async () => {},
};
const current = (): ListeningCalls => listening ?? idle;
const main: Link<MainCalls> = createLink<MainCalls>((workerData as ThreadStart).link, {
  async listen(data) {
    const config = configOf(process.env, replayMachine(thisMachine, data.texts));
    if ('length' in config) throw new Error(config.join('\n'));
    listening = await listen(config, data);
  },
  reload: () => current().reload(null),
  flush: () => current().flush(null),
  figures: () => current().figures(null),
  open: () => current().open(null),
  announceStop: () => current().announceStop(null),
  stop: () => current().stop(null),
} satisfies ThreadCalls);

const output = createThreadOutput({ post: (lines) => main.post('log', lines), sleep });

/** The jobs that keep the state of a thread. All others run once, in the main thread. */
const ownJobs: ReadonlySet<string> = new Set([
  'share rate limits',
  'reload vault keys',
  'follow directory changes',
  'record token uses',
  'delete old inspected requests',
]);
/** How often the main thread learns at most that requests come in. */
const NOTE_MS = 200;
const JOBS_MS_MAX = 1_000;
/** How long the last spans may take. */
const STOP_MS_MAX = 2_000;

async function openStore({ databaseUrl, dataDir, threads }: Config): Promise<Store> {
  if (databaseUrl === null) return joinSqliteStore({ dataDir }, () => main.ask('writerPort', null));
  const { openPostgresStore } = await import('../../store/postgres/postgresStore.ts');
  return openPostgresStore({ url: databaseUrl, ...poolShare(threads) });
}

/** Passes a request on to the main thread. */
async function forward(request: Request): Promise<Reply> {
  const stream = request.file ? main.offer(request.file) : null;
  try {
    const reply = await main.ask('request', { ...forwardedRequest(request, stream), call: sentCall() });
    return replyFrom(reply, reply.stream === null ? undefined : main.pieces(reply.stream));
  } finally {
    if (stream !== null) main.withdraw(stream);
  }
}

/** Answers a request here, or passes it on. */
const createHandle =
  ({ hasTestClocks }: SharedState): NonNullable<GatewayOptions['handle']> =>
  (services, request, log) =>
    anyThread.has(request.endpoint) && !hasTestClocks() ? handleRequest(services, request, log) : forward(request);

function createRequestNotes(): () => void {
  let notedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = elapsed();
    if (now - notedAt < NOTE_MS) return;
    notedAt = now;
    main.post('noteRequest', null);
  };
}

async function listen(config: Config, data: ThreadData): Promise<ListeningCalls> {
  const { threads } = config;
  const shared = attachSharedMemory(data.memory);
  const log = createLog(config.logLevel, output, clock.now);
  const replies = createReplies({ clock, ids: createIds(clock.now) }, data.buildNumber);
  const metrics = createMetrics(readVersion());
  const telemetry = createTelemetry(config.telemetry, { metrics, log, timers });
  const tracer = telemetry?.tracer ?? null;
  const trust = trustOf(config.trustProxy);
  const store = boundedStore(await openStore(config), timers);
  const app = await createApp({
    ...configured(config, data.masterKey),
    store,
    clock,
    timers,
    log,
    replies,
    metrics,
    tracer,
    trust,
    gatewayPort: data.port,
    widget: data.widget,
    isMain: false,
    packCalls: async (calls) => main.ask('packCalls', calls),
    throttler: shared.throttler(clock),
    adaptWorld: adaptThreadWorld(main, config.environment),
  });
  const gateway = createGateway({
    replies,
    metrics,
    log,
    tracer,
    tls: config.tls && { ...config.tls, ticketKeys: data.ticketKeys },
    onRequest: createRequestNotes(),
    budget: createGatewayBudget({
      metrics,
      trust,
      bounds: { perAddress: config.connectionsPerAddressMax },
      networks: shared.networks,
      sharers: sharersOf(threads),
    }),
    tlsBy: config.environment === 'live' ? trust : undefined,
    limits: { connectionsMax: config.connectionsMax },
    count: shared.connections(config.connectionsMax),
    handle: createHandle(shared),
  });
  await gateway.listen(data.port, data.host, true);
  const { services, records } = app;
  const jobs = app.jobs.filter(({ name }) => ownJobs.has(name));
  const loop = startLoop(jobs, { sleep, timers, records, log });
  const flush = async () => void (await services.developer.inspector?.flush());
  return {
    reload: () => services.directory.reload(),
    flush,
    figures: () => metrics.figures(),
    open: () => gateway.open(services),
    announceStop: () => gateway.announceStop(),
    async stop() {
      await Promise.all([gateway.stop(), loop.stop(JOBS_MS_MAX)]);
      // Inspected requests may be lost with a database that is unavailable.
      await flush().catch(() => {});
      await store.close();
      await timers.within(STOP_MS_MAX, telemetry?.stop() ?? Promise.resolve()).catch(() => {});
      output.flush();
    },
  };
}

process.on('uncaughtException', (error: unknown) => {
  output.flush();
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  main.post('crash', { name, message, stack });
});

/** Lines leave together: a message for each would cost more than the line. */
const FLUSH_MS = 100;
const BUFFER_CHARACTERS = 4_096;

type OutputNeeds = { readonly post: (lines: string) => void; readonly sleep: (ms: number) => Promise<void> };

/** The log of a request thread: the main thread writes its lines, so that each stays whole. */
export function createThreadOutput({ post, sleep }: OutputNeeds): LogOutput & { flush(): void } {
  let waiting = '';
  const flush = () => {
    if (waiting !== '') post(waiting);
    waiting = '';
  };
  return {
    write(line) {
      if (waiting === '') void sleep(FLUSH_MS).then(flush);
      waiting += line;
      if (waiting.length >= BUFFER_CHARACTERS) flush();
    },
    flush,
  };
}
