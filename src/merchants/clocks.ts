import type { Clock } from '../spec/time.ts';
import type { ClockStore, MerchantClock } from './ports.ts';

/** The time of the merchant. */
export const nowOf = ({ frozenAt, offsetMs }: MerchantClock, realNow: number): number => frozenAt ?? realNow + offsetMs;

export const isReal = ({ offsetMs, frozenAt, target }: MerchantClock): boolean =>
  offsetMs === 0 && frozenAt === null && target === null;

/** The clock of a merchant without a row. */
export const realClock = (merchantId: string): MerchantClock => ({
  merchantId,
  offsetMs: 0,
  frozenAt: null,
  target: null,
  steppedAt: 0,
  revision: 0,
});

/** The work done while a clock was advanced. */
export type AdvanceSummary = { readonly payments: number; readonly runs: number; readonly deliveries: number };

const revise = (clock: MerchantClock, change: Partial<MerchantClock>): MerchantClock => ({
  ...clock,
  ...change,
  revision: clock.revision + 1,
});

/** Stops the clock at its present time, and ends an advance. */
export const freeze = (clock: MerchantClock, realNow: number): MerchantClock =>
  revise(clock, { frozenAt: nowOf(clock, realNow), target: null });

/** Returns the clock to real time. */
export const resetToReal = (clock: MerchantClock): MerchantClock => revise(clock, { offsetMs: 0, frozenAt: null, target: null });

export const startAdvance = (clock: MerchantClock, target: number, realNow: number): MerchantClock =>
  revise(clock, { target, steppedAt: realNow });

/** Gives up an advance before its target: any node may continue it immediately. */
export const releaseAdvance = (clock: MerchantClock): MerchantClock => revise(clock, { steppedAt: 0 });

/** Moves the clock to the instant, never backwards. At its target the advance is over; a frozen clock stays frozen there. */
export function step(clock: MerchantClock, instant: number, realNow: number): MerchantClock {
  const time = Math.max(instant, nowOf(clock, realNow));
  const isAtTarget = clock.target !== null && time >= clock.target;
  return revise(clock, {
    ...(clock.frozenAt === null ? { offsetMs: time - realNow } : { frozenAt: time }),
    target: isAtTarget ? null : clock.target,
    steppedAt: realNow,
  });
}

/** The clocks of all merchants, in memory. Rows are read at the start and every second; changes of this node count immediately. */
export interface Clocks {
  /** The clock of a merchant; null is the real one. The same object each time. */
  of(merchantId: string | null): Clock;
  row(merchantId: string): MerchantClock;
  /** The merchants with a test clock. */
  withTestClock(): readonly string[];
  /** The clocks that are being advanced. */
  advancing(): readonly MerchantClock[];
  /** The earliest time of all merchants: whatever expired before it has expired for all of them. */
  earliest(): number;
  /** Reads the rows again. */
  refresh(): Promise<void>;
  /** Saves a row that follows the present revision. False: another change came first, and the rows were read again. */
  save(clock: MerchantClock): Promise<boolean>;
}

/** Clocks without test clocks. */
export const realClocks = (clock: Clock): Clocks => ({
  of: () => clock,
  row: realClock,
  withTestClock: () => [],
  advancing: () => [],
  earliest: () => clock.now(),
  refresh: async () => {},
  save: async () => false,
});

/** The test clocks of merchants, on top of the real one. `onChange` learns with every change whether there are any. */
export async function createClocks(
  store: Pick<ClockStore, 'clocks' | 'saveClock'>,
  clock: Clock,
  onChange: (hasAny: boolean) => void = () => {},
): Promise<Clocks> {
  const rows = new Map<string, MerchantClock>();
  const testClocks = new Map<string, Clock>();
  let withTestClock: readonly string[] = [];
  /** A row that was read during a write may be the older one. */
  const update = (row: MerchantClock): void => {
    if (row.revision < (rows.get(row.merchantId)?.revision ?? 0)) return;
    rows.set(row.merchantId, row);
    withTestClock = [...rows.values()].filter((one) => !isReal(one)).map(({ merchantId }) => merchantId);
    onChange(withTestClock.length > 0);
  };
  const testClockOf = (merchantId: string): Clock => {
    const now = (): number => {
      const row = rows.get(merchantId);
      return row ? nowOf(row, clock.now()) : clock.now();
    };
    const testClock = testClocks.get(merchantId) ?? { now };
    testClocks.set(merchantId, testClock);
    return testClock;
  };
  const refresh = async (): Promise<void> => {
    for (const row of await store.clocks()) update(row);
  };
  await refresh();
  return {
    // A merchant without a row shares the real clock.
    of: (merchantId) =>
      merchantId !== null && (testClocks.has(merchantId) || rows.has(merchantId)) ? testClockOf(merchantId) : clock,
    row: (merchantId) => rows.get(merchantId) ?? realClock(merchantId),
    withTestClock: () => withTestClock,
    advancing: () => [...rows.values()].filter(({ target }) => target !== null),
    earliest: () => withTestClock.reduce((least, merchantId) => Math.min(least, testClockOf(merchantId).now()), clock.now()),
    refresh,
    async save(row) {
      if (await store.saveClock(row)) {
        update(row);
        return true;
      }
      await refresh();
      return false;
    },
  };
}

/** `common` for merchants in real time; for each merchant with a test clock its own value, created once. */
export function perClock<Value>(clocks: Clocks, common: Value, create: (merchantId: string) => Value) {
  const own = new Map<string, Value>();
  return (merchantId: string | null): Value => {
    if (merchantId === null || !clocks.withTestClock().includes(merchantId)) return common;
    const value = own.get(merchantId) ?? create(merchantId);
    own.set(merchantId, value);
    return value;
  };
}
