import { type Amount, amountText } from '../../money/amount.ts';
import { holderOf, type Instrument } from '../../registrations/instrument.ts';
import { last4Of } from '../../registrations/registration.ts';
import type { PaymentStatus } from '../../spec/answers/payments.ts';
import type { InstrumentView, PaymentView } from '../../spec/answers/stored.ts';
import { balanceOf, isApproved, isIncrement } from '../balance.ts';
import type { Payment } from '../payment.ts';
import { stateOf } from '../search/search.ts';
import { isRelease, wasReleased } from '../validity.ts';

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

/** The sums of a payment that decide its status. Only approved follow-ups count. */
type Sums = {
  /** The charges: the payment itself, or the captures of an authorisation. */
  readonly charged: Amount;
  readonly refunded: Amount;
  readonly reversed: Amount;
  readonly disputed: Amount;
};

function sumsOf(family: readonly Payment[], payment: Payment, charged: Amount): Sums {
  const { refunded, reversed, chargedBack } = balanceOf(family, payment);
  return { charged, refunded: refunded.least, reversed: reversed.least, disputed: chargedBack.least };
}

const total = (parts: readonly Sums[], name: keyof Sums): Amount => parts.reduce((sum, part) => sum + part[name], 0n);

/** The part of a refund that came back; null: nothing did. No shopper disputed anything (decisions/0092). */
function returnOf(family: readonly Payment[], refund: Payment): PaymentStatus | null {
  const returned = balanceOf(family, refund).chargedBack.least;
  return returned > 0n ? { kind: 'returned', amount: returned < refund.amount ? amountText(returned) : null } : null;
}

/** The status of charged money after the charge; null: unchanged. A dispute matters more than a refund. */
function changeOf({ charged, refunded, reversed, disputed }: Sums): PaymentStatus | null {
  if (disputed > 0n) return { kind: 'disputed', amount: disputed < charged ? amountText(disputed) : null };
  if (reversed >= charged) return { kind: 'reversed' };
  const left = charged - reversed - refunded;
  if (refunded > 0n) return left > 0n ? { kind: 'partiallyRefunded', left: amountText(left) } : { kind: 'refunded' };
  return null;
}

/** The captures of an authorisation count as the authorisation itself: a merchant looks for the whole purchase. */
function authorisationStatus(family: readonly Payment[], payment: Payment): PaymentStatus {
  const { available, captured, reversed } = balanceOf(family, payment);
  if (captured.least === 0n && reversed.least < available.least) return { kind: 'authorised' };
  if (captured.least === 0n) return { kind: wasReleased(family, payment) ? 'expired' : 'reversed' };
  const increments = family.filter((other) => other.referencedId === payment.id && isIncrement(other));
  const ids = new Set([payment.id, ...increments.map(({ id }) => id)]);
  const captures = family.filter(
    (other) =>
      (other.paymentType === 'CP' || other.paymentType === 'RC') &&
      other.referencedId !== null &&
      ids.has(other.referencedId) &&
      isApproved(other),
  );
  const parts = captures.map((capture) => sumsOf(family, capture, capture.amount));
  const change = changeOf({
    charged: captured.least,
    refunded: total(parts, 'refunded'),
    reversed: total(parts, 'reversed'),
    disputed: total(parts, 'disputed'),
  });
  const uncaptured = available.least - captured.least - reversed.most;
  if (change?.kind === 'partiallyRefunded' && uncaptured > 0n) return { ...change, uncaptured: amountText(uncaptured) };
  if (change) return change;
  return captured.least < available.least
    ? { kind: 'partiallyCaptured', captured: amountText(captured.least), total: amountText(available.least) }
    : { kind: 'captured' };
}

/** The status of a payment and its money, from the payments of its family. */
export function statusOf(family: readonly Payment[], payment: Payment): PaymentStatus {
  const state = stateOf(payment);
  if (state !== 'approved') return { kind: state === 'open' ? 'pending' : 'declined' };
  switch (payment.paymentType) {
    case 'PA':
      return isIncrement(payment) ? { kind: 'approved' } : authorisationStatus(family, payment);
    case 'RF':
      return returnOf(family, payment) ?? { kind: 'approved' };
    case 'RV':
      return { kind: isRelease(payment) ? 'expired' : 'approved' };
    case 'CB':
    case 'CR':
      return { kind: 'recorded' };
    case 'DB':
    case 'CP':
    case 'CD':
    case 'RB':
    case 'RC':
      return (payment.amount > 0n && changeOf(sumsOf(family, payment, payment.amount))) || { kind: 'approved' };
    default:
      return { kind: 'approved' };
  }
}
