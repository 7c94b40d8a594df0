import type { Checked, Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import { drive } from './drive.ts';
import { openRegistration, openToken, paysByToken, tokenFault } from './instrument.ts';
import { type Environment, echoInSlices, orderOf, type Purpose } from './order.ts';
import type { Payment } from './payment.ts';
import type { FamilyQueue, IdempotencyKey, ScheduleChange, World } from './ports.ts';
import { replay, type Taken, take } from './take.ts';

export type PaymentRequest = {
  readonly channel: Channel;
  readonly environment: Environment;
  readonly checked: Checked;
  readonly idempotencyKey: IdempotencyKey | null;
  /** The payment that a capture, reversal or refund names. */
  readonly referencedId: string | null;
  /** It was named by `referenceUuid`. */
  readonly isReferenceSent?: boolean;
  /** The stored details named in the path of a payment. */
  readonly registrationId?: string | null;
  /** The address under which the request reached the gateway. */
  readonly origin?: string;
  /** The checkout in which it is made. */
  readonly checkoutId?: string | null;
  readonly purpose?: Purpose;
  /** Which attempt of the same payment it is, from 1, where the caller counts them. */
  readonly attempt?: number;
};

/** A run of a schedule. The id of its charge is filled in. */
export type ScheduledRequest = PaymentRequest & { readonly schedule: ScheduleChange };

export type PaymentResult =
  /** `isReplayed`: the idempotency key was used before, and this is its payment. */
  | { readonly is: 'payment'; readonly payment: Payment; readonly isReplayed?: true }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] }
  /** The token of a wallet cannot pay: nothing was kept. */
  | { readonly is: 'badToken'; readonly faults: readonly Fault[] }
  /** Another payment of the same checkout is open or has succeeded: nothing was kept. */
  | { readonly is: 'busy' }
  | { readonly is: 'otherBody' };

/** Order, take, drive: from the checked request to the payment. */
export const perform = (world: World, request: PaymentRequest): Promise<PaymentResult> => performOrder(world, request, null);

/** The same for a schedule, which may have changed meanwhile. */
export const chargeSchedule = (world: World, request: ScheduledRequest): Promise<ScheduledOutcome> =>
  performOrder(world, request, request.schedule);

type ScheduledOutcome = PaymentResult | { readonly is: 'overtaken' };

/** Only a schedule can be overtaken. */
function performOrder(world: World, request: PaymentRequest, schedule: null): Promise<PaymentResult>;
function performOrder(world: World, request: PaymentRequest, schedule: ScheduleChange): Promise<ScheduledOutcome>;
async function performOrder(world: World, request: PaymentRequest, schedule: ScheduleChange | null): Promise<ScheduledOutcome> {
  const { channel, environment, checked, idempotencyKey, referencedId, registrationId = null, attempt } = request;
  const wallet = paysByToken(checked) ? await openToken(world, checked, channel) : null;
  if (wallet?.is === 'refused') return (await replayed(world, request)) ?? { is: 'badToken', faults: wallet.faults };
  const stored = registrationId === null ? null : await openRegistration(world, channel.merchantId, registrationId);
  const issuerCountry = (bin: string) => world.risk.lookups.issuer(bin)?.country ?? null;
  const charged = { stored, wallet: wallet?.payment ?? null };
  const echo = checked.rest && (await echoInSlices(checked, checked.rest, charged));
  const { isReferenceSent, origin, checkoutId, purpose } = request;
  const ordered = orderOf(checked, {
    channel,
    environment,
    referencedId,
    isReferenceSent,
    origin,
    checkoutId,
    purpose,
    stored: charged.stored,
    wallet: charged.wallet,
    issuerCountry,
    echo,
  });
  if (ordered.is === 'faulty') return ordered;
  const { order } = ordered;
  const work = () => take(world, { order, channel, idempotencyKey, schedule, ...(attempt !== undefined && { attempt }) });
  const taken = await (order.referencedId === null
    ? work()
    : world.families.run(`${order.merchantId}/${order.referencedId}`, work));
  switch (taken.is) {
    case 'taken':
      if (taken.payment.phase.at === 'final') return { is: 'payment', payment: taken.payment };
      return { is: 'payment', payment: await driveTaken(world, taken) };
    case 'replayed':
      return { is: 'payment', payment: taken.payment, isReplayed: true };
    case 'tokenUsed':
      return { is: 'badToken', faults: [tokenFault(checked, 'has been used for another payment')] };
    default:
      return taken;
  }
}

const driveTaken = (world: World, { payment, version, attempt }: Extract<Taken, { is: 'taken' }>): Promise<Payment> =>
  world.driveOnMain?.({ payment, version }, attempt) ?? drive(world, { payment, version }, attempt);

/** The token of a retry may have expired; its idempotency key still finds the payment. */
async function replayed(world: World, { channel, idempotencyKey }: PaymentRequest): Promise<PaymentResult | null> {
  const held =
    idempotencyKey && (await world.store.idempotencyKey(channel.merchantId, idempotencyKey.entityId, idempotencyKey.key));
  if (!idempotencyKey || !held) return null;
  const taken = await replay(world, channel, { ...held, bodySent: idempotencyKey.bodyHash });
  return taken.is === 'replayed' ? { is: 'payment', payment: taken.payment, isReplayed: true } : { is: 'otherBody' };
}

/**
 * Requests that reference the same payment decide one after the other within a node. The family's version keeps them right without
 * this; the queue keeps them from deciding in vain.
 */
export function createFamilyQueue(): FamilyQueue {
  const latest = new Map<string, Promise<unknown>>();
  return {
    async run(family, work) {
      const result = (latest.get(family) ?? Promise.resolve()).then(work, work);
      latest.set(family, result);
      try {
        return await result;
      } finally {
        if (latest.get(family) === result) latest.delete(family);
      }
    },
  };
}
