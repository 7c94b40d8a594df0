import { createHmac } from 'node:crypto';
import { API_VERSION } from '../../../src/connectors/stripe/client.ts';
import { stripe } from '../../../src/connectors/stripe/stripe.ts';
import { listen, type Received, type Replied } from '../acquirerHttp.ts';
import type { AcquirerServer, ConnectorUnderTest } from '../contract.ts';
import { createBook, Refused } from './book.ts';
import { type Contract, decodeForm, type FormTree, formFaults, readContract } from './contractFile.ts';
import { createEndpoints, type Handler } from './endpoints.ts';

const SECRET_KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
export const LIVE_KEY = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
const WEBHOOK_SECRET = 'whsec_test_of_the_connector';
const KEY_MS = 24 * 3_600_000;
/** Every so many requests one is turned away, and every so many confirmations one is executed and answered with an error of the server. */
const BUSY_EVERY = 97;
const BROKEN_EVERY = 61;

type Saved = { readonly request: string; readonly status: number; readonly body: string; readonly at: number };
type Reply = { readonly status: number; readonly body: string; readonly isReplay?: true };

export type StripeServer = AcquirerServer & {
  readonly book: ReturnType<typeof createBook>;
  /** Requests as they came: method, path and body. */
  readonly requests: readonly string[];
  /** The shopper is back from the issuer. */
  authenticate(intentId: string, isAuthenticated: boolean): void;
  /** The banks decide about all debits that are under way. */
  settleDebits(isPaid: boolean): void;
  dispute(intentId: string, what: 'funds_withdrawn' | 'funds_reinstated', dispute: Readonly<Record<string, unknown>>): void;
  settleRefunds(status: 'succeeded' | 'failed'): void;
};

/** A server of the acquirer that keeps a book. It checks every request against the contract where that is present. */
export async function openStripe(time: { now(): number }, { isHarsh = false, isLive = false } = {}): Promise<StripeServer> {
  const secretKey = isLive ? LIVE_KEY : SECRET_KEY;
  const contract = readContract();
  const book = createBook(time.now);
  const routeOf = createRoutes(createEndpoints(book));
  const faults: string[] = [];
  const requests: string[] = [];
  const saved = new Map<string, Saved>();
  let count = 0;
  let confirmations = 0;

  function answer(request: Received): Reply {
    const { method, body: text } = request;
    const url = new URL(request.url, 'http://stripe');
    requests.push(`${method} ${url.pathname}${url.search} ${text}`);
    count += 1;
    const error = (status: number, fault: object): Reply => ({ status, body: JSON.stringify({ error: fault }) });
    if (request.headers.authorization !== `Bearer ${secretKey}`) return error(401, { type: 'invalid_request_error' });
    const route = routeOf(method, url.pathname);
    if (!route) {
      faults.push(`${method} ${url.pathname}: no such path`);
      return error(404, { type: 'invalid_request_error', code: 'resource_missing' });
    }
    const form = decodeForm(method === 'GET' ? url.search.slice(1) : text);
    const found = [...requestFaults(contract, route, { method, form }), ...headerFaults(request, route.template)];
    faults.push(...found.map((fault) => `${method} ${route.template} ${fault}`));
    if (found.length > 0)
      return error(400, { type: 'invalid_request_error', code: 'parameter_unknown', message: found.join('; ') });
    if (isHarsh && count % BUSY_EVERY === 0) return error(429, { type: 'invalid_request_error', code: 'rate_limit' });
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string') return execute(route, form);
    const before = saved.get(key);
    const body = `${url.pathname} ${text}`;
    if (before && time.now() - before.at < KEY_MS) {
      if (before.request !== body) return error(400, { type: 'idempotency_error', message: 'other parameters' });
      return { status: before.status, body: before.body, isReplay: true };
    }
    const reply = breakSome(route.template, execute(route, form));
    saved.set(key, { request: body, status: reply.status, body: reply.body, at: time.now() });
    return reply;
  }

  /** An error of the server after the request was executed is saved like any answer. */
  function breakSome(template: string, reply: Reply): Reply {
    if (!isHarsh || !/confirm|capture|refunds/.test(template)) return reply;
    confirmations += 1;
    return confirmations % BROKEN_EVERY === 0 ? { status: 500, body: JSON.stringify({ error: { type: 'api_error' } }) } : reply;
  }

  function execute({ handler, ids }: Route, form: FormTree): Reply {
    try {
      const body = JSON.stringify(handler(form, ids));
      return { status: 200, body: isLive ? body.replaceAll('"livemode":false', '"livemode":true') : body };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.fault.status, body: JSON.stringify({ error: error.fault.error }) };
    }
  }

  const { url, handle, close } = await listen((request) => {
    try {
      return replyOf(answer(request));
    } catch (error) {
      faults.push(String(error));
      return replyOf({ status: 500, body: '{}' });
    }
  });

  return {
    url,
    handle,
    faults,
    requests,
    book,
    booked({ merchantId, id }) {
      const own = book.intentsNamed(`${merchantId}.${id}`);
      const sum = (of: (intent: (typeof own)[number]) => number): bigint =>
        own.reduce((total, intent) => total + BigInt(of(intent)), 0n);
      return {
        times: Number(sum(({ timesBooked }) => timesBooked)),
        authorised: sum(({ authorised }) => authorised),
        captured: sum(({ captured }) => captured),
        refunded: sum(book.refunded),
        isCancelled: own.some(({ status, authorised }) => status === 'canceled' && authorised > 0),
      };
    },
    takeNotifications: () => book.events.splice(0).map((event) => signed(event, time.now())),
    authenticate(intentId, isAuthenticated) {
      const intent = book.intentOf(intentId);
      if (isAuthenticated) book.approve(intent);
      else book.fail(intent, { type: 'invalid_request_error', code: `${intent.object}_authentication_failure` });
    },
    settleDebits(isPaid) {
      for (const intent of book.intents.values()) {
        if (intent.status !== 'processing') continue;
        if (isPaid) book.approve(intent);
        else book.fail(intent, { type: 'card_error', code: 'insufficient_funds' });
      }
    },
    dispute(intentId, what, dispute) {
      const intent = book.intentOf(intentId);
      const object = {
        id: 'dp_1',
        object: 'dispute',
        charge: intent.chargeId,
        payment_intent: intent.id,
        currency: intent.currency,
      };
      book.emit(`charge.dispute.${what}`, {
        ...object,
        amount: intent.captured,
        status: 'needs_response',
        reason: 'fraudulent',
        ...dispute,
      });
    },
    settleRefunds(status) {
      for (const refund of book.refunds.values()) {
        const before = refund.status;
        if (before === 'failed' || before === status) continue;
        refund.status = status;
        book.emit(status === 'failed' ? 'refund.failed' : 'refund.updated', book.showRefund(refund), { status: before });
      }
    },
    close,
  };
}

const replyOf = ({ status, body, isReplay }: Reply): Replied => ({
  status,
  headers: {
    'content-type': 'application/json',
    'request-id': 'req_1',
    ...(isReplay && { 'idempotent-replayed': 'true' }),
  },
  body,
});

type Route = { readonly template: string; readonly handler: Handler; readonly ids: readonly string[] };

function createRoutes(handlers: Readonly<Record<string, Handler>>): (method: string, path: string) => Route | null {
  const routes = Object.entries(handlers).map(([name, handler]) => {
    const [verb, template = ''] = name.split(' ');
    const pattern = new RegExp(`^${template.replace(/\{[a-z_]+\}/g, '([a-z]+_[A-Za-z0-9_]+)')}$`);
    return { verb, template, pattern, handler };
  });
  return (method, path) => {
    for (const { verb, template, pattern, handler } of routes) {
      const match = verb === method ? pattern.exec(path) : null;
      if (match) return { template, handler, ids: match.slice(1) };
    }
    return null;
  };
}

type Requested = { readonly method: string; readonly form: FormTree };

function requestFaults(contract: Contract | null, { template }: Route, { method, form }: Requested): readonly string[] {
  // The part of the contract that is kept here is that of payments.
  if (contract === null || template === '/v1/balance') return [];
  const operation = contract.paths[template]?.[method.toLowerCase()];
  if (!operation) return ['is not in the contract'];
  const body = operation.requestBody?.content['application/x-www-form-urlencoded'];
  if (method === 'POST') return body ? formFaults(body.schema, form) : ['has no body in the contract'];
  // Every request may expand objects of its answer.
  const allowed = ['expand', ...(operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)];
  return Object.keys(form).flatMap((name) => (allowed.includes(name) ? [] : [`${name}: unknown`]));
}

const KEYED =
  /^\/v1\/(?:payment_intents|setup_intents|payment_methods|refunds|customers)(?:\/\{intent\}\/(?:confirm|capture|increment_authorization))?$/;

function headerFaults({ method, headers }: Received, template: string): readonly string[] {
  const isPost = method === 'POST';
  return [
    ...(headers['stripe-version'] === API_VERSION ? [] : ['without the version']),
    ...(isPost && headers['content-type'] !== 'application/x-www-form-urlencoded' ? ['content type'] : []),
    ...(isPost && KEYED.test(template) && !/^[0-9a-f]{32}(-[2-9])?-[a-z]+$/.test(String(headers['idempotency-key']))
      ? ['idempotency key']
      : []),
  ];
}

/** The event as it is posted. */
function signed({ id, type, object, previous }: { id: string; type: string; object: unknown; previous?: unknown }, now: number) {
  const body = JSON.stringify({
    id,
    object: 'event',
    api_version: API_VERSION,
    created: Math.floor(now / 1000),
    livemode: false,
    type,
    data: { object, ...(previous !== undefined && { previous_attributes: previous }) },
  });
  const time = Math.floor(now / 1000);
  const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex');
  return { headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` }, body };
}

const card = (number: string): Readonly<Record<string, string>> => ({
  paymentBrand: 'VISA',
  'card.number': number,
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
});

export const stripeUnderTest: ConnectorUnderTest = {
  kind: stripe,
  settings: (url) => ({ url }),
  secrets: { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET },
  open: (time) => openStripe(time, { isHarsh: true }),
  approved: card('4242424242424242'),
  declined: card('4000000000009995'),
  lateMs: 600_000,
};
