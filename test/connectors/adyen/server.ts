import { adyen } from '../../../src/connectors/adyen/adyen.ts';
import { signatureOf } from '../../../src/connectors/adyen/notifications.ts';
import { isRecord } from '../../../src/runtime/json.ts';
import { jsonReply, listen, type Received } from '../acquirerHttp.ts';
import type { AcquirerServer, Booked, ConnectorUnderTest } from '../contract.ts';
import { type BookedPayment, changes, createBook, hundredths } from './book.ts';
import { browserFile, createIssuers, flowIn } from './native.ts';
import { requestFault } from './openApi.ts';
import { authenticate, SHOPPER_BROWSER } from './shopper.ts';

type Json = Readonly<Record<string, unknown>>;
type Reply = { readonly status: number; readonly body: Json; readonly isTransient?: true };

export const API_KEY = 'AQEtestKeyOfTheServerForTests01';
export const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
export const BASIC_AUTH = 'turnpike:correcthorsebattery';
export const MERCHANT_ACCOUNT = 'TestMerchantECOM';
export const CLIENT_KEY = 'test_ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const OFFER_MS = 1_200_000;
const APPROVED_NUMBER = '4111111111111111';
const DECLINED_NUMBER = '4000000000000002';

const events = {
  captures: 'CAPTURE',
  refunds: 'REFUND',
  cancels: 'CANCELLATION',
  reversals: 'CANCEL_OR_REFUND',
  amountUpdates: 'AUTHORISATION_ADJUSTMENT',
} as const;

type NotificationItem = {
  readonly eventCode: string;
  readonly success: boolean;
  readonly pspReference: string;
  readonly originalReference?: string;
  readonly merchantReference: string;
  readonly value: bigint;
  readonly currency: string;
  readonly reason?: string;
  readonly additionalData?: Readonly<Record<string, string>>;
};

export type Notification = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** A notification as Adyen posts it. */
export function signedNotification(item: NotificationItem, key: string = HMAC_KEY): Notification {
  const { success, value, currency, reason = '', additionalData = {}, ...rest } = item;
  const unsigned = {
    ...rest,
    amount: { currency, value: Number(value) },
    eventDate: '2026-11-16T12:00:00+01:00',
    merchantAccountCode: MERCHANT_ACCOUNT,
    reason,
    success: String(success),
  };
  const signed = { ...unsigned, additionalData: { ...additionalData, hmacSignature: signatureOf(unsigned, key) } };
  const body = JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: signed }] });
  const authorization = `Basic ${Buffer.from(BASIC_AUTH).toString('base64')}`;
  return { headers: { 'content-type': 'application/json', authorization }, body };
}

const error = (status: number, errorCode: string, message: string): Reply => ({
  status,
  body: { status, errorCode, message, errorType: status === 401 ? 'security' : 'validation' },
});

/** Whether the shopper's browser may be asked, with all that issuers need for it. */
function isNativeAsked(body: Json): boolean {
  const { authenticationData, browserInfo, origin } = body as {
    authenticationData?: { threeDSRequestData?: { nativeThreeDS?: string } };
    browserInfo?: object;
    origin?: string;
  };
  return (
    authenticationData?.threeDSRequestData?.nativeThreeDS === 'preferred' && browserInfo !== undefined && origin !== undefined
  );
}

export type AdyenServer = Omit<AcquirerServer, 'booked'> & {
  booked(payment: { readonly merchantId: string; readonly id: string }): Booked;
  readonly requests: readonly { readonly path: string; readonly body: Json; readonly key: string }[];
  readonly book: ReturnType<typeof createBook>;
  /** What the next requests get instead of an answer of the book. */
  readonly scripted: Reply[];
};

/** Adyen's Checkout API with a book: checks every request against the contract, honours idempotency keys, reports by notification. */
export async function openAdyenServer(time: { now(): number } = { now: () => 0 }): Promise<AdyenServer> {
  const book = createBook();
  const faults: string[] = [];
  const queue: Notification[] = [];
  const answered = new Map<string, Reply>();
  const requests: { path: string; body: Json; key: string }[] = [];
  const scripted: Reply[] = [];
  const issuers = createIssuers();
  const offers = new Map<BookedPayment, number>();
  let told = 0;

  const notify = (item: NotificationItem): void => void queue.push(signedNotification(item));
  const authorisation = ({ pspReference, reference, currency, authorised }: BookedPayment, reason: string | null): void =>
    notify({
      eventCode: 'AUTHORISATION',
      success: reason === null,
      pspReference,
      merchantReference: reference,
      value: authorised,
      currency,
      reason: reason ?? '',
    });

  /** The shopper has something to do, for as long as the offer stands. */
  function offer(payment: Parameters<typeof book.add>[0]): BookedPayment {
    const made = book.add(payment);
    offers.set(made, time.now() + OFFER_MS);
    return made;
  }

  /** Offers that nobody took lapse, and cannot be taken any more. */
  function closeOffers(): void {
    for (const [payment, until] of offers) {
      if (payment.state === 'redirected' && until > time.now()) continue;
      offers.delete(payment);
      if (payment.state !== 'redirected') continue;
      book.decide(payment, false);
      const { pspReference, reference: merchantReference, authorised: value, currency } = payment;
      notify({ eventCode: 'OFFER_CLOSED', success: true, pspReference, merchantReference, value, currency });
    }
  }

  function pay(body: Json): Reply {
    const { amount, paymentMethod, reference, captureDelayHours } = body as {
      amount: { currency: string; value: number };
      paymentMethod: Readonly<Record<string, string>>;
      reference: string;
      captureDelayHours?: number;
    };
    const directive = paymentMethod.holderName ?? '';
    const isCard = paymentMethod.type === 'scheme' || paymentMethod.type === 'networkToken';
    const common = {
      reference,
      currency: amount.currency,
      authorised: BigInt(amount.value),
      isDebit: captureDelayHours === 0,
      method: paymentMethod.type ?? '',
    };
    const [, refusal] = /^refusal ([0-9]+)$/.exec(directive) ?? [];
    if (paymentMethod.number === DECLINED_NUMBER || refusal !== undefined) {
      const made = book.add({ ...common, state: 'refused' });
      authorisation(made, 'Refused');
      return result(made, { resultCode: 'Refused', refusalReason: 'Refused', refusalReasonCode: refusal ?? '2' });
    }
    const flow = flowIn(directive);
    if (flow !== null && isNativeAsked(body))
      return { status: 200, body: issuers.begin(offer({ ...common, state: 'redirected' }), flow) };
    if (directive === 'redirect' || flow !== null || !(isCard || paymentMethod.type === 'sepadirectdebit')) {
      const made = offer({ ...common, state: 'redirected' });
      const url = `https://checkoutshopper-test.adyen.com/redirect/${made.pspReference}`;
      return { status: 200, body: { resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'GET', url } } };
    }
    if (directive === 'pending' || paymentMethod.type === 'sepadirectdebit') {
      const made = book.add({ ...common, state: 'pending' });
      return result(made, { resultCode: 'Received' });
    }
    if (directive === 'partial') {
      const made = book.add({ ...common, authorised: common.authorised / 2n, state: 'authorised' });
      authorisation(made, null);
      return result(made, { resultCode: 'PartiallyAuthorised' });
    }
    const made = book.add({ ...common, state: 'authorised' });
    authorisation(made, null);
    const additionalData = {
      authCode: '044925',
      networkTxReference: '123456789012345',
      cvcResult: '1 Matches',
      avsResult: '7 Both match',
    };
    return result(made, { resultCode: 'Authorised', additionalData });
  }

  const result = ({ pspReference, reference }: BookedPayment, rest: Json): Reply => ({
    status: 200,
    body: { pspReference, merchantReference: reference, ...rest },
  });

  /** A result of native 3D Secure. An action names no payment; a decision does. */
  function completeNative(text: string): Reply {
    const { pspReference, answer: said } = issuers.take(text);
    const payment = book.byPsp.get(pspReference);
    if (!payment || said.is === 'unknown') return error(422, '14_018', 'Invalid payload provided');
    if (said.is === 'action') return { status: 200, body: said.body };
    if (payment.state === 'redirected') {
      book.decide(payment, said.isApproved);
      authorisation(payment, said.isApproved ? null : '3D Not Authenticated');
    }
    return payment.state === 'authorised'
      ? result(payment, { resultCode: 'Authorised' })
      : result(payment, { resultCode: 'Refused', refusalReason: '3D Not Authenticated', refusalReasonCode: '11' });
  }

  function complete(body: Json): Reply {
    const { details } = body as { details: { redirectResult?: string; threeDSResult?: string } };
    if (details.threeDSResult !== undefined) return completeNative(details.threeDSResult);
    const [, pspReference = '', outcome] = /^([A-Z0-9]{16})\.(yes|no)$/.exec(details.redirectResult ?? '') ?? [];
    const payment = book.byPsp.get(pspReference);
    if (!payment) return error(422, '14_018', 'Invalid payload provided');
    if (payment.state === 'redirected') {
      book.decide(payment, outcome === 'yes');
      authorisation(payment, outcome === 'yes' ? null : 'Shopper Cancelled');
    }
    return payment.state === 'authorised'
      ? result(payment, { resultCode: 'Authorised' })
      : result(payment, { resultCode: 'Cancelled', refusalReason: 'Shopper Cancelled', refusalReasonCode: '16' });
  }

  function cancelByReference(body: Json): Reply {
    const { paymentReference } = body as { paymentReference: string };
    const pspReference = book.nextPsp();
    const payment = book.byReference.get(paymentReference);
    const isDone = payment !== undefined && changes.cancels(payment) === null;
    notify({
      eventCode: 'TECHNICAL_CANCEL',
      success: isDone,
      pspReference,
      ...(payment && { originalReference: payment.pspReference }),
      merchantReference: paymentReference,
      value: payment?.authorised ?? 0n,
      currency: payment?.currency ?? 'EUR',
    });
    return { status: 201, body: { merchantAccount: MERCHANT_ACCOUNT, paymentReference, pspReference, status: 'received' } };
  }

  function modify(payment: BookedPayment, kind: keyof typeof events, body: Json): Reply {
    const { amount, reference = '' } = body as { amount?: { value: number }; reference?: string };
    const value = amount ? BigInt(amount.value) : payment.authorised;
    const reason = changes[kind](payment, value);
    const pspReference = book.nextPsp();
    told += 1;
    notify({
      eventCode: events[kind],
      success: reason === null,
      pspReference,
      originalReference: payment.pspReference,
      // Adyen's documents leave open which of the two stands here.
      merchantReference: told % 2 === 0 ? payment.reference : reference,
      value,
      currency: payment.currency,
      reason: reason ?? '',
    });
    const said = { merchantAccount: MERCHANT_ACCOUNT, paymentPspReference: payment.pspReference, pspReference, reference };
    return { status: 201, body: { ...said, status: 'received', ...(amount && { amount }) } };
  }

  function answer(path: string, body: Json): Reply {
    const next = scripted.shift();
    if (next) return next;
    if (body.merchantAccount !== undefined && body.merchantAccount !== MERCHANT_ACCOUNT)
      return error(403, '901', 'Invalid Merchant Account');
    if (path === '/payments') return pay(body);
    if (path === '/payments/details') return complete(body);
    if (path === '/cancels') return cancelByReference(body);
    const [, pspReference = '', kind = ''] = /^\/payments\/([A-Z0-9]{16})\/([a-zA-Z]+)$/.exec(path) ?? [];
    const payment = book.byPsp.get(pspReference);
    if (!payment || !Object.hasOwn(events, kind)) return error(422, '167', 'Original pspReference required for this operation');
    return modify(payment, kind as keyof typeof events, body);
  }

  function receive({ url, headers, method, body: text }: Received): Reply {
    if (headers['x-api-key'] !== API_KEY) return error(401, '000', 'HTTP Status Response - Unauthorized');
    const key = String(headers['idempotency-key'] ?? '');
    const before = answered.get(key);
    if (before) return before;
    const body = JSON.parse(text) as unknown;
    const fault = requestFault(url, body) ?? (key === '' || key.length > 64 || method !== 'POST' ? 'no idempotency key' : null);
    if (fault !== null || !isRecord(body)) {
      faults.push(`${url}: ${fault}`);
      return error(422, '702', 'Structure does not fit');
    }
    requests.push({ path: url, body, key });
    const reply = answer(url, body);
    if (!reply.isTransient && reply.status !== 401) answered.set(key, reply);
    return reply;
  }

  const { url, handle, close } = await listen((request) => {
    const loaded = request.method === 'GET' ? browserFile(request.url) : null;
    if (loaded) return loaded;
    const { status, body, isTransient } = receive(request);
    return jsonReply(status, body, isTransient && { 'transient-error': 'true' });
  });

  return {
    url,
    handle,
    faults,
    requests,
    book,
    scripted,
    takeNotifications() {
      closeOffers();
      return queue.splice(0);
    },
    booked: ({ merchantId, id }) => bookedOf(book.named(`${merchantId}.${id}`)),
    close,
  };
}

function bookedOf(named: readonly BookedPayment[]): Booked {
  const times = named.reduce((sum, one) => sum + one.times, 0);
  const payment = named.find((one) => one.times > 0);
  if (!payment) return { times: 0, authorised: 0n, captured: 0n, refunded: 0n, isCancelled: false };
  const { currency, authorised, captured, refunded, state } = payment;
  const inHundredths = (value: bigint): bigint => hundredths(value, currency);
  return {
    times,
    authorised: inHundredths(authorised),
    captured: inHundredths(captured),
    refunded: inHundredths(refunded),
    isCancelled: state === 'cancelled',
  };
}

const card = {
  paymentBrand: 'VISA',
  'card.expiryMonth': '12',
  'card.expiryYear': '2099',
  'card.cvv': '123',
  'card.holder': 'Ann Example',
};

export const adyenUnderTest: ConnectorUnderTest = {
  kind: adyen,
  settings: (url) => ({
    merchantAccount: MERCHANT_ACCOUNT,
    url,
    authentication: 'native',
    clientKey: CLIENT_KEY,
    componentUrl: `${url}/sdk/adyen.js`,
    shopperMinutes: 15,
  }),
  secrets: { apiKey: API_KEY, hmacKey: HMAC_KEY, basicAuth: BASIC_AUTH },
  open: openAdyenServer,
  approved: { ...card, 'card.number': APPROVED_NUMBER },
  declined: { ...card, 'card.number': DECLINED_NUMBER },
  shopper: {
    requests: ['frictionless', 'challenge', 'both', 'both'].map((flow) => ({
      ...card,
      ...SHOPPER_BROWSER,
      'card.number': APPROVED_NUMBER,
      'card.holder': `native ${flow}`,
    })),
    act: authenticate,
  },
  lateMs: 240_000,
  tamper: (body) => body.replace(/"value":([0-9])/, (_, digit: string) => `"value":${digit === '1' ? '2' : '1'}`),
};
