import {
  type AdvanceSummary,
  type Clocks,
  freeze,
  releaseAdvance,
  resetToReal,
  startAdvance,
  step,
} from '../merchants/clocks.ts';
import type { ClockStore, MerchantClock } from '../merchants/ports.ts';
import type { Clock } from '../spec/time.ts';

export type ClockAdvancerNeeds = {
  readonly clocks: Clocks;
  readonly store: Pick<ClockStore, 'nextDueAt' | 'releaseClaims' | 'makeDeliveriesDue'>;
  /** Real time. */
  readonly clock: Clock;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called once before the first step of an advance. */
  readonly prepare: () => Promise<void>;
  /** Runs all work of a merchant that is due now. */
  readonly work: (merchantId: string) => Promise<AdvanceSummary>;
  /** Called when the clock has reached its target: asks about payments that are not due yet. Returns whether any has moved. */
  readonly arrive: (merchantId: string) => Promise<boolean>;
  /** No other process uses the store. */
  readonly isAlone: boolean;
  readonly alarm: (message: string, about: Readonly<Record<string, string>>) => void;
};

export interface ClockAdvancer {
  freeze(merchantId: string): Promise<void>;
  resetToReal(merchantId: string): Promise<void>;
  /** Starts an advance and waits up to `WAIT_MS_MAX` for its end. Returns null when the clock is already being advanced. */
  advance(merchantId: string, target: number): Promise<AdvanceSummary | null>;
  /** Whether this process still works for an advance: also after the last step, on work that is due at the target. */
  isAdvancing(merchantId: string): boolean;
  /** Continues advances that another process started and abandoned. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** The caller gets its answer after this time at the latest; the advance goes on. */
const WAIT_MS_MAX = 20_000;
/** A node that advances a clock saves every step. After so long without a step it counts as gone. */
export const SILENT_MS_MAX = 30_000;
const ATTEMPTS_MAX = 16;

type Advance = { summary: AdvanceSummary; readonly done: Promise<void> };

/** Advances test clocks from one due instant to the next. All work due at an instant is done before the clock goes on. */
export function createClockAdvancer(needs: ClockAdvancerNeeds): ClockAdvancer {
  const { clocks, store, clock, sleep } = needs;
  const advances = new Map<string, Advance>();
  const ending = new AbortController();

  /** Runs until the clock reaches its target or another change stops it. */
  const start = (merchantId: string): Advance => {
    const advance: { summary: AdvanceSummary; done: Promise<void> } = { summary: nothing, done: Promise.resolve() };
    const work = async (): Promise<void> => {
      advance.summary = sum(advance.summary, await needs.work(merchantId));
    };
    advance.done = advanceToTarget(needs, merchantId, { work, isEnding: () => ending.signal.aborted })
      .catch((error: unknown) => needs.alarm('a test clock could not be advanced', { merchantId, why: String(error) }))
      .finally(() => advances.delete(merchantId));
    advances.set(merchantId, advance);
    return advance;
  };
  /** A running advance fails to save its next step after this change, and stops. */
  const change = async (merchantId: string, next: (row: MerchantClock) => MerchantClock): Promise<void> => {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      if (!(await clocks.save(next(clocks.row(merchantId))))) continue;
      await advances.get(merchantId)?.done;
      return store.releaseClaims(merchantId);
    }
    throw new Error('the test clock changed too often to be saved');
  };
  return {
    freeze: (merchantId) => change(merchantId, (row) => freeze(row, clock.now())),
    async resetToReal(merchantId) {
      await change(merchantId, resetToReal);
      await store.makeDeliveriesDue(merchantId, clock.now());
    },
    async advance(merchantId, target) {
      const row = clocks.row(merchantId);
      if (row.target !== null || advances.has(merchantId)) return null;
      if (!(await clocks.save(startAdvance(row, target, clock.now())))) return null;
      const advance = start(merchantId);
      const waiting = new AbortController();
      await Promise.race([advance.done, sleep(WAIT_MS_MAX, waiting.signal)]);
      waiting.abort();
      return advance.summary;
    },
    isAdvancing: (merchantId) => advances.has(merchantId),
    async resume() {
      for (const { merchantId, steppedAt } of clocks.advancing()) {
        // A step in the future comes from a node clock that was set back since.
        const isAbandoned = needs.isAlone || Math.abs(clock.now() - steppedAt) > SILENT_MS_MAX;
        if (isAbandoned && !advances.has(merchantId) && !ending.signal.aborted) start(merchantId);
      }
    },
    async stop() {
      ending.abort();
      await Promise.all([...advances.values()].map(({ done }) => done));
    },
  };
}

const nothing: AdvanceSummary = { payments: 0, runs: 0, deliveries: 0 };

const sum = (one: AdvanceSummary, other: AdvanceSummary): AdvanceSummary => ({
  payments: one.payments + other.payments,
  runs: one.runs + other.runs,
  deliveries: one.deliveries + other.deliveries,
});

type AdvanceWork = { readonly work: () => Promise<void>; readonly isEnding: () => boolean };

/** Work also runs after the last step: work due at the target itself belongs to the advance. */
async function advanceToTarget(needs: ClockAdvancerNeeds, merchantId: string, { work, isEnding }: AdvanceWork): Promise<void> {
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
  if (await needs.arrive(merchantId)) await work();
}
