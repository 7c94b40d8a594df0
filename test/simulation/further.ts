import type { ScheduleStore } from '../../src/schedules/ports.ts';
import type { SecretStore } from '../../src/vault/ports.ts';
import type { WebhookStore } from '../../src/webhooks/ports.ts';
import type { Operation } from './tally.ts';

/** What plans and webhooks ask of the store, beside payments, registrations and checkouts. */
export type FurtherStore = ScheduleStore & WebhookStore & SecretStore;

/** How a thing is read and written over the bad wire. */
type Wire = {
  read<T>(effect: () => Promise<T>): Promise<T>;
  write<T>(operation: Operation, keep: () => Promise<T>): Promise<T>;
};

/** Claims are written too: their answer can be lost, and then no node works on what is claimed until the claim is over. */
export const faultyFurther = (store: FurtherStore, { read, write }: Wire): FurtherStore => ({
  schedule: (merchantId, planId) => read(() => store.schedule(merchantId, planId)),
  schedulesOf: (merchantId, registrationId, limit) => read(() => store.schedulesOf(merchantId, registrationId, limit)),
  runs: (merchantId, planId, limit) => read(() => store.runs(merchantId, planId, limit)),
  misdatedSchedules: (query) => read(() => store.misdatedSchedules(query)),
  nextRunAt: (merchantId) => read(() => store.nextRunAt(merchantId)),
  claimSchedules: (asked) => write('schedule', () => store.claimSchedules(asked)),
  saveSchedule: (...change) => write('schedule', () => store.saveSchedule(...change)),
  webhooks: () => read(() => store.webhooks()),
  pendingEvents: (merchants, limit) => read(() => store.pendingEvents(merchants, limit)),
  delivery: (webhookId, id) => read(() => store.delivery(webhookId, id)),
  deliveries: (asked) => read(() => store.deliveries(asked)),
  countDeliveries: (webhookId) => read(() => store.countDeliveries(webhookId)),
  nextDeliveryAt: (merchantId) => read(() => store.nextDeliveryAt(merchantId)),
  addWebhook: (webhook) => write('webhook', () => store.addWebhook(webhook)),
  saveWebhook: (webhook) => write('webhook', () => store.saveWebhook(webhook)),
  removeWebhook: (id) => write('webhook', () => store.removeWebhook(id)),
  saveFanOut: (event, deliveries) => write('webhook', () => store.saveFanOut(event, deliveries)),
  passEvents: (merchants, limit) => write('webhook', () => store.passEvents(merchants, limit)),
  claimDeliveries: (asked) => write('webhook', () => store.claimDeliveries(asked)),
  saveDeliveries: (deliveries) => write('webhook', () => store.saveDeliveries(deliveries)),
  redeliver: (which, dueAt) => write('webhook', () => store.redeliver(which, dueAt)),
  correctMisdatedDeliveries: (asked) => write('webhook', () => store.correctMisdatedDeliveries(asked)),
  deleteEvents: (before) => write('webhook', () => store.deleteEvents(before)),
  secret: (entityId, name) => read(() => store.secret(entityId, name)),
  storeSecret: (entityId, name, sealed) => write('webhook', () => store.storeSecret(entityId, name, sealed)),
});

/** The methods as free functions. */
export const boundFurther = (store: FurtherStore): FurtherStore =>
  faultyFurther(store, { read: (effect) => effect(), write: (_operation, keep) => keep() });
