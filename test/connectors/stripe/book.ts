/** The acquirer's own records: intents, payment methods, refunds, disputes and the events that are due. */

type ApiFault = { readonly status: number; readonly error: Readonly<Record<string, unknown>>; readonly isSaved: boolean };

export class Refused extends Error {
  readonly fault: ApiFault;
  constructor(status: number, error: Readonly<Record<string, unknown>>, { isSaved = true } = {}) {
    super(String(error.code));
    this.fault = { status, error, isSaved };
  }
}

export const invalid = (code: string, more: Readonly<Record<string, unknown>> = {}): Refused =>
  new Refused(400, { type: 'invalid_request_error', code, message: code, ...more });

type Method = {
  readonly id: string;
  readonly type: 'card' | 'sepa_debit';
  readonly number: string;
  readonly iban: string;
  readonly hasCvc: boolean;
  customer: string | null;
  uses: number;
};

export type Intent = {
  readonly object: 'payment_intent' | 'setup_intent';
  readonly id: string;
  readonly created: number;
  readonly createdMs: number;
  amount: number;
  readonly currency: string;
  readonly captureMethod: string;
  metadata: Record<string, string>;
  customer: string | null;
  status: string;
  method: Method | null;
  chargeId: string | null;
  captured: number;
  authorised: number;
  timesBooked: number;
  error: Record<string, unknown> | null;
  returnUrl: string | null;
  options: Readonly<Record<string, string>>;
  isSequenceFinal: boolean;
  threeDS: Readonly<Record<string, unknown>> | null;
};

export type Refund = {
  readonly id: string;
  readonly intent: Intent;
  readonly amount: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created: number;
  status: string;
};

export type Event = { readonly id: string; readonly type: string; readonly object: unknown; readonly previous?: unknown };

/** What cards do, by number. Others approve. */
const declines: Readonly<Record<string, { readonly code: string; readonly decline_code?: string }>> = {
  '4000000000000002': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000000000009995': { code: 'card_declined', decline_code: 'insufficient_funds' },
  '4000000000009987': { code: 'card_declined', decline_code: 'lost_card' },
  '4000000000009979': { code: 'card_declined', decline_code: 'stolen_card' },
  '4000000000000069': { code: 'expired_card', decline_code: 'expired_card' },
  '4000000000000127': { code: 'incorrect_cvc', decline_code: 'incorrect_cvc' },
  '4000000000000119': { code: 'processing_error', decline_code: 'processing_error' },
};
export const AUTHENTICATED_CARD = '4000002500003155';
export const SLOW_REFUND_CARD = '4000000000007726';

export function createBook(now: () => number) {
  let made = 0;
  const id = (prefix: string): string => {
    made += 1;
    return `${prefix}_${made.toString(36).padStart(24, '0')}`;
  };
  const intents = new Map<string, Intent>();
  const methods = new Map<string, Method>();
  const customers = new Set<string>();
  const refunds = new Map<string, Refund>();
  const refundsByIntent = new Map<Intent, readonly Refund[]>();
  /** By our reference as it was created with. */
  const intentsByReference = new Map<string, readonly Intent[]>();
  const events: Event[] = [];
  const seconds = (): number => Math.floor(now() / 1000);
  const emit = (type: string, object: unknown, previous?: unknown): void => {
    events.push({ id: id('evt'), type, object, ...(previous !== undefined && { previous }) });
  };

  function intentOf(intentId: string): Intent {
    const intent = intents.get(intentId);
    if (!intent) throw new Refused(404, { type: 'invalid_request_error', code: 'resource_missing', param: 'intent' });
    return intent;
  }

  const methodOf = (methodId: string): Method => {
    const method = methods.get(methodId);
    if (!method) throw invalid('resource_missing', { param: 'payment_method' });
    return method;
  };

  const name = (intent: Intent, what: string): string => `${intent.object}.${what}`;

  const unexpected = (intent: Intent): Refused =>
    invalid(`${intent.object}_unexpected_state`, { [intent.object]: show(intent, false) });

  /** The issuer's answer. */
  function decide(
    intent: Intent,
    { isAbsent, refusesAction }: { readonly isAbsent: boolean; readonly refusesAction: boolean },
  ): void {
    const { method } = intent;
    if (!method) throw invalid('parameter_missing', { param: 'payment_method' });
    if (method.type === 'sepa_debit') {
      intent.status = intent.object === 'setup_intent' ? 'succeeded' : 'processing';
      return;
    }
    const decline = declines[method.number];
    if (decline) throw fail(intent, { type: 'card_error', ...decline, network_decline_code: '05' });
    if (method.number === AUTHENTICATED_CARD && intent.threeDS === null) {
      if (isAbsent || refusesAction)
        throw fail(intent, { type: 'card_error', code: 'authentication_required', decline_code: 'authentication_required' });
      intent.status = 'requires_action';
      emit(name(intent, 'requires_action'), show(intent, false));
      return;
    }
    approve(intent);
  }

  function approve(intent: Intent): void {
    if (intent.object === 'setup_intent') {
      intent.status = 'succeeded';
      if (intent.customer && intent.method) intent.method.customer = intent.customer;
      emit('setup_intent.succeeded', show(intent, false));
      return;
    }
    intent.chargeId = id(intent.method?.type === 'card' ? 'ch' : 'py');
    intent.authorised = intent.amount;
    intent.timesBooked += 1;
    const isManual = intent.captureMethod === 'manual';
    intent.status = isManual ? 'requires_capture' : 'succeeded';
    if (!isManual) intent.captured = intent.amount;
    emit(name(intent, isManual ? 'amount_capturable_updated' : 'succeeded'), show(intent, false));
  }

  function fail(intent: Intent, error: Record<string, unknown>): Refused {
    intent.error = { message: 'Declined.', ...error };
    intent.status = 'requires_payment_method';
    emit(intent.object === 'setup_intent' ? 'setup_intent.setup_failed' : name(intent, 'payment_failed'), show(intent, false));
    return new Refused(402, { ...intent.error, [intent.object]: show(intent, false) });
  }

  const capturable = (intent: Intent): number => (intent.status === 'requires_capture' ? intent.authorised - intent.captured : 0);

  function show(intent: Intent, isExpanded: boolean): Record<string, unknown> {
    const isPayment = intent.object === 'payment_intent';
    const action = intent.status === 'requires_action' ? actionOf(intent) : null;
    const common = {
      id: intent.id,
      object: intent.object,
      created: intent.created,
      livemode: false,
      metadata: intent.metadata,
      status: intent.status,
      customer: intent.customer,
      description: null,
      next_action: action,
      payment_method: intent.method?.id ?? null,
      payment_method_types: ['card'],
    };
    if (!isPayment) return { ...common, last_setup_error: intent.error, usage: 'off_session' };
    return {
      ...common,
      amount: intent.amount,
      amount_capturable: capturable(intent),
      amount_received: intent.captured,
      capture_method: intent.captureMethod,
      currency: intent.currency,
      last_payment_error: intent.error,
      latest_charge: isExpanded && intent.chargeId !== null ? showCharge(intent) : intent.chargeId,
    };
  }

  const actionOf = ({ id: intentId, returnUrl }: Intent) =>
    returnUrl === null
      ? { type: 'use_stripe_sdk', use_stripe_sdk: {} }
      : { type: 'redirect_to_url', redirect_to_url: { url: `https://hooks.example/${intentId}`, return_url: returnUrl } };

  const refundsOf = (intent: Intent): readonly Refund[] => refundsByIntent.get(intent) ?? [];
  function addRefund(refund: Refund): void {
    refunds.set(refund.id, refund);
    refundsByIntent.set(refund.intent, [...refundsOf(refund.intent), refund]);
  }
  function addIntent(intent: Intent): void {
    intents.set(intent.id, intent);
    const reference = intent.metadata.turnpike_payment ?? '';
    intentsByReference.set(reference, [...(intentsByReference.get(reference) ?? []), intent]);
  }
  const intentsNamed = (reference: string): readonly Intent[] => intentsByReference.get(reference) ?? [];
  const refunded = (intent: Intent): number =>
    refundsOf(intent).reduce((sum, { status, amount }) => sum + (status === 'failed' ? 0 : amount), 0);

  function showCharge(intent: Intent): Record<string, unknown> {
    const available = (wish: string) => ({ status: intent.options[wish] === 'if_available' ? 'available' : 'unavailable' });
    const card = {
      brand: 'visa',
      country: 'DE',
      checks: {
        address_line1_check: 'pass',
        address_postal_code_check: 'fail',
        cvc_check: intent.method?.hasCvc ? 'pass' : 'unchecked',
      },
      network_transaction_id: `ntid${intent.id.slice(-11)}`,
      authorization_code: '123456',
      multicapture: available('request_multicapture'),
      incremental_authorization: available('request_incremental_authorization'),
    };
    return {
      id: intent.chargeId,
      object: 'charge',
      livemode: false,
      amount: intent.amount,
      amount_captured: intent.captured,
      amount_refunded: refunded(intent),
      refunded: intent.captured > 0 && refunded(intent) === intent.captured,
      payment_intent: intent.id,
      currency: intent.currency,
      metadata: intent.metadata,
      payment_method_details: intent.method?.type === 'card' ? { type: 'card', card } : { type: 'sepa_debit', sepa_debit: {} },
    };
  }

  const showRefund = ({ id: refundId, intent, amount, metadata, created, status }: Refund): Record<string, unknown> => ({
    id: refundId,
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: intent.chargeId,
    created,
    currency: intent.currency,
    customer: null,
    metadata,
    payment_intent: intent.id,
    payment_method: intent.method?.id ?? null,
    reason: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  });

  return {
    id,
    seconds,
    now,
    intents,
    methods,
    customers,
    refunds,
    events,
    emit,
    intentOf,
    methodOf,
    unexpected,
    decide,
    approve,
    fail,
    capturable,
    show,
    addIntent,
    addRefund,
    intentsNamed,
    refundsOf,
    refunded,
    showRefund,
  };
}

export type Book = ReturnType<typeof createBook>;
