import { hash } from 'node:crypto';
import type { Payment } from '../../payments/payment.ts';
import type { Attempt, StandingInstruction } from '../../payments/ports.ts';
import { dayText } from '../../spec/formats/dates.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { recurringTypes } from '../../spec/rules/stored.ts';
import type { Directives } from './directives.ts';

const AGREEMENT_BRANDS: ReadonlySet<string | null> = new Set(['MASTER', 'MASTERDEBIT']);

/** Cards, and wallets and tokens that represent one. */
export const isCard = ({ method }: Payment): boolean => method === 'CC' || method === 'DC';

const ALONE: ReadonlySet<string> = new Set(['PA', 'DB', 'CD', 'RG']);

/** Whether a request has an instrument of its own and does not reference a payment. */
export const isStandalone = ({ paymentType }: Payment): boolean => ALONE.has(paymentType);

/** Whether the scheme of this brand assigns agreement ids. */
export const namesAgreements = ({ paymentBrand }: Payment): boolean => AGREEMENT_BRANDS.has(paymentBrand);

const isLater = ({ source, mode }: StandingInstruction): boolean => source === 'MIT' && mode === 'REPEATED';

/** Whether a payment is merchant-initiated: a later one of a series, or by an industry practice. */
export function isMerchantInitiated(series: StandingInstruction | null): series is StandingInstruction {
  if (series === null) return false;
  return series.practice === null ? isLater(series) : series.source !== 'CIT';
}

const charges = ({ paymentType }: Payment): boolean => paymentType === 'PA' || paymentType === 'DB';

/** Why the mandate does not allow a charge; null when it does. */
export function objectionToMandate({ payment, series }: Attempt, { mandate }: Directives): NegativeCode | null {
  if (!isMerchantInitiated(series) || !isCard(payment) || !charges(payment)) return null;
  if (mandate !== undefined) return mandate === 'revoked' ? '800.100.500' : '800.100.501';
  const isOver = series.expiry !== null && series.expiry < dayText(payment.createdAt);
  return isOver ? '800.100.500' : null;
}

/** Why a scheme rejects the reference of a merchant-initiated payment; null when it accepts it. */
export function objectionToReference({ payment, series, referenced }: Attempt): NegativeCode | null {
  if (!isMerchantInitiated(series) || !isCard(payment) || !charges(payment)) return null;
  if (isMigrated(series)) return null;
  const isResubmission = series.practice === 'RESUBMISSION';
  if (isResubmission && (referenced ? isFirstRefused(referenced, payment) : !isLater(series))) return null;
  const original = isResubmission ? null : referenced;
  if (original && isTrustedReference(original, payment)) return null;
  const references = [
    series.initialTransactionId,
    isResubmission ? (referenced?.fields['standingInstruction.initialTransactionId'] ?? null) : null,
  ].filter((reference) => reference !== null);
  const agreement = namesAgreements(payment) ? series.agreementId : null;
  if (references.some((reference) => isReferenceOf(reference, payment))) return null;
  if (agreement !== null && isAgreementOf(agreement, payment)) return null;
  return references.length > 0 || agreement !== null || original ? '800.100.167' : '100.150.300';
}

/**
 * Whether a declined payment can be resubmitted without a reference: it had no scheme data, because no series preceded it, or the scheme
 * knows its series from the stored details.
 */
function isFirstRefused(declined: Payment, payment: Payment): boolean {
  const series = seriesFromFields(declined);
  if (series === null || !isLater(series)) return true;
  return declined.registrationId !== null && declined.fingerprint !== null && declined.fingerprint === payment.fingerprint;
}

/** A series that began with another provider is accepted with any data about its beginning. */
const isMigrated = ({ migration }: StandingInstruction): boolean =>
  migration !== null && (migration.connectorTxIds.length > 0 || migration.requestTimestamp !== null);

/** The same card, or no scheme data: captures and older payments have none. */
function isTrustedReference({ details }: Payment, payment: Payment): boolean {
  if (details.schemeReference === undefined || payment.fingerprint === null) return true;
  return isReferenceOf(details.schemeReference, payment);
}

/** The series of a payment from its own fields, when nothing else is known. */
export function seriesFromFields({ fields, industryPractice }: Payment): StandingInstruction | null {
  const fieldOf = (name: string) => fields[`standingInstruction.${name}`] ?? null;
  const older = fields.recurringType === undefined ? null : recurringTypes[fields.recurringType as keyof typeof recurringTypes];
  const mode = (fieldOf('mode') ?? older?.mode ?? null) as StandingInstruction['mode'];
  if (mode === null && industryPractice === null) return null;
  return {
    mode,
    source: (fieldOf('source') ?? older?.source ?? null) as StandingInstruction['source'],
    practice: industryPractice,
    initialTransactionId: fieldOf('initialTransactionId'),
    agreementId: fieldOf('agreementId'),
    type: fieldOf('type') ?? older?.type ?? null,
    recurringType: fieldOf('recurringType'),
    expiry: fieldOf('expiry'),
    frequency: fieldOf('frequency'),
    numberOfInstallments: fieldOf('numberOfInstallments'),
    migration: null,
  };
}

/** The simulated scheme's ids of an authorisation and of the agreement that begins with it. */
type SchemeData = { readonly reference: string; readonly agreement: string };

/** The end of a payment id is random. `decide` is pure and has no other randomness: the same payment gets the same reference. */
const RANDOM_LENGTH = 9;
const REFERENCE_MAC_LENGTH = 6;
const AGREEMENT_MAC_LENGTH = 16;

/** The ids of a new authorisation. They are bound to the card and the merchant. */
export const schemeDataOf = ({ id, fingerprint }: Payment): SchemeData =>
  named(id.slice(-RANDOM_LENGTH).toUpperCase(), fingerprint);

/** Whether this reference belongs to this card. */
export const isReferenceOf = (reference: string, { fingerprint }: Payment): boolean =>
  named(reference.slice(0, RANDOM_LENGTH), fingerprint).reference === reference;

/** Whether this agreement id belongs to this card. */
export const isAgreementOf = (agreement: string, { fingerprint }: Payment): boolean =>
  named(agreement.slice(0, RANDOM_LENGTH), fingerprint).agreement === agreement;

/** Both ids use parts of one digest. */
function named(random: string, fingerprint: string | null): SchemeData {
  const mac = macOf('reference', `${fingerprint ?? ''}|${random}`)
    .slice(0, REFERENCE_MAC_LENGTH + AGREEMENT_MAC_LENGTH)
    .toUpperCase();
  return {
    reference: random + mac.slice(0, REFERENCE_MAC_LENGTH),
    agreement: random + mac.slice(REFERENCE_MAC_LENGTH),
  };
}

/**
 * The key is public: it detects mix-ups in a sandbox, not forgery. A constant lets every node, also after a restart, verify what another
 * node has issued.
 */
const CONSTANT = 'the schemes of the turnpike sandbox';

/**
 * Keyed hash of a text in hexadecimal, different for each purpose. One hash call takes 0.9 µs and an HMAC 3.3 µs. Only a part of the digest
 * is ever shown, so that length extension is not possible.
 */
export const macOf = (purpose: string, text: string): string => hash('sha256', `${CONSTANT}|${purpose}|${text}`);
