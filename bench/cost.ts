import { mkdirSync, rmSync } from 'node:fs';
import { temporaryFolder } from '../test/faults/gatewayProcess.ts';
import { exchange, parseAnswer } from './answer.ts';
import { startBare } from './bare.ts';
import { stopAll } from './children.ts';
import { type Server, startGateway } from './gateway.ts';
import type { Job } from './load.ts';
import { startLoader } from './loader.ts';
import { addWebhook, startReceiver } from './notified.ts';
import { createDatabase } from './postgresDatabase.ts';
import { type StartServer, startOwnServer } from './postgresSide.ts';
import type { Progress } from './progress.ts';
import { captureRequest, checkoutRequest, payTemplate, readRequest, refundRequest, storeRequest } from './request.ts';
import { type Contenders, interleave, type Lap, lap, type Speed } from './speed.ts';

/** The processor time of one request of each kind, by thread, measured in turn with the same request to a bare server. */
export type CostRow = { readonly kind: string; readonly speed: Speed; readonly bare: Speed };

export type CostSettings = {
  readonly rounds: number;
  /** Rounds before the first that counts: a gateway compiles its code for some 15 s of load. */
  readonly warmUp: number;
  /** Requests of each kind in a round. */
  readonly requests: number;
  readonly connections: number;
  /** The stored cards that one-click payments use in turn. */
  readonly storedCards: number;
  readonly stores: readonly ('sqlite' | 'postgres')[];
  /** The request threads of one more gateway; 1: there is none. */
  readonly threads: number;
};

export const costSettings: Omit<CostSettings, 'stores'> = {
  rounds: 5,
  // 20,000 payments: after 5,000 the engine still compiles for as long as a payment takes (docs/performance.md).
  warmUp: 20,
  requests: 1_000,
  connections: 64,
  storedCards: 200,
  threads: 2,
};

const SINGLE = 'payment, inspector off';
const threaded = (threads: number) => `payment, ${threads} request threads`;

/**
 * How many times the payments of one request thread a gateway with several can take, by the processor time of the busiest thread of each:
 * a figure that a machine with few cores shows too. Null where it was not measured.
 */
export function threadGain(rows: readonly CostRow[], threads: number): number | null {
  const busiest = (kind: string): number | null => {
    const used = rows.find((row) => row.kind === kind)?.speed.used;
    // Threads of one name are one figure: request threads share theirs evenly.
    const times = Object.entries(used?.threads ?? {}).map(([name, micros]) =>
      name === 'requests' ? micros / threads : name === 'V8' ? 0 : micros,
    );
    return times.length === 0 ? null : Math.max(...times);
  };
  const [one, several] = [busiest(SINGLE), busiest(threaded(threads))];
  return one === null || several === null ? null : one / several;
}

const SECONDS_MAX = 120;

/** Measures every kind of request in turn. The number of requests ends a round, so that a busy machine makes it longer and not smaller. */
export async function measureCost(
  settings: CostSettings,
  progress: Progress,
  startServer: StartServer = startOwnServer,
): Promise<readonly CostRow[]> {
  const loader = startLoader();
  const { rounds, requests, connections } = settings;
  let orders = 1;
  const run = (server: Server, send: Job['send']) =>
    lap(loader, [server], { connections, secondsMax: SECONDS_MAX, requestsMax: requests, send });
  const pay = (server: Server) => async (): Promise<Lap> => {
    orders += requests;
    return run(server, { kind: 'varied', firstOrder: orders });
  };
  /** Payments of one card and one shopper, about whom five rules on trial have something to say. */
  const payAlike = (server: Server) => async (): Promise<Lap> => {
    orders += requests;
    return run(server, { kind: 'payments', paymentType: 'DB', firstOrder: orders, withIds: false });
  };
  /** Payments and the delivery of their webhooks. */
  const payNotified = (server: Server, arrived: (more: number) => Promise<void>) => async (): Promise<Lap> => {
    orders += requests;
    // All of the one merchant whose webhooks are counted.
    const send = { kind: 'payments', paymentType: 'DB', firstOrder: orders, withIds: false } as const;
    return lap(loader, [server], { connections, secondsMax: SECONDS_MAX, requestsMax: requests, send }, arrived);
  };
  const each = (server: Server, list: () => readonly string[]) => () => run(server, { kind: 'requests', requests: list() });
  const dataDirs = Array.from({ length: 5 }, temporaryFolder);
  for (const folder of dataDirs) mkdirSync(folder, { recursive: true });
  try {
    progress.step('starting gateways');
    // The two that are compared for the inspector take payments alone.
    const [plain, inspected, mixed] = [
      await startGateway({ dataDir: dataDirs[0] as string, env: { INSPECT: 'off' } }),
      await startGateway({ dataDir: dataDirs[1] as string, env: { INSPECT: 'on' } }),
      await startGateway({ dataDir: dataDirs[4] as string, env: { INSPECT: 'off' } }),
    ];
    const several =
      settings.threads > 1
        ? await startGateway({ dataDir: dataDirs[2] as string, env: { INSPECT: 'off', THREADS: String(settings.threads) } })
        : null;
    const notified = await startGateway({ dataDir: dataDirs[3] as string, env: { INSPECT: 'off' } });
    const receiver = await startReceiver();
    await addWebhook(notified.port, receiver);
    const bare = await startBare('http', parseAnswer(await exchange(plain.port, payTemplate('DB').bytes.toString('latin1'))));
    progress.step('payments to read, to capture and to refund');
    const job = { connections, secondsMax: SECONDS_MAX, ports: [mixed.port] };
    const made = await loader.run({
      ...job,
      requestsMax: requests * rounds,
      send: { kind: 'payments', paymentType: 'PA', firstOrder: orders, withIds: true },
    });
    orders += made.sent;
    const charged = await loader.run({
      ...job,
      requestsMax: requests * rounds,
      send: { kind: 'payments', paymentType: 'DB', firstOrder: orders, withIds: true },
    });
    orders += charged.sent;
    const registrationIds = await storeCards(mixed.port, settings.storedCards);
    /** The next requests of a round: each payment is captured or refunded once. */
    const inTurn = (ids: readonly string[], toRequest: (id: string) => string) => {
      let used = 0;
      return () => {
        used += requests;
        return ids.slice(used - requests, used).map(toRequest);
      };
    };
    const reads = made.ids.slice(0, requests).map(readRequest);
    const oneClick = () => {
      orders += requests;
      return run(mixed, { kind: 'oneClick', firstOrder: orders, registrationIds });
    };
    const payAndNotify = payNotified(notified, receiver.arrived);
    const [postgres, postgresInspected] = settings.stores.includes('postgres') ? await onPostgres(startServer) : [null, null];
    const contenders: Contenders<string> = {
      bare: pay(bare),
      'bare GET': each(bare, () => reads),
      [SINGLE]: pay(plain),
      'payments all alike': payAlike(plain),
      ...(several && { [threaded(settings.threads)]: pay(several) }),
      'payment, inspector on': pay(inspected),
      'payment beside other requests': pay(mixed),
      capture: each(mixed, inTurn(made.ids, captureRequest)),
      refund: each(mixed, inTurn(charged.ids, refundRequest)),
      GET: each(mixed, () => reads),
      checkout: each(mixed, () => Array.from({ length: requests }, checkoutRequest)),
      'one-click': oneClick,
      'payment with webhook': payAndNotify,
      ...(postgres && { 'payment, PostgreSQL': pay(postgres) }),
      ...(postgresInspected && { 'payment, PostgreSQL, inspector on': pay(postgresInspected) }),
    };
    progress.step('warming up');
    const all = [bare, plain, inspected, mixed, several, postgres, postgresInspected].filter((server) => server !== null);
    for (let lapAt = 0; lapAt < settings.warmUp; lapAt += 1) {
      for (const server of all) await pay(server)();
      // Each of its threads compiles the code for itself.
      for (let more = 1; several && more < settings.threads; more += 1) await pay(several)();
      for (const kind of ['GET', 'checkout', 'one-click']) await contenders[kind]?.();
      await payAndNotify();
    }
    progress.step('measuring');
    const { bare: echo, 'bare GET': echoGet, ...kinds } = await interleave(rounds, contenders);
    return Object.entries(kinds).map(([kind, speed]) => ({ kind, speed, bare: (kind === 'GET' ? echoGet : echo) as Speed }));
  } finally {
    await stopAll();
    for (const folder of dataDirs) rmSync(folder, { recursive: true, force: true });
  }
}

/** A gateway without the inspector and one with it, on databases of one server. */
async function onPostgres(startServer: StartServer): Promise<readonly [Server, Server]> {
  const server = await startServer();
  const start = async (inspector: 'off' | 'on') =>
    startGateway({
      dataDir: temporaryFolder(),
      databaseUrl: await createDatabase(server.url(), `turnpike_cost_${inspector}_${process.pid}`),
      env: { INSPECT: inspector },
    });
  return [await start('off'), await start('on')];
}

async function storeCards(port: number, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { body } = parseAnswer(await exchange(port, storeRequest()));
    ids.push((JSON.parse(body) as { readonly id: string }).id);
  }
  return ids;
}
