import { next as nextOf } from '../threeds/authentication.ts';
import { ask, drive, record, type VersionedPayment } from './drive.ts';
import { next, type PaymentEvent } from './lifecycle.ts';
import type { Payment } from './payment.ts';
import type { PaymentRef } from './paymentRef.ts';
import type { World } from './ports.ts';

/** Cancelled by the shopper before the authentication was complete. */
const CANCELLED = '100.396.101';

/**
 * The shopper has chosen another way to pay: ends the open payment. Returns its state afterwards. It may have been approved in the same
 * moment, and that result counts; it stays open when the acquirer does not confirm that it will never book it.
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
 * The acquirer has not been asked yet. The authentication ends with its payment; later results are answered as too late. The secrets are
 * dropped only after the commit: until then another request may need them.
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
 * The acquirer is asked first, because the shopper may have paid a moment ago. Otherwise the phase `cancelling` is committed before the
 * acquirer is asked to cancel, as with every cancellation: an approval in between is cancelled and never accepted.
 */
async function abandonRedirect(world: World, found: VersionedPayment): Promise<Payment> {
  const event = await ask(world, found.payment, null);
  const after = next(found.payment, isDecision(event) ? event : { is: 'absent' }, world.clock.now());
  const recorded = await record(world, found, after);
  return recorded.payment === after ? drive(world, recorded, null) : recorded.payment;
}
