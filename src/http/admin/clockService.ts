import type { AdvanceSummary } from '../../merchants/clock.ts';
import type { MerchantClock } from '../../merchants/ports.ts';

/** Merchants' clocks, for those who read and set them. */
export type ClockService = {
  /** Reads what other nodes have set. */
  readonly refresh: () => Promise<void>;
  readonly row: (merchantId: string) => MerchantClock;
  readonly now: (merchantId: string) => number;
  /** Stops it where it is. */
  readonly freeze: (merchantId: string) => Promise<void>;
  /** Lets it show real time again. */
  readonly resetToReal: (merchantId: string) => Promise<void>;
  /**
   * Moves it forward, from one due instant to the next, and waits for a while until it has arrived; answers what was done until then.
   * Null: it is being moved already.
   */
  readonly advance: (merchantId: string, target: number) => Promise<AdvanceSummary | null>;
};
