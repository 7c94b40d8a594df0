import { type Amount, amountText } from '../money/amount.ts';
import { type CodeThat, resultCodes } from '../spec/resultCodes.ts';
import type { Authentication } from './authentication.ts';
import { codesByKind, eciOf } from './outcome.ts';
import { challengeWithoutRedirect } from './shopper.ts';

/** Waiting for the shopper or the issuer. */
const PENDING = '000.200.000' satisfies CodeThat<'pending'>;

export type StandaloneCode = CodeThat<'approved' | 'declined' | 'pending'>;

/** The result of an authentication without a payment, POST and GET alike. */
export function standaloneCode({ phase }: Authentication): StandaloneCode {
  if (phase.at !== 'done') return PENDING;
  const { kind, flow } = phase.outcome;
  const isAsked = flow === 'challenge' || flow === 'decoupled';
  return kind === 'authenticated' && isAsked ? '000.400.120' : codesByKind[kind].standalone;
}

/** The result when no authentication was started. */
export const standaloneCodeWithout = (because: 'notSetUp' | 'notParticipating' | 'oldVersion'): StandaloneCode =>
  because === 'notSetUp' ? '100.390.108' : codesByKind[because].standalone;

/**
 * Facts 12.2: the `threeDSecure` part of an answer, keys in that order. With the proof, where `authentication` has it: it is for the
 * merchant and must not be logged.
 */
export function threeDSecureOf(authentication: Authentication) {
  const { phase, version, dsTransID, acsTransID, challengeMandated, parameters } = authentication;
  const known = {
    version,
    dsTransactionId: dsTransID ?? undefined,
    acsTransactionId: acsTransID ?? undefined,
    challengeMandatedIndicator: challengeMandated ?? undefined,
  };
  if (phase.at !== 'done') return { ...known, challenge: challengeWithoutRedirect(authentication) ?? undefined };
  const { outcome } = phase;
  const hasStatus = outcome.transStatus !== null;
  return {
    eci: hasStatus ? eciOf(outcome, parameters.network) : undefined,
    verificationId: outcome.authenticationValue ?? undefined,
    // Version 2 has no transaction id of its own under this name: clients of version 1 find that of the directory server.
    xid: hasStatus ? (dsTransID ?? undefined) : undefined,
    ...known,
    cardHolderInfo: hasStatus ? (outcome.cardholderInfo ?? '') : undefined,
    authType: outcome.authenticationType ?? undefined,
    flow: outcome.flow ?? undefined,
    authenticationStatus: outcome.transStatus ?? undefined,
    transactionStatusReason: outcome.transStatusReason ?? undefined,
  };
}

/** The authentication results for the acquirer, under the names that external results have. */
export function proofFields(authentication: Authentication, eci: string): Readonly<Record<string, string>> {
  const { phase, version, dsTransID, acsTransID } = authentication;
  if (phase.at !== 'done') return {};
  const { transStatus, transStatusReason, authenticationType } = phase.outcome;
  const fields: Record<string, string> = { 'threeDSecure.eci': eci, 'threeDSecure.version': version };
  if (dsTransID !== null) fields['threeDSecure.dsTransactionId'] = dsTransID;
  if (acsTransID !== null) fields['threeDSecure.acsTransactionId'] = acsTransID;
  if (transStatus !== null) fields['threeDSecure.authenticationStatus'] = transStatus;
  if (transStatusReason !== null) fields['threeDSecure.transactionStatusReason'] = transStatusReason;
  if (authenticationType !== null) fields['threeDSecure.authType'] = authenticationType;
  return fields;
}

type StandaloneAnswer = {
  readonly id: string;
  readonly paymentBrand: string | null;
  readonly amount: Amount;
  readonly currency: string;
  /** The masked card. */
  readonly card: Readonly<Record<string, string>>;
  readonly merchantTransactionId: string | null;
  /** The code; `authentication` is null when none was started. */
  readonly code: StandaloneCode;
  readonly authentication: Authentication | null;
  readonly redirect: object | null;
  readonly base: Readonly<Record<string, string>>;
};

/** The answer of POST /v1/threeDSecure and GET /v1/threeDSecure/{id}. */
export function projectStandalone(answer: StandaloneAnswer): {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
} {
  const { code, authentication, redirect, base, card } = answer;
  const { text, http } = resultCodes[code];
  return {
    status: http,
    body: {
      id: answer.id,
      paymentBrand: answer.paymentBrand ?? undefined,
      amount: amountText(answer.amount),
      currency: answer.currency,
      merchantTransactionId: answer.merchantTransactionId ?? undefined,
      result: { code, description: text },
      card,
      threeDSecure: authentication ? threeDSecureOf(authentication) : undefined,
      redirect: redirect ?? undefined,
      ...base,
    },
  };
}
