/** Concurrent long payloads in memory, in all and of one merchant: each takes some 50 MB until its receiver has answered. */
export const longSlots = { all: 8, ofOne: 2, waitingOfOne: 6 };

export interface LongSlots {
  /** Does the work when a slot is free. Null: too much of this merchant waits already; the work was not begun. */
  run<T>(merchantId: string, work: () => Promise<T>): Promise<T | null>;
}

type Turns = { open: number; readonly waiting: (() => void)[] };

/** Merchants by turns. With calls of 15 s at most, the last one waits for less than the time of a claim. */
export function createLongSlots({ all, ofOne, waitingOfOne }: typeof longSlots): LongSlots {
  const merchants = new Map<string, Turns>();
  let open = 0;
  const start = (): void => {
    for (const turns of merchants.values()) {
      if (open >= all) return;
      const next = turns.open < ofOne ? turns.waiting.shift() : undefined;
      if (!next) continue;
      turns.open += 1;
      open += 1;
      next();
    }
  };
  return {
    async run(merchantId, work) {
      const turns = merchants.get(merchantId) ?? { open: 0, waiting: [] };
      if (turns.waiting.length >= waitingOfOne) return null;
      merchants.set(merchantId, turns);
      const admitted = new Promise<void>((resolve) => turns.waiting.push(resolve));
      start();
      await admitted;
      try {
        return await work();
      } finally {
        turns.open -= 1;
        open -= 1;
        // To the end: the slot is for another, if one waits.
        merchants.delete(merchantId);
        if (turns.open > 0 || turns.waiting.length > 0) merchants.set(merchantId, turns);
        start();
      }
    },
  };
}
