import type { Chance } from './chance.ts';
import type { Scheduler } from './scheduler.ts';
import type { Fault, Operation, Tally } from './tally.ts';
import type { Trace } from './trace.ts';
import type { Weather } from './weather.ts';

/** What every part of one run shares. */
export type Sim = {
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly tally: Tally;
  readonly weather: Weather;
  /** True from the end of the trouble on. */
  isHealed: boolean;
  readonly broken: Broken[];
};

export type Broken = { readonly invariant: string; readonly says: string };

/** What the simulation itself throws: code that lets it through has done nothing wrong. No Error, because stacks are slow. */
export class Injected {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** One line of the trace, with the virtual time in front. */
export function note(sim: Sim, text: string): void {
  sim.trace.note(`${sim.scheduler.now() - START} ${text}`);
}

/** Whether the fault strikes here and now. Counted, traced, and never after the healing. */
/** How much later a deadline, or the end of a claim, may be kept: one that was written while a clock was ahead, and is read when it is right again. */
export const lateMs = ({ weather }: Sim): number => (weather.jumps > 1 ? 3_600_000 : 0);

export function strikes(sim: Sim, rate: number, [fault, operation]: readonly [Fault, Operation]): boolean {
  if (sim.isHealed || rate === 0 || !sim.chance.hits(rate)) return false;
  sim.tally.hit(fault, operation);
  note(sim, `! ${fault} (${operation})`);
  return true;
}

export function breaks(sim: Sim, invariant: string, says: string): void {
  sim.broken.push({ invariant, says });
  note(sim, `BROKEN ${invariant} ${says}`);
}

/** Ids differ at their end. */
export const brief = (id: string | null): string => (id === null ? '-' : id.slice(-6));

/** A Monday morning; no run begins at a special instant. */
export const START = 1_790_000_000_000;
