import { type NestedObject, nest } from '../../form/nest.ts';
import { amountText, NO_CURRENCY } from '../../money/amount.ts';
import type { Instrument } from '../../registrations/instrument.ts';
import type { Registration } from '../../registrations/registration.ts';
import { scoreText } from '../../risk/assess.ts';
import { instantText, instantTextFine } from '../../spec/formats/dates.ts';
import { registrationTypes, scheduleTypes } from '../../spec/paymentTypes.ts';
import { type ResultCode, resultCodes } from '../../spec/resultCodes.ts';
import type { Authentication } from '../../threeds/authentication.ts';
import { redirectOf as authenticationRedirect } from '../../threeds/shopper.ts';
import { projectStandalone, type StandaloneCode, threeDSecureOf } from '../../threeds/standalone.ts';
import { isApproved } from '../balance.ts';
import { receivedReason } from '../chargebacks/bankRecord.ts';
import { codeOf } from '../commitPayment.ts';
import { sumsOf } from '../followUp.ts';
import { type AnswerDetails, isOpen, type Payment } from '../payment.ts';
import { addressesAt, pagePath } from '../threeDS/steps.ts';
import { captureBeforeOf } from '../validity.ts';

/** The base fields of every reply, made by the caller. */
export type Base = {
  readonly buildNumber: string;
  readonly timestamp: string;
  readonly ndc: string;
};
export type Projected = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** Stored for our own use or for reports, not for the answer; the standing instruction has a place of its own in it. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['shopperResultUrl', 'notificationUrl', 'merchantMemo', 'standingInstruction']);

/**
 * The status of something that is stored. 403, 404 and 429 are about the request: an acquirer's code must not make a client take its token
 * for invalid or the payment for unknown.
 */
const statusOf = (code: ResultCode): number => (resultCodes[code].http === 200 ? 200 : 400);

/** The answer of the API for a payment, keys in the order in which existing recordings have them. With `family` it tells the sums. */
export function project(payment: Payment, base: Base, origin = '', family: readonly Payment[] | null = null): Projected {
  return projectNested(payment, nest(payment.fields), { base, origin, family });
}

/** The same with the fields of the payment already nested. */
export function projectNested(
  payment: Payment,
  nested: NestedObject,
  { base, origin, family }: { readonly base: Base; readonly origin: string; readonly family: readonly Payment[] | null },
): Projected {
  const code = codeOf(payment);
  const { text } = resultCodes[code];
  const { avsResponse, cvvResponse } = payment.details;
  const { referencedId, registrationId, paymentType } = subject(payment);
  const showsMoney = isOfMoney(payment);
  const body: Record<string, unknown> = {
    id: payment.id,
    referencedId,
    registrationId,
    paymentType,
    paymentBrand: payment.paymentBrand ?? undefined,
    amount: showsMoney ? amountText(payment.amount) : undefined,
    currency: showsMoney ? payment.currency : undefined,
    descriptor: movesMoney(payment) ? payment.descriptor : undefined,
    merchantTransactionId: payment.merchantTransactionId ?? undefined,
    result: { code: receivedReason(payment) ?? code, description: descriptionOf(text, payment), avsResponse, cvvResponse },
    resultDetails: withCaptureBefore(payment, family),
    schedule: scheduleOf(payment),
  };
  const { standingInstruction } = addStructures(body, payment, nested);
  addAssessments(body, payment);
  body.redirect = redirectOf(payment, origin);
  body.brandResult = payment.isBrandDetected ? payment.paymentBrand : undefined;
  if (family) Object.assign(body, sumsOf(payment, family));
  body.buildNumber = base.buildNumber;
  body.timestamp = base.timestamp;
  body.ndc = base.ndc;
  body.standingInstruction = standingInstructionOf(payment, standingInstruction);
  return { status: statusOf(code), body };
}

/** The details of the acquirer's answer, and until when an authorisation may be captured. */
function withCaptureBefore(payment: Payment, family: readonly Payment[] | null): AnswerDetails['resultDetails'] {
  const { resultDetails } = payment.details;
  const until = captureBeforeOf(payment, family);
  return until === null ? resultDetails : { ...resultDetails, CaptureBefore: instantText(until) };
}

/** The schedule that took the payment, and the run that it belongs to. */
function scheduleOf({ scheduleId, scheduledRun }: Payment): Readonly<Record<string, string>> | undefined {
  if (scheduleId === undefined) return undefined;
  const run = scheduledRun && { dueAt: instantText(scheduledRun.dueAt), attempt: String(scheduledRun.attempt) };
  return { id: scheduleId, ...run };
}

/** The text of the code, and the reason of this one refusal after a dash. */
const descriptionOf = (text: string, { remark }: Payment): string => (remark === undefined ? text : `${text} - ${remark}`);

/** The redirect of the shopper. A page of the gateway gets the origin of the gateway in front. */
function redirectOf(payment: Payment, origin: string): object | undefined {
  const { phase, threeDS } = payment;
  if (phase.at === 'authentication' && threeDS) {
    const addresses = addressesAt(threeDS.origin, payment);
    return authenticationRedirect(threeDS.state, { url: `${threeDS.origin}${pagePath(payment)}`, addresses }) ?? undefined;
  }
  if (phase.at !== 'shopper') return undefined;
  const { redirect } = phase;
  return redirect.url.startsWith('/') ? { ...redirect, url: `${origin}${redirect.url}` } : redirect;
}

/** The answer for an authentication without a payment. `authentication` has its proof: the merchant needs it for the payment. */
export function projectAuthentication(payment: Payment, base: Base, authentication: Authentication | null): Projected {
  const code = codeOf(payment) as StandaloneCode;
  const card = payment.instrument?.kind === 'card' ? shownInstrument(payment, {}) : undefined;
  return projectStandalone({
    ...payment,
    card: card as Readonly<Record<string, string>>,
    code,
    authentication,
    redirect: redirectOf(payment, '') ?? null,
    base,
  });
}

/**
 * Adds the outcome of an authentication made here, and the score, to the fields that were sent. A stored payment has no proof in it: see
 * `withOpenProof`. Fired rules are left out: they are for the merchant, and a reply may reach the shopper.
 */
function addAssessments(body: Record<string, unknown>, { threeDS, risk }: Payment): void {
  // The stored fields win: they hold what the acquirer received, and the outcome without its proof has fewer of them.
  if (threeDS) body.threeDSecure = { ...threeDSecureOf(threeDS.state), ...(body.threeDSecure as object | undefined) };
  if (risk) body.risk = { ...(body.risk as object | undefined), score: scoreText(risk.score) };
}

/** The subject of a transaction: one about stored details names them as its reference, and storing them is its own subject. */
function subject({ paymentType, referencedId, registrationId }: Payment): Subject {
  if (paymentType === 'RG') return {};
  if (Object.hasOwn(registrationTypes, paymentType)) return { referencedId: registrationId ?? undefined };
  return { referencedId: referencedId ?? undefined, registrationId: registrationId ?? undefined, paymentType };
}

type Subject = { readonly [Name in 'referencedId' | 'registrationId' | 'paymentType']?: string | undefined };

/** Amount and currency of the request, whatever became of it; only a payment has them. See decisions/0101. */
const isOfMoney = ({ paymentType, currency }: Payment): boolean =>
  !Object.hasOwn(registrationTypes, paymentType) && currency !== NO_CURRENCY;

/** A declined payment is on no statement. */
const movesMoney = (payment: Payment): boolean => isOfMoney(payment) && (isApproved(payment) || isOpen(payment));

type Projectable = Pick<Payment, 'instrument' | 'details'>;

/** Adds the instrument, then the other structures of the stored fields. Returns all structures of the fields. */
function addStructures(body: Record<string, unknown>, projectable: Projectable, echo: NestedObject): NestedObject {
  const kind = projectable.instrument?.kind;
  if (kind !== undefined) body[kind] = shownInstrument(projectable, echo);
  for (const name in echo) if (name !== kind && !NOT_SHOWN.has(name)) body[name] = echo[name];
  return echo;
}

/** The instrument with the fields that were sent about it, and what the acquirer answered about a card. */
function shownInstrument({ instrument, details }: Projectable, echo: NestedObject): Record<string, unknown> {
  if (!instrument) return {};
  const { kind } = instrument;
  const shown: Record<string, unknown> = {};
  for (const name in instrument) {
    const value = instrument[name as keyof Instrument];
    if (value !== null && name !== 'kind') shown[name] = value;
  }
  const echoed = echo[kind];
  return { ...shown, ...(typeof echoed === 'object' ? echoed : {}), ...(kind === 'card' ? details.card : undefined) };
}

function standingInstructionOf({ details }: Pick<Payment, 'details'>, sent: unknown): unknown {
  const { initialTransactionId, agreementId } = details;
  if (initialTransactionId === undefined) return sent;
  return { ...(sent as object | undefined), initialTransactionId, ...(agreementId !== undefined && { agreementId }) };
}

/**
 * The answer of the API for stored details: the parts that may be shown, and their result. With the transaction that stored
 * them it has the structures of a payment.
 */
export function projectRegistration(registration: Registration, base: Base, storedBy: Payment | null = null): Projected {
  const { id, code, series, instrument, networkToken } = registration;
  const { text } = resultCodes[code];
  const ofIssuer = storedBy?.details.card;
  const details: AnswerDetails = { ...seriesDetails(series), ...(ofIssuer && { card: ofIssuer }) };
  // A payment that stored the details has an answer of its own.
  const own = storedBy?.paymentType === 'RG' ? storedBy : null;
  const { avsResponse, cvvResponse, resultDetails } = own?.details ?? {};
  const body: Record<string, unknown> = {
    id,
    paymentBrand: registration.paymentBrand ?? undefined,
    result: { code, description: text, avsResponse, cvvResponse },
    resultDetails,
  };
  const { standingInstruction } = addStructures(body, { instrument, details }, nest(registration.fields));
  if (own) addAssessments(body, own);
  const end = standingInstruction && standingInstructionOf({ details }, standingInstruction);
  return {
    status: statusOf(code),
    body: { ...body, networkToken: networkToken ?? undefined, ...base, standingInstruction: end },
  };
}

const seriesDetails = (series: Registration['series']): AnswerDetails => ({
  ...(series?.initialTransactionId && { initialTransactionId: series.initialTransactionId }),
  ...(series?.agreementId && { agreementId: series.agreementId }),
});

/**
 * A payment as one of a list: without the fields of a request, with the instant at which it was begun, with its type whatever it is, and
 * with the memo, which only reports show. `isFull` adds what newer clients read there.
 */
export function projectRecord(
  payment: Payment,
  { origin, isFull, family }: { readonly origin: string; readonly isFull: boolean; readonly family: readonly Payment[] | null },
  nested: NestedObject = nest(payment.fields),
): Readonly<Record<string, unknown>> {
  const base = { buildNumber: '', timestamp: instantTextFine(payment.createdAt), ndc: '' };
  const {
    id,
    buildNumber: _,
    timestamp,
    ndc: __,
    standingInstruction,
    ...others
  } = projectNested(payment, nested, { base, origin, family }).body;
  const { referencedId, registrationId, paymentType: ___, ...rest } = others;
  return {
    id,
    referencedId,
    registrationId,
    paymentType: payment.paymentType,
    ...rest,
    merchantMemo: payment.fields.merchantMemo,
    timestamp,
    ...(isFull && { source: sourceOf(payment), paymentMethod: payment.method, shortId: payment.shortId }),
    standingInstruction,
  };
}

/** The origin of a transaction: a client of the API, a schedule, or the gateway itself. */
export function sourceOf({ paymentType, scheduleId, recordedBy }: Payment): 'OPP' | 'SCHEDULER' | 'SYSTEM' {
  if (scheduleId !== undefined || Object.hasOwn(scheduleTypes, paymentType)) return 'SCHEDULER';
  return paymentType === 'TK' || recordedBy !== undefined ? 'SYSTEM' : 'OPP';
}
