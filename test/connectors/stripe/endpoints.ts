import { type Book, type Intent, invalid, Refused, SLOW_REFUND_CARD } from './book.ts';
import type { FormTree } from './contractFile.ts';

/** What each request does to the book. The form fits the contract when it gets here. */
export type Handler = (form: FormTree, ids: readonly string[]) => unknown;

const text = (form: FormTree, name: string): string | undefined => (typeof form[name] === 'string' ? form[name] : undefined);
const number = (form: FormTree, name: string): number | undefined =>
  text(form, name) === undefined ? undefined : Number(text(form, name));
const inner = (form: FormTree, name: string): FormTree =>
  typeof form[name] === 'object' && !Array.isArray(form[name]) ? form[name] : {};
const metadataOf = (form: FormTree): Record<string, string> => inner(form, 'metadata') as Record<string, string>;
const isExpanded = (form: FormTree): boolean => Array.isArray(form.expand) && form.expand.includes('latest_charge');

const AMOUNT_MAX = 99_999_999;
const AMOUNT_MIN = 50;

/** Intents become visible to a search only after this time. */
const SEARCH_LAG_MS = 60_000;

export function createEndpoints(book: Book): Readonly<Record<string, Handler>> {
  const { intents, methods, refunds, customers, id, seconds, emit, intentOf, methodOf, unexpected, show, showRefund } = book;

  function create(object: Intent['object'], form: FormTree): unknown {
    const amount = number(form, 'amount') ?? 0;
    if (object === 'payment_intent' && amount > AMOUNT_MAX) throw invalid('amount_too_large', { param: 'amount' });
    if (object === 'payment_intent' && amount < AMOUNT_MIN) throw invalid('amount_too_small', { param: 'amount' });
    if (text(form, 'currency') === 'isk' && amount % 100 !== 0) throw invalid('invalid_charge_amount_no_decimal_compatible');
    const intent: Intent = {
      object,
      id: id(object === 'payment_intent' ? 'pi' : 'seti'),
      created: seconds(),
      createdMs: book.now(),
      amount,
      currency: text(form, 'currency') ?? '',
      captureMethod: text(form, 'capture_method') ?? 'automatic_async',
      metadata: metadataOf(form),
      customer: text(form, 'customer') ?? null,
      status: 'requires_payment_method',
      method: null,
      chargeId: null,
      captured: 0,
      authorised: 0,
      timesBooked: 0,
      error: null,
      returnUrl: null,
      options: {},
      isSequenceFinal: false,
      threeDS: null,
    };
    book.addIntent(intent);
    return show(intent, isExpanded(form));
  }

  function confirm(form: FormTree, [intentId = '']: readonly string[]): unknown {
    const intent = intentOf(intentId);
    if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_confirmation') throw unexpected(intent);
    const method = methodOf(text(form, 'payment_method') ?? '');
    if (method.customer !== null && method.customer !== intent.customer) throw invalid('payment_method_invalid_parameter');
    if (method.customer === null && method.uses > 0) throw invalid('payment_method_unexpected_state');
    method.uses += 1;
    if (method.type === 'sepa_debit' && Object.keys(inner(form, 'mandate_data')).length === 0 && method.customer === null)
      throw invalid('payment_intent_mandate_invalid');
    const options = inner(inner(form, 'payment_method_options'), 'card');
    const proof = inner(options, 'three_d_secure');
    Object.assign(intent, {
      method,
      error: null,
      returnUrl: text(form, 'return_url') ?? null,
      options,
      threeDS: Object.keys(proof).length === 0 ? null : proof,
    });
    book.decide(intent, {
      isAbsent: text(form, 'off_session') === 'true',
      refusesAction: text(form, 'error_on_requires_action') === 'true',
    });
    if (text(form, 'setup_future_usage') === 'off_session' && intent.customer !== null) method.customer = intent.customer;
    return show(intent, isExpanded(form));
  }

  function capture(form: FormTree, [intentId = '']: readonly string[]): unknown {
    const intent = intentOf(intentId);
    if (intent.status !== 'requires_capture') throw unexpected(intent);
    const rest = book.capturable(intent);
    const amount = number(form, 'amount_to_capture') ?? rest;
    if (amount > rest || amount <= 0) throw invalid('amount_too_large', { param: 'amount_to_capture' });
    const mayGoOn = intent.options.request_multicapture === 'if_available';
    if (text(form, 'final_capture') !== undefined && !mayGoOn)
      throw invalid('payment_intent_invalid_parameter', { param: 'final_capture' });
    intent.metadata = { ...intent.metadata, ...metadataOf(form) };
    intent.captured += amount;
    if (text(form, 'final_capture') !== 'false' || amount === rest) intent.status = 'succeeded';
    if (intent.status === 'succeeded') emit('payment_intent.succeeded', show(intent, false));
    return show(intent, isExpanded(form));
  }

  function cancel(form: FormTree, [intentId = '']: readonly string[]): unknown {
    const intent = intentOf(intentId);
    if (intent.status === 'succeeded' || intent.status === 'processing' || intent.status === 'canceled') throw unexpected(intent);
    intent.status = 'canceled';
    emit(`${intent.object}.canceled`, show(intent, false));
    return show(intent, isExpanded(form));
  }

  function increment(form: FormTree, [intentId = '']: readonly string[]): unknown {
    const intent = intentOf(intentId);
    const amount = number(form, 'amount') ?? 0;
    if (intent.status !== 'requires_capture' || intent.captured > 0) throw unexpected(intent);
    if (intent.options.request_incremental_authorization !== 'if_available') throw invalid('payment_intent_invalid_parameter');
    if (amount <= intent.amount) throw invalid('amount_too_small', { param: 'amount' });
    if (amount > 10 * intent.amount)
      throw new Refused(402, { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' });
    intent.amount = amount;
    intent.authorised = amount;
    intent.metadata = { ...intent.metadata, ...metadataOf(form) };
    emit('payment_intent.amount_capturable_updated', show(intent, false));
    return show(intent, isExpanded(form));
  }

  function refund(form: FormTree): unknown {
    const charge = text(form, 'charge');
    const intent =
      charge === undefined
        ? intentOf(text(form, 'payment_intent') ?? '')
        : [...intents.values()].find(({ chargeId }) => chargeId === charge);
    if (!intent) throw invalid('resource_missing', { param: 'charge' });
    const rest = intent.captured - book.refunded(intent);
    if (rest <= 0) throw invalid(intent.captured > 0 ? 'charge_already_refunded' : 'charge_not_refundable');
    const amount = number(form, 'amount') ?? rest;
    if (amount > rest || amount <= 0) throw invalid('amount_too_large', { param: 'amount' });
    const isSlow = intent.method?.number === SLOW_REFUND_CARD;
    const made = {
      id: id('re'),
      intent,
      amount,
      metadata: metadataOf(form),
      created: seconds(),
      status: isSlow ? 'pending' : 'succeeded',
    };
    book.addRefund(made);
    emit('refund.created', showRefund(made));
    return showRefund(made);
  }

  function makeMethod(form: FormTree): unknown {
    const [card, debit] = [inner(form, 'card'), inner(form, 'sepa_debit')];
    const type = text(form, 'type') === 'sepa_debit' ? 'sepa_debit' : 'card';
    const digits = text(card, 'number') ?? '';
    if (type === 'card' && !/^[0-9]{12,19}$/.test(digits)) throw new Refused(402, { type: 'card_error', code: 'invalid_number' });
    const method = {
      id: id('pm'),
      type,
      number: digits,
      iban: text(debit, 'iban') ?? '',
      hasCvc: text(card, 'cvc') !== undefined,
      customer: null,
      uses: 0,
    } as const;
    methods.set(method.id, { ...method });
    return { id: method.id, object: 'payment_method', type, livemode: false, customer: null, created: seconds(), metadata: {} };
  }

  function search(query: FormTree): unknown {
    const wanted = /^metadata\['turnpike_payment'\]:'([0-9a-f.]+)'$/.exec(text(query, 'query') ?? '')?.[1];
    if (wanted === undefined) throw invalid('parameter_invalid_string_blank', { param: 'query' });
    const found = book.intentsNamed(wanted).filter(({ createdMs }) => createdMs + SEARCH_LAG_MS <= book.now());
    return {
      object: 'search_result',
      url: '/v1/payment_intents/search',
      has_more: false,
      data: found.map((one) => show(one, false)),
    };
  }

  function listRefunds(query: FormTree): unknown {
    const intent =
      typeof query.payment_intent === 'string'
        ? intents.get(query.payment_intent)
        : [...intents.values()].find(({ chargeId }) => chargeId === query.charge);
    const found = intent ? book.refundsOf(intent) : [];
    return { object: 'list', url: '/v1/refunds', has_more: false, data: found.toReversed().map(showRefund) };
  }

  function retrieveRefund(_form: FormTree, [refundId = '']: readonly string[]): unknown {
    const one = refunds.get(refundId);
    if (!one) throw new Refused(404, { type: 'invalid_request_error', code: 'resource_missing' });
    return showRefund(one);
  }

  function makeCustomer(form: FormTree): unknown {
    const customer = id('cus');
    customers.add(customer);
    return { id: customer, object: 'customer', livemode: false, created: seconds(), metadata: metadataOf(form) };
  }

  function update(form: FormTree, [intentId = '']: readonly string[]): unknown {
    const intent = intentOf(intentId);
    const customer = text(form, 'customer');
    if (customer !== undefined && !customers.has(customer)) throw invalid('resource_missing', { param: 'customer' });
    if (customer !== undefined) intent.customer = customer;
    intent.metadata = { ...intent.metadata, ...metadataOf(form) };
    return show(intent, isExpanded(form));
  }

  function attach(form: FormTree, [methodId = '']: readonly string[]): unknown {
    const method = methodOf(methodId);
    const customer = text(form, 'customer') ?? '';
    if (!customers.has(customer)) throw invalid('resource_missing', { param: 'customer' });
    method.customer = customer;
    return { id: method.id, object: 'payment_method', type: method.type, livemode: false, customer };
  }

  const retrieve: Handler = (query, [intentId = '']) => show(intentOf(intentId), isExpanded(query));
  return {
    'POST /v1/payment_intents': (form) => create('payment_intent', form),
    'POST /v1/setup_intents': (form) => create('setup_intent', form),
    'POST /v1/payment_intents/{intent}': update,
    'POST /v1/payment_intents/{intent}/confirm': confirm,
    'POST /v1/setup_intents/{intent}/confirm': confirm,
    'POST /v1/payment_intents/{intent}/capture': capture,
    'POST /v1/payment_intents/{intent}/cancel': cancel,
    'POST /v1/setup_intents/{intent}/cancel': cancel,
    'POST /v1/payment_intents/{intent}/increment_authorization': increment,
    'POST /v1/refunds': refund,
    'POST /v1/payment_methods': makeMethod,
    'POST /v1/payment_methods/{payment_method}/attach': attach,
    'POST /v1/customers': makeCustomer,
    'GET /v1/payment_intents/search': search,
    'GET /v1/payment_intents/{intent}': retrieve,
    'GET /v1/setup_intents/{intent}': retrieve,
    'GET /v1/balance': () => ({ object: 'balance', livemode: false, available: [] }),
    'GET /v1/refunds': listRefunds,
    'GET /v1/refunds/{refund}': retrieveRefund,
  };
}
