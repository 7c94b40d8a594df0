import { type FoundColumn, paymentStates, type SearchFilterName, searchFilterNames } from '../../../spec/areas/payments.ts';
import { passesLuhn } from '../../../spec/cards/cardRanges.ts';
import {
  AUTHENTICATION,
  paymentTypes,
  RISK_CHECK,
  recordedTypes,
  registrationTypes,
  scheduleTypes,
} from '../../../spec/paymentTypes.ts';
import { DAY_MS } from '../../../spec/time.ts';
import type { Search } from '../../app/address.ts';
import type { Values } from '../../app/api.ts';
import type { Filter } from '../../kit/Filters.tsx';
import { type PaymentWords, wordFor } from '../../texts/payments.ts';

/** Transactions that move money. The list shows these alone until the user asks for others. */
export const moneyTypes = [...Object.keys(paymentTypes), ...Object.keys(recordedTypes)];
const otherTypes = [...Object.keys(registrationTypes), ...Object.keys(scheduleTypes), AUTHENTICATION, RISK_CHECK];

/** The value of the type filter for all transactions. */
export const ALL_TYPES = 'all';

const controlsIn = (t: PaymentWords): Readonly<Record<SearchFilterName, Omit<Filter, 'name'>>> => ({
  state: { label: t.state, choices: paymentStates.map((value) => ({ value, label: t[value] })) },
  types: {
    label: t.type,
    choices: [
      { value: ALL_TYPES, label: t.allTypes },
      ...[...moneyTypes, ...otherTypes].map((value) => ({ value, label: wordFor(t, value) })),
    ],
  },
  from: { label: t.from, type: 'date' },
  to: { label: t.to, type: 'date' },
  code: { label: t.code, placeholder: '800.100.151' },
  brand: { label: t.brand, placeholder: 'VISA' },
  currency: { label: t.currency, placeholder: 'EUR' },
  amount: { label: t.amount, placeholder: '92.00' },
  last4: { label: t.last4, placeholder: '4242' },
  email: { label: t.email, placeholder: 'ann@shop.example' },
  customer: { label: t.customer },
});

/** The filters of the list, under their names in the address. */
export const filtersIn = (t: PaymentWords): readonly Filter[] =>
  Object.entries(controlsIn(t)).map(([name, control]) => ({ name, ...control }));

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** A day as the instant at which it begins, or as the one at which it is over; an instant stays as it is. */
function instantOf(text: string | undefined, isEnd: boolean): string | undefined {
  if (text === undefined || !DAY.test(text)) return text;
  const begins = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(begins) ? text : new Date(begins + (isEnd ? DAY_MS : 0)).toISOString();
}

export type PaymentFilters = Partial<Omit<Values<'searchPayments'>, 'after' | 'limit'>>;

/** Filters whose text in the address must be converted for the API. */
const parsers: Partial<Record<SearchFilterName, (text: string) => string | undefined>> = {
  from: (text) => instantOf(text, false),
  to: (text) => instantOf(text, true),
  brand: (text) => text.toUpperCase(),
  currency: (text) => text.toUpperCase(),
  state: (text) => paymentStates.find((one) => one === text),
};

/** Transactions without money are listed when the user asks for them, or searches for a text. */
function typesOf({ types, q }: Search): string | undefined {
  if (types !== undefined) return types === ALL_TYPES ? undefined : types;
  return q ? undefined : moneyTypes.join(',');
}

/** The request to the server, from the address. */
export function askedOf(entityId: string, search: Search): PaymentFilters {
  const filters = searchFilterNames.map((name) => {
    const text = search[name];
    return [name, text === undefined ? undefined : (parsers[name] ?? String)(text)];
  });
  return { entityId, text: search.q?.trim(), ...Object.fromEntries(filters), types: typesOf(search) } as PaymentFilters;
}

/** The parameters of the address that belong to the view of the list. */
export const viewNames = ['q', ...searchFilterNames] as const;

export const isFiltered = (search: Search): boolean => viewNames.some((name) => search[name]);

/** The page's column for each column of the file. */
export const columnsOf = {
  created: ['createdAt'],
  amount: ['amount', 'currency'],
  state: ['state', 'status', 'code', 'description'],
  type: ['paymentType'],
  card: ['paymentBrand', 'last4'],
  code: ['code'],
  reference: ['merchantTransactionId'],
  email: ['email'],
  channel: ['channel', 'entityId'],
  shortId: ['shortId'],
  id: ['id'],
} as const satisfies Readonly<Record<string, readonly FoundColumn[]>>;

const CARD = /^[0-9](?:[ -]?[0-9]){12,18}$/;

/** Detects a card number in the search text, so that it is never sent. */
export function cardEnd(text: string): string | null {
  const typed = text.trim();
  if (!CARD.test(typed)) return null;
  const digits = typed.replaceAll(/[ -]/g, '');
  return passesLuhn(digits) ? digits.slice(-4) : null;
}
