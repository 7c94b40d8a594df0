import type { Channel } from '../../src/merchants/channel.ts';
import type { Connector, World } from '../../src/payments/needs.ts';
import type { OpenedVault } from '../../src/registrations/vault.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import { createHeld } from '../../src/world.ts';
import { answer } from './answer.ts';
import type { Store } from './chronicle.ts';
import { createClock, createIds, createTimers, isOver, type Life, type Machine, operations, resume, stop } from './machine.ts';
import { breaks, Injected, note, type Sim } from './sim.ts';
import type { Operation } from './tally.ts';
import type { WalletBox } from './walletBox.ts';
import { keepSweeping, keepUp, textOf } from './work.ts';

/** A request as it reaches a node, already authenticated: the channel is the caller's. */
export type Request = {
  readonly endpoint: EndpointName;
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
  store(life: Life): Store;
  connector(life: Life): Connector;
  readonly wallets: WalletBox;
  readonly hasSweeper: boolean;
};

export function createNode(sim: Sim, name: string, parts: Parts & { readonly vault: OpenedVault }): Node {
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
      vault: parts.vault,
      wallets: parts.wallets.opener(sim, life),
      alarm: (message, about) => breaks(sim, 'S2', `alarm: ${message} ${JSON.stringify(about)}`),
      threeDS: null,
      held: createHeld(createClock(sim, life)),
      connector: (wanted) => (wanted === connector.name ? connector : null),
    };
    if (parts.hasSweeper) keepSweeping(sim, life, world);
    keepUp(sim, life, world);
  }

  async function handle(request: Request): Promise<Reply> {
    if (!machine.isUp || !world) return new Promise(() => {});
    const life: Life = { machine, epoch: machine.epoch };
    const { operation } = request;
    const here = { world, vault: parts.vault };
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
