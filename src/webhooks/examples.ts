import type { Delivery, OutboxEvent, Webhook } from './webhook.ts';

/** An active webhook of a merchant, for tests: give only what the case is about. */
export const exampleWebhook = (given: Partial<Webhook> = {}): Webhook => ({
  id: '018f2b7c9a3d4e5f60718293a4b5c701',
  entityId: '5eed00000000000000000000000000f1',
  name: 'orders',
  url: 'https://shop.example/hook',
  types: ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'],
  fields: 'ALL',
  wrapper: 'NONE',
  state: 'active',
  why: null,
  keys: [],
  failingSince: null,
  createdAt: 1_790_000_000_000,
  changedAt: 1_790_000_000_000,
  revision: 1,
  ...given,
});

/** That a debit was approved. */
export const exampleEvent = (given: Partial<OutboxEvent> = {}): OutboxEvent => ({
  merchantId: '5eed00000000000000000000000000f1',
  id: '018f2b7c9a3d4e5f60718293a4b5c801',
  entityId: '5eed0000000000000000000000000001',
  subjectId: '018f2b7c9a3d4e5f60718293a4b5c6d7',
  revision: 1,
  transactionId: null,
  type: 'PAYMENT',
  action: null,
  code: '000.100.110',
  detail: null,
  createdAt: 1_790_000_000_000,
  ...given,
});

/** On its way, not tried yet. */
export const exampleDelivery = (given: Partial<Delivery> = {}): Delivery => ({
  id: '018f2b7c9a3d4e5f60718293a4b5c901',
  webhookId: '018f2b7c9a3d4e5f60718293a4b5c701',
  event: exampleEvent(),
  state: 'due',
  dueAt: 1_790_000_000_000,
  tries: [],
  earlierTries: 0,
  createdAt: 1_790_000_000_000,
  ...given,
});
