import { amountOf } from '../../money/amount.ts';
import { currencies } from '../../spec/currencies.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { Needle } from './search.ts';

/** The meanings of a search text. */
export type ParsedSearch = {
  readonly needles: readonly Needle[] | null;
  /** A day or several, where the text is one. */
  readonly range: { readonly from: number; readonly before: number } | null;
};

type HashEmail = (address: string) => string;

const ID = /^[0-9a-f]{8,32}$/i;
const SHORT = /^[0-9]{4}\.(?:[0-9]{0,4}(?:\.[0-9]{0,4})?)?$/;
const LAST4 = /^(?:[*•x.]{0,12} ?)?([0-9]{4})$/i;
const AMOUNT = /^(?:([A-Z]{3}) ?)?([0-9]{1,13}(?:[.,][0-9]{2})?)(?: ?([A-Z]{3}))?$/i;
const DAY = '((?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2})';
const DAYS = new RegExp(`^${DAY}(?: ?(?:\\.\\.|to|–|bis) ?${DAY})?$`);
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const EMAIL_BEGUN = /^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]*$/;
/** A search for the beginning that all references share would find everything. */
const REFERENCE = /^[\x20-\x7e]{2,255}$/;

/** A text can mean several things: four digits are an amount, the end of a card number, and the beginning of a reference. */
export function parseSearchText(text: string, hashed: HashEmail): ParsedSearch {
  const asked = text.trim();
  if (asked === '') return { needles: null, range: null };
  const range = rangeOf(asked);
  if (range) return { needles: null, range };
  return { needles: needlesOf(asked, hashed), range: null };
}

function needlesOf(asked: string, hashed: HashEmail): readonly Needle[] {
  if (asked.includes('@')) return [...addressOf(asked, hashed), ...referenceOf(asked)];
  const last4 = LAST4.exec(asked)?.[1];
  return [
    ...(ID.test(asked) ? [{ is: 'id', prefix: asked.toLowerCase() } as const] : []),
    ...(SHORT.test(asked) ? [{ is: 'shortId', prefix: asked } as const] : []),
    ...(last4 === undefined ? [] : [{ is: 'last4', last4 } as const]),
    ...amountIn(asked),
    ...referenceOf(asked),
  ];
}

/** A whole address is found by its hash; an incomplete one among the newest payments first. */
function addressOf(asked: string, hashed: HashEmail): readonly Needle[] {
  return [
    ...(EMAIL.test(asked) ? [{ is: 'email', hash: hashed(asked) } as const] : []),
    ...(EMAIL_BEGUN.test(asked) ? [{ is: 'emailPrefix', prefix: asked.toLowerCase() } as const] : []),
  ];
}

const referenceOf = (asked: string): readonly Needle[] => (REFERENCE.test(asked) ? [{ is: 'reference', prefix: asked }] : []);

function amountIn(asked: string): readonly Needle[] {
  const [, before, digits, behind] = AMOUNT.exec(asked) ?? [];
  const amount = digits === undefined ? undefined : amountOf(digits.replace(',', '.'));
  const currency = (before ?? behind)?.toUpperCase() ?? null;
  if (amount === undefined || (before && behind) || (currency !== null && !currencies.has(currency))) return [];
  return [{ is: 'amount', amount, currency }];
}

/** Days are in UTC. */
function rangeOf(asked: string): ParsedSearch['range'] {
  const [, first, last = first] = DAYS.exec(asked) ?? [];
  const [from, to] = [first, last].map((day) => Date.parse(`${day}T00:00:00Z`));
  return from === undefined || to === undefined || Number.isNaN(from + to) ? null : { from, before: to + DAY_MS };
}
