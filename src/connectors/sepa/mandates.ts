import type { NegativeCode } from '../../spec/resultCodes.ts';
import { addMonths, type Day } from './calendar.ts';
import { isSepaId } from './characters.ts';

export type Scheme = 'CORE' | 'B2B';
const sequences = ['FRST', 'RCUR', 'OOFF', 'FNAL'] as const;
/** Once, the first of a series, a later one, the last one. */
export type Sequence = (typeof sequences)[number];

/** A mandate as a request names it. */
export type Mandate = { readonly id: string; readonly signedOn: Day };

/** A mandate as earlier collections of the account have left it. */
export type MandateRecord = Mandate & {
  readonly merchantId: string;
  readonly scheme: Scheme;
  /** Collections so far. */
  readonly uses: number;
  /** The latest due date of a collection; null: none yet. */
  readonly lastDueOn: Day | null;
  /** The payment that ended it: the one it was given for, or the last one. Null: it goes on. */
  readonly endedBy: string | null;
  /** When it was ended by hand; null: it was not. */
  readonly endedAt: number | null;
  /** The newest collections, the newest first. */
  readonly collections: readonly CollectionRecord[];
  /** A keyed hash of the account number. */
  readonly account: string;
  readonly creditorId: string;
  readonly creditorName: string;
  /** The end of the account number, the merchant's own id of the payer, and the stored details: to find it by. */
  readonly last4: string | null;
  readonly customerId: string | null;
  readonly registrationId: string | null;
};

/** A collection as its mandate remembers it. */
type CollectionRecord = {
  readonly paymentId: string;
  readonly amount: string;
  readonly dueOn: Day;
  readonly sequence: Sequence;
};

/** Older collections are found among the payments. */
const REMEMBERED_MAX = 24;

export const withCollection = (collections: readonly CollectionRecord[], added: CollectionRecord): readonly CollectionRecord[] =>
  [added, ...collections].slice(0, REMEMBERED_MAX);

/** A mandate without a collection for so long has lapsed. */
const LAPSES_MONTHS = 36;

/** The letters of an identifier do not tell two mandates of one creditor apart by their case. */
export const mandateKey = (id: string): string => id.toUpperCase();

export const lapsesAfter = ({ signedOn, lastDueOn }: Pick<MandateRecord, 'signedOn' | 'lastDueOn'>): Day =>
  addMonths(lastDueOn !== null && lastDueOn > signedOn ? lastDueOn : signedOn, LAPSES_MONTHS);

export type MandateUse = {
  readonly merchantId: string;
  readonly scheme: Scheme;
  readonly today: Day;
  readonly dueOn: Day;
};

/** Why nothing can be collected by a mandate; null: it can. */
export function mandateFault(mandate: Mandate, record: MandateRecord | null, use: MandateUse): NegativeCode | null {
  if (!isSepaId(mandate.id)) return '100.500.303';
  if (mandate.signedOn > use.today) return '100.500.302';
  if (record && (record.merchantId !== use.merchantId || record.scheme !== use.scheme)) return '100.500.303';
  if (record && record.signedOn !== mandate.signedOn) return '100.500.302';
  if (record && (record.endedBy !== null || record.endedAt !== null)) return '800.100.205';
  if (use.dueOn > lapsesAfter(record ?? { ...mandate, lastDueOn: null })) return '800.100.204';
  return null;
}

type SequenceRequest = {
  /** The payment belongs to stored details or to a series. */
  readonly isSeries: boolean;
  /** The merchant says that nothing follows. */
  readonly isLast: boolean;
  /** Every collection is sent as a later one, as the rulebooks have allowed since 2016. */
  readonly isAlwaysRecurring: boolean;
};

/** The type of a collection. A bank rejects a second one of a mandate that was sent as OOFF, and a FNAL before any other. */
export function sequenceFor(
  record: Pick<MandateRecord, 'uses'> | null,
  { isSeries, isLast, isAlwaysRecurring }: SequenceRequest,
): Sequence {
  const isUsed = record !== null && record.uses > 0;
  if (isLast) return isUsed ? 'FNAL' : 'OOFF';
  if (isAlwaysRecurring || isUsed) return 'RCUR';
  return isSeries ? 'FRST' : 'OOFF';
}

/** The changes of a mandate since its last collection; the bank is informed with the next one. */
export type Amendment = {
  readonly originalId?: string;
  readonly originalCreditorId?: string;
  readonly originalCreditorName?: string;
  /** The payer has another account now. */
  readonly isOtherAccount?: true;
};

/** Null: nothing has changed, or there was no collection that the bank could compare with. */
export function amendmentOf(
  record: MandateRecord | null,
  now: Pick<MandateRecord, 'account' | 'creditorId' | 'creditorName'>,
): Amendment | null {
  if (!record || record.uses === 0) return null;
  const amendment: Amendment = {
    ...(record.creditorId !== now.creditorId && { originalCreditorId: record.creditorId }),
    ...(record.creditorName !== now.creditorName && { originalCreditorName: record.creditorName }),
    ...(record.account !== now.account && { isOtherAccount: true }),
  };
  return Object.keys(amendment).length > 0 ? amendment : null;
}

/** The mandate as it was before its last collection, which never came to be: withdrawn, or rejected before settlement. */
export const withoutUse = (record: MandateRecord, paymentId: string): MandateRecord => ({
  ...record,
  uses: Math.max(0, record.uses - 1),
  endedBy: null,
  collections: record.collections.filter((one) => one.paymentId !== paymentId),
});

/** Lengths by country, where the register fixes them. */
const LENGTHS: Readonly<Record<string, number>> = { DE: 18, AT: 18, FR: 13, NL: 19, ES: 16, IT: 23 };

/** Letters as numbers, A = 10 to Z = 35. */
const digitsOf = (text: string): string => text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));

/** The remainder of a number of any length. */
const mod97 = (digits: string): number => Number(BigInt(digits) % 97n);

/** The two check digits of a creditor identifier. The business code is not part of the check. */
export function creditorCheckDigits(country: string, nationalId: string): string {
  const digits = digitsOf(`${nationalId.toUpperCase().replace(/[^A-Z0-9]/g, '')}${country}00`);
  return String(98 - mod97(digits)).padStart(2, '0');
}

/** Country, check digits, business code of three characters, national identifier. */
export function isCreditorId(text: string): boolean {
  const parts = /^([A-Z]{2})([0-9]{2})([A-Z0-9]{3})([A-Z0-9+?/:().,'-]{1,28})$/.exec(text);
  const [, country = '', check, , nationalId = ''] = parts ?? [];
  if (!parts || !/[A-Z0-9]/.test(nationalId)) return false;
  const length = LENGTHS[country];
  return (length === undefined || length === text.length) && creditorCheckDigits(country, nationalId) === check;
}
