import type { payCheckout } from '../../src/checkouts/pay.ts';
import type { CheckoutService } from '../../src/checkouts/ports.ts';
import type { Channel } from '../../src/merchants/channel.ts';
import type { onAuthenticated, onCallback, onShopperReturn, onThreeDSResults } from '../../src/payments/callbacks.ts';
import type { Connector, DeriveEffects, PendingSecrets, ThreeDSServer, World } from '../../src/payments/ports.ts';
import { createCountedEvents } from '../../src/payments/riskMemory/countedEvents.ts';
import { createFamilyQueue } from '../../src/payments/take.ts';
import { createPendingSecrets } from '../../src/payments/threeDS/startAuthentication.ts';
import type { RiskEngine } from '../../src/risk/engine.ts';
import type { ScheduleService } from '../../src/schedules/change.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { OpenedVault } from '../../src/vault/vault.ts';
import { answer, type Here } from './answer.ts';
import { checkoutServiceOf } from './checkoutService.ts';
import type { Store } from './chronicle.ts';
import { type DispatcherNeeds, type SimulatedDispatcher, startDispatcher } from './dispatcher.ts';
import type { Endpoints } from './endpoints.ts';
import { createClock, createIds, createTimers, isOver, type Life, type Machine, operations, resume, stop } from './machine.ts';
import { channelOf } from './shops.ts';
import { breaks, Injected, note, type Sim } from './sim.ts';
import type { Operation } from './tally.ts';
import type { WalletBox } from './walletBox.ts';
import { keepCharging, keepResuming, keepSweeping, keepUp, textOf } from './work.ts';

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

const FAILED: Reply = { status: 500, body: {} };

/** A gateway node: the production code in a world of its own, on a machine that can fail. */
export type Node = {
  readonly machine: Machine;
  /** Never settles when the machine dies over it. */
  handle(request: Request): Promise<Reply>;
  /** The same for a bank, an issuer or a shopper; null when it failed. */
  run<T>(operation: Operation, work: Work<T>): Promise<{ readonly done: T } | null>;
  /** What is being handled, for the count of what a fault met. */
  busyWith(): readonly Operation[];
  start(): void;
};

/** The work of one visit. */
export type Work<T> = (world: World, entryPoints: EntryPoints, service: CheckoutService, further: Further) => Promise<T>;

/** Services that a visit may need. */
export type Further = { readonly schedules: ScheduleService; readonly dispatcher: SimulatedDispatcher | null };

/** The entry points of bank, issuer and shopper. */
export type EntryPoints = {
  readonly onCallback: typeof onCallback;
  readonly onShopperReturn: typeof onShopperReturn;
  readonly authenticated: typeof onAuthenticated;
  readonly onThreeDSResults: typeof onThreeDSResults;
  readonly pay: typeof payCheckout;
};

/** What a life of a node is built from; the planted bugs put themselves in between here. */
export type Parts = {
  store(life: Life): Store;
  readonly deriveEffects: DeriveEffects;
  connectors(life: Life): readonly Connector[];
  threeDS(life: Life): ThreeDSServer;
  engine(life: Life): RiskEngine;
  held(held: PendingSecrets): PendingSecrets;
  readonly wallets: WalletBox;
  readonly hasSweeper: boolean;
  readonly entryPoints: EntryPoints;
  /** The receivers of webhooks; null: there are none. */
  readonly endpoints: Endpoints | null;
  dispatcher(needs: DispatcherNeeds): DispatcherNeeds;
};

export function createNode(sim: Sim, name: string, parts: Parts & { readonly vault: OpenedVault }): Node {
  const busy = new Map<symbol, Operation>();
  const machine: Machine = { name, epoch: 0, isUp: false, pausedUntil: 0, skewMs: 0, die };
  let world: World | null = null;
  let service: CheckoutService | null = null;
  let further: Further | null = null;

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
    const connectors = parts.connectors(life);
    const store = parts.store(life);
    world = {
      clock: createClock(sim, life),
      ids: createIds(sim, life),
      timers: createTimers(sim, life),
      unsentMs: 4_000,
      store,
      deriveEffects: parts.deriveEffects,
      vault: parts.vault,
      wallets: parts.wallets.opener(sim, life),
      alarm: (message, about) => raise(sim, message, about),
      threeDS: parts.threeDS(life),
      risk: parts.engine(life),
      countedEvents: createCountedEvents(createClock(sim, life)),
      channel: channelOf,
      families: createFamilyQueue(),
      pendingSecrets: parts.held(createPendingSecrets(createClock(sim, life))),
      connector: (wanted) => connectors.find(({ name }) => name === wanted) ?? null,
    };
    world = keepResuming(sim, life, world);
    service = checkoutServiceOf(world, store, name);
    const { endpoints, vault, dispatcher: plant } = parts;
    further = {
      schedules: { world, store, environment: 'test' },
      dispatcher: endpoints && startDispatcher(sim, life, { world, store, vault, endpoints, plant }),
    };
    if (sim.weather.schedules > 0) keepCharging(sim, life, further.schedules);
    if (parts.hasSweeper) keepSweeping(sim, life, world);
    keepUp(sim, life, world);
  }

  async function enter<T>(
    operation: Operation,
    work: (here: Here & { readonly further: Further }) => Promise<T>,
  ): Promise<{ readonly done: T } | null> {
    if (!machine.isUp || !world || !service || !further) return new Promise(() => {});
    const life: Life = { machine, epoch: machine.epoch };
    const here = { world, vault: parts.vault, service, further };
    const mark = Symbol(operation);
    busy.set(mark, operation);
    // A machine that stands still reads the request when it goes on.
    await new Promise<void>((resolve) => resume(sim, life, { ms: 0, go: resolve }));
    try {
      return { done: await operations.run(operation, work, here) };
    } catch (error) {
      if (!isOfOthers(error)) breaks(sim, 'I0', `${operation} failed of itself: ${textOf(error)}`);
      return null;
    } finally {
      if (!isOver(life)) busy.delete(mark);
    }
  }

  return {
    machine,
    handle: async (request) => (await enter(request.operation, (here) => answer(here, request)))?.done ?? FAILED,
    run: (operation, work) => enter(operation, (here) => work(here.world, parts.entryPoints, here.service, here.further)),
    busyWith: () => [...busy.values()],
    start,
  };
}

/** A bank that told of an approval too late is told that it is not taken back yet, and tells again. */
const isOfOthers = (error: unknown): boolean =>
  error instanceof Injected || (error instanceof Error && /not taken back/.test(error.message));

/** What could not be taken back or charged at once is no breach yet: what counts is the end. Any other alarm is. */
function raise(sim: Sim, message: string, about: Readonly<Record<string, string>>): void {
  if (/taken back|could not be run/.test(message)) note(sim, `alarm: ${message} ${JSON.stringify(about)}`);
  else breaks(sim, 'S2', `alarm: ${message} ${JSON.stringify(about)}`);
}
