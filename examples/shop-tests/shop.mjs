import { classifyResult, createClient, createWebhookReceiver, shopperText } from 'turnpike/client';

/** A small shop: it charges a card for an order, refunds it, and learns late results by webhook. */
export function createShop({ url, token, entityId, webhookKey }) {
  const turnpike = createClient({ url, token, entityId });
  const orders = new Map();
  return {
    orders,
    async charge(order, card) {
      const payment = await turnpike.createPayment(
        { paymentType: 'DB', amount: order.amount, currency: 'EUR', merchantTransactionId: order.id, ...card },
        { idempotencyKey: order.id },
      );
      const result = classifyResult(payment);
      orders.set(order.id, { state: result.kind, paymentId: payment.id });
      return result.kind === 'success' ? 'Thank you.' : shopperText(payment);
    },
    async refund(orderId, amount) {
      const { paymentId } = orders.get(orderId);
      const refund = await turnpike.refundPayment(paymentId, { amount, currency: 'EUR' });
      return classifyResult(refund).kind;
    },
    receiveWebhook: createWebhookReceiver({
      keys: webhookKey,
      onEvent: ({ type, payload }) => {
        if (type === 'PAYMENT' && orders.has(payload.merchantTransactionId))
          orders.set(payload.merchantTransactionId, { state: classifyResult(payload).kind, paymentId: payload.id });
      },
    }),
  };
}
