import type { KeptNotification } from '../../connectors/ports.ts';
import {
  applyNotification,
  applyToEarlier,
  involvementOf,
  type ReceiveNotification,
} from '../../payments/connector/notifications.ts';
import { paymentRefText } from '../../payments/payment.ts';
import type { AcquirerNotification, Connector, World } from '../../payments/ports.ts';
import type { BankNeeds } from '../../settlement/in/applyReport.ts';
import { type Clock, DAY_MS } from '../../spec/time.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { DocumentStore, StoredDocument } from '../../users/documents.ts';

export const NOTIFICATIONS = 'acquirerNotification';
/** Far more than an acquirer sends about one payment. */
export const NOTIFICATIONS_MAX = 200;

/** As long as a payment can be disputed: 540 days by the rules of Visa, 13 months by the rules of direct debits; and a margin. */
export const NOTIFICATION_LIFE_MS = 570 * DAY_MS;

type NotificationBody = { readonly event: string; readonly data: Readonly<Record<string, string>>; readonly outcome?: string };

export const notificationDocument = {
  /** Whether the account sent it: after other accounts, a payment has notifications of several. */
  isOf: ({ id }: StoredDocument, account: { readonly ownerId: string; readonly name: string }): boolean => {
    const [ownerId, , name] = id.split('/');
    return ownerId === account.ownerId && name === account.name;
  },
  read: ({ id, at, body }: StoredDocument): KeptNotification => ({
    id,
    receivedAt: at,
    data: (body as NotificationBody).data,
  }),
};

const NOT_INVOLVED = { is: 'none' } as const;

export type NotificationNeeds = {
  readonly store: DocumentStore;
  readonly worldOf: (merchantId: string | null) => World;
  readonly connector: (kind: string, ownerId: string, name: string) => Connector | null;
  readonly alarm: World['alarm'];
  readonly metrics: Pick<Metrics, 'notificationRefused'>;
  readonly clock: Clock;
};

/**
 * Takes what an acquirer sends by itself: verified, recorded once, applied, and acknowledged only when both are durable. The order of
 * arrival means nothing. Rejects when the acquirer must send it again.
 */
export function createNotificationReceiver({
  store,
  worldOf,
  connector: find,
  alarm,
  metrics,
  clock,
}: NotificationNeeds): ReceiveNotification {
  return async ({ kind, ownerId, name }, sent) => {
    const request = { ...sent, receivedAt: clock.now() };
    const connector = find(kind, ownerId, name);
    if (!connector?.readNotification) return { is: 'unknownAccount' };
    const reading = await connector.readNotification(request);
    if (reading.is === 'refused') {
      metrics.notificationRefused(kind, reading.reason);
      alarm('a notification was refused', { account: name, entityId: ownerId, why: reading.reason });
      return { is: 'refused' };
    }
    const source = `${kind}/${name}`;
    for (const notification of reading.notifications) {
      const { about } = notification;
      const world = worldOf(about?.merchantId ?? null);
      const involved = about === null ? NOT_INVOLVED : await involvementOf(world, about, connector.accountId);
      const kept = { source: `${ownerId}/${source}`, receivedAt: request.receivedAt };
      await keep(store, kept, involved.is === 'none' ? { ...notification, about: null } : notification);
      if (involved.is === 'current') await applyNotification(world, notification, source, involved.connector);
      else if (involved.is === 'earlier') await applyToEarlier(world, notification, involved.payment);
      else if (about)
        alarm('a notification speaks of a payment that its account did not take', { account: name, entityId: ownerId });
    }
    return { is: 'accepted', reply: reading.reply ?? null };
  };
}

type ReportNeeds = Pick<NotificationNeeds, 'store' | 'worldOf' | 'clock'>;

/** Takes what a bank's file says about the payments of an account that sends files: recorded once, and applied. */
export function createReportReceiver({ store, worldOf, clock }: ReportNeeds): Pick<BankNeeds, 'receive' | 'statusesOf'> {
  return {
    async receive({ accountId = '' }, notification) {
      const source = `${accountId}/file`;
      await keep(store, { source, receivedAt: clock.now() }, notification);
      await applyNotification(worldOf(notification.about?.merchantId ?? null), notification, source);
    },
    async statusesOf(payment) {
      const asked = { collection: NOTIFICATIONS, ownerId: paymentRefText(payment), limit: NOTIFICATIONS_MAX };
      return (await store.documents(asked)).map((one) => notificationDocument.read(one).data.status ?? '').toReversed();
    },
  };
}

/** The same event is one document, however often it comes. */
async function keep(
  store: DocumentStore,
  { source, receivedAt }: { readonly source: string; readonly receivedAt: number },
  { id, about, event, data }: AcquirerNotification,
): Promise<void> {
  const ownerId = about === null ? source : paymentRefText({ merchantId: about.merchantId, id: about.paymentId });
  const body: NotificationBody = { event: event.is, data };
  const document = { collection: NOTIFICATIONS, id: `${source}/${id}`, ownerId, at: receivedAt, revision: 1, body };
  // False: it was kept before.
  await store.saveDocuments([document]);
}
