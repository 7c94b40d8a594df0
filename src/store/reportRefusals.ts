import { StoreOutOfOrder } from '../payments/storeErrors.ts';
import type { Store } from './store.ts';

/** The same store; `onRefused` is called when a commit could not be written. */
export const reportRefusals = (store: Store, onRefused: () => void): Store => ({
  ...store,
  commit: (change) =>
    store.commit(change).catch((error: unknown) => {
      if (error instanceof StoreOutOfOrder) onRefused();
      throw error;
    }),
});
