import { next as nextOf } from '../threeds/authentication.ts';
import { ask, drive, record, type VersionedPayment } from './drive.ts';
import { next, type PaymentEvent } from './lifecycle.ts';
import type { Payment } from './payment.ts';
import type { PaymentRef } from './paymentRef.ts';
import type { World } from './ports.ts';

/** He turned to something else before he had proven anything. */
const CANCELLED = '100.396.101';

/**
 * The shopper has turned to another way to pay: what he began is ended, and nobody can go on with it any more. Answers the payment as it
 * is then. It may have been approved in the same moment, and that is the result; it stays open where the far side does not confirm that it
 * will never book it.
 */
export async function abandon(world: World, { merchantId, paymentId }: PaymentRef): Promise<Payment | null> {
  const family = await world.store.family(merchantId, paymentId);
  const payment = family?.payments.find(({ id }) => id === paymentId);
  if (!family || !payment) return null;
  const found: VersionedPayment = { payment, version: family.version };
  switch (payment.phase.at) {
    case 'authentication':
      return abandonAuthentication(world, found);
    case 'shopper':
      return abandonRedirect(world, found);
    default:
      return payment;
  }
}

/**
 * Nobody has been asked for money yet. The authentication ends with its payment: results that come later are told that they come too late.
 * The secrets are dropped only once the end is written down: until then somebody may need them.
 */
async function abandonAuthentication(world: World, found: VersionedPayment): Promise<Payment> {
  const { threeDS } = found.payment;
  if (!threeDS) return found.payment;
  const now = world.clock.now();
  const abandoned = { ...threeDS, state: nextOf(threeDS.state, { is: 'abandoned' }, now), sealedProof: null };
  const ended = next(found.payment, { is: 'unproven', threeDS: abandoned, code: CANCELLED }, now);
  const { payment } = await record(world, found, ended);
  if (payment === ended) world.pendingSecrets.drop(payment.id);
  return payment;
}

const isDecision = ({ is }: PaymentEvent): boolean => is === 'approved' || is === 'declined' || is === 'cancelled';

/**
 * The far side is asked first: he may have paid a moment ago. Otherwise the door is closed before the far side is told to cancel, as with
 * every cancellation: an approval that comes in between is taken back there and never believed here.
 */
async function abandonRedirect(world: World, found: VersionedPayment): Promise<Payment> {
  const event = await ask(world, found.payment, null);
  const after = next(found.payment, isDecision(event) ? event : { is: 'absent' }, world.clock.now());
  const recorded = await record(world, found, after);
  return recorded.payment === after ? drive(world, recorded, null) : recorded.payment;
}
