import { amountText } from '../../money/amount.ts';
import { holderOf, type Instrument } from '../../registrations/instrument.ts';
import { last4Of } from '../../registrations/last4.ts';
import type { InstrumentView, PaymentView } from '../../spec/answers/stored.ts';
import { isApproved } from '../balance.ts';
import type { Payment } from '../payment.ts';
import { statusOf } from '../status.ts';

const HIDDEN = '••••';

export const instantShown = (ms: number): string => new Date(ms).toISOString();

/** The part of a number that may be shown: its beginning and its end. */
export const maskedNumber = (bin: string | null, last4Digits: string | null): string =>
  `${bin ?? ''}${HIDDEN}${last4Digits ?? ''}`;

const maskedBy: { readonly [Kind in Instrument['kind']]: (of: Extract<Instrument, { kind: Kind }>) => string } = {
  card: ({ bin, last4Digits }) => maskedNumber(bin, last4Digits),
  bankAccount: ({ country, last4Digits }) => maskedNumber(country, last4Digits),
  virtualAccount: ({ accountId }) => maskedAccount(accountId),
  giftCard: ({ last4Digits }) => maskedNumber(null, last4Digits),
  tokenAccount: ({ last4Digits }) => maskedNumber(null, last4Digits),
};

/** An account of a wallet is often an e-mail address. */
const maskedAccount = (accountId: string): string =>
  `${accountId.slice(0, 2)}${HIDDEN}${accountId.replace(/^.*(?=@)|^[^@]*$/s, '')}`;

const expiryOf = (instrument: Instrument): string | null =>
  (instrument.kind === 'card' || instrument.kind === 'tokenAccount') && instrument.expiryMonth
    ? `${instrument.expiryMonth}/${instrument.expiryYear}`
    : null;

/** An instrument as the back office shows it. */
export function instrumentView(instrument: Instrument, brand: string | null): InstrumentView {
  const mask = maskedBy[instrument.kind] as (of: Instrument) => string;
  return {
    kind: instrument.kind,
    brand,
    masked: mask(instrument),
    holder: holderOf(instrument),
    expiry: expiryOf(instrument),
  };
}

/** A payment in a list of the back office. Without its family, the status is that of the payment alone. */
export function paymentView(payment: Payment, family: readonly Payment[] = [payment]): PaymentView {
  const { phase, instrument } = payment;
  return {
    id: payment.id,
    merchantId: payment.merchantId,
    entityId: payment.entityId,
    createdAt: instantShown(payment.createdAt),
    paymentType: payment.paymentType,
    amount: amountText(payment.amount),
    currency: payment.currency,
    paymentBrand: payment.paymentBrand,
    last4: last4Of(instrument),
    merchantTransactionId: payment.merchantTransactionId,
    state: phase.at !== 'final' ? 'open' : isApproved(payment) ? 'approved' : 'declined',
    status: statusOf(family, payment),
    code: phase.at === 'final' ? phase.code : null,
  };
}
