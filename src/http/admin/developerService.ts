import type { InboxService } from '../../developer/inbox.ts';
import type { CallStore } from '../../developer/ports.ts';
import type { Inspector } from '../inspector/inspector.ts';

/** What developers look at and try with. */
export type DeveloperService = {
  readonly calls: CallStore;
  /** Null: nobody keeps calls. What was kept before can still be read. */
  readonly inspector: Inspector | null;
  /** Null in live. */
  readonly inboxes: InboxService | null;
  /** The first instant behind another one at which something of a merchant is due; null when nothing is. */
  readonly nextDueAt: (merchantId: string, after: number) => Promise<number | null>;
  /** When a plan of his runs next, and when something is sent to a webhook. */
  readonly nextRunAt: (merchantId: string) => Promise<number | null>;
  readonly nextDeliveryAt: (merchantId: string) => Promise<number | null>;
};
