import { isApproved } from '../balance.ts';
import { onCallback, onInquiry } from '../callbacks.ts';
import { chargeBack, reverseChargeback } from '../chargeBack.ts';
import { isOpen, type Payment } from '../payment.ts';
import type { PaymentRef } from '../paymentRef.ts';
import type { AcquirerNotification, NotificationClaims, NotificationRequest, World } from '../ports.ts';
import { refundedOf } from '../refusal.ts';

/** An acquirer's request about the account of an entity. `refused`: not signed by the acquirer. */
export type NotificationReceipt =
  | { readonly is: 'accepted'; readonly reply: string | null }
  | { readonly is: 'unknownAccount' | 'refused' };

/** Verifies, records and applies a notification. Rejects when the acquirer must send it again. */
export type ReceiveNotification = (
  account: { readonly kind: string; readonly ownerId: string; readonly name: string },
  request: Omit<NotificationRequest, 'receivedAt'>,
) => Promise<NotificationReceipt>;

/** The outcome of one notification. `unknown`: it is about no payment of this gateway. */
export type NotificationOutcome = 'applied' | 'unknown' | 'kept' | 'refused';

/** The acquirer must send the notification again: what it refers to is not known yet. */
export class SendAgain extends Error {
  override readonly name = 'SendAgain';
}

/**
 * Applies one verified notification to its payment. Safe to repeat: an answer moves a payment at most once, and money is recorded once
 * for each event. Rejects when the acquirer must send it again.
 */
export async function applyNotification(
  world: World,
  { id, about, event }: AcquirerNotification,
  source: string,
): Promise<NotificationOutcome> {
  const payment = about && (await paymentAbout(world, about));
  if (!payment) return 'unknown';
  const named = { merchantId: payment.merchantId, paymentId: payment.id };
  switch (event.is) {
    case 'answer': {
      const why = event.answer.is === 'approved' ? misfitOf(payment, event.claims ?? {}) : null;
      if (why === null) {
        await onCallback(world, named, event.answer);
        return 'applied';
      }
      world.alarm('a notification approves something else than the payment', { paymentId: payment.id, why });
      await onInquiry(world, named);
      return 'refused';
    }
    case 'inquire':
      await onInquiry(world, named);
      return 'applied';
    case 'kept':
      return 'kept';
    case 'chargeback':
    case 'chargebackReversal': {
      const record = event.is === 'chargeback' ? chargeBack : reverseChargeback;
      const charged = await chargedOf(world, payment);
      const target = event.is === 'chargeback' ? charged : await chargebackOf(world, charged);
      // What it is about may still be on its way: notifications come in any order.
      if (!target || isOpen(target)) throw new SendAgain(event.is);
      const { amount, code } = event;
      const done = await record(world, { payment: target, amount, code, source, once: `${source}/${id}` });
      if (done.is === 'refused')
        world.alarm('a bank moved money that does not fit the payment', { paymentId: target.id, why: done.code });
      return done.is === 'recorded' ? 'applied' : 'refused';
    }
  }
}

/** Why an approval cannot be about the payment; null: it can. */
function misfitOf(
  { paymentType, amount, currency }: Payment,
  { paymentType: claimedType = paymentType, amount: claimed = amount, currency: claimedCurrency = currency }: NotificationClaims,
): string | null {
  if (claimedType !== paymentType) return 'it has another payment type';
  if (claimedCurrency !== currency) return 'it has another currency';
  return claimed === amount ? null : 'it has another amount';
}

/** Whether the account took the payment. A signature proves who sent a notification, and each may speak of its own payments only. */
export async function isTakenBy(
  { store, connector }: World,
  { merchantId, paymentId }: PaymentRef,
  accountId: string | undefined,
): Promise<boolean> {
  const payment = await store.payment(merchantId, paymentId);
  return payment !== null && accountId !== undefined && connector(payment.connector, payment.entityId)?.accountId === accountId;
}

/** The member of the family that a reference names, otherwise the payment itself. */
async function paymentAbout({ store }: World, about: NonNullable<AcquirerNotification['about']>): Promise<Payment | null> {
  const family = await store.family(about.merchantId, about.paymentId);
  if (!family) return null;
  const { payments } = family;
  const referenced = about.reference === undefined ? undefined : payments.find(({ reference }) => reference === about.reference);
  return referenced ?? payments.find(({ id }) => id === about.paymentId) ?? null;
}

/** Acquirers may name an authorisation where its capture is meant: the one capture that it has. */
async function chargedOf({ store }: World, payment: Payment): Promise<Payment> {
  if (payment.paymentType !== 'PA') return payment;
  const family = await store.family(payment.merchantId, payment.id);
  return family ? refundedOf(family.payments, payment) : payment;
}

/** The newest chargeback of a payment, which its reversal refers to. */
async function chargebackOf({ store }: World, { merchantId, id }: Payment): Promise<Payment | null> {
  const family = await store.family(merchantId, id);
  return family?.payments.findLast((one) => one.paymentType === 'CB' && one.referencedId === id && isApproved(one)) ?? null;
}
