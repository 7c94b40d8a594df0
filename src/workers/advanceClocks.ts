import { type AdvanceSummary, freeze, releaseAdvance, resetToReal, startAdvance, step } from '../merchants/clock.ts';
import type { Clocks } from '../merchants/clocks.ts';
import type { ClockStore, MerchantClock } from '../merchants/ports.ts';
import type { Clock } from '../spec/time.ts';

export type ClockAdvancerNeeds = {
  readonly clocks: Clocks;
  readonly store: Pick<ClockStore, 'nextDueAt' | 'releaseClaims' | 'makeDeliveriesDue'>;
  /** Real time. */
  readonly clock: Clock;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called before anything is done in a move. */
  readonly prepare: () => Promise<void>;
  /** Does everything of a merchant that is due now. */
  readonly work: (merchantId: string) => Promise<AdvanceSummary>;
  /** No other process can be moving a clock of this store. */
  readonly isAlone: boolean;
  readonly alarm: (message: string, about: Readonly<Record<string, string>>) => void;
};

export interface ClockAdvancer {
  freeze(merchantId: string): Promise<void>;
  resetToReal(merchantId: string): Promise<void>;
  /** Begins a move and waits a while for its end; null: there is one under way already. */
  advance(merchantId: string, target: number): Promise<AdvanceSummary | null>;
  /** Goes on with moves that somebody has begun and left. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Whoever asked is answered then, and the move goes on. */
const WAIT_MS_MAX = 20_000;
/** A node that moves a clock says so at every step. One that has been silent for so long is gone. */
export const SILENT_MS_MAX = 30_000;
const TRIES_MAX = 16;

type Move = { did: AdvanceSummary; readonly done: Promise<void> };

/** Moves merchants' clocks: from one due instant to the next, and everything that is due is done before the clock goes on. */
export function createClockAdvancer(needs: ClockAdvancerNeeds): ClockAdvancer {
  const { clocks, store, clock, sleep } = needs;
  const moves = new Map<string, Move>();
  const ending = new AbortController();

  /** Goes on from here until it has arrived or somebody has stopped it. */
  const go = (merchantId: string): Move => {
    const move: { did: AdvanceSummary; done: Promise<void> } = { did: nothing, done: Promise.resolve() };
    const work = async (): Promise<void> => {
      move.did = sum(move.did, await needs.work(merchantId));
    };
    move.done = travel(needs, merchantId, { work, isEnding: () => ending.signal.aborted })
      .catch((error: unknown) => needs.alarm('a clock could not be moved on', { merchantId, why: String(error) }))
      .finally(() => moves.delete(merchantId));
    moves.set(merchantId, move);
    return move;
  };
  /** Whoever moves it finds that somebody was faster, and stops. */
  const change = async (merchantId: string, next: (row: MerchantClock) => MerchantClock): Promise<void> => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if (!(await clocks.save(next(clocks.row(merchantId))))) continue;
      await moves.get(merchantId)?.done;
      return store.releaseClaims(merchantId);
    }
    throw new Error('a clock did not hold still');
  };
  return {
    freeze: (merchantId) => change(merchantId, (row) => freeze(row, clock.now())),
    async resetToReal(merchantId) {
      await change(merchantId, resetToReal);
      await store.makeDeliveriesDue(merchantId, clock.now());
    },
    async advance(merchantId, target) {
      const row = clocks.row(merchantId);
      if (row.target !== null || moves.has(merchantId)) return null;
      if (!(await clocks.save(startAdvance(row, target, clock.now())))) return null;
      const move = go(merchantId);
      const waiting = new AbortController();
      await Promise.race([move.done, sleep(WAIT_MS_MAX, waiting.signal)]);
      waiting.abort();
      return move.did;
    },
    async resume() {
      for (const { merchantId, steppedAt } of clocks.advancing()) {
        // Of a step to come, a clock that was put back since has told.
        const isLeft = needs.isAlone || Math.abs(clock.now() - steppedAt) > SILENT_MS_MAX;
        if (isLeft && !moves.has(merchantId) && !ending.signal.aborted) go(merchantId);
      }
    },
    async stop() {
      ending.abort();
      await Promise.all([...moves.values()].map(({ done }) => done));
    },
  };
}

const nothing: AdvanceSummary = { payments: 0, runs: 0, deliveries: 0 };

const sum = (one: AdvanceSummary, other: AdvanceSummary): AdvanceSummary => ({
  payments: one.payments + other.payments,
  runs: one.runs + other.runs,
  deliveries: one.deliveries + other.deliveries,
});

type Traveller = { readonly work: () => Promise<void>; readonly isEnding: () => boolean };

/** The last step is worked on after the clock is there: what is due at that very instant is done too. */
async function travel(needs: ClockAdvancerNeeds, merchantId: string, { work, isEnding }: Traveller): Promise<void> {
  const { clocks, store, clock, prepare } = needs;
  await store.releaseClaims(merchantId);
  await prepare();
  for (let row = clocks.row(merchantId); row.target !== null; row = clocks.row(merchantId)) {
    await work();
    if (isEnding()) return void (await clocks.save(releaseAdvance(row)));
    const next = await store.nextDueAt(merchantId, clocks.of(merchantId).now());
    if (!(await clocks.save(step(row, Math.min(next ?? row.target, row.target), clock.now())))) return;
  }
  await work();
}
