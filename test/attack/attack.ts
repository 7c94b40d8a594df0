import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Endpoint, type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import type { AttackRequest, Lap, Ports } from './attackedGateway.ts';
import { type Framing, send, type Wired, wired } from './framing.ts';
import type { PlantedName } from './planted.ts';
import { fullCart, letters, manyMembers, type Shape } from './shapes.ts';
import { type Objects, type Sender, type Target, targetOf } from './targets.ts';

/** How a body is sent. */
export type Sending = { readonly bytes: number; readonly framing: Framing };

export type Attack = Awaited<ReturnType<typeof openAttack>>;

/** A gateway that can be attacked. `planted`: a fault in it, for controls. */
export async function openAttack(planted: PlantedName | null = null) {
  const worker = new Worker(new URL('./attackedGateway.ts', import.meta.url), { workerData: { planted } });
  const [ports] = (await once(worker, 'message')) as [Ports];
  async function ask<Answer>(message: AttackRequest): Promise<Answer> {
    const answer = once(worker, 'message');
    worker.postMessage(message);
    return ((await answer) as [Answer])[0];
  }
  const lap = (pays: boolean): Promise<Lap> => ask({ do: 'lap', pays });
  const objects = await ask<Objects>({ do: 'objects' });
  function requestOf({ method, path, headers, prefix, side }: Target, shape: Shape, { bytes, framing }: Sending): Wired {
    const body = Buffer.concat([Buffer.from(prefix), bodyOf(shape, Math.max(1, bytes - prefix.length))]);
    return wired({ port: ports[side], method, path, headers: { ...headers, ...shape.headers }, body, framing });
  }
  const opened = {
    /** One of the requests ends the session that it is sent with, so that each target has its own. */
    async target(endpoint: EndpointName, sender: Sender): Promise<Target> {
      const row: Endpoint = endpoints[endpoint];
      const session = row.access === 'session' ? await ask<Objects['session']>({ do: 'session' }) : objects.session;
      return targetOf(endpoint, sender, { ...objects, session });
    },
    /** Sends a body and returns what it took of the gateway's processor. */
    async cost(target: Target, shape: Shape, sending: Sending): Promise<Cost> {
      const request = requestOf(target, shape, sending);
      await lap(false);
      const status = await send(request);
      const { cpuMs } = await lap(false);
      return { ms: cpuMs, status };
    },
    /** Sends many of them together while a neighbour pays. */
    async siege(target: Target, shape: Shape, { times, ...sending }: Sending & { readonly times: number }): Promise<Siege> {
      const request = requestOf(target, shape, sending);
      await lap(true);
      const statuses = await Promise.all(Array.from({ length: times }, () => send(request)));
      const { waitsMs } = await lap(false);
      return { waitMs: Math.max(...waitsMs), payments: waitsMs.length, statuses };
    },
    close: () => worker.terminate(),
  };
  // Code that is not compiled yet takes many times as long.
  for (const sender of ['known', 'unknown'] as const)
    for (let count = 0; count < WARM_UP; count += 1)
      for (const shape of [letters, fullCart])
        await opened.cost(await opened.target('pay', sender), shape, { bytes: WARM_BYTES, framing: 'known' });
  return opened;
}

const [WARM_UP, WARM_BYTES] = [10, 10_000];

export type Cost = { readonly ms: number; readonly status: number };
export type Siege = { readonly waitMs: number; readonly payments: number; readonly statuses: readonly number[] };

/** To make a body takes longer than to send it. */
const made = new WeakMap<Shape, Buffer>();

function bodyOf(shape: Shape, bytes: number): Buffer {
  const known = made.get(shape);
  if (known?.length === bytes) return known;
  const body = shape.make(bytes);
  made.set(shape, body);
  return body;
}

/** What a body may cost: in times of bytes without a meaning, and of the dearest body that a client has reason to send. */
const [TIMES_LETTERS, TIMES_PLAIN] = [10, 3];
/** What costs more than this, in times of letters, may cost so many times more for four times the bytes. */
const [DEAR_TIMES, LESS_BYTES, GROWTH_MAX] = [3, 4, 8];
/** What the gateway may do in one turn of its event loop (R36). */
const TURN_MS = 20;
/** The machine does something else, or garbage is collected: the least of so many tries counts, unless it is far too much. */
const [TRIES, FAR_TOO_MUCH] = [8, 3];
const isOver = (tries: number, excess: number): boolean => tries + 1 >= TRIES || (tries > 0 && excess > FAR_TOO_MUCH);
const plainBodies: readonly Shape[] = [fullCart, manyMembers];

/** The bodies that cost too much or were not answered as they should be. */
export type Found = { readonly faults: readonly string[]; readonly requests: number };

type Bound = { readonly letters: number; readonly most: number };

/** What bodies of this length may cost at the target: measured there, in the same minute. */
async function boundFor({ cost }: Attack, target: Target, sending: Sending): Promise<Bound> {
  const { ms: ofLetters } = await cost(target, letters, sending);
  let most = TIMES_LETTERS * ofLetters;
  for (const plain of plainBodies) most = Math.max(most, TIMES_PLAIN * (await cost(target, plain, sending)).ms);
  return { letters: ofLetters, most };
}

const faultOf = (status: number): string | null => {
  if (status === -1) return 'no answer';
  if (status === 0) return 'the connection ended without an answer';
  if (status === 429) return 'refused by the throttle, which hides what it would cost';
  return status >= 500 ? `status ${status}` : null;
};

/** What is wrong with one shape at a target; null: nothing. */
async function tryShape({ cost }: Attack, target: Target, shape: Shape, sending: Sending & { bound: () => Promise<Bound> }) {
  const fewer = { ...sending, bytes: Math.ceil(sending.bytes / LESS_BYTES) };
  let [ms, less, complaint]: [number, number, string | null] = [Number.POSITIVE_INFINITY, 0, null];
  for (let tries = 0; ; tries += 1) {
    const { ms: now, status } = await cost(target, shape, sending);
    const wrong = faultOf(status);
    if (wrong !== null) return wrong;
    ms = Math.min(ms, now);
    const { letters: ofLetters, most } = await sending.bound();
    complaint = ms > most ? `${ms.toFixed(1)} ms of at most ${most.toFixed(1)}` : null;
    if (complaint === null && ms > DEAR_TIMES * ofLetters) {
      less = Math.max(less, (await cost(target, shape, fewer)).ms);
      if (ms > GROWTH_MAX * less) complaint = `${ms.toFixed(1)} ms, and ${less.toFixed(1)} for a quarter of its bytes`;
    }
    if (complaint === null || isOver(tries, ms / most)) return complaint;
  }
}

/** Tries these shapes at a target. */
export async function tryShapes(attack: Attack, target: Target, shapes: readonly Shape[], sending: Sending): Promise<Found> {
  const faults: string[] = [];
  let [bound, uses] = [await boundFor(attack, target, sending), 0];
  /** It is measured as often as a shape that costs more, and the least of both counts. */
  const current = async (): Promise<Bound> => {
    uses += 1;
    if (uses === 1) return bound;
    const now = await boundFor(attack, target, sending);
    bound = { letters: Math.min(bound.letters, now.letters), most: Math.min(bound.most, now.most) };
    return bound;
  };
  for (const shape of shapes) {
    uses = 0;
    const wrong = await tryShape(attack, target, shape, { ...sending, bound: current });
    if (wrong !== null) faults.push(`${target.title}, ${sending.bytes} bytes ${sending.framing}, ${shape.title}: ${wrong}`);
  }
  return { faults, requests: shapes.length };
}

export type SiegeSending = Sending & { readonly times: number };

/** Lays siege with each of these shapes: how long a neighbour waits beside it, and beside plain bodies. */
export async function trySieges(attack: Attack, target: Target, shapes: readonly Shape[], siege: SiegeSending) {
  const faults: string[] = [];
  let [bound, longest] = [0, 0];
  const measureBound = async () => {
    for (const shape of [letters, ...plainBodies])
      bound = Math.max(bound, TIMES_PLAIN * (await attack.siege(target, shape, siege)).waitMs + TURN_MS);
  };
  await measureBound();
  for (const shape of shapes) {
    let [waitMs, wrong]: [number, string | null | undefined] = [Number.POSITIVE_INFINITY, null];
    for (let tries = 0; waitMs > bound && !wrong; tries += 1) {
      if (tries > 0 && isOver(tries - 1, waitMs / bound)) break;
      if (tries > 0) await measureBound();
      const found = await attack.siege(target, shape, siege);
      waitMs = Math.min(waitMs, found.waitMs);
      // Bodies of strangers that are too many together are given up (decisions/0088).
      wrong = found.statuses.map((status) => (status === 503 ? null : faultOf(status))).find((one) => one !== null);
    }
    longest = Math.max(longest, waitMs);
    const says = wrong ?? (waitMs > bound ? `a neighbour waits ${waitMs.toFixed(1)} ms of at most ${bound.toFixed(1)}` : null);
    if (says !== null) faults.push(`${target.title}, ${siege.times} of ${siege.bytes} bytes, ${shape.title}: ${says}`);
  }
  return { faults, longest, bound };
}
