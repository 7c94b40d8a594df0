import { isRecord } from '../../runtime/json.ts';

/** The parts of the acquirer's objects that the connector reads. Reading returns null for anything of another shape. */

type Json = Readonly<Record<string, unknown>>;

/** An error of a request, or the last one of an intent. */
export type ApiError = {
  readonly type: string;
  readonly code: string | null;
  readonly declineCode: string | null;
  readonly adviceCode: string | null;
  readonly networkAdviceCode: string | null;
  readonly networkDeclineCode: string | null;
  readonly param: string | null;
};

export type Charge = {
  readonly id: string;
  readonly isRefunded: boolean;
  readonly amountRefunded: bigint;
  readonly riskLevel: string | null;
  /** Of `payment_method_details.card`. */
  readonly card: CardDetails | null;
};

export type CardDetails = {
  readonly line1Check: string | null;
  readonly postcodeCheck: string | null;
  readonly cvcCheck: string | null;
  readonly networkTransactionId: string | null;
  /** The end of the authorisation, in seconds. */
  readonly captureBefore: bigint | null;
  readonly authorizationCode: string | null;
  readonly country: string | null;
  readonly funding: string | null;
  readonly issuer: string | null;
  readonly hasMulticapture: boolean;
  readonly hasIncrements: boolean;
};

/** A payment intent or a setup intent. A setup intent has no amounts. */
export type Intent = {
  readonly kind: 'payment_intent' | 'setup_intent';
  readonly id: string;
  readonly status: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly amountCapturable: bigint;
  readonly amountReceived: bigint;
  readonly metadata: Readonly<Record<string, string>>;
  readonly error: ApiError | null;
  readonly nextAction: string | null;
  readonly redirectUrl: string | null;
  readonly chargeId: string | null;
  /** Only where it was expanded. */
  readonly charge: Charge | null;
  readonly paymentMethod: string | null;
  readonly customer: string | null;
};

export type Refund = {
  readonly id: string;
  readonly status: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly failureReason: string | null;
};

export type Dispute = {
  readonly id: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly reason: string;
  readonly status: string;
  readonly charge: string;
  readonly intent: string | null;
};

const textIn = (json: Json, name: string): string | null => (typeof json[name] === 'string' ? json[name] : null);
const objectIn = (json: Json, name: string): Json | null => (isRecord(json[name]) ? json[name] : null);
const unitsIn = (json: Json, name: string): bigint | null => {
  const value = json[name];
  return Number.isSafeInteger(value) && (value as number) >= 0 ? BigInt(value as number) : null;
};

const metadataIn = (json: Json): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(objectIn(json, 'metadata') ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

export function readError(value: unknown): ApiError | null {
  if (!isRecord(value)) return null;
  const type = textIn(value, 'type');
  if (type === null) return null;
  return {
    type,
    code: textIn(value, 'code'),
    declineCode: textIn(value, 'decline_code'),
    adviceCode: textIn(value, 'advice_code'),
    networkAdviceCode: textIn(value, 'network_advice_code'),
    networkDeclineCode: textIn(value, 'network_decline_code'),
    param: textIn(value, 'param'),
  };
}

export function readIntent(value: unknown): Intent | null {
  if (!isRecord(value)) return null;
  const [id, status, kind] = [textIn(value, 'id'), textIn(value, 'status'), textIn(value, 'object')];
  if (id === null || status === null) return null;
  if (kind === 'setup_intent') {
    return {
      ...partsOf(value, 'last_setup_error'),
      kind,
      id,
      status,
      amount: 0n,
      currency: '',
      amountCapturable: 0n,
      amountReceived: 0n,
    };
  }
  const [amount, currency] = [unitsIn(value, 'amount'), textIn(value, 'currency')];
  if (kind !== 'payment_intent' || amount === null || currency === null) return null;
  const amountCapturable = unitsIn(value, 'amount_capturable') ?? 0n;
  const amountReceived = unitsIn(value, 'amount_received') ?? 0n;
  return { ...partsOf(value, 'last_payment_error'), kind, id, status, amount, currency, amountCapturable, amountReceived };
}

function partsOf(json: Json, errorName: string) {
  const action = objectIn(json, 'next_action');
  const charge = readCharge(json.latest_charge);
  return {
    metadata: metadataIn(json),
    error: readError(json[errorName]),
    nextAction: action && textIn(action, 'type'),
    redirectUrl: action && textIn(objectIn(action, 'redirect_to_url') ?? {}, 'url'),
    chargeId: charge?.id ?? textIn(json, 'latest_charge'),
    charge,
    paymentMethod: textIn(json, 'payment_method'),
    customer: textIn(json, 'customer'),
  };
}

export function readCharge(value: unknown): Charge | null {
  const id = isRecord(value) ? textIn(value, 'id') : null;
  if (!isRecord(value) || id === null) return null;
  const card = objectIn(objectIn(value, 'payment_method_details') ?? {}, 'card');
  return {
    id,
    isRefunded: value.refunded === true,
    amountRefunded: unitsIn(value, 'amount_refunded') ?? 0n,
    riskLevel: textIn(objectIn(value, 'outcome') ?? {}, 'risk_level'),
    card: card && readCard(card),
  };
}

function readCard(card: Json): CardDetails {
  const checks = objectIn(card, 'checks') ?? {};
  const isAvailable = (name: string): boolean => textIn(objectIn(card, name) ?? {}, 'status') === 'available';
  return {
    line1Check: textIn(checks, 'address_line1_check'),
    postcodeCheck: textIn(checks, 'address_postal_code_check'),
    cvcCheck: textIn(checks, 'cvc_check'),
    networkTransactionId: textIn(card, 'network_transaction_id'),
    captureBefore: unitsIn(card, 'capture_before'),
    authorizationCode: textIn(card, 'authorization_code'),
    country: textIn(card, 'country'),
    funding: textIn(card, 'funding'),
    issuer: textIn(card, 'issuer'),
    hasMulticapture: isAvailable('multicapture'),
    hasIncrements: isAvailable('incremental_authorization'),
  };
}

export function readRefund(value: unknown): Refund | null {
  if (!isRecord(value)) return null;
  const [id, amount, currency] = [textIn(value, 'id'), unitsIn(value, 'amount'), textIn(value, 'currency')];
  if (id === null || amount === null || currency === null || value.object !== 'refund') return null;
  const status = textIn(value, 'status') ?? 'pending';
  return { id, status, amount, currency, metadata: metadataIn(value), failureReason: textIn(value, 'failure_reason') };
}

export function readDispute(value: unknown): Dispute | null {
  if (!isRecord(value) || value.object !== 'dispute') return null;
  const [id, charge, currency] = [textIn(value, 'id'), textIn(value, 'charge'), textIn(value, 'currency')];
  const [amount, reason, status] = [unitsIn(value, 'amount'), textIn(value, 'reason'), textIn(value, 'status')];
  if (id === null || charge === null || currency === null || amount === null) return null;
  const intent = textIn(value, 'payment_intent');
  return { id, charge, currency, amount, intent, reason: reason ?? 'general', status: status ?? '' };
}

/** The objects of a list or a search; null when it is none. */
export function readList(value: unknown): { readonly items: readonly unknown[]; readonly hasMore: boolean } | null {
  if (!isRecord(value) || !Array.isArray(value.data)) return null;
  return { items: value.data, hasMore: value.has_more === true };
}
