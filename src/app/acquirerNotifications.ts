import type { KeptNotification } from '../connectors/ports.ts';
import { applyNotification, isTakenBy, type ReceiveNotification } from '../payments/connector/notifications.ts';
import { paymentRefText } from '../payments/paymentRef.ts';
import type { AcquirerNotification, Connector, World } from '../payments/ports.ts';
import type { Clock } from '../spec/time.ts';
import type { DocumentStore, StoredDocument } from '../users/documents.ts';

export const NOTIFICATIONS = 'acquirerNotification';

type NotificationBody = { readonly event: string; readonly data: Readonly<Record<string, string>>; readonly outcome?: string };

export const notificationDocument = {
  read: ({ id, at, body }: StoredDocument): KeptNotification => ({
    id,
    receivedAt: at,
    data: (body as NotificationBody).data,
  }),
};

export type NotificationNeeds = {
  readonly store: DocumentStore;
  readonly worldOf: (merchantId: string | null) => World;
  readonly connector: (kind: string, ownerId: string, name: string) => Connector | null;
  readonly alarm: World['alarm'];
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
  clock,
}: NotificationNeeds): ReceiveNotification {
  return async ({ kind, ownerId, name }, sent) => {
    const request = { ...sent, receivedAt: clock.now() };
    const connector = find(kind, ownerId, name);
    if (!connector?.readNotification) return { is: 'unknownAccount' };
    const reading = await connector.readNotification(request);
    if (reading.is === 'refused') {
      alarm('a notification was refused', { account: name, why: reading.reason });
      return { is: 'refused' };
    }
    const source = `${kind}/${name}`;
    for (const notification of reading.notifications) {
      const { about } = notification;
      const world = worldOf(about?.merchantId ?? null);
      const isOwn = about !== null && (await isTakenBy(world, about, connector.accountId));
      const kept = { source: `${ownerId}/${source}`, receivedAt: request.receivedAt };
      await keep(store, kept, isOwn ? notification : { ...notification, about: null });
      if (isOwn) await applyNotification(world, notification, source);
      else if (about) alarm('a notification speaks of a payment that its account did not take', { account: name });
    }
    return { is: 'accepted', reply: reading.reply ?? null };
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
