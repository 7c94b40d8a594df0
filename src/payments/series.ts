import type { Migration, Registration, Series } from '../registrations/registration.ts';
import { brands } from '../spec/cards/brands.ts';
import { instantText } from '../spec/formats/dates.ts';
import { recurringTypes } from '../spec/rules/stored.ts';
import type { AnswerDetails, Payment } from './payment.ts';
import type { StandingInstruction } from './ports.ts';

/** Reads a parameter of the request by its name. */
type ParameterReader = (name: string) => string | undefined;

/** The type of a series whose mode is sent without it, which a lenient channel accepts. */
const UNSCHEDULED = 'UNSCHEDULED';

/** The standing instruction of a request; null when the request is part of no series. */
export function instructionOf(read: ParameterReader, paymentBrand: string | null): StandingInstruction | null {
  const old = read('recurringType') as keyof typeof recurringTypes | undefined;
  const mode = read('standingInstruction.mode') ?? null;
  const practice = read('standingInstruction.industryPractice') ?? null;
  const migration = migrationOf(read);
  if (mode === null && old === undefined && practice === null && migration === null) return null;
  const ofSeries = (name: string): string | null => read(`standingInstruction.${name}`) ?? null;
  const meant = old === undefined ? null : recurringTypes[old];
  const defaults = brands[paymentBrand ?? '']?.seriesDefaults;
  return {
    mode: (mode ?? meant?.mode ?? null) as StandingInstruction['mode'],
    source: (ofSeries('source') ?? meant?.source ?? null) as StandingInstruction['source'],
    type: ofSeries('type') ?? meant?.type ?? (mode === 'INITIAL' ? UNSCHEDULED : null),
    practice,
    recurringType: ofSeries('recurringType'),
    initialTransactionId: ofSeries('initialTransactionId'),
    agreementId: ofSeries('agreementId'),
    expiry: ofSeries('expiry') ?? defaults?.expiry ?? null,
    frequency: ofSeries('frequency') ?? defaults?.frequency ?? null,
    numberOfInstallments: ofSeries('numberOfInstallments'),
    migration,
  };
}

/** The instruction of a stored payment. Most have none of the fields that make one: these are read by name, which is quicker. */
export function instructionIn({ fields, paymentBrand }: Payment): StandingInstruction | null {
  const isAlone =
    fields.recurringType === undefined &&
    fields['standingInstruction.mode'] === undefined &&
    fields['standingInstruction.industryPractice'] === undefined &&
    fields['recurringMigration.paymentType'] === undefined;
  return isAlone ? null : instructionOf((name) => fields[name], paymentBrand);
}

function migrationOf(read: ParameterReader): Migration | null {
  const paymentType = read('recurringMigration.paymentType');
  if (paymentType === undefined) return null;
  const ofMigration = (name: string): string | null => read(`recurringMigration.${name}`) ?? null;
  return {
    paymentType,
    amount: ofMigration('amount'),
    requestTimestamp: ofMigration('requestTimestamp'),
    connectorTxIds: [1, 2, 3].flatMap((n) => ofMigration(`connectorTxId${n}`) ?? []),
  };
}

type Earlier = { readonly registration: Registration | null; readonly referenced: Payment | null };

/** The instruction as sent, completed from the registration and the referenced payment, so that the scheme learns the first payment. */
export function instructionForScheme(
  sent: StandingInstruction | null,
  { registration, referenced }: Earlier,
): StandingInstruction | null {
  if (!sent) return null;
  const known = registration?.series ?? null;
  const original = sent.practice === null ? undefined : referenced?.details;
  return {
    ...sent,
    initialTransactionId:
      sent.initialTransactionId ??
      original?.initialTransactionId ??
      original?.schemeReference ??
      known?.initialTransactionId ??
      null,
    agreementId: sent.agreementId ?? original?.agreementId ?? known?.agreementId ?? null,
    type: sent.type ?? known?.type ?? (sent.mode === null ? null : UNSCHEDULED),
    recurringType: sent.recurringType ?? known?.recurringType ?? null,
    expiry: sent.expiry ?? known?.expiry ?? null,
    frequency: sent.frequency ?? known?.frequency ?? null,
    numberOfInstallments: sent.numberOfInstallments ?? known?.numberOfInstallments ?? null,
    migration: sent.migration ?? known?.migration ?? null,
  };
}

/**
 * On a lenient channel the older `recurringType=REPEATED` needs no INITIAL before it: the shopper agreed when the details were stored, and
 * the scheme receives that instant as the beginning of the series.
 */
export function withAssumedAgreement(sent: StandingInstruction, { series, createdAt }: Registration): StandingInstruction {
  const first = sent.initialTransactionId ?? sent.agreementId ?? series?.initialTransactionId ?? series?.agreementId ?? null;
  if (first !== null || sent.migration || series?.migration) return sent;
  const requestTimestamp = instantText(createdAt).slice(0, 'yyyy-MM-dd HH:mm:ss'.length);
  return { ...sent, migration: { paymentType: 'RG', amount: null, requestTimestamp, connectorTxIds: [] } };
}

/** The series that a registration keeps once the payment in which the shopper agreed is approved; null: none. */
export function seriesAfter(series: Series | null, details: AnswerDetails): Series | null {
  const initialTransactionId = details.initialTransactionId ?? details.schemeReference ?? series?.initialTransactionId ?? null;
  const agreementId = details.agreementId ?? series?.agreementId ?? null;
  if (series === null && initialTransactionId === null && agreementId === null) return null;
  return {
    initialTransactionId,
    agreementId,
    type: series?.type ?? null,
    recurringType: series?.recurringType ?? null,
    expiry: series?.expiry ?? null,
    frequency: series?.frequency ?? null,
    numberOfInstallments: series?.numberOfInstallments ?? null,
    migration: series?.migration ?? null,
  };
}
