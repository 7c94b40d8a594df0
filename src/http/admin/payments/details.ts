import type { Channel } from '../../../merchants/channel.ts';
import { amountText } from '../../../money/amount.ts';
import { codeOf, eventSubjectOf } from '../../../payments/commitPayment.ts';
import { refusalOf, remainingFor } from '../../../payments/followUp.ts';
import { customerIdOf, type Family, type Payment } from '../../../payments/payment.ts';
import { project, sourceOf } from '../../../payments/reply/project.ts';
import { captureBeforeOf, withKnownValidities } from '../../../payments/validity.ts';
import type {
  FamilyMember,
  PaymentDetail,
  PendingAction,
  PossibleAction,
  UnapprovedLimit,
} from '../../../spec/answers/payments.ts';
import { type PaymentAction, paymentActions } from '../../../spec/areas/payments.ts';
import { paymentTypes, recordedTypes, type TransactionType } from '../../../spec/paymentTypes.ts';
import { resultCodes } from '../../../spec/resultCodes.ts';
import { listApprovals, unapprovedSums } from '../../../users/approvals.ts';
import { approvalLimit, findApprovers } from '../../../users/approvers.ts';
import type { Services } from '../../services.ts';
import { query } from '../command.ts';
import { actionEndpoints, authorizePayment, soloKinds } from './actions.ts';
import { timelineOf } from './timeline.ts';
import { foundShown, instant } from './view.ts';

const suits = { ...paymentTypes, ...recordedTypes } as const;
const everyAct = Object.keys(paymentActions) as PaymentAction[];

/** The actions that are possible now, and how much is left for each. Actions that the type never allows are left out. */
function actsOf(
  services: Pick<Services, 'directory' | 'environment' | 'world'>,
  payment: Payment,
  family: Family,
  limits: Limits,
): readonly PossibleAction[] {
  const { world, environment, directory } = services;
  const entity = directory.entity(payment.entityId);
  if (!entity?.channel) return [];
  const { channel } = entity;
  return everyAct
    .filter((act) => (suits[paymentActions[act]].refers as readonly TransactionType[]).includes(payment.paymentType))
    .map((act) => {
      const remaining = remainingFor(paymentActions[act], family.payments, payment);
      const code = refusalNow({ world, environment, channel }, { act, payment, family, remaining });
      return {
        act,
        remaining: amountText(remaining),
        isWhole: act === 'reverse' && payment.paymentType !== 'PA',
        refusal: code && { code, description: resultCodes[code].text },
        limit: limits?.[act] ?? null,
      };
    });
}

type Limits = Readonly<Record<PaymentAction, UnapprovedLimit>> | null;

/** How much of each action the user may do alone, and has done; null: approvals are off. */
async function limitsOf(
  { users: { needs }, directory }: Pick<Services, 'directory' | 'users'>,
  payment: Payment,
  who: string,
): Promise<Limits> {
  const { entityId, merchantId, familyId, currency } = payment;
  const settings = directory.entity(entityId)?.settings;
  const limit = settings ? approvalLimit(settings, currency) : null;
  if (limit === null) return null;
  const approvers = (await findApprovers(needs, entityId, who)).map(({ name }) => name);
  const each = everyAct.map(async (act): Promise<[PaymentAction, UnapprovedLimit]> => {
    const sums = await unapprovedSums(needs, { userId: who, merchantId, familyId, currency, kind: soloKinds[act] });
    return [act, { amount: amountText(limit), onPayment: amountText(sums.payment), today: amountText(sums.day), approvers }];
  });
  return Object.fromEntries(await Promise.all(each)) as Readonly<Record<PaymentAction, UnapprovedLimit>>;
}

type ActionServices = Pick<Services, 'world' | 'environment'> & { readonly channel: Channel };
type ActionQuery = {
  readonly act: PaymentAction;
  readonly payment: Payment;
  readonly family: Family;
  readonly remaining: bigint;
};

/** Tries all that is left; where nothing is, the smallest amount, to get the reason. */
function refusalNow({ world, environment, channel }: ActionServices, { act, payment, family, remaining }: ActionQuery) {
  const amount = remaining > 0n ? remaining : 1n;
  return refusalOf(world, { family, payment }, { type: paymentActions[act], amount }, { channel, environment });
}

function memberOf(services: Pick<Services, 'directory'>, payment: Payment, family: readonly Payment[]): FamilyMember {
  const found = foundShown(services, payment, family);
  const { id, shortId, paymentType, amount, currency, state, status, code, createdAt, referencedId } = found;
  return { id, shortId, paymentType, amount, currency, state, status, code, createdAt, referencedId };
}

/** Actions that wait for approval. */
async function waitingFor({ users }: Pick<Services, 'users'>, payment: Payment): Promise<readonly PendingAction[]> {
  const isSeen = (entityId: string) => entityId === payment.entityId;
  const approvals = await listApprovals(users.needs, { isWaiting: true, isSeen, limit: 200 });
  return approvals.flatMap(({ id, what, objectId, amount, askedBy, askedAt }) => {
    const act = everyAct.find((one) => actionEndpoints[one] === what);
    return act && amount !== null && objectId === payment.id ? [{ id, act, amount, by: askedBy, at: instant(askedAt) }] : [];
  });
}

function paymentShown(
  services: Pick<Services, 'directory'>,
  payment: Payment,
  family: readonly Payment[],
): PaymentDetail['payment'] {
  const { instrument } = payment;
  const card = instrument?.kind === 'card' ? instrument : null;
  const until = captureBeforeOf(payment, family);
  return {
    ...foundShown(services, payment, family),
    merchant: services.directory.entity(payment.merchantId)?.name ?? '',
    method: payment.method,
    mode: payment.mode,
    connector: payment.connector,
    earlier: (payment.earlier ?? []).map(({ connector: account, code: by, declinedAt }) => ({
      account,
      code: by,
      at: instant(declinedAt),
    })),
    descriptor: payment.descriptor,
    memo: payment.fields.merchantMemo ?? null,
    ndc: payment.ndc,
    changedAt: instant(payment.movedAt),
    captureBefore: until === null ? null : instant(until),
    bin: card?.bin ?? null,
    holder: instrument && 'holder' in instrument ? instrument.holder : null,
    expiry: card && `${card.expiryMonth}/${card.expiryYear}`,
    registrationId: payment.registrationId,
    customerId: customerIdOf(payment),
    checkoutId: payment.checkoutId,
    scheduleId: payment.scheduleId ?? null,
    source: sourceOf(payment),
  };
}

/** One payment with everything that an operator may see. */
export const seePayment = query(
  'seePayment',
  authorizePayment,
  async (real: Pick<Services, 'forMerchant'>, { resource, who }) => {
    const services = real.forMerchant(resource.merchantId);
    const { merchantId, id, createdAt, movedAt } = resource;
    const about = { subjectId: eventSubjectOf(resource), transactionId: id };
    const [family, events, postings, deliveries, webhooks, waiting, limits] = await Promise.all([
      services.world.store.family(merchantId, id),
      services.search.eventsOf(merchantId, about),
      services.search.postingsOf(merchantId, id, { from: createdAt, to: movedAt }),
      services.search.deliveriesOf(merchantId, about),
      services.webhooks.store.webhooks(),
      waitingFor(services, resource),
      limitsOf(services, resource, who),
    ]);
    const { version, payments } = family ?? { version: 0, payments: [resource] };
    const whole: Family = { version, payments: withKnownValidities(payments, services.world) };
    // Read again with its family, so that everything shown is of one moment.
    const payment = whole.payments.find((one) => one.id === id) ?? resource;
    const code = codeOf(payment);
    const { text: description, means, advice } = resultCodes[code];
    const body: PaymentDetail = {
      payment: paymentShown(services, payment, whole.payments),
      result: { code, description, means, advice },
      acts: actsOf(services, payment, whole, limits),
      waiting,
      family: whole.payments.map((member) => memberOf(services, member, whole.payments)),
      timeline: timelineOf({ payment, family: whole.payments, events, postings, deliveries, webhooks }),
      raw: project(payment, services.replies.base(payment.ndc)).body,
    };
    return services.replies.json(200, body, { entityId: payment.entityId });
  },
);
