import {
  type CheckoutParameters,
  type Client,
  classifyResult,
  createClient,
  type Payment,
  shopperText,
  TurnpikeError,
} from 'turnpike/client';
import { formatAmount, hundredthsOf, isSameAmount } from './amounts.ts';
import { type Customer, customerParameters } from './customer.ts';
import { hasCheckout, type PaymentData, readData, sessionIdIn } from './data.ts';
import type { TurnpikeOptions } from './options.ts';
import { createWebhooks, type WebhookAction, type WebhookRequest } from './webhooks.ts';

/** A payment provider in Medusa's shapes, without Medusa: provider.ts gives it to the shop. */

export type Input = {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly context?: { readonly idempotency_key?: string; readonly customer?: Customer };
};
export type AmountInput = Input & { /** A number, text or BigNumber of Medusa. */ readonly amount: unknown };
export type OrderInput = AmountInput & { readonly currency_code: string };
export type SessionStatus = 'authorized' | 'captured' | 'pending' | 'requires_more' | 'error' | 'canceled';
export type Output = { readonly data: Record<string, unknown> };
export type StatusOutput = Output & { readonly status: SessionStatus };

/** The gateway or the bank said no to a capture, refund or cancellation. */
export class RefusedError extends Error {
  override readonly name: string = 'RefusedError';
  readonly code: string;

  constructor(action: string, payment: Pick<Payment, 'result'>) {
    const { code, adviceText } = classifyResult(payment);
    super(`Turnpike refused the ${action}: ${code} ${payment.result.description ?? ''}. ${adviceText}`);
    this.code = code;
  }
}

type State = { readonly status: SessionStatus; readonly payment: Payment | null };

const isPaid = ({ result }: { readonly result?: { readonly code?: string } }): boolean =>
  ['success', 'review'].includes(classifyResult(result?.code ?? '').kind);
const EXPIRED = '200.300.404';
const isMissing = (error: unknown): boolean =>
  error instanceof TurnpikeError && (error.kind === 'notFound' || error.code === EXPIRED);

/** Whether the payment is of the session's amount and currency: one of another amount must not make an order. */
const isOwed = (payment: Payment, { amount, currency }: PaymentData): boolean =>
  payment.currency === currency && payment.amount !== undefined && isSameAmount(payment.amount, amount);

function statusOf(payment: Payment, data: PaymentData): SessionStatus {
  const { kind } = classifyResult(payment);
  if (kind === 'pending') return payment.id === undefined ? 'requires_more' : 'pending';
  if (!isPaid(payment) || !isOwed(payment, data)) return 'error';
  if (payment.reversedAmount !== undefined && isSameAmount(payment.reversedAmount, data.amount)) return 'canceled';
  const isCaptured = payment.capturedAmount !== undefined && isSameAmount(payment.capturedAmount, data.amount);
  return payment.paymentType === 'DB' || isCaptured ? 'captured' : 'authorized';
}

export function createPayments(options: TurnpikeOptions, client: Client = createClient(options)) {
  const { url, publicUrl = url, paymentType = 'PA' } = options;
  const webhooks = createWebhooks(options.webhookKey.split(','), client);

  /** The same key for the same action of Medusa, and never for two actions; none: the client makes one. */
  const keyed = (action: string, { context }: Input) =>
    context?.idempotency_key === undefined ? {} : { idempotencyKey: `${action}-${context.idempotency_key}`.slice(0, 255) };

  async function createCheckout(order: CheckoutParameters, input: Input) {
    const person = input.context?.customer ? customerParameters(input.context.customer) : {};
    try {
      return await client.createCheckout({ ...order, ...person }, keyed('initiate', input));
    } catch (error) {
      // A name or an address that the gateway does not take is asked of the shopper instead.
      const names = error instanceof TurnpikeError ? error.parameterErrors.map(({ name = '' }) => name) : [];
      if (names.length === 0 || !names.every((name) => /^(?:customer|billing)\./.test(name))) throw error;
      return await client.createCheckout(order, keyed('initiate-plain', input));
    }
  }

  /** The payment of a session whose checkout has expired; null: there is none. */
  async function findPayment({ session_id }: PaymentData): Promise<Payment | null> {
    try {
      const { payments = [] } = await client.queryPayments({ merchantTransactionId: session_id });
      const tried = payments.filter((one) => one.paymentType === 'PA' || one.paymentType === 'DB');
      const found = tried.find(isPaid) ?? tried.at(-1);
      return found?.id === undefined ? null : await client.readPayment(found.id);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async function readState(data: PaymentData): Promise<State> {
    if (data.paymentId !== null) {
      const payment = await client.readPayment(data.paymentId);
      return { status: statusOf(payment, data), payment };
    }
    try {
      const payment = await client.readCheckoutPayment(data.checkoutId);
      return { status: statusOf(payment, data), payment };
    } catch (error) {
      if (!isMissing(error)) throw error;
      const payment = await findPayment(data);
      return payment === null ? { status: 'canceled', payment } : { status: statusOf(payment, data), payment };
    }
  }

  /** The status with what is now known. The payment's id is kept once it is paid: until then the shopper may try again. */
  async function readStatus(input: Input): Promise<StatusOutput> {
    const data = readData(input.data);
    const { status, payment } = await readState(data);
    if (payment?.id === undefined) return { status, data: { ...data } };
    const { kind, code } = classifyResult(payment);
    const isHeld = isPaid(payment) && isOwed(payment, data);
    const known: PaymentData = {
      ...data,
      paymentId: isHeld ? payment.id : data.paymentId,
      captureId: payment.paymentType === 'DB' && isHeld ? payment.id : data.captureId,
      resultCode: code,
      needsReview: kind === 'review',
      message: isPaid(payment) && !isHeld ? 'The amount paid is not the amount of this order.' : shopperText(payment),
    };
    return { status, data: known };
  }

  /** The capture of a payment, whoever made it; null: none was approved. */
  async function findCapture(paymentId: string): Promise<string | null> {
    const { records = [] } = await client.queryRecord(paymentId, { includeLinkedTransactions: true });
    return records.find((one) => one.paymentType === 'CP' && isPaid(one))?.id ?? null;
  }

  /** The data with the id of the payment. Throws where there is none to act on. */
  async function readPaid(input: Input, action: string): Promise<PaymentData & { readonly paymentId: string }> {
    const data = readData(input.data);
    if (data.paymentId !== null) return { ...data, paymentId: data.paymentId };
    const now = readData((await readStatus(input)).data);
    if (now.paymentId === null) throw new TypeError(`turnpike: nothing was paid, so there is nothing to ${action}`);
    return { ...now, paymentId: now.paymentId };
  }

  async function capturePayment(input: Input): Promise<Output> {
    const data = await readPaid(input, 'capture');
    if (data.captureId !== null) return { data };
    const { amount, currency, session_id: merchantTransactionId } = data;
    const capture = await client.capturePayment(
      data.paymentId,
      { amount, currency, merchantTransactionId },
      keyed('capture', input),
    );
    if (isPaid(capture)) return { data: { ...data, captureId: capture.id ?? null } };
    // Captured before: by a request whose reply was lost, or in the back office.
    const { status } = await readState(data);
    const captureId = status === 'captured' ? await findCapture(data.paymentId) : null;
    if (captureId === null) throw new RefusedError('capture', capture);
    return { data: { ...data, captureId } };
  }

  async function refund(data: PaymentData, hundredths: bigint, key: ReturnType<typeof keyed>): Promise<Output> {
    const captureId = data.captureId ?? (data.paymentId === null ? null : await findCapture(data.paymentId));
    if (captureId === null) throw new TypeError('turnpike: nothing was captured, so there is nothing to refund');
    const { currency, session_id: merchantTransactionId } = data;
    const made = await client.refundPayment(captureId, { amount: hundredths, currency, merchantTransactionId }, key);
    // A pending refund counts as made: a second one, with another key, could pay back twice.
    if (!isPaid(made) && classifyResult(made).kind !== 'pending') throw new RefusedError('refund', made);
    const refundIds = made.id === undefined || data.refundIds.includes(made.id) ? data.refundIds : [...data.refundIds, made.id];
    return { data: { ...data, captureId, refundIds } };
  }

  /** Releases the money, or pays it back where a bank has booked it. */
  async function giveBack(data: PaymentData & { readonly paymentId: string }, input: Input): Promise<Output> {
    if (data.reversalId !== null) return { data };
    const reversal = await client.reversePayment(data.paymentId, {}, keyed('cancel', input));
    const { kind } = classifyResult(reversal);
    if (isPaid(reversal) || kind === 'pending') return { data: { ...data, reversalId: reversal.id ?? null } };
    const { status } = await readState(data);
    if (status === 'canceled') return { data };
    if (status !== 'captured') throw new RefusedError('cancellation', reversal);
    return await refund(data, hundredthsOf(data.amount, data.currency), keyed('cancel-refund', input));
  }

  async function cancelPayment(input: Input): Promise<Output> {
    if (!hasCheckout(input.data)) return { data: { ...input.data } };
    const { data } = await readStatus(input);
    const now = readData(data);
    return now.paymentId === null ? { data } : await giveBack({ ...now, paymentId: now.paymentId }, input);
  }

  return {
    /** Creates the checkout that the widget shows. What a browser sent as `data` does not count. */
    async initiatePayment(input: OrderInput): Promise<StatusOutput & { readonly id: string }> {
      const session_id = sessionIdIn(input.data);
      if (session_id === '') throw new TypeError('turnpike: the payment session has no session_id');
      const currency = input.currency_code.toUpperCase();
      const amount = formatAmount(hundredthsOf(input.amount, currency));
      const order = { paymentType, amount, currency, merchantTransactionId: session_id, integrity: true };
      const { id = '', integrity = '' } = await createCheckout(order, input);
      const data: PaymentData = {
        checkoutId: id,
        scriptUrl: `${publicUrl.replace(/\/+$/, '')}/v1/paymentWidgets.js?checkoutId=${id}`,
        integrity,
        message: '',
        session_id,
        amount,
        currency,
        paymentId: null,
        captureId: null,
        reversalId: null,
        refundIds: [],
        resultCode: null,
        needsReview: false,
      };
      return { id, status: 'requires_more', data };
    },

    /** Changes what is to be paid. A checkout that is paid or expired refuses it. */
    async updatePayment(input: OrderInput): Promise<Output> {
      const data = readData(input.data);
      const currency = input.currency_code.toUpperCase();
      const amount = formatAmount(hundredthsOf(input.amount, currency));
      if (amount === data.amount && currency === data.currency) return { data };
      await client.updateCheckout(data.checkoutId, { amount, currency });
      return { data: { ...data, amount, currency } };
    },

    authorizePayment: readStatus,
    getPaymentStatus: readStatus,
    capturePayment,
    cancelPayment,
    /** A session is deleted when the shopper chooses another way to pay: what was held for it is released. */
    deletePayment: cancelPayment,

    async refundPayment(input: AmountInput): Promise<Output> {
      const data = await readPaid(input, 'refund');
      return await refund(data, hundredthsOf(input.amount, data.currency), keyed('refund', input));
    },

    /** The payment as the gateway has it. */
    async retrievePayment(input: Input): Promise<Output> {
      const data = readData(input.data);
      const { payment } = await readState(data);
      return { data: { ...data, payment } };
    },

    getWebhookActionAndData: (request: WebhookRequest): Promise<WebhookAction> => webhooks(request),
  };
}
