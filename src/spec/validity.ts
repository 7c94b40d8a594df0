import type { MethodCode } from './paymentTypes.ts';
import { DAY_MS } from './time.ts';

/** How long an authorisation may be captured, counted from its approval. */
export type Validity = {
  readonly days: number;
  /** An approved increment begins the validity anew. Otherwise it raises the amount alone. */
  readonly isExtended?: true;
};

/** One row of the table below. The most specific row of a connector counts: a brand before a method. */
export type ValidityRow = Validity & {
  /** The kind of connector; `default`: each that has no rows of its own. */
  readonly connector: string;
  /** A method or a brand; `*`: every other. */
  readonly of: string;
  /** For payments without the shopper (`standingInstruction.source` MIT), where the scheme distinguishes them. */
  readonly daysMIT?: number;
  readonly source: string;
};

const facts = 'facts/connectors.md';

/**
 * How long an authorisation is valid, by connector, method and brand (decisions/0096). The end decides three things together: until when
 * CP is taken, until when RV of a PA is taken, and when the rest of the reserve is released.
 */
export const validityRows: readonly ValidityRow[] = [
  { connector: 'default', of: 'CC', days: 7, source: 'the schemes, for a payment that the shopper makes' },
  { connector: 'default', of: 'DC', days: 7, source: 'the schemes, for a payment that the shopper makes' },
  { connector: 'default', of: 'VISA', days: 7, daysMIT: 5, source: 'Visa: increments do not extend the first authorisation' },
  { connector: 'default', of: 'VISADEBIT', days: 7, daysMIT: 5, source: 'Visa' },
  { connector: 'default', of: 'VISAELECTRON', days: 7, daysMIT: 5, source: 'Visa' },
  { connector: 'default', of: 'VPAY', days: 7, daysMIT: 5, source: 'Visa' },
  { connector: 'default', of: 'MASTER', days: 30, isExtended: true, source: 'Mastercard, pre-authorisations' },
  { connector: 'default', of: 'MASTERDEBIT', days: 30, isExtended: true, source: 'Mastercard, pre-authorisations' },
  { connector: 'default', of: 'MAESTRO', days: 7, source: 'Mastercard, Maestro' },
  { connector: 'default', of: 'PAYPAL', days: 29, source: 'PayPal, authorisation period' },
  { connector: 'default', of: '*', days: 28, source: 'wallets, instalments and invoices: the common default of their providers' },
  { connector: 'adyen', of: '*', days: 28, source: `${facts}: EXPIRE, the rest that is not captured lapses after 28 days` },
  {
    connector: 'stripe',
    of: '*',
    days: 7,
    daysMIT: 5,
    source: `${facts}: about 7 days, 5 for some MITs; capture_before of the answer is exact and counts before this`,
  },
  {
    connector: 'upstream',
    of: '*',
    days: 30,
    isExtended: true,
    source: 'the platform has limits of its own; its resultDetails.CaptureBefore is exact and counts before this',
  },
];

/** The rows for one method of a connector, the most general first: its capability carries them. */
export function validityOf(connector: string, method: MethodCode): readonly ValidityRow[] {
  const own = validityRows.filter((row) => row.connector === connector);
  const rows = own.length > 0 ? own : validityRows.filter((row) => row.connector === 'default');
  return rows.filter((row) => !isMethod(row.of) || row.of === method);
}

const isMethod = (of: string): boolean => /^[A-Z]{2}$/.test(of);

export type ValidityQuestion = {
  readonly method: MethodCode;
  readonly brand: string | null;
  readonly isMIT: boolean;
  /** Days by brand, by method or as `default`: the setting `authorisationDays` of the channel. */
  readonly days?: Readonly<Record<string, number>> | undefined;
};

/** The validity of one authorisation: the setting of the channel before the table, a brand before a method, a method before the rest. */
export function validityIn(rows: readonly ValidityRow[], { method, brand, isMIT, days = {} }: ValidityQuestion): Validity {
  const rowOf = (of: string | null) => rows.find((row) => row.of === of);
  const row = rowOf(brand) ?? rowOf(method) ?? rowOf('*') ?? FALLBACK;
  const set = days[brand ?? ''] ?? days[method] ?? days.default;
  const own = isMIT ? (row.daysMIT ?? row.days) : row.days;
  return { days: set ?? own, ...(row.isExtended && { isExtended: true }) };
}

/** Where no row fits: the minimum that the schemes grant. */
const FALLBACK: ValidityRow = { connector: 'default', of: '*', days: 7, source: 'the schemes' };

/** A setting may not be longer: no scheme keeps an authorisation for so long. */
export const VALIDITY_DAYS_MAX = 180;

/**
 * A release cannot be taken back, and the clock of a node may be a day ahead. Such a node refuses captures too early, which ends with the
 * clock, but it must not release what another node may still capture.
 */
export const RELEASE_WAIT_MS = DAY_MS;
