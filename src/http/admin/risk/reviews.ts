import { type ListPlace, newestFirst } from '../../../merchants/listing.ts';
import type { Payment } from '../../../payments/payment.ts';
import { REVIEW_DRAWER } from '../../../payments/search/listing.ts';
import { instantShown, paymentSeen } from '../../../payments/summary.ts';
import type { ReviewPage, SeenReview } from '../../../spec/answers/risk.ts';
import { approvalLimit } from '../../../users/approvalLimits.ts';
import type { Paper } from '../../../users/documents.ts';
import { asksReview, type Decision, decide, decisionAbout } from '../../../users/reviews.ts';
import { countSolo, type SoloAct, type SoloCount, uncountSolo } from '../../../users/soloActs.ts';
import type { Reply } from '../../server/reply.ts';
import type { Request } from '../../server/request.ts';
import type { Rooms } from '../../services.ts';
import { type Acted, type Administered, acting, enterEntity, looking, noSuch } from '../authorize.ts';
import { beginOf, faulty, isWithin, nextOf, PAGE, paymentWithin, reachOf } from '../stored/reach.ts';

/** Payments that succeeded and that a person should look at. */

/** What asked for it: rules of ours, or the acquirer, of whose reasons nothing is known. */
function reviewSeen(payment: Payment, decision: Decision | null, by: string): SeenReview {
  const { risk } = payment;
  return {
    payment: paymentSeen(payment),
    score: risk?.score ?? null,
    reasons: (risk?.fired ?? []).map(({ rule, says }) => ({ id: rule, says })),
    decision: decision && { is: decision.is, note: decision.note, by, at: instantShown(decision.at), acts: decision.acts },
  };
}

const nameOf = async ({ accounts }: Rooms, decision: Decision | null): Promise<string> =>
  decision === null ? '' : ((await accounts.nameOf(decision.by)) ?? decision.by);

const listReviews = looking('listReviews', enterEntity, async (rooms, { entity, values }) => {
  const { state = 'waiting', after, limit = PAGE } = values;
  const place = beginOf(after);
  const reach = reachOf(rooms, entity.id);
  if (state !== 'waiting') return decided(rooms, entity.id, { is: state, before: place, limit });
  const payments = await rooms.risk.store.reviewsWaiting({ reach, before: place, limit });
  const body: ReviewPage = { reviews: payments.map((payment) => reviewSeen(payment, null, '')), next: nextOf(payments, limit) };
  return rooms.respond.json(200, body, { entityId: entity.id });
});

type DecidedAsked = { readonly is: Decision['is']; readonly before: ListPlace | null; readonly limit: number };

/** What was decided, the newest decision first. Decisions of the other kind are passed over. */
async function decided(rooms: Rooms, entityId: string, { is, before, limit }: DecidedAsked): Promise<Reply> {
  const reach = reachOf(rooms, entityId);
  const pages = await Promise.all(
    reach.merchantIds.map((ownerId) =>
      rooms.risk.store.papers({
        ...{ drawer: REVIEW_DRAWER, ownerId, limit },
        ...(before && { before: { at: before.createdAt, id: before.id } }),
      }),
    ),
  );
  const papers = pages
    .flat()
    .map((paper) => ({ ...(paper as Paper<Decision>), createdAt: paper.at }))
    .sort(newestFirst)
    .slice(0, limit);
  const reviews: SeenReview[] = [];
  for (const { id, ownerId, body } of papers) {
    if (body.is !== is || !isWithin(reach, { merchantId: ownerId, entityId: body.entityId })) continue;
    const payment = await rooms.world.store.payment(ownerId, id);
    if (payment) reviews.push(reviewSeen(payment, body, await nameOf(rooms, body)));
  }
  const body: ReviewPage = { reviews, next: nextOf(papers, limit) };
  return rooms.respond.json(200, body, { entityId });
}

type Asked = Administered<'acceptReview' | 'refuseReview', null>;

const ELSEWHERE = 'is above what one may give back alone: refund or reverse it on its own page, where another approves it';

/** To refuse a payment gives all of it back: that is summed with the refunds and reversals of whoever does it. */
const soloOf = ({ id, merchantId, familyId, currency, amount }: Payment, userId: string): SoloAct => ({
  ...{ userId, merchantId, familyId, currency, amount, kind: 'giveBack', key: `review-${id}`, body: id },
});

/** Counts a refusal before it is carried out; null: approvals are off. */
async function countRefusal(rooms: Rooms, payment: Payment, solo: SoloAct): Promise<SoloCount | null> {
  const settings = rooms.directory.entity(payment.entityId)?.settings;
  const limit = settings ? approvalLimit(settings, payment.currency) : null;
  return limit === null ? null : countSolo(rooms.people.needs, solo, limit);
}

async function review(
  rooms: Rooms,
  { entity, values, who }: Asked,
  { request, is }: { request: Request; is: Decision['is'] },
): Promise<Acted> {
  const acted = (reply: Reply): Acted => ({ reply, objectId: request.id });
  const payment = await paymentWithin(rooms, reachOf(rooms, entity.id), request.id ?? '');
  if (!payment || !asksReview(payment)) return acted(noSuch(rooms, 'review'));
  const solo = soloOf(payment, who);
  const count = is === 'refused' ? await countRefusal(rooms, payment, solo) : null;
  if (count && count.is !== 'counted' && count.is !== 'again')
    return acted(faulty(rooms, entity.id, { name: 'amount', value: null, message: ELSEWHERE }));
  // In the time of the merchant, whichever node was named.
  const { world, environment } = rooms.at(payment.merchantId);
  const room = { world, environment, cabinet: rooms.risk.store };
  const done = await decide(room, payment, { is, note: values.note, by: who });
  if (count?.is === 'counted' && (done === 'decided' || !done.acts.some(({ isDone }) => isDone)))
    await uncountSolo(rooms.people.needs, solo);
  const decision = done === 'decided' ? await decisionAbout(room, payment.id) : done;
  const body = reviewSeen(payment, decision, await nameOf(rooms, decision));
  if (done !== 'decided') return acted(rooms.respond.json(200, body, { entityId: entity.id }));
  const faults = [{ name: 'id', value: payment.id, message: 'was decided already' }];
  return acted(rooms.respond.result('200.300.404', entity.id, { status: 409, faults, remark: 'somebody was faster' }));
}

const acceptReview = acting('acceptReview', enterEntity, (rooms, asked, request) =>
  review(rooms, asked, { request, is: 'accepted' }),
);
const refuseReview = acting('refuseReview', enterEntity, (rooms, asked, request) =>
  review(rooms, asked, { request, is: 'refused' }),
);

export const reviewHandlers = { listReviews, acceptReview, refuseReview };
