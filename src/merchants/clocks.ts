import type { Clock } from '../spec/time.ts';
import { isReal, nowOf, realClock } from './clock.ts';
import type { ClockStore, MerchantClock } from './ports.ts';

/** What time it is for whom, in memory: the rows are read at the start and every second, and this node's own changes count at once. */
export interface Clocks {
  /** The time of a merchant, or that of everybody else. The same object each time. */
  of(merchantId: string | null): Clock;
  row(merchantId: string): MerchantClock;
  /** The merchants whose time is not the real one. */
  withTestClock(): readonly string[];
  /** Those whose clock is being moved at this moment. */
  advancing(): readonly MerchantClock[];
  /** The earliest of all times: nobody needs what was over before it. */
  earliest(): number;
  /** Reads the rows again. */
  refresh(): Promise<void>;
  /** Keeps a row on the revision before it; false: somebody was faster, and the rows were read again. */
  save(clock: MerchantClock): Promise<boolean>;
}

/** Where nobody has a clock of his own. */
export const realClocks = (clock: Clock): Clocks => ({
  of: () => clock,
  row: realClock,
  withTestClock: () => [],
  advancing: () => [],
  earliest: () => clock.now(),
  refresh: async () => {},
  save: async () => false,
});

/** Merchants' clocks of the test environment, around the real one. */
export async function createClocks(store: Pick<ClockStore, 'clocks' | 'saveClock'>, clock: Clock): Promise<Clocks> {
  const rows = new Map<string, MerchantClock>();
  const faces = new Map<string, Clock>();
  let moved: readonly string[] = [];
  /** A row that was read while another was written may be the older one. */
  const learn = (row: MerchantClock): void => {
    if (row.revision < (rows.get(row.merchantId)?.revision ?? 0)) return;
    rows.set(row.merchantId, row);
    moved = [...rows.values()].filter((one) => !isReal(one)).map(({ merchantId }) => merchantId);
  };
  const faceOf = (merchantId: string): Clock => {
    const now = (): number => {
      const row = rows.get(merchantId);
      return row ? nowOf(row, clock.now()) : clock.now();
    };
    const face = faces.get(merchantId) ?? { now };
    faces.set(merchantId, face);
    return face;
  };
  const refresh = async (): Promise<void> => {
    for (const row of await store.clocks()) learn(row);
  };
  await refresh();
  return {
    // Whoever was never moved needs no face of his own.
    of: (merchantId) => (merchantId !== null && (faces.has(merchantId) || rows.has(merchantId)) ? faceOf(merchantId) : clock),
    row: (merchantId) => rows.get(merchantId) ?? realClock(merchantId),
    withTestClock: () => moved,
    advancing: () => [...rows.values()].filter(({ target }) => target !== null),
    earliest: () => moved.reduce((least, merchantId) => Math.min(least, faceOf(merchantId).now()), clock.now()),
    refresh,
    async save(row) {
      if (await store.saveClock(row)) {
        learn(row);
        return true;
      }
      await refresh();
      return false;
    },
  };
}
