import { acquirerKey, type Payment } from '../../payments/payment.ts';
import { isRecord } from '../../runtime/json.ts';
import { idIn, type Reading, readPayment } from './answers.ts';
import type { Api, ApiReply, Json } from './client.ts';
import { meaningOf } from './codes.ts';

export type Found = { readonly reading: Reading; readonly json: Json };

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
