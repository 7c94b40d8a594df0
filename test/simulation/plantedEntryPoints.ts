import { isApproved } from '../../src/payments/balance.ts';
import { onCallback, onShopperReturn } from '../../src/payments/callbacks.ts';
import { record } from '../../src/payments/drive.ts';
import { isOpen, type Payment, type PaymentRef, type Phase } from '../../src/payments/payment.ts';
import type { World } from '../../src/payments/ports.ts';
import type { EntryPoints } from './node.ts';

/** Bugs where the bank and the shopper come in, put in from outside like those of plantedStores.ts. */

const APPROVED = { is: 'approved', details: {} } as const;
const SUCCESS = { at: 'final', code: '000.100.110' } as const;
const FAILED = { at: 'final', code: '100.396.103' } as const;

const read = ({ store }: World, { merchantId, paymentId }: PaymentRef): Promise<Payment | null> =>
  store.payment(merchantId, paymentId);

/** The payment is put into this phase, whatever it was in. */
async function put(world: World, { merchantId, paymentId }: PaymentRef, phase: Phase): Promise<Payment | null> {
  const family = await world.store.family(merchantId, paymentId);
  const payment = family?.payments.find(({ id }) => id === paymentId);
  if (!family || !payment) return null;
  const moved = { ...payment, phase, movedAt: world.clock.now(), revision: payment.revision + 1 };
  return (await record(world, { payment, version: family.version }, moved)).payment;
}

export const believingTheReturn: Partial<EntryPoints> = { onShopperReturn: (world, named) => onCallback(world, named, APPROVED) };

/** He is back and nothing was paid: so he gave up, or did he? */
export const failingTheReturn: Partial<EntryPoints> = {
  async onShopperReturn(world, named) {
    const payment = await onShopperReturn(world, named);
    return payment?.phase.at === 'shopper' ? put(world, named, FAILED) : payment;
  },
};

export const droppingTheLate: Partial<EntryPoints> = {
  async onCallback(world, named, answer) {
    const payment = await read(world, named);
    return payment && !isOpen(payment) ? payment : onCallback(world, named, answer);
  },
};

/** What cannot be taken back now is not asked for again. */
export const takingBackOnce: Partial<EntryPoints> = {
  onCallback: (world, named, answer) =>
    onCallback(world, named, answer).catch((error: unknown) => {
      if (error instanceof Error) return read(world, named);
      throw error;
    }),
};

export const bookingTwice: Partial<EntryPoints> = {
  async onCallback(world, named, answer) {
    const payment = await read(world, named);
    const isAgain = answer.is === 'approved' && payment && isApproved(payment);
    return isAgain ? put(world, named, payment.phase) : onCallback(world, named, answer);
  },
};

export const believingWhileCancelling: Partial<EntryPoints> = {
  async onCallback(world, named, answer) {
    const payment = await read(world, named);
    const isLate = answer.is === 'approved' && payment?.phase.at === 'cancelling';
    return isLate ? put(world, named, SUCCESS) : onCallback(world, named, answer);
  },
};
