import type { Attempt, StandingInstruction } from '../../payments/ports.ts';

type Json = Readonly<Record<string, unknown>>;

/** Which series a payment belongs to, by `standingInstruction.type`. */
const models: Readonly<Record<string, string>> = {
  RECURRING: 'Subscription',
  INSTALLMENT: 'Subscription',
  UNSCHEDULED: 'UnscheduledCardOnFile',
};

/** Charges that a practice of the trade allows without the shopper. */
const usages: Readonly<Record<string, string>> = { DELAYED_CHARGES: 'delayedCharge', NO_SHOW: 'noShow' };

const MOTO: ReadonlySet<string> = new Set(['MO', 'TO', 'MOTO', 'PM']);

const isMerchantInitiated = ({ mode, source, practice }: StandingInstruction): boolean =>
  practice === null ? mode === 'REPEATED' && source !== 'CIT' : source !== 'CIT';

const isWithoutShopper = (series: StandingInstruction | null): boolean => series !== null && isMerchantInitiated(series);

export type CredentialPart = {
  /** Members of the request itself. */
  readonly fields: Json;
  readonly paymentMethod: Readonly<Record<string, string>>;
  readonly additionalData: Readonly<Record<string, string>>;
};

/** Whether a shopper is there who can be sent to the issuer. */
export const hasShopper = ({ payment, series }: Attempt): boolean =>
  !isWithoutShopper(series) && !MOTO.has(payment.fields.transactionCategory ?? '');

/** How the payment stands to stored credentials: who initiates it, in which series, and which payment began it. */
export function credentialPart(attempt: Attempt): CredentialPart {
  const { payment, series, registration } = attempt;
  const isMoto = MOTO.has(payment.fields.transactionCategory ?? '');
  const alone = { shopperInteraction: isMoto ? 'Moto' : 'Ecommerce' };
  // A stable id of the payer at this merchant, without anything personal.
  const shopperReference = registration?.id ?? payment.registrationId ?? payment.fingerprint ?? payment.id;
  if (series === null) {
    const isStored = registration !== null;
    const fields = isStored
      ? { shopperInteraction: isMoto ? 'Moto' : 'ContAuth', recurringProcessingModel: 'CardOnFile', shopperReference }
      : alone;
    return { fields, paymentMethod: {}, additionalData: {} };
  }
  const model = models[series.type ?? ''] ?? 'UnscheduledCardOnFile';
  const common = { shopperReference, storePaymentMethod: false };
  if (!isMerchantInitiated(series)) {
    const isFirst = series.mode !== 'REPEATED';
    const fields = isFirst
      ? { ...alone, ...common, recurringProcessingModel: model }
      : { shopperInteraction: 'ContAuth', ...common, recurringProcessingModel: 'CardOnFile' };
    return { fields, paymentMethod: {}, additionalData: {} };
  }
  const { initialTransactionId, agreementId, practice } = series;
  const industryUsage = usages[practice ?? ''];
  return {
    fields: {
      shopperInteraction: 'ContAuth',
      ...common,
      recurringProcessingModel: model,
      ...(industryUsage !== undefined && { industryUsage }),
    },
    paymentMethod: initialTransactionId === null ? {} : { networkPaymentReference: initialTransactionId },
    additionalData: agreementId === null ? {} : { transactionLinkId: agreementId },
  };
}
