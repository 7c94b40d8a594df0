import { acquirerKey, type Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Connector } from '../../payments/ports.ts';
import { isRecord } from '../../runtime/json.ts';
import { HOUR_MS } from '../../spec/time.ts';
import type { AccountNeeds } from '../ports.ts';
import { idIn, meaningOf, type Reading, readPayment } from './answers.ts';
import type { Api, ApiReply, Json } from './client.ts';

/** A platform that does not know the outcome of its own payment for so long is asked to reverse it. */
const UNCERTAIN_MS_MAX = HOUR_MS;

type InquiryNeeds = Pick<AccountNeeds, 'clockOf'> & {
  readonly search: Search;
  readonly conclude: Conclude;
  readonly undo: (payment: Payment, reference: string) => Promise<AcquirerAnswer>;
};

/** The questions about a payment whose outcome is not known. */
export function createInquiries({ clockOf, search, conclude, undo }: InquiryNeeds): Pick<Connector, 'inquire' | 'cancel'> {
  const nowFor = ({ merchantId }: Payment): number => clockOf(merchantId).now();

  /** The platform will not learn it by itself any more. A reversal makes it certain. */
  function isLongUncertain(payment: Payment): boolean {
    const { phase, createdAt } = payment;
    const since = phase.at === 'doubt' || phase.at === 'cancelling' ? (phase.since ?? createdAt) : createdAt;
    return nowFor(payment) >= since + UNCERTAIN_MS_MAX;
  }

  return {
    async inquire({ payment }) {
      const found = await search.payment(payment, nowFor(payment));
      if (found === null || (found.reading.is === 'uncertain' && isLongUncertain(payment))) return { is: 'absent' };
      return conclude(found, payment);
    },
    /** A payment cannot be cancelled before it arrives: a missing payment is believed only when it cannot arrive any more. */
    async cancel({ payment }) {
      const found = await search.payment(payment, nowFor(payment));
      if (found === null) return { is: 'cancelled' };
      const { reading, json } = found;
      const isBooked = reading.is === 'answer' && reading.answer.is === 'approved';
      const isStuck = reading.is === 'uncertain' && isLongUncertain(payment);
      const reference = idIn(json);
      return (isBooked || isStuck) && reference !== null ? undo(payment, reference) : conclude(found, payment);
    },
  };
}

/** Rejects when the answers prove nothing about the payment. */
export type Conclude = (found: Found, payment: Payment) => Promise<AcquirerAnswer>;

export const silence = (why: string): Error => new Error(`the platform did not answer: ${why}`);

/** The answer to the core, from the answers of the platform. */
export const createConclude =
  ({ alarm, mirror }: Pick<AccountNeeds, 'alarm'> & { readonly mirror: Mirror | null }): Conclude =>
  async ({ reading, json }, payment) => {
    switch (reading.is) {
      case 'answer':
        // Before the payment is called approved: from then on its registration is charged.
        if (reading.answer.is === 'approved') await mirror?.keep(payment, json);
        return reading.answer;
      case 'misconfigured':
        alarm('the platform refuses the account', { code: reading.code, paymentId: payment.id });
        return reading.answer;
      case 'uncertain':
        // The platform has the payment, and will know more later.
        if (reading.reference !== null) return { is: 'waiting', reference: reading.reference };
        throw silence('it does not know the outcome');
      case 'foreign':
        alarm('an answer of the platform does not fit the payment', { paymentId: payment.id, why: reading.why });
        throw silence('the answer does not fit');
      case 'notFound':
        return { is: 'declined', code: '700.400.580', details: {} };
      case 'throttled':
        throw silence('too many requests');
    }
  };

/** Which of the platform's registrations belongs to one of ours. */
export interface Mirror {
  /** Keeps the id that an approved payment or registration was answered with. */
  keep(payment: Payment, json: Json): Promise<void>;
  /** Their id; null: the platform has not stored these details. */
  idOf(registrationId: string): Promise<string | null>;
}

const documentId = (registrationId: string): string => `registration/${registrationId}`;

export const createMirror = ({ documents, clockOf }: Pick<AccountNeeds, 'documents' | 'clockOf'>): Mirror => ({
  async keep({ paymentType, registrationId, merchantId }, json) {
    if (registrationId === null) return;
    const theirs = paymentType === 'RG' ? idIn(json) : idIn(json, 'registrationId');
    if (theirs === null) return;
    const at = clockOf(merchantId).now();
    // False: it was kept before.
    await documents.save([{ id: documentId(registrationId), group: 'registration', at, revision: 1, body: { id: theirs } }]);
  },
  async idOf(registrationId) {
    const document = await documents.find(documentId(registrationId));
    return document === null ? null : idIn(document.body);
  },
});

type Found = { readonly reading: Reading; readonly json: Json };

/** `null`: the platform has none. Rejects when it does not say. */
export interface Search {
  /** Finds a payment on the platform: by the platform's id where that is known, otherwise by ours. */
  payment(payment: Payment, now: number): Promise<Found | null>;
  /** The transactions with this reference of the merchant, the oldest first. */
  named(merchantTransactionId: string): Promise<readonly Json[]>;
  read(id: string): Promise<Json | null>;
}

type SearchNeeds = { readonly api: Api; readonly withinMs: number };

/** The platform answers two questions a minute about one id. A refused question is silence, and is asked again later. */
export function createSearch({ api, withinMs }: SearchNeeds): Search {
  const ask = (path: string, fields: Readonly<Record<string, string>> = {}) =>
    api({ step: 'query', method: 'GET', path, fields }, withinMs);

  async function read(id: string): Promise<Json | null> {
    const reply = answered(await ask(`/v1/payments/${id}`));
    // The code of a found payment is its own result, whatever it says.
    if (idIn(reply.json) === id) return reply.json;
    if (isFound(reply)) throw new Error('the platform answered with another id');
    return null;
  }

  async function named(merchantTransactionId: string): Promise<readonly Json[]> {
    const reply = answered(await ask('/v1/query', { merchantTransactionId }));
    if (!isFound(reply)) return [];
    const { json } = reply;
    const list = json.payments ?? json.records;
    if (!Array.isArray(list)) throw new Error('the platform answered a query without a list');
    return list.filter((one): one is Json => isRecord(one) && one.merchantTransactionId === merchantTransactionId);
  }

  return {
    read,
    named,
    async payment(payment, now) {
      if (payment.reference !== undefined) {
        const json = await read(payment.reference);
        // An id that the platform gave out is not unknown to it.
        if (json === null) throw new Error('the platform does not find its own id');
        return { reading: readPayment(json, payment, now), json };
      }
      // A chargeback that the bank recorded later has the same reference and another type.
      const found = (await named(acquirerKey(payment))).filter(({ paymentType }) => paymentType === payment.paymentType);
      const [first] = found;
      return first === undefined ? null : { reading: readPayment(first, payment, now), json: first };
    },
  };
}

type Answered = Extract<ApiReply, { readonly is: 'answered' }>;

function answered(reply: ApiReply): Answered {
  if (reply.is === 'answered') return reply;
  throw new Error(`the platform did not answer: ${reply.reason}`);
}

/** Only a clear word counts as "not found": a rejected token and too many questions say nothing. */
function isFound({ status, code }: Answered): boolean {
  if (meaningOf(code) === 'notFound') return false;
  if (status === 401 || status === 403 || status === 429 || ['throttled', 'misconfigured'].includes(meaningOf(code)))
    throw new Error(`the platform does not answer questions now: ${code}`);
  return true;
}
