import type { StepRow } from '../kind.ts';

/** To store details moves no money, but a platform that may have stored them is not left for another. */
export const steps = {
  send: { request: 'POST /v1/payments, /v1/payments/{id}, /v1/registrations, /v1/registrations/{id}/payments', books: true },
  undo: { request: 'POST /v1/payments/{id}, DELETE /v1/registrations/{id}', books: true },
  query: { request: 'GET /v1/payments/{id}, /v1/query', books: false },
} as const satisfies Readonly<Record<string, StepRow>>;

export type StepName = keyof typeof steps;
