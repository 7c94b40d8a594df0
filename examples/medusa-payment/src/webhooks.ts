import { type Client, classifyResult, type Payment, verifyWebhook } from 'turnpike/client';

/** The payload of Medusa's webhook route. */
export type WebhookRequest = {
  readonly data: Readonly<Record<string, unknown>>;
  /** The body as it came; only that is verified. */
  readonly rawData: string | Uint8Array;
  readonly headers: Readonly<Record<string, unknown>>;
};

export type WebhookAction = {
  readonly action: 'authorized' | 'captured' | 'failed' | 'pending' | 'canceled' | 'not_supported';
  readonly data?: { readonly session_id: string; readonly amount: string };
};

type Action = WebhookAction['action'];

/** What a paid transaction of each type means to Medusa. Refunds and chargebacks have no action there. */
const paidActions: { readonly [Type in NonNullable<Payment['paymentType']>]?: Action } = {
  PA: 'authorized',
  DB: 'captured',
  CP: 'captured',
  RV: 'canceled',
};

function actionOf(payment: Payment): Action {
  const { paymentType } = payment;
  const paid = paymentType === undefined ? undefined : paidActions[paymentType];
  if (paid === undefined) return 'not_supported';
  const isOrder = paymentType === 'PA' || paymentType === 'DB';
  switch (classifyResult(payment).kind) {
    case 'success':
    case 'review':
      return paid;
    case 'pending':
      return isOrder ? 'pending' : 'not_supported';
    case 'declined':
    case 'refused':
      return isOrder ? 'failed' : 'not_supported';
    default:
      return 'not_supported';
  }
}

const headersOf = (headers: WebhookRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** The ids that Medusa gives to payment sessions. */
const SESSION_ID = /^payses_\w+$/;

/** Verifies, decrypts and translates webhooks. Throws a WebhookError for what the gateway did not send. */
export const createWebhooks =
  (keys: readonly string[], client: Pick<Client, 'readPayment'>) =>
  async ({ rawData, headers }: WebhookRequest): Promise<WebhookAction> => {
    const body = typeof rawData === 'string' ? rawData : new TextDecoder().decode(rawData);
    const event = await verifyWebhook(headersOf(headers), body, { keys });
    if (event.type !== 'PAYMENT') return { action: 'not_supported' };
    const { payload } = event;
    const action = actionOf(payload);
    if (action === 'not_supported') return { action };
    // A capture or reversal of the back office has no reference of its own: that of its payment counts.
    const named = payload.merchantTransactionId ?? (await referenceOf(payload));
    if (named === undefined || !SESSION_ID.test(named)) return { action: 'not_supported' };
    return { action, data: { session_id: named, amount: payload.amount ?? payload.presentationAmount ?? '0.00' } };

    async function referenceOf({ referencedId }: Payment): Promise<string | undefined> {
      return referencedId === undefined ? undefined : (await client.readPayment(referencedId)).merchantTransactionId;
    }
  };
