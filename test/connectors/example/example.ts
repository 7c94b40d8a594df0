import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Account,
  amountFor,
  defineConnector,
  type StepRow,
  secretRow,
  urlRow,
  withValidities,
} from '../../../src/connectors/kind.ts';
import type { AccountNeeds, ExchangeResult } from '../../../src/connectors/ports.ts';
import { sendWithin } from '../../../src/connectors/sendWithin.ts';
import { acquirerKey, parsePaymentRef, paymentRefText } from '../../../src/payments/payment.ts';
import type {
  AcquirerAnswer,
  Attempt,
  Capability,
  Connector,
  Inquiry,
  NotificationReading,
  NotificationRequest,
  Uncertainty,
} from '../../../src/payments/ports.ts';
import { isRecord } from '../../../src/runtime/json.ts';
import { codeRows, declineCode } from './codes.ts';

type Settings = { readonly url: string };

const card: Capability = {
  types: ['PA', 'DB', 'CP', 'RV', 'RF'],
  partialCapture: true,
  multipleCaptures: true,
  redirects: false,
  reversal: { until: '23:59', daysLater: {} },
};

/** Every request, and whether money can move by it. */
const steps = {
  send: { request: 'POST /transactions', books: true },
  inquire: { request: 'GET /transactions/{id}', books: false },
  cancel: { request: 'POST /transactions/{id}/cancel', books: true },
} as const satisfies Readonly<Record<string, StepRow>>;

/** The acquirer answers within so long, or not at all. */
const ANSWER_MS_MAX = 20_000;
/** Tries of one request, all with the same idempotency key. */
const TRIES_MAX = 3;
const PAUSE_MS = 500;
/** A request that was cut off may still arrive so long afterwards. */
const LATE_MS = 120_000;
const uncertainty: Uncertainty = { learnedBy: 'id', lateMs: LATE_MS, cancelBindsLate: false, absenceIsProof: true };

/** A connector to start from: an acquirer with a small JSON API, idempotency keys, an inquiry by id, and signed notifications. */
export const example = defineConnector<Settings>({
  name: 'example',
  title: 'Example',
  modes: ['EXTERNAL', 'LIVE'],
  supports: withValidities('example', { CC: card, DC: card }),
  exponents: {},
  uncertainty,
  codes: codeRows,
  steps,
  accounts: {
    settings: { url: urlRow('The address of the API.') },
    secrets: {
      apiKey: secretRow('The key of the API.'),
      notificationKey: secretRow('The key that notifications are signed with.'),
    },
  },
  create,
});

function create(needs: AccountNeeds, account: Account<Settings>): Connector {
  const { clockOf } = needs;

  type Call = { readonly step: keyof typeof steps; readonly path: string; readonly json?: object; readonly key?: string };

  async function call({ step, path, json, key }: Call, own: Pick<AccountNeeds, 'exchange'> = needs): Promise<ExchangeResult> {
    const apiKey = await account.secret('apiKey');
    if (apiKey === null) {
      needs.alarm('the account has no apiKey', {});
      return { is: 'notSent', reason: 'no credentials' };
    }
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const method = json === undefined ? 'GET' : 'POST';
    const { books } = steps[step];
    const withinMs = ANSWER_MS_MAX / TRIES_MAX;
    return own.exchange({ method, url: `${account.settings.url}${path}`, headers, ...body, books, withinMs });
  }

  /** The same request with the same key, until it is answered. Throws when it is not: the outcome is unknown. */
  async function insist(own: AccountNeeds, json: object, key: string): Promise<AcquirerAnswer> {
    let isSent = false;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if (tries > 0) await own.sleep(PAUSE_MS * tries);
      const reply = await call({ step: 'send', path: '/transactions', json, key }, own);
      const answer = answerFrom(reply);
      if (answer) return answer;
      isSent ||= reply.is !== 'notSent';
    }
    if (!isSent) return { is: 'declined', code: '900.100.600', details: {} };
    throw new Error('no answer');
  }

  async function inquire({ payment }: Inquiry): Promise<AcquirerAnswer> {
    const reply = await call({ step: 'inquire', path: `/transactions/${acquirerKey(payment)}` });
    if (reply.is === 'replied' && reply.status === 404) return { is: 'absent' };
    const answer = answerFrom(reply);
    if (!answer) throw new Error('no answer');
    return answer;
  }

  return {
    name: account.name,
    modes: example.modes,
    supports: example.supports,
    answerMsMax: ANSWER_MS_MAX,
    uncertainty,
    send: (attempt) =>
      sendWithin(needs, attempt, async (own) => {
        const order = orderOf(attempt);
        return 'is' in order ? order : insist(own, order, order.id);
      }),
    inquire,
    async cancel(inquiry) {
      const id = acquirerKey(inquiry.payment);
      const reply = await call({ step: 'cancel', path: `/transactions/${id}/cancel`, json: {}, key: `${id}-cancel` });
      if (reply.is !== 'replied') throw new Error('no answer');
      if (reply.status === 404) return { is: 'cancelled' };
      if (reply.status !== 200) throw new Error('not cancelled');
      return { is: 'cancelled', reference: id };
    },
    readNotification: (request) => readNotification(request, { account, now: clockOf('').now() }),
  };
}

type Order = { readonly id: string; readonly original?: string; readonly card?: object };

/** The request for a payment; a decline if the acquirer cannot take it. */
function orderOf({ payment, referenced, secrets }: Attempt): Order | AcquirerAnswer {
  const { paymentType, currency, instrument } = payment;
  const id = acquirerKey(payment);
  const amount = amountFor(payment.amount, currency);
  if (amount === undefined) return { is: 'declined', code: '100.550.303', details: {} };
  const about = { id, type: paymentType, amount: Number(amount), currency, shop: paymentRefText(payment) };
  if (referenced) return { ...about, original: acquirerKey(referenced) };
  if (instrument?.kind !== 'card') return { is: 'declined', code: '800.100.169', details: {} };
  const { expiryMonth, expiryYear, holder } = instrument;
  const { number, cvv } = secrets;
  return { ...about, card: { number, cvv, expiryMonth, expiryYear, holder } };
}

/** Null: no answer that counts. */
function answerFrom(reply: ExchangeResult): AcquirerAnswer | null {
  if (reply.is !== 'replied') return null;
  const json = parsed(reply.body);
  if (!isRecord(json) || typeof json.status !== 'string') return null;
  const reference = typeof json.reference === 'string' ? { reference: json.reference } : {};
  const resultDetails: Readonly<Record<string, string>> =
    typeof json.reference === 'string' ? { ConnectorTxID1: json.reference } : {};
  switch (json.status) {
    case 'approved':
      return { is: 'approved', details: { resultDetails }, ...reference };
    case 'declined':
      return { is: 'declined', code: declineCode(String(json.reason)), details: { resultDetails }, ...reference };
    case 'pending':
      return { is: 'waiting', ...reference };
    case 'cancelled':
      return { is: 'cancelled', ...reference };
    default:
      return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type ReaderNeeds = { readonly account: Account<Settings>; readonly now: number };

async function readNotification(request: NotificationRequest, { account }: ReaderNeeds): Promise<NotificationReading> {
  const key = await account.secret('notificationKey');
  const signature = Buffer.from(request.headers['x-signature'] ?? '', 'hex');
  const expected = createHmac('sha256', key ?? '')
    .update(request.body)
    .digest();
  if (key === null || signature.length !== expected.length || !timingSafeEqual(signature, expected))
    return { is: 'refused', reason: 'the signature does not fit' };
  const json = parsed(Buffer.from(request.body).toString('utf8'));
  if (!isRecord(json)) return { is: 'refused', reason: 'it is no JSON' };
  const answer = answerFrom({ is: 'replied', status: 200, headers: {}, body: JSON.stringify(json) });
  const about = parsePaymentRef(String(json.shop));
  const event = answer ? ({ is: 'answer', answer } as const) : ({ is: 'kept' } as const);
  return { is: 'read', notifications: [{ id: String(json.event), about, event, data: {} }] };
}
