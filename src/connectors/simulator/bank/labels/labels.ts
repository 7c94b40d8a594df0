import type { BankState } from '../bank.ts';

/** Heading and text of a page. */
export type Said = { readonly title: string; readonly text: string };

/** Which message a page shows: by the state of the payment, or by its flow. */
export type MessageKey = BankState | 'lost' | 'instructions' | 'invoice' | 'agreed';

/** Every text of the simulated bank in one language. `{amount}` and `{time}` are placeholders. */
export type Labels = Readonly<Record<MessageKey, Said>> & {
  readonly simulator: string;
  readonly notice: string;
  readonly amount: string;
  readonly recipient: string;
  readonly method: string;
  readonly pay: string;
  readonly decline: string;
  readonly cancel: string;
  readonly later: string;
  readonly laterHint: string;
  readonly back: string;
  /** Instructions for a transfer: account, reference and deadline. */
  readonly account: string;
  readonly reference: string;
  readonly payBy: string;
  readonly havePaid: string;
  readonly payLater: string;
  /** The terms of an invoice. */
  readonly agree: string;
  readonly disagree: string;
};
