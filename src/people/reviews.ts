import { check } from '../form/check.ts';
import { decode } from '../form/decode.ts';
import { amountText } from '../money/amount.ts';
import { balanceOf, isApproved } from '../payments/balance.ts';
import { REVIEW_CODE, REVIEW_DRAWER } from '../payments/listing.ts';
import { codeOf } from '../payments/message.ts';
import type { World } from '../payments/needs.ts';
import type { Environment } from '../payments/order.ts';
import type { Family, Payment } from '../payments/payment.ts';
import { perform } from '../payments/perform.ts';
import { reversible } from '../payments/refusal.ts';
import type { ReviewAct } from '../spec/answers/risk.ts';
import type { CabinetStore, Paper } from './cabinet.ts';

/**
 * What people decided about payments that somebody should look at. Such a payment has succeeded: nothing holds it. To accept it is to say
 * so; to refuse it gives back what can be given back, by the same transactions that a merchant would send.
 */
export type Decision = {
  readonly is: 'accepted' | 'refused';
  readonly note: string;
  readonly by: string;
  readonly at: number;
  readonly entityId: string;
  readonly acts: readonly ReviewAct[];
};

export type ReviewRoom = {
  readonly world: World;
  readonly environment: Environment;
  readonly cabinet: Pick<CabinetStore, 'paper' | 'filePapers'>;
};

export const asksReview = ({ phase }: Payment): boolean => phase.at === 'final' && phase.code === REVIEW_CODE;

export async function decisionAbout({ cabinet }: Pick<ReviewRoom, 'cabinet'>, paymentId: string): Promise<Decision | null> {
  return ((await cabinet.paper(REVIEW_DRAWER, paymentId)) as Paper<Decision> | null)?.body ?? null;
}

type Deciding = Pick<Decision, 'is' | 'note' | 'by'>;

/**
 * Keeps a decision, then does what follows from it. `decided`: somebody was faster. What was refused before and could not be given back
 * then is tried again.
 */
export async function decide(room: ReviewRoom, payment: Payment, deciding: Deciding): Promise<Decision | 'decided'> {
  const { cabinet, world } = room;
  const before = (await cabinet.paper(REVIEW_DRAWER, payment.id)) as Paper<Decision> | null;
  const isAgain = before?.body.is === 'refused' && deciding.is === 'refused' && !isSettled(before.body);
  if (before && !isAgain) return 'decided';
  const at = world.clock.now();
  const body: Decision = { ...deciding, at, entityId: payment.entityId, acts: before?.body.acts ?? [] };
  const paper: Paper<Decision> = {
    ...{ drawer: REVIEW_DRAWER, id: payment.id, ownerId: payment.merchantId, at, body },
    revision: (before?.revision ?? 0) + 1,
  };
  // Before anything is given back: of two who refuse at once one finds it refused.
  if (!(await cabinet.filePapers([paper]))) return 'decided';
  if (deciding.is === 'accepted') return body;
  const done = { ...body, acts: [...body.acts, ...(await giveBack(room, payment))] };
  await cabinet.filePapers([{ ...paper, revision: paper.revision + 1, body: done }]);
  return done;
}

const isSettled = ({ acts }: Decision): boolean => acts.length > 0 && acts.every(({ isDone }) => isDone);

/** Gives back what is left of a payment: the rest of an authorisation, and everything that was taken. */
async function giveBack(room: ReviewRoom, payment: Payment): Promise<readonly ReviewAct[]> {
  const family = await room.world.store.family(payment.merchantId, payment.id);
  if (!family) return [];
  const taken = family.payments.filter((one) => one.referencedId === payment.id && one.paymentType === 'CP' && isApproved(one));
  const acts: ReviewAct[] = [];
  for (const one of payment.paymentType === 'PA' ? [payment, ...taken] : [payment])
    acts.push(...(await giveBackOne(room, one, family)));
  return acts;
}

/** A reversal where one is possible, otherwise a refund of what is left. */
async function giveBackOne(room: ReviewRoom, payment: Payment, { payments }: Family): Promise<readonly ReviewAct[]> {
  if (!['PA', 'DB', 'CP'].includes(payment.paymentType)) return [];
  const rest = reversible({ family: payments, payment });
  const reversal = rest > 0n ? await act(room, payment, { type: 'RV', amount: rest }) : null;
  if (reversal?.isDone || payment.paymentType === 'PA') return reversal ? [reversal] : [];
  const { refunded, reversed, chargedBack } = balanceOf(payments, payment);
  const left = payment.amount - refunded.most - reversed.most - chargedBack.most;
  return left > 0n ? [await act(room, payment, { type: 'RF', amount: left })] : [];
}

type Wanted = { readonly type: ReviewAct['paymentType']; readonly amount: bigint };

async function act({ world, environment }: ReviewRoom, payment: Payment, { type, amount }: Wanted): Promise<ReviewAct> {
  const said = { paymentType: type, amount: amountText(amount) };
  const failed = (code: string): ReviewAct => ({ ...said, paymentId: null, code, isDone: false });
  const channel = world.channel(payment.entityId);
  if (!channel) return failed('800.900.201');
  // A reversal without an amount takes back all that is left.
  const money = type === 'RF' && { amount: said.amount, currency: payment.currency };
  const form = new URLSearchParams({ entityId: payment.entityId, paymentType: type, ...money });
  const checked = check(decode(form.toString()), { endpoint: 'refer', isLenient: false, source: 'server', environment });
  if ('faults' in checked) return failed('200.300.404');
  const performed = await perform(world, { channel, environment, checked, claim: null, referencedId: payment.id });
  if (performed.is !== 'payment') return failed('200.300.404');
  const made = performed.payment;
  return { ...said, paymentId: made.id, code: codeOf(made), isDone: made.phase.at !== 'final' || isApproved(made) };
}
