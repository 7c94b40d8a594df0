import type { Fault } from '../../../form/checked.ts';
import type { Channel } from '../../../merchants/channel.ts';
import { amountOf, amountText } from '../../../money/amount.ts';
import { type FollowUpType, followUpRequest, remainingFor } from '../../../payments/followUp.ts';
import { codeOf } from '../../../payments/message.ts';
import type { Payment } from '../../../payments/payment.ts';
import { perform } from '../../../payments/perform.ts';
import { stateOf } from '../../../payments/search.ts';
import { askApproval, needsApproval } from '../../../people/approvals.ts';
import type { RightEndpointName } from '../../../spec/admin.ts';
import type { ActDone } from '../../../spec/answers/payments.ts';
import { type OfficeAct, officeActs } from '../../../spec/areas/payments.ts';
import { resultCodes } from '../../../spec/resultCodes.ts';
import { type Acted, type Administered, acting, enterThing, noSuch } from '../../administer.ts';
import { otherBody } from '../../claim.ts';
import type { Performer } from '../../performers.ts';
import type { Reply } from '../../reply.ts';
import type { Request } from '../../request.ts';
import type { Rooms } from '../../rooms.ts';
import { foundShown } from './paymentShown.ts';

/** The endpoint of each act. */
export const actEndpoints = {
  capture: 'capturePayment',
  refund: 'refundPayment',
  reverse: 'reversePayment',
  chargeback: 'chargebackPayment',
  chargebackReversal: 'reverseChargeback',
} as const satisfies Readonly<Record<OfficeAct, RightEndpointName>>;

/** The door of requests about a payment that the path names: any of those of merchants that whoever asks may see. */
export const enterPayment = <Name extends RightEndpointName>(rooms: Rooms, request: Request, endpoint: Name) =>
  enterThing(rooms, request, {
    endpoint,
    what: 'payment',
    find: (id) => rooms.search.anyPayment(rooms.directory.merchantIds(), id),
    entityIdOf: ({ entityId, merchantId }) => (rooms.directory.entity(entityId) ? entityId : merchantId),
  });

/** What is to be done. `key`: asked twice under it, it is done once. */
type Doing = {
  readonly act: OfficeAct;
  readonly amount: bigint | null;
  readonly reason?: string | undefined;
  readonly key: string;
};

type Came = { readonly is: 'payment'; readonly payment: Payment } | { readonly is: 'faulty'; readonly faults: readonly Fault[] };

/** Goes the way of a request to POST /v1/payments/{id}. */
async function carryOut(rooms: Rooms, payment: Payment, channel: Channel, { act, amount, reason, key }: Doing): Promise<Came> {
  const { environment, world, digest } = rooms;
  const type: FollowUpType = officeActs[act];
  const checked = followUpRequest(payment, { type, amount, ...(reason !== undefined && { reason }) }, { channel, environment });
  if (!('fields' in checked)) return { is: 'faulty', faults: checked };
  const { entityId } = payment;
  const body = JSON.stringify([type, payment.id, amount === null ? null : amountText(amount), reason ?? null]);
  const claim = { entityId, key: digest(entityId, `office\n${key}`), bodyHash: digest(entityId, body) };
  const performed = await perform(world, { channel, environment, checked, claim, referencedId: payment.id });
  switch (performed.is) {
    case 'payment':
      return performed;
    case 'otherBody':
      return { is: 'faulty', faults: [{ ...otherBody, name: 'key' }] };
    case 'busy':
      return { is: 'faulty', faults: [{ name: 'key', value: null, message: 'another payment of the same checkout is open' }] };
    default:
      return { is: 'faulty', faults: performed.faults };
  }
}

type ActName = (typeof actEndpoints)[OfficeAct];
type ActValues = { readonly amount?: string; readonly key: string; readonly reason?: string };

/** The rooms in the time of the merchant whose payment it is. */
export const roomsOf = (rooms: Rooms, { merchantId }: Pick<Payment, 'merchantId'>): Rooms =>
  rooms.isAnyMoved() ? rooms.at(merchantId) : rooms;

async function act(
  rooms: Rooms,
  name: OfficeAct,
  { thing: payment, values, who }: Administered<ActName, Payment>,
): Promise<Reply> {
  const { respond, directory } = rooms;
  const { amount: text, key, reason } = values as ActValues;
  const entity = directory.entity(payment.entityId);
  if (!entity?.channel) return noSuch(rooms, 'channel');
  const amount = text === undefined ? null : (amountOf(text) ?? null);
  const family = await rooms.world.store.family(payment.merchantId, payment.id);
  const wanted = amount ?? remainingFor(officeActs[name], family?.payments ?? [payment], payment);
  if (needsApproval(entity.settings, wanted, payment.currency)) return ask(rooms, payment, { name, wanted, key, reason, who });
  const came = await carryOut(rooms, payment, entity.channel, { act: name, amount, reason, key });
  if (came.is === 'faulty') return respond.result('200.300.404', payment.entityId, { faults: came.faults });
  const code = codeOf(came.payment);
  const about = { code, ndc: came.payment.ndc, entityId: payment.entityId };
  // A no is told as the API tells it; the transaction that was refused is kept like any other.
  if (stateOf(came.payment) === 'declined') return respond.result(code, payment.entityId, { ndc: came.payment.ndc });
  const done: ActDone = { payment: foundShown(rooms, came.payment), approval: null };
  return respond.json(200, done, about);
}

type Asking = {
  readonly name: OfficeAct;
  readonly wanted: bigint;
  readonly key: string;
  readonly reason: string | undefined;
  readonly who: string;
};

/** Above the amount that the merchant has set, another has to agree first. */
async function ask(rooms: Rooms, payment: Payment, { name, wanted, reason, who }: Asking): Promise<Reply> {
  const { people, respond } = rooms;
  const approval = await askApproval(people.needs, {
    what: actEndpoints[name],
    entityId: payment.entityId,
    objectId: payment.id,
    amount: amountText(wanted),
    currency: payment.currency,
    values: { ...(reason !== undefined && { reason }) },
    askedBy: who,
  });
  if (approval === null) {
    return respond.result('800.120.100', payment.entityId, { remark: 'too much waits for approval: decide on that first' });
  }
  const done: ActDone = { payment: null, approval: { id: approval.id } };
  return respond.json(200, done, { entityId: payment.entityId });
}

const acts = <Name extends ActName>(endpoint: Name, name: OfficeAct) =>
  acting(endpoint, enterPayment<Name>, async (rooms, asked): Promise<Acted> => {
    const reply = await act(roomsOf(rooms, asked.thing), name, asked as Administered<ActName, Payment>);
    return { reply, objectId: asked.thing.id };
  });

export const capturePayment = acts('capturePayment', 'capture');
export const refundPayment = acts('refundPayment', 'refund');
export const reversePayment = acts('reversePayment', 'reverse');
export const chargebackPayment = acts('chargebackPayment', 'chargeback');
export const reverseChargeback = acts('reverseChargeback', 'chargebackReversal');

/** Carries out what another has approved, once, however often it is asked for. */
const approved =
  (name: OfficeAct): Performer =>
  async (rooms, { id, objectId, amount, values }) => {
    const payment = await rooms.search.anyPayment(rooms.directory.merchantIds(), objectId ?? '');
    const channel = payment && rooms.directory.entity(payment.entityId)?.channel;
    if (!payment || !channel) return { isDone: false, result: '700.400.580', objectId: null };
    const reason = typeof values.reason === 'string' ? values.reason : undefined;
    const doing = { act: name, amount: amountOf(amount) ?? null, reason, key: `approval-${id}` };
    const came = await carryOut(rooms, payment, channel, doing);
    if (came.is === 'faulty') return { isDone: false, result: '200.300.404', objectId: null };
    const code = codeOf(came.payment);
    const isDone = resultCodes[code].http === 200;
    return { isDone, result: isDone ? 'done' : code, objectId: came.payment.id };
  };

export const paymentPerformers: Readonly<Record<ActName, Performer>> = {
  capturePayment: approved('capture'),
  refundPayment: approved('refund'),
  reversePayment: approved('reverse'),
  chargebackPayment: approved('chargeback'),
  reverseChargeback: approved('chargebackReversal'),
};
