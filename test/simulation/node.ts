import { check } from '../../src/form/check.ts';
import { decode } from '../../src/form/decode.ts';
import type { Channel } from '../../src/merchants/channel.ts';
import type { Connector, PaymentStore, World } from '../../src/payments/needs.ts';
import { perform } from '../../src/payments/perform.ts';
import { project } from '../../src/payments/project.ts';
import { readPayment } from '../../src/payments/read.ts';
import { sweep } from '../../src/payments/sweep.ts';
import { createClock, createIds, createTimers, isOver, type Life, type Machine, operations, resume, stop } from './machine.ts';
import { breaks, Injected, note, type Sim } from './sim.ts';
import type { Operation } from './tally.ts';

/** A request as it reaches a node, already authenticated: the channel is the caller's. */
export type Request = {
  readonly operation: Operation;
  readonly channel: Channel;
  /** The id in the path. */
  readonly id: string | null;
  readonly body: string;
  readonly key: string | null;
};

export type Reply = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** A gateway node: the production code in a world of its own, on a machine that can fail. */
export type Node = {
  readonly machine: Machine;
  /** Never settles when the machine dies over it. */
  handle(request: Request): Promise<Reply>;
  /** What is being handled, for the count of what a fault met. */
  busyWith(): readonly Operation[];
  start(): void;
};

/** What a life of a node is built from; the planted bugs put themselves in between here. */
export type Parts = {
  store(life: Life): PaymentStore;
  connector(life: Life): Connector;
  readonly hasSweeper: boolean;
};

const BASE = { buildNumber: 'simulation', timestamp: '', ndc: '' };
const SWEEP_MS_MAX = 600_000;

export function createNode(sim: Sim, name: string, parts: Parts): Node {
  const busy = new Map<symbol, Operation>();
  const machine: Machine = { name, epoch: 0, isUp: false, pausedUntil: 0, skewMs: 0, die };
  let world: World | null = null;

  function die(): void {
    if (!machine.isUp) return;
    stop(sim, machine);
    busy.clear();
    sim.scheduler.after(sim.isHealed ? 0 : sim.chance.between(500, 30_000), start);
  }

  function start(): void {
    if (machine.isUp) return;
    machine.isUp = true;
    note(sim, `${name} starts`);
    const life: Life = { machine, epoch: machine.epoch };
    const connector = parts.connector(life);
    world = {
      clock: createClock(sim, life),
      ids: createIds(sim, life),
      timers: createTimers(sim, life),
      store: parts.store(life),
      vault: sim.vault,
      connector: (wanted) => (wanted === connector.name ? connector : null),
    };
    if (parts.hasSweeper) keepSweeping(sim, life, world);
  }

  async function handle(request: Request): Promise<Reply> {
    if (!machine.isUp || !world) return new Promise(() => {});
    const life: Life = { machine, epoch: machine.epoch };
    const { operation } = request;
    const here = { sim, world };
    const mark = Symbol(operation);
    busy.set(mark, operation);
    // A machine that stands still reads the request when it goes on.
    await new Promise<void>((resolve) => resume(sim, life, { ms: 0, go: resolve }));
    try {
      return await operations.run(operation, answer, here, request);
    } catch (error) {
      if (!(error instanceof Injected)) breaks(sim, 'I0', `${operation} failed of itself: ${textOf(error)}`);
      return { status: 500, body: {} };
    } finally {
      if (!isOver(life)) busy.delete(mark);
    }
  }

  return { machine, handle, busyWith: () => [...busy.values()], start };
}

/** What the HTTP layer does with a request between the socket and the socket. */
async function answer({ sim, world }: { readonly sim: Sim; readonly world: World }, request: Request): Promise<Reply> {
  const { channel, id, body, key } = request;
  if (request.operation === 'GET') {
    const payment = await readPayment(world, channel, id ?? '');
    return payment ? project(payment, BASE) : { status: 404, body: {} };
  }
  const checked = check(decode(body), {
    endpoint: id === null ? 'pay' : 'refer',
    isLenient: channel.isLenient,
    source: 'server',
    environment: 'test',
  });
  if ('faults' in checked) throw new Error(`the request is faulty: ${JSON.stringify(checked.faults)}`);
  const bodyHash = sim.vault.digest(channel.entityId, `POST ${id}\n${body}`);
  const claim = key === null ? null : { entityId: channel.entityId, key, bodyHash };
  const performed = await perform(world, { channel, environment: 'test', checked, referencedId: id, claim });
  switch (performed.is) {
    case 'payment':
      return project(performed.payment, BASE);
    case 'otherBody':
      return { status: 400, body: { otherBody: true } };
    case 'faulty':
      return { status: 400, body: {} };
  }
}

/** The worker of a node, as often as a real one looks, and more seldom the longer nothing but waiting goes on. */
function keepSweeping(sim: Sim, life: Life, world: World): void {
  let waitMs = 0;
  const look = async () => {
    if (isOver(life)) return;
    if (life.machine.pausedUntil > sim.scheduler.now()) return again();
    const isCalm = sim.isHealed;
    try {
      const { looked, settled, failed } = await operations.run('sweep', sweep, world, sim.weather.sweepLimit);
      if (looked > 0) note(sim, `${life.machine.name} sweeps ${looked}: ${settled} settled, ${failed} failed`);
      if (failed > 0 && isCalm) breaks(sim, 'I0', `${failed} payments cannot be swept although nothing is wrong`);
    } catch (error) {
      if (!(error instanceof Injected)) breaks(sim, 'I0', `a sweep failed of itself: ${textOf(error)}`);
    }
    again();
  };
  const again = () => {
    waitMs = Math.min(SWEEP_MS_MAX, 5_000 + waitMs * 1.3);
    sim.scheduler.daemon(sim.chance.between(1, waitMs), look);
  };
  void look();
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
