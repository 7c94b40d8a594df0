import type { Payment } from '../../payments/payment.ts';
import type { Attempt, Instructed } from '../../payments/ports.ts';
import { dayText } from '../../spec/dates.ts';
import { recurringTypes } from '../../spec/recurringTypes.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import type { Directives } from './directives.ts';
import { isAgreementOf, isReferenceOf } from './reference.ts';

const AGREEMENT_BRANDS: ReadonlySet<string | null> = new Set(['MASTER', 'MASTERDEBIT']);

/** Cards, and what stands for one: wallets and tokens come with the method of their brand. */
export const isCard = ({ method }: Payment): boolean => method === 'CC' || method === 'DC';

const ALONE: ReadonlySet<string> = new Set(['PA', 'DB', 'CD', 'RG']);

/** What begins with an instrument of its own, and not with a payment before. */
export const standsAlone = ({ paymentType }: Payment): boolean => ALONE.has(paymentType);

/** Whether the scheme of this brand names agreements too. */
export const namesAgreements = ({ paymentBrand }: Payment): boolean => AGREEMENT_BRANDS.has(paymentBrand);

const isLater = ({ source, mode }: Instructed): boolean => source === 'MIT' && mode === 'REPEATED';

/** Whether the merchant starts a payment on his own: a later one of a series, or by a practice of his industry. */
export function isMerchants(series: Instructed | null): series is Instructed {
  if (series === null) return false;
  return series.practice === null ? isLater(series) : series.source !== 'CIT';
}

const charges = ({ paymentType }: Payment): boolean => paymentType === 'PA' || paymentType === 'DB';

/** Why the cardholder does not let the merchant charge any more; null when he does. */
export function objectionToMandate({ payment, series }: Attempt, { mandate }: Directives): NegativeCode | null {
  if (!isMerchants(series) || !isCard(payment) || !charges(payment)) return null;
  if (mandate !== undefined) return mandate === 'revoked' ? '800.100.500' : '800.100.501';
  const isOver = series.expiry !== null && series.expiry < dayText(payment.createdAt);
  return isOver ? '800.100.500' : null;
}

/** Why a scheme does not believe that the shopper has agreed to what the merchant starts; null when it does. */
export function objectionToReference({ payment, series, referenced }: Attempt): NegativeCode | null {
  if (!isMerchants(series) || !isCard(payment) || !charges(payment)) return null;
  if (beganElsewhere(series)) return null;
  const isResubmission = series.practice === 'RESUBMISSION';
  // What is tried again was declined, so it has no scheme data; only a series has.
  if (isResubmission && !isLater(series)) return null;
  const original = isResubmission ? null : referenced;
  if (original && isBelieved(original, payment)) return null;
  const references = [
    series.initialTransactionId,
    isResubmission ? (referenced?.fields['standingInstruction.initialTransactionId'] ?? null) : null,
  ].filter((reference) => reference !== null);
  const agreement = namesAgreements(payment) ? series.agreementId : null;
  if (references.some((reference) => isReferenceOf(reference, payment))) return null;
  if (agreement !== null && isAgreementOf(agreement, payment)) return null;
  return references.length > 0 || agreement !== null || original ? '800.100.167' : '100.150.300';
}

/** A series that was begun with another provider is believed when it says anything of how it began. */
const beganElsewhere = ({ migration }: Instructed): boolean =>
  migration !== null && (migration.connectorTxIds.length > 0 || migration.requestTimestamp !== null);

/** Of the same card, or nothing is known of it: captures and what was stored in earlier days have no scheme data. */
function isBelieved({ details }: Payment, payment: Payment): boolean {
  if (details.schemeReference === undefined || payment.fingerprint === null) return true;
  return isReferenceOf(details.schemeReference, payment);
}

/** What a request itself tells of its series, when nothing else is at hand. */
export function seriesTold({ fields, industryPractice }: Payment): Instructed | null {
  const told = (name: string) => fields[`standingInstruction.${name}`] ?? null;
  const older = fields.recurringType === undefined ? null : recurringTypes[fields.recurringType as keyof typeof recurringTypes];
  const mode = (told('mode') ?? older?.mode ?? null) as Instructed['mode'];
  if (mode === null && industryPractice === null) return null;
  return {
    mode,
    source: (told('source') ?? older?.source ?? null) as Instructed['source'],
    practice: industryPractice,
    initialTransactionId: told('initialTransactionId'),
    agreementId: told('agreementId'),
    type: told('type') ?? older?.type ?? null,
    recurringType: told('recurringType'),
    expiry: told('expiry'),
    frequency: told('frequency'),
    numberOfInstallments: told('numberOfInstallments'),
    migration: null,
  };
}
