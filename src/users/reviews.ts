import type { Channel } from '../merchants/channel.ts';
import { amountText } from '../money/amount.ts';
import { isApproved } from '../payments/balance.ts';
import { codeOf } from '../payments/commitPayment.ts';
import { followUpRequest, refusalOf, remainingFor } from '../payments/followUp.ts';
import type { Environment } from '../payments/order.ts';
import type { Family, Payment } from '../payments/payment.ts';
import type { World } from '../payments/ports.ts';
import { REVIEW_CODE, REVIEW_COLLECTION } from '../payments/search/listing.ts';
import { perform } from '../payments/take.ts';
import type { ReviewFollowUp } from '../spec/answers/risk.ts';
import type { DocumentStore, StoredDocument } from './documents.ts';

/**
 * A decision about a payment flagged for manual review. Such a payment has succeeded: nothing holds it. To accept it is to say
 * so; to refuse it gives back what can be given back, by the same transactions that a merchant would send.
 */
export type ReviewDecision = {
  readonly is: 'accepted' | 'refused';
  readonly note: string;
  readonly by: string;
  readonly at: number;
  readonly entityId: string;
  readonly acts: readonly ReviewFollowUp[];
};

export type ReviewService = {
  readonly world: World;
  readonly environment: Environment;
  readonly documents: Pick<DocumentStore, 'document' | 'saveDocuments'>;
};

export const needsReview = ({ phase }: Payment): boolean => phase.at === 'final' && phase.code === REVIEW_CODE;

export async function readDecision(
  { documents }: Pick<ReviewService, 'documents'>,
  paymentId: string,
): Promise<ReviewDecision | null> {
  return ((await documents.document(REVIEW_COLLECTION, paymentId)) as StoredDocument<ReviewDecision> | null)?.body ?? null;
}

type NewDecision = Pick<ReviewDecision, 'is' | 'note' | 'by'>;

/**
 * Saves a decision, then carries it out. `decided`: another decision was first. A refused payment that could not be given back
 * then is tried again.
 */
export async function decideReview(
  service: ReviewService,
  payment: Payment,
  decision: NewDecision,
): Promise<ReviewDecision | 'decided'> {
  const { documents, world } = service;
  const before = (await documents.document(REVIEW_COLLECTION, payment.id)) as StoredDocument<ReviewDecision> | null;
  const isAgain = before?.body.is === 'refused' && decision.is === 'refused' && !isSettled(before.body);
  if (before && !isAgain) return 'decided';
  const at = world.clock.now();
  const body: ReviewDecision = {
    ...decision,
    at,
    entityId: payment.entityId,
    acts: (before?.body.acts ?? []).filter(({ isDone }) => isDone),
  };
  const document: StoredDocument<ReviewDecision> = {
    collection: REVIEW_COLLECTION,
    id: payment.id,
    ownerId: payment.merchantId,
    at,
    body,
    revision: (before?.revision ?? 0) + 1,
  };
  // Before anything is given back: of two simultaneous refusals one finds it refused.
  if (!(await documents.saveDocuments([document]))) return 'decided';
  if (decision.is === 'accepted') return body;
  const done = { ...body, acts: [...body.acts, ...(await giveBack(service, payment))] };
  await documents.saveDocuments([{ ...document, revision: document.revision + 1, body: done }]);
  return done;
}

const isSettled = ({ acts }: ReviewDecision): boolean => acts.length > 0 && acts.every(({ isDone }) => isDone);

/** Gives back the remainder of a payment: the rest of an authorisation, and everything that was captured. */
async function giveBack(service: ReviewService, payment: Payment): Promise<readonly ReviewFollowUp[]> {
  const family = await service.world.store.family(payment.merchantId, payment.id);
  if (!family) return [];
  const taken = family.payments.filter((one) => one.referencedId === payment.id && one.paymentType === 'CP' && isApproved(one));
  const acts: ReviewFollowUp[] = [];
  for (const one of payment.paymentType === 'PA' ? [payment, ...taken] : [payment])
    acts.push(...(await giveBackOne(service, one, family)));
  return acts;
}

/** A reversal where one is possible, otherwise a refund of the remainder. */
async function giveBackOne(service: ReviewService, payment: Payment, family: Family): Promise<readonly ReviewFollowUp[]> {
  const { world, environment } = service;
  const channel = world.channel(payment.entityId);
  if (!['PA', 'DB', 'CP'].includes(payment.paymentType) || !channel) return [];
  const left = (type: ReviewFollowUp['paymentType']): bigint => remainingFor(type, family.payments, payment);
  const place = { channel, environment };
  const isReversible = left('RV') > 0n && refusalOf(world, { family, payment }, { type: 'RV', amount: null }, place) === null;
  const type = isReversible || payment.paymentType === 'PA' ? 'RV' : 'RF';
  return left(type) > 0n ? [await act(service, payment, { type, amount: left(type), channel })] : [];
}

type GiveBackAction = { readonly type: ReviewFollowUp['paymentType']; readonly amount: bigint; readonly channel: Channel };

async function act(
  { world, environment }: ReviewService,
  payment: Payment,
  { type, amount, channel }: GiveBackAction,
): Promise<ReviewFollowUp> {
  const common = { paymentType: type, amount: amountText(amount) };
  const failed = (code: string): ReviewFollowUp => ({ ...common, paymentId: null, code, isDone: false });
  // A reversal without an amount takes back all that is left.
  const checked = followUpRequest(payment, { type, amount: type === 'RF' ? amount : null }, { channel, environment });
  if (!('fields' in checked)) return failed('200.300.404');
  const performed = await perform(world, { channel, environment, checked, idempotencyKey: null, referencedId: payment.id });
  if (performed.is !== 'payment') return failed('200.300.404');
  const made = performed.payment;
  return { ...common, paymentId: made.id, code: codeOf(made), isDone: made.phase.at !== 'final' || isApproved(made) };
}
