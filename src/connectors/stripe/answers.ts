import type { AnswerDetails, Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import { MINUTE_MS, SECOND_MS } from '../../spec/time.ts';
import type { ApiReply } from './client.ts';
import { codeOf, MISCONFIGURED, refundFailures } from './codes.ts';
import type { ApiError, CardDetails, Charge, Intent, Refund } from './objects.ts';
import { codeWhenNotExecuted, type Session, Silence, waiting } from './session.ts';

/** The shopper has so long to authenticate. */
const SHOPPER_MS = 30 * MINUTE_MS;

/**
 * The state of an intent as an answer. `unconfirmed`: it was never confirmed, so nothing is booked. `unsupported`: it waits for something
 * that only a script of the acquirer in the shopper's browser can do.
 */
type IntentState = AcquirerAnswer | { readonly is: 'unconfirmed' | 'unsupported' };

export function stateOf(intent: Intent, payment: Payment, now: number): IntentState {
  const { id: reference, status, error, redirectUrl } = intent;
  switch (status) {
    case 'succeeded':
      return { is: 'approved', details: detailsOf(intent), reference };
    case 'requires_capture':
      return payment.paymentType === 'PA' ? { is: 'approved', details: detailsOf(intent), reference } : waiting(reference);
    case 'requires_action':
      return redirectUrl === null
        ? { is: 'unsupported' }
        : { is: 'redirected', redirect: { url: redirectUrl, method: 'GET', parameters: [] }, until: now + SHOPPER_MS, reference };
    case 'requires_payment_method':
      return error === null ? { is: 'unconfirmed' } : declineOf(error, intent);
    case 'requires_confirmation':
      return { is: 'unconfirmed' };
    case 'canceled':
      return { is: 'cancelled', reference };
    default:
      return waiting(reference);
  }
}

const declineOf = (error: ApiError, intent: Intent): AcquirerAnswer => ({
  is: 'declined',
  code: codeOf(error),
  details: { resultDetails: { ...idsOf(intent), ...errorDetails(error) } },
  reference: intent.id,
});

/** A refused request. A refusal that needs a person is reported. */
export function declinedBy(
  session: Session,
  { status, error }: Extract<ApiReply, { is: 'error' }>,
  reference?: string,
): AcquirerAnswer {
  const code = codeOf(error);
  if (code === MISCONFIGURED || status === 401 || status === 403) {
    session.needs.alarm('the acquirer refuses a request of this account', {
      status: String(status),
      code: error.code ?? error.type,
      param: error.param ?? '',
    });
  }
  const isOurFault = status === 401 || status === 403;
  const details = { resultDetails: errorDetails(error) };
  return { is: 'declined', code: isOurFault ? MISCONFIGURED : code, details, ...(reference !== undefined && { reference }) };
}

/** The refusal of a repeated request whose effect was looked for and not found. Throws where the reply is no refusal of the request. */
export function declinedByRepeat(session: Session, reply: ApiReply): AcquirerAnswer {
  if (reply.is !== 'error') throw new Silence(reply.is);
  const { status, error } = reply;
  if (status === 401 || status === 403 || error.type === 'idempotency_error') throw new Silence(error.code ?? error.type);
  return declinedBy(session, reply);
}

/** Every try was turned away before it was executed. */
export const declinedUnsent = (reply: Extract<ApiReply, { is: 'notExecuted' }>, reference?: string): AcquirerAnswer => ({
  is: 'declined',
  code: codeWhenNotExecuted(reply),
  details: {},
  ...(reference !== undefined && { reference }),
});

/** Raw codes for the merchant: of the network where it named one, otherwise of the acquirer. */
function errorDetails({
  code,
  declineCode,
  adviceCode,
  networkAdviceCode,
  networkDeclineCode,
  type,
}: ApiError): Record<string, string> {
  const advice = networkAdviceCode ?? adviceCode;
  return {
    AcquirerResponse: networkDeclineCode ?? declineCode ?? code ?? type,
    ...(advice !== null && { MerchantAdviceCode: advice }),
  };
}

const idsOf = ({ id, chargeId }: Pick<Intent, 'id' | 'chargeId'>): Record<string, string> => ({
  ConnectorTxID1: id,
  ...(chargeId !== null && { ConnectorTxID2: chargeId }),
});

export function detailsOf(intent: Intent): AnswerDetails {
  const { charge } = intent;
  return { resultDetails: { ...idsOf(intent), ...authorisationOf(charge) }, ...(charge?.card && cardDetails(charge.card)) };
}

const authorisationOf = (charge: Charge | null): Record<string, string> =>
  charge?.card?.authorizationCode ? { ConnectorTxID3: charge.card.authorizationCode } : {};

function cardDetails(card: CardDetails): AnswerDetails {
  const { networkTransactionId, captureBefore, country, issuer } = card;
  const shown = { ...(country !== null && { 'issuer.country': country }), ...(issuer !== null && { 'issuer.bank': issuer }) };
  const [avsResponse, cvvResponse] = [avsOf(card), cvvOf(card)];
  return {
    ...(avsResponse !== undefined && { avsResponse }),
    ...(cvvResponse !== undefined && { cvvResponse }),
    ...(Object.keys(shown).length > 0 && { card: shown }),
    ...(networkTransactionId !== null && { schemeReference: networkTransactionId }),
    ...(captureBefore !== null && { captureBefore: Number(captureBefore) * SECOND_MS }),
  };
}

/** Nothing was checked when no address was sent. */
function avsOf({ line1Check: street, postcodeCheck: postcode }: CardDetails): AnswerDetails['avsResponse'] {
  if (street === null && postcode === null) return undefined;
  if (street === 'pass') return postcode === 'pass' ? 'F' : 'A';
  if (postcode === 'pass') return 'Z';
  return street === 'fail' && postcode === 'fail' ? 'N' : 'U';
}

const cvvLetters: Readonly<Record<string, AnswerDetails['cvvResponse']>> = {
  pass: 'M',
  fail: 'N',
  unchecked: 'P',
  unavailable: 'U',
};
const cvvOf = ({ cvcCheck }: CardDetails): AnswerDetails['cvvResponse'] => (cvcCheck === null ? undefined : cvvLetters[cvcCheck]);

export function answerOfRefund({ id, status, failureReason }: Refund): AcquirerAnswer {
  const details = { resultDetails: { ConnectorTxID1: id, ...(failureReason !== null && { AcquirerResponse: failureReason }) } };
  switch (status) {
    case 'succeeded':
      return { is: 'approved', details, reference: id };
    case 'failed':
    case 'canceled':
      return { is: 'declined', code: refundFailures[failureReason ?? ''] ?? '800.100.100', details, reference: id };
    default:
      return waiting(id);
  }
}

/** The object of a reply, read; an error, and an object that cannot be read, are silence. */
export function objectFrom<Value>(reply: ApiReply, read: (value: unknown) => Value | null): Value {
  const value = reply.is === 'object' ? read(reply.value) : null;
  if (value === null) throw new Silence(reply.is === 'error' ? (reply.error.code ?? reply.error.type) : reply.is);
  return value;
}

type Executed = Exclude<ApiReply, { readonly is: 'error' | 'notExecuted' }>;

/** The answer to a request that books money. Without a certain outcome the payment waits for an inquiry. */
export function answerToBooking(session: Session, reply: ApiReply, read: (reply: Executed) => AcquirerAnswer): AcquirerAnswer {
  switch (reply.is) {
    case 'error':
      return reply.isCertain ? declinedBy(session, reply) : waiting(undefined);
    case 'notExecuted':
      return reply.why === 'busy' ? waiting(undefined) : declinedUnsent(reply);
    default:
      return read(reply);
  }
}
