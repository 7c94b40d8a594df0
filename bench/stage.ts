import { exchange, parseAnswer } from './answer.ts';
import type { Server } from './gateway.ts';
import type { Loader } from './loader.ts';
import type { Progress } from './progress.ts';
import { captureRequest, readRequest, storeRequest } from './request.ts';
import type { Settings } from './settings.ts';
import { interleave, type Lap, lap, type Speed } from './speed.ts';

/** The tools of both sides of the bench. */
export type Bench = {
  readonly settings: Settings;
  readonly loader: Loader;
  readonly progress: Progress;
  readonly profileDir: string | null;
};

/** Payments per second at a number of connections, and what the same machine can do at most, measured in turn with it. */
type Compared = {
  readonly connections: number;
  readonly gateway: Speed;
  /** The same requests to a bare server. */
  readonly bare: Speed;
  readonly limits: Readonly<Record<string, Speed>>;
};

/** Everything that is measured at one number of stored payments. */
export type Stage = {
  readonly rows: number;
  readonly readyMs: number;
  readonly pay: readonly Compared[];
  /** At few connections: the time of one request, not the queue. `bare` is the same request to a bare server. */
  readonly read: Readonly<Record<'gateway' | 'bare', Speed>>;
  readonly capture: Readonly<Record<'gateway' | 'bare', Speed>>;
  /** A payment by stored details beside one by card, in turn on the same connections. */
  readonly oneClick: Readonly<Record<'stored' | 'card', Speed>>;
  readonly residentBytes: { readonly start: number | null; readonly end: number | null };
  /** Payments and captures that the gateway acknowledged during the stage. */
  readonly acknowledged: number;
};

export type StageInput = {
  readonly rows: number;
  readonly gateway: Server;
  readonly bare: Server;
  readonly limits: (connections: number) => Readonly<Record<string, () => Promise<Lap>>>;
  readonly idsOf: (paymentType: 'DB' | 'PA', count: number) => Promise<readonly string[]> | readonly string[];
};

const FEW_CONNECTIONS = 8;
const SECONDS_MAX = 10;

let orders = 1;

/** A round of payments; every payment of a run has an order number of its own. */
export async function payLap(
  bench: Bench,
  servers: readonly Server[],
  connections: number,
  seconds = bench.settings.seconds,
): Promise<Lap> {
  const { requestsMax } = bench.settings;
  const send = { kind: 'varied', firstOrder: orders } as const;
  const done = await lap(bench.loader, servers, { connections, secondsMax: seconds, requestsMax, send });
  orders += done.count;
  return done;
}

/** Measures payments, reads and captures on a gateway with `rows` stored payments. */
export async function measureStage(bench: Bench, input: StageInput): Promise<Stage> {
  const { settings, progress } = bench;
  const { rows, gateway, limits, idsOf } = input;
  const title = `${rows.toLocaleString('en')} stored`;
  const start = gateway.residentBytes();
  progress.step(`${title}: warming up`);
  let acknowledged = (await payLap(bench, [gateway], settings.connections[0] ?? 1, settings.warmUpSeconds)).count;
  const pay: Compared[] = [];
  for (const connections of settings.connections) {
    progress.step(`${title}: payments on ${connections} connections`);
    const {
      gateway: speed,
      bare,
      ...rest
    } = await interleave(settings.rounds, {
      gateway: () => payLap(bench, [gateway], connections),
      bare: () => payLap(bench, [input.bare], connections),
      ...limits(connections),
    });
    pay.push({ connections, gateway: speed, bare, limits: { bare, ...rest } });
    acknowledged += speed.count;
  }
  progress.step(`${title}: reads and captures`);
  const read = await each(bench, input, (await idsOf('DB', settings.reads)).map(readRequest));
  const capture = await each(bench, input, (await idsOf('PA', settings.captures)).map(captureRequest));
  progress.step(`${title}: payments by stored details`);
  const oneClick = await measureOneClick(bench, gateway);
  acknowledged += capture.gateway.count + oneClick.stored.count + oneClick.card.count;
  return {
    rows,
    readyMs: gateway.readyMs,
    pay,
    read,
    capture,
    oneClick,
    residentBytes: { start, end: gateway.residentBytes() },
    acknowledged,
  };
}

async function measureOneClick(bench: Bench, gateway: Server): Promise<Record<'stored' | 'card', Speed>> {
  const { loader, settings } = bench;
  const connections = settings.connections[0] ?? 1;
  const registrationIds: string[] = [];
  for (let made = 0; made < settings.storedCards; made += FEW_CONNECTIONS) {
    registrationIds.push(...(await Promise.all(Array.from({ length: FEW_CONNECTIONS }, () => storeOnce(gateway.port)))));
  }
  const stored = async () => {
    const send = { kind: 'oneClick', firstOrder: orders, registrationIds } as const;
    const { seconds: secondsMax, requestsMax } = settings;
    const done = await lap(loader, [gateway], { connections, secondsMax, requestsMax, send });
    orders += done.count;
    return done;
  };
  return interleave(settings.rounds, { stored, card: () => payLap(bench, [gateway], connections) });
}

async function storeOnce(port: number): Promise<string> {
  const { body } = parseAnswer(await exchange(port, storeRequest()));
  const { id, result } = JSON.parse(body) as { id?: string; result?: { code?: string } };
  if (id === undefined || result?.code !== '000.100.110') throw new Error(`storing a card was answered ${body}`);
  return id;
}

/** Sends each of the requests once, to the gateway and to the bare server. */
function each(
  { loader }: Bench,
  { gateway, bare }: StageInput,
  requests: readonly string[],
): Promise<Record<'gateway' | 'bare', Speed>> {
  const send = { kind: 'requests', requests } as const;
  const job = { connections: FEW_CONNECTIONS, secondsMax: SECONDS_MAX, requestsMax: requests.length, send };
  return interleave(1, { gateway: () => lap(loader, [gateway], job), bare: () => lap(loader, [bare], job) });
}
