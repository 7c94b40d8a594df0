import type { BankState } from '../bank.ts';

/** What a page says first, and the sentence below it. */
export type Said = { readonly title: string; readonly text: string };

/** Every text of the simulated bank, in one language. `{amount}` and `{time}` stand where those are written in. */
export type Labels = Readonly<Record<BankState | 'lost', Said>> & {
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
};
