import type { BankState } from '../bank.ts';

/** What a page says first, and the sentence below it. */
export type Said = { readonly title: string; readonly text: string };

/** How a page of the bank begins: by how the payment stands, or by what the shopper has to know first. */
export type Saying = BankState | 'lost' | 'instructions' | 'invoice' | 'agreed';

/** Every text of the simulated bank, in one language. `{amount}` and `{time}` stand where those are written in. */
export type Labels = Readonly<Record<Saying, Said>> & {
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
  /** Where to, with what to be known by, and until when a shopper pays by himself. */
  readonly account: string;
  readonly reference: string;
  readonly payBy: string;
  readonly havePaid: string;
  readonly payLater: string;
  /** To the terms of an invoice. */
  readonly agree: string;
  readonly disagree: string;
};
