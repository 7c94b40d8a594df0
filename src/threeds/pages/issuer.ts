import { mark, shown } from '../../spec/reference/parts.ts';
import { type Labels, languageOf } from '../labels/challengeLabels.ts';
import type { Ticket } from '../sandbox/ticket.ts';

export type ChallengeView = {
  readonly ticket: Pick<Ticket, 'merchant' | 'amount' | 'card' | 'language'>;
  readonly windowSize: string;
  readonly actionUrl: string;
  /** The page's own state, sealed. */
  readonly state: string;
};

export const bankHeader = ({ bank }: Labels): string =>
  `<header>${mark}<span>${shown(bank)}</span><span class="badge">TEST</span></header>`;

/** `92.00`, `EUR` in the shopper's language. Intl formats the digits of the text, so that the amount never becomes a float. */
export function moneyIn(language: string, { text, currency }: NonNullable<Ticket['amount']>): string {
  return new Intl.NumberFormat(languageOf(language), { style: 'currency', currency }).format(text as `${number}`);
}

/** Merchant, amount and card. */
export function summary(labels: Labels, { merchant, amount, card, language }: ChallengeView['ticket']): string {
  const rows: readonly (readonly [string, string])[] = [
    [labels.merchant, merchant],
    ...(amount === null ? [] : [[labels.amount, moneyIn(language, amount)] as const]),
    [labels.card, `•••• ${card.slice(-4)}`],
  ];
  const row = ([name, value]: readonly [string, string]): string =>
    `<div><dt>${shown(name)}</dt><dd><bdi>${shown(value)}</bdi></dd></div>`;
  return `<dl>${rows.map(row).join('')}</dl>`;
}

export const titleOf = (labels: Labels, { amount }: ChallengeView['ticket']): string =>
  amount === null ? labels.titleWithoutPayment : labels.title;
