import type { Fault } from '../../../form/checked.ts';
import type { Channel } from '../../../merchants/channel.ts';
import { amountOf, amountText } from '../../../money/amount.ts';
import { codeOf } from '../../../payments/commitPayment.ts';
import { type FollowUpType, followUpRequest, remainingFor } from '../../../payments/followUp.ts';
import type { Payment } from '../../../payments/payment.ts';
import { stateOf } from '../../../payments/search/search.ts';
import { perform } from '../../../payments/take.ts';
import type { RightEndpointName } from '../../../spec/admin/admin.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { ActionDone } from '../../../spec/answers/payments.ts';
import { type PaymentAction, paymentActions } from '../../../spec/areas/payments.ts';
import { resultCodes } from '../../../spec/resultCodes.ts';
import {
  type ApprovalReason,
  confirmUnapproved,
  countUnapproved,
  createApproval,
  type UnapprovedAction,
  type UnapprovedKind,
  uncountUnapproved,
} from '../../../users/approvals.ts';
import { approvalLimit, findApprovers } from '../../../users/approvers.ts';
import { otherBody } from '../../api/idempotencyKey.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { type AuthorizedAdmin, authorizeObject, noSuch } from '../authorize.ts';
import { type CommandResult, command } from '../command.ts';
import { APPROVAL_REQUESTED, type Performer } from '../users/requestApproval.ts';
import { foundShown } from './view.ts';

/** The endpoint of each action. */
export const actionEndpoints = {
  capture: 'capturePayment',
  refund: 'refundPayment',
  reverse: 'reversePayment',
  chargeback: 'chargebackPayment',
  chargebackReversal: 'reverseChargeback',
} as const satisfies Readonly<Record<PaymentAction, RightEndpointName>>;

/** Actions that share one limit. */
export const soloKinds = {
  capture: 'capture',
  refund: 'giveBack',
  reverse: 'giveBack',
  chargeback: 'chargeback',
  chargebackReversal: 'chargebackReversal',
} as const satisfies Readonly<Record<PaymentAction, UnapprovedKind>>;

/** Authorises a request about the payment that its path names, of any merchant that the caller may see. */
export const authorizePayment = authorizeObject({
  what: 'payment',
  find: ({ search, directory }, id) => search.anyPayment(directory.merchantIds(), id),
  entityIdOf: ({ entityId, merchantId }, { directory }) => (directory.entity(entityId) ? entityId : merchantId),
});

/** An action on a payment. `key`: the idempotency key. `requested`: the amount of the request; null: all that is left. */
type Action = {
  readonly act: PaymentAction;
  readonly amount: bigint | null;
  readonly requested: bigint | null;
  readonly reason?: string | undefined;
  readonly key: string;
};

type ActionResult =
  | { readonly is: 'payment'; readonly payment: Payment }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] };

const bodyOf = (payment: Payment, { act, requested, reason }: Omit<Action, 'key' | 'amount'>): string =>
  JSON.stringify([paymentActions[act], payment.id, requested === null ? null : amountText(requested), reason ?? null]);

/** The reason of a chargeback is a code of the bank; that of a refund is the user's own words, kept as the memo of the refund. */
function reasonOf(act: PaymentAction, reason: string | undefined): { readonly reason?: string; readonly memo?: string } {
  if (reason === undefined) return {};
  return act === 'refund' ? { memo: `Reason: ${reason}` } : { reason };
}

/** Carries out an action like a request to POST /v1/payments/{id}. */
async function handle(
  services: Pick<Services, 'digest' | 'environment' | 'world'>,
  payment: Payment,
  channel: Channel,
  action: Action,
): Promise<ActionResult> {
  const { act, amount, reason, key } = action;
  const { environment, world, digest } = services;
  const type: FollowUpType = paymentActions[act];
  const checked = followUpRequest(payment, { type, amount, ...reasonOf(act, reason) }, { channel, environment });
  if (checked.is === 'faulty') return checked;
  const { entityId } = payment;
  const idempotencyKey = {
    entityId,
    key: digest(entityId, `office\n${key}`),
    bodyHash: digest(entityId, bodyOf(payment, action)),
  };
  const performed = await perform(world, { channel, environment, checked, idempotencyKey, referencedId: payment.id });
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

type ActionEndpoint = (typeof actionEndpoints)[PaymentAction];
type ActionValues = { readonly amount?: string; readonly key: string; readonly reason?: string };

type Outcome = Pick<CommandResult, 'reply' | 'result'>;

type ActionCall = {
  readonly name: PaymentAction;
  readonly action: Action;
  /** The amount that it moves: that of the request, or all that is left. */
  readonly moved: bigint;
  readonly who: string;
};

async function act(
  services: Pick<Services, 'digest' | 'directory' | 'environment' | 'replies' | 'users' | 'world'>,
  name: PaymentAction,
  { resource: payment, values, who }: AuthorizedAdmin<ActionEndpoint, Payment>,
): Promise<Outcome> {
  const { amount: text, key, reason } = values as ActionValues;
  const entity = services.directory.entity(payment.entityId);
  if (!entity?.channel) return { reply: noSuch(services, 'channel') };
  const requested = text === undefined ? null : (amountOf(text) ?? null);
  const family = await services.world.store.family(payment.merchantId, payment.id);
  const moved = requested ?? remainingFor(paymentActions[name], family?.payments ?? [payment], payment);
  const limit = approvalLimit(entity.settings, payment.currency);
  // Under a limit exactly the counted amount is moved, even where more is left by then. Where nothing is left, the smallest amount
  // gets the reason.
  const amount = limit === null ? requested : moved > 0n ? moved : 1n;
  const command: ActionCall = { name, action: { act: name, amount, requested, reason, key }, moved: amount ?? moved, who };
  return limit === null
    ? alone(services, payment, entity.channel, command)
    : limited(services, payment, entity.channel, { command, limit });
}

/** Carries out an action that needs no approval. */
async function alone(
  services: Pick<Services, 'digest' | 'directory' | 'environment' | 'replies' | 'world'>,
  payment: Payment,
  channel: Channel,
  { action }: ActionCall,
): Promise<Outcome> {
  return { reply: actionReply(services, payment, await handle(services, payment, channel, action)) };
}

function actionReply(services: Pick<Services, 'directory' | 'replies'>, payment: Payment, outcome: ActionResult): Reply {
  const { replies } = services;
  if (outcome.is === 'faulty') return replies.result('200.300.404', payment.entityId, { faults: outcome.faults });
  const code = codeOf(outcome.payment);
  const about = { code, ndc: outcome.payment.ndc, entityId: payment.entityId };
  // A decline has the reply of the API; the declined transaction is stored like any other.
  if (stateOf(outcome.payment) === 'declined') return replies.result(code, payment.entityId, { ndc: outcome.payment.ndc });
  const done: ActionDone = { payment: foundShown(services, outcome.payment, [outcome.payment]), approval: null };
  return replies.json(200, done satisfies AdminAnswer<'capturePayment'>, about);
}

const BUSY = 'too many acts at once: repeat the request';

/** Counts the amount first; above the limit the action needs approval. An action that moved nothing is not counted. */
async function limited(
  services: Pick<Services, 'digest' | 'directory' | 'environment' | 'replies' | 'users' | 'world'>,
  payment: Payment,
  channel: Channel,
  { command, limit }: { readonly command: ActionCall; readonly limit: bigint },
): Promise<Outcome> {
  const { needs } = services.users;
  const { name, action, who } = command;
  const { merchantId, familyId, currency } = payment;
  const solo: UnapprovedAction = {
    userId: who,
    merchantId,
    familyId,
    currency,
    kind: soloKinds[name],
    key: action.key,
    amount: action.amount ?? 0n,
    body: bodyOf(payment, action),
  };
  const count = await countUnapproved(needs, solo, limit);
  if (count.is === 'approval') return requestActionApproval(services, payment, { ...command, why: count.reason });
  if (count.is === 'busy') return { reply: services.replies.result('800.120.100', payment.entityId, { remark: BUSY }) };
  if (count.is === 'other')
    return { reply: actionReply(services, payment, { is: 'faulty', faults: [{ ...otherBody, name: 'key' }] }) };
  const outcome = await handle(services, payment, channel, action);
  const isMoved = outcome.is === 'payment' && stateOf(outcome.payment) !== 'declined';
  if (isMoved && count.is === 'again') await confirmUnapproved(needs, solo);
  if (!isMoved && count.is === 'counted') await uncountUnapproved(needs, solo);
  return { reply: actionReply(services, payment, outcome) };
}

/** Requests approval; the reply says why, and which users may approve. */
async function requestActionApproval(
  services: Pick<Services, 'replies' | 'users'>,
  payment: Payment,
  { name, moved, action, who, why }: ActionCall & { readonly why: ApprovalReason },
): Promise<Outcome> {
  const { users, replies } = services;
  const { id: objectId, entityId, currency } = payment;
  const approval = await createApproval(
    users.needs,
    {
      what: actionEndpoints[name],
      entityId,
      objectId,
      amount: amountText(moved),
      currency,
      askedBy: who,
      reason: why,
      values: { ...(action.reason !== undefined && { reason: action.reason }) },
    },
    action.key,
  );
  if (approval === null) {
    return { reply: replies.result('800.120.100', entityId, { remark: 'too much waits for approval: decide on that first' }) };
  }
  const approvers = await findApprovers(users.needs, entityId, who);
  const done: ActionDone = {
    payment: null,
    approval: { id: approval.id, reason: why, approvers: approvers.map((one) => one.name) },
  };
  return { reply: replies.json(200, done satisfies AdminAnswer<'capturePayment'>, { entityId }), result: APPROVAL_REQUESTED };
}

const actionHandler = <Name extends ActionEndpoint>(endpoint: Name, name: PaymentAction) =>
  command(
    endpoint,
    authorizePayment<Name>,
    async (services: Pick<Services, 'forMerchant'>, authorized): Promise<CommandResult> => {
      const outcome = await act(
        services.forMerchant(authorized.resource.merchantId),
        name,
        authorized as AuthorizedAdmin<ActionEndpoint, Payment>,
      );
      return { ...outcome, objectId: authorized.resource.id };
    },
  );

export const capturePayment = actionHandler('capturePayment', 'capture');
export const refundPayment = actionHandler('refundPayment', 'refund');
export const reversePayment = actionHandler('reversePayment', 'reverse');
export const chargebackPayment = actionHandler('chargebackPayment', 'chargeback');
export const reverseChargeback = actionHandler('reverseChargeback', 'chargebackReversal');

/** Carries out an approved action once, however often it is asked for. */
const approved =
  (name: PaymentAction): Performer =>
  async (
    services: Pick<Services, 'digest' | 'directory' | 'environment' | 'search' | 'world'>,
    { id, objectId, amount, values },
  ) => {
    const payment = await services.search.anyPayment(services.directory.merchantIds(), objectId ?? '');
    const channel = payment && services.directory.entity(payment.entityId)?.channel;
    if (!payment || !channel) return { isDone: false, result: '700.400.580', objectId: null };
    const reason = typeof values.reason === 'string' ? values.reason : undefined;
    const sum = amountOf(amount ?? '') ?? null;
    const action = { act: name, amount: sum, requested: sum, reason, key: `approval-${id}` };
    const outcome = await handle(services, payment, channel, action);
    if (outcome.is === 'faulty') return { isDone: false, result: '200.300.404', objectId: null };
    const code = codeOf(outcome.payment);
    const isDone = resultCodes[code].http === 200;
    return { isDone, result: isDone ? 'done' : code, objectId: outcome.payment.id };
  };

export const paymentPerformers: Readonly<Record<ActionEndpoint, Performer>> = {
  capturePayment: approved('capture'),
  refundPayment: approved('refund'),
  reversePayment: approved('reverse'),
  chargebackPayment: approved('chargeback'),
  reverseChargeback: approved('chargebackReversal'),
};
