import { type FoundColumn, paymentStates } from '../../../spec/areas/payments.ts';
import { passesLuhn } from '../../../spec/cardRanges.ts';
import type { Search } from '../../app/address.ts';
import type { Values } from '../../app/api.ts';
import type { Filter } from '../../kit/Filters.tsx';
import { type PaymentWords, wordFor } from '../../texts/payments.ts';

const types = ['DB', 'PA', 'CP', 'RF', 'RV', 'CD', 'CB', 'CR', 'RB', 'RC', 'RG', '3D', 'RI'] as const;

/** What the list can be narrowed by, under the names of the address. */
export const filtersIn = (t: PaymentWords): readonly Filter[] => [
  { name: 'state', label: t.state, choices: paymentStates.map((value) => ({ value, label: t[value] })) },
  { name: 'types', label: t.type, choices: types.map((value) => ({ value, label: wordFor(t, value) })) },
  { name: 'from', label: t.from, type: 'date' },
  { name: 'to', label: t.to, type: 'date' },
  { name: 'code', label: t.code, placeholder: '800.100.151' },
  { name: 'brand', label: t.brand, placeholder: 'VISA' },
  { name: 'currency', label: t.currency, placeholder: 'EUR' },
  { name: 'amount', label: t.amount, placeholder: '92.00' },
  { name: 'last4', label: t.last4, placeholder: '4242' },
  { name: 'email', label: t.email, placeholder: 'ann@shop.example' },
];

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const DAY_MS = 86_400_000;

/** A day as the instant at which it begins, or as the one at which it is over; an instant stays as it is. */
function instantOf(text: string | undefined, isEnd: boolean): string | undefined {
  if (text === undefined || !DAY.test(text)) return text;
  const begins = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(begins) ? text : new Date(begins + (isEnd ? DAY_MS : 0)).toISOString();
}

export type PaymentFilters = Partial<Omit<Values<'searchPayments'>, 'after' | 'limit'>>;

/** What the server is asked, from the address. */
export function askedOf(entityId: string, search: Search): PaymentFilters {
  const { q, from, to, state, types: kinds, brand, code, currency, amount, last4, email } = search;
  const upper = { brand: brand?.toUpperCase(), currency: currency?.toUpperCase() };
  const rest = {
    text: q?.trim(),
    from: instantOf(from, false),
    to: instantOf(to, true),
    types: kinds,
    code,
    amount,
    last4,
    email,
  };
  return { entityId, ...upper, ...rest, state: paymentStates.find((one) => one === state) } as PaymentFilters;
}

/** What of the address belongs to the view of the list. */
export const viewNames = ['q', 'state', 'types', 'from', 'to', 'code', 'brand', 'currency', 'amount', 'last4', 'email'] as const;

export const isNarrowed = (search: Search): boolean => viewNames.some((name) => search[name]);

/** The columns of the page by those of the file. */
export const columnsOf = {
  created: ['createdAt'],
  amount: ['amount', 'currency'],
  state: ['state'],
  type: ['paymentType'],
  code: ['code', 'description'],
  brand: ['paymentBrand'],
  last4: ['last4'],
  reference: ['merchantTransactionId'],
  email: ['email'],
  channel: ['channel', 'entityId'],
  shortId: ['shortId'],
  id: ['id'],
} as const satisfies Readonly<Record<string, readonly FoundColumn[]>>;

const CARD = /^[0-9](?:[ -]?[0-9]){12,18}$/;

/** Whether somebody has typed the number of a card: it goes nowhere. */
export function cardEnd(text: string): string | null {
  const typed = text.trim();
  if (!CARD.test(typed)) return null;
  const digits = typed.replaceAll(/[ -]/g, '');
  return passesLuhn(digits) ? digits.slice(-4) : null;
}
