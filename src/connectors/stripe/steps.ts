import type { StepRow } from '../kind.ts';

/** An intent books nothing before it is confirmed. A cancellation releases money, so its missing answer is none. */
export const steps = {
  create: { request: 'POST /payment_intents, /setup_intents', books: false },
  method: { request: 'POST /payment_methods', books: false },
  customer: { request: 'POST /customers', books: false },
  update: { request: 'POST /payment_intents/{id}', books: false },
  attach: { request: 'POST /payment_methods/{id}/attach', books: false },
  retrieve: { request: 'GET /payment_intents/{id}, /setup_intents/{id}, /refunds/{id}', books: false },
  search: { request: 'GET /payment_intents/search, /refunds', books: false },
  confirm: { request: 'POST /payment_intents/{id}/confirm, /setup_intents/{id}/confirm', books: true },
  capture: { request: 'POST /payment_intents/{id}/capture', books: true },
  increment: { request: 'POST /payment_intents/{id}/increment_authorization', books: true },
  cancel: { request: 'POST /payment_intents/{id}/cancel, /setup_intents/{id}/cancel', books: true },
  refund: { request: 'POST /refunds', books: true },
} as const satisfies Readonly<Record<string, StepRow>>;

export type StepName = keyof typeof steps;
