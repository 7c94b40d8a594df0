import { isApproved } from '../balance.ts';
import { cancelLateApproval, onCallback, onInquiry, SendAgain } from '../callbacks.ts';
import { chargeBack, reverseChargeback } from '../chargebacks/chargeBack.ts';
import { askConnector, eventFromAnswer } from '../drive.ts';
import { isOpen, type Payment, type PaymentRef } from '../payment.ts';
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

/**
 * Applies one verified notification to its payment. Safe to repeat: an answer moves a payment at most once, and money is recorded once
 * for each event. `connector`: the account that sent it, where another one may have been asked since. Rejects when the acquirer must send it
 * again.
 */
export async function applyNotification(
  world: World,
  { id, about, event }: AcquirerNotification,
  source: string,
  connector?: string,
): Promise<NotificationOutcome> {
  const payment = about && (await paymentAbout(world, about));
  if (!payment) return 'unknown';
  const named = { merchantId: payment.merchantId, paymentId: payment.id };
  switch (event.is) {
    case 'answer': {
      const why = event.answer.is === 'approved' ? misfitOf(payment, event.claims ?? {}) : null;
      if (why === null) {
        await onCallback(world, connector === undefined ? named : { ...named, connector }, event.answer);
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
      // The payment may still be on its way here: notifications come in any order.
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

/**
 * The part of an account in a payment. `earlier`: it declined, and another account was asked; the payment as it was there. A signature
 * proves who sent a notification, and each may speak of its own payments only.
 */
export type Involvement =
  | { readonly is: 'current'; readonly connector: string }
  | { readonly is: 'earlier'; readonly payment: Payment }
  | { readonly is: 'none' };

export async function involvementOf(
  { store, connector }: World,
  { merchantId, paymentId }: PaymentRef,
  accountId: string | undefined,
): Promise<Involvement> {
  const payment = await store.payment(merchantId, paymentId);
  if (payment === null || accountId === undefined) return { is: 'none' };
  const isAccount = (name: string): boolean => connector(name, payment.entityId)?.accountId === accountId;
  if (isAccount(payment.connector)) return { is: 'current', connector: payment.connector };
  const at = payment.earlier?.findIndex((attempt) => isAccount(attempt.connector)) ?? -1;
  return at < 0 ? { is: 'none' } : { is: 'earlier', payment: asDeclinedAt(payment, at) };
}

/** The payment as it was when an earlier account had declined it. */
export function asDeclinedAt({ reference: _, ...payment }: Payment, at: number): Payment {
  const attempt = payment.earlier?.[at];
  if (!attempt) throw new Error(`payment ${payment.id} has no attempt ${at}`);
  const { connector, code, declinedAt: movedAt, reference } = attempt;
  return {
    ...payment,
    connector,
    movedAt,
    phase: { at: 'final', code },
    earlier: payment.earlier?.slice(0, at) ?? [],
    ...(reference !== undefined && { reference }),
  };
}

/**
 * Applies what an account says about a payment that it had declined, after another account was asked. The payment stays as it is; an
 * approval is taken back at that account. Rejects until that is confirmed, so that the acquirer sends it again.
 */
export async function applyToEarlier(
  world: World,
  { event }: Pick<AcquirerNotification, 'event'>,
  declined: Payment,
): Promise<NotificationOutcome> {
  if (event.is === 'kept') return 'kept';
  if (event.is === 'chargeback' || event.is === 'chargebackReversal') {
    world.alarm('a bank moved money of a payment that the account had declined', { paymentId: declined.id });
    return 'refused';
  }
  const answer =
    event.is === 'answer'
      ? eventFromAnswer(event.answer)
      : await askConnector(world, declined, (connector) => connector.inquire({ payment: declined, referenced: null }));
  if (answer.is === 'approved') await cancelLateApproval(world, declined);
  return 'applied';
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
