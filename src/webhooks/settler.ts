import type { WebhookStore } from './needs.ts';
import type { Delivery } from './webhook.ts';

const AT_ONCE = 500;

/** Writes down what became of deliveries: all that end while the store is busy go into its next commit. */
export interface Settler {
  add(delivery: Delivery): void;
  /** Resolves when everything is written that was added so far; rejects when the store is out of order, and keeps what it has. */
  flush(): Promise<void>;
}

export function createSettler(store: Pick<WebhookStore, 'settle'>): Settler {
  let waiting: Delivery[] = [];
  let running: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, AT_ONCE);
      try {
        await store.settle(batch);
      } catch (error) {
        waiting = [...batch, ...waiting];
        throw error;
      }
    }
  };
  const start = (): Promise<void> => {
    running ??= write().finally(() => {
      running = null;
    });
    return running;
  };
  return {
    add(delivery) {
      waiting.push(delivery);
      // Whoever flushes is told of the error; claims end by themselves, at worst something is sent twice.
      start().catch(() => {});
    },
    async flush() {
      while (running || waiting.length > 0) await start();
    },
  };
}
