import type { StepRow } from '../kind.ts';

const MODIFICATIONS = ['captures', 'refunds', 'cancels', 'reversals', 'amountUpdates'];

/** Every request may book: Adyen has no step before the one that authorises. */
export const steps = {
  pay: { request: 'POST /payments', books: true },
  details: { request: 'POST /payments/details', books: true },
  modify: {
    request: `POST ${MODIFICATIONS.map((name) => `/payments/{pspReference}/${name}`).join(', ')}`,
    books: true,
  },
  cancel: { request: 'POST /cancels', books: true },
} as const satisfies Readonly<Record<string, StepRow>>;

export type StepName = keyof typeof steps;
