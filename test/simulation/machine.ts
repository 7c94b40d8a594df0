import { AsyncLocalStorage } from 'node:async_hooks';
import type { Payment } from '../../src/payments/payment.ts';
import type { ScheduleType, TransactionType } from '../../src/spec/paymentTypes.ts';
import { note, type Sim, strikes } from './sim.ts';
import type { Operation } from './tally.ts';

/** The computer a node runs on: it can die, be restarted, stand still, and have a wrong clock. */
export type Machine = {
  readonly name: string;
  /** Counts the lives. What an earlier life had begun never goes on in a later one. */
  epoch: number;
  isUp: boolean;
  pausedUntil: number;
  skewMs: number;
  die(): void;
};

/** One life of a machine, as the code that runs in it holds it. */
export type Life = { readonly machine: Machine; readonly epoch: number };

export const isOver = ({ machine, epoch }: Life): boolean => machine.epoch !== epoch;

/** What the code that is running now was asked to do. */
export const operations = new AsyncLocalStorage<Operation>();
export const currentOperation = (): Operation => operations.getStore() ?? 'sweep';

/** What no merchant of the simulation asks for, and what is counted as a matter of plans. */
type NotHere = 'RI' | 'RB' | 'RC' | 'CR' | 'CB' | ScheduleType;

export const operationOf = ({ industryPractice, paymentType }: Payment): Operation =>
  industryPractice === 'INCREMENTAL_AUTH' ? 'INC' : (paymentType as Exclude<TransactionType, NotHere>);

/** Goes on with the machine's code after so many milliseconds: later when the machine stands still, never when it has died. */
export function resume(sim: Sim, life: Life, { ms, go }: { readonly ms: number; readonly go: () => void }): () => void {
  const arrive = () => {
    if (isOver(life)) return;
    const restMs = life.machine.pausedUntil - sim.scheduler.now();
    if (restMs > 0) off = sim.scheduler.after(restMs, arrive);
    else go();
  };
  let off = sim.scheduler.after(ms, arrive);
  return () => off();
}

export type Call<T> = {
  readonly operation: Operation;
  readonly thereMs: number;
  readonly backMs: number;
  /** What happens on the other side. It happens whether or not the caller is still alive by then. */
  readonly effect: () => Promise<T>;
};

/**
 * A seam: one call from a node to something outside it. The power can go before the request leaves or after the answer has come;
 * a request on its way arrives in any case.
 */
export function cross<T>(sim: Sim, life: Life, call: Call<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (isOver(life)) return;
    const { machine } = life;
    const { dies } = sim.weather;
    if (strikes(sim, dies, ['node: dies before a call', call.operation])) return machine.die();
    const back = (settle: () => void) =>
      resume(sim, life, {
        ms: call.backMs,
        go: () => (strikes(sim, dies, ['node: dies after a call', call.operation]) ? machine.die() : settle()),
      });
    sim.scheduler.after(call.thereMs, () => {
      call.effect().then(
        (value) => back(() => resolve(value)),
        (error: unknown) => back(() => reject(error)),
      );
    });
  });
}

/** `World.timers` in virtual time. */
export function createTimers(sim: Sim, life: Life) {
  return {
    within: <T>(ms: number, promise: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const off = resume(sim, life, { ms, go: () => reject(new Error('late')) });
        promise.then(resolve, reject).finally(off);
      }),
  };
}

type Clock = { now(): number };

/** `World.clock` as this machine has it. */
export const createClock = (sim: Sim, { machine }: Life): Clock => ({ now: () => sim.scheduler.now() + machine.skewMs });

/** `World.ids`: time in front by the machine's own clock, chance behind. */
export function createIds(sim: Sim, life: Life) {
  const { chance } = sim;
  const clock = createClock(sim, life);
  return {
    next: () => clock.now().toString(16).padStart(12, '0') + chance.hex(20),
    random: () => chance.hex(32),
    short: () => `${chance.digits(4)}.${chance.digits(4)}.${chance.digits(4)}`,
  };
}

export function stop(sim: Sim, machine: Machine): void {
  machine.epoch += 1;
  machine.isUp = false;
  machine.pausedUntil = 0;
  note(sim, `${machine.name} dies`);
}
