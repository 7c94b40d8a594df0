import { type ListCursor, newestFirst } from '../../../merchants/listing.ts';
import type { Payment } from '../../../payments/payment.ts';
import { instantShown, paymentView } from '../../../payments/reply/paymentView.ts';
import { REVIEW_COLLECTION } from '../../../payments/search/listing.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { ReviewPage, ReviewView } from '../../../spec/answers/risk.ts';
import { countUnapproved, type UnapprovedAction, type UnapprovedCount, uncountUnapproved } from '../../../users/approvals.ts';
import { approvalLimit } from '../../../users/approvers.ts';
import type { StoredDocument } from '../../../users/documents.ts';
import { decideReview, needsReview, type ReviewDecision, readDecision } from '../../../users/reviews.ts';
import type { Request } from '../../request.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { type AuthorizedAdmin, authorizeEntity, faulty, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { cursorOf, isWithin, nextCursor, PAGE, paymentWithin, reachOf } from '../listings/reach.ts';

/** Payments that are flagged for manual review. */

/** The origin of the flag: rules of the merchant, or the acquirer, whose reasons are unknown. */
function reviewSeen(payment: Payment, decision: ReviewDecision | null, by: string): ReviewView {
  const { risk } = payment;
  return {
    payment: paymentView(payment),
    score: risk?.score ?? null,
    reasons: (risk?.fired ?? []).map(({ rule, says }) => ({ id: rule, says })),
    decision: decision && { is: decision.is, note: decision.note, by, at: instantShown(decision.at), acts: decision.acts },
  };
}

const nameOf = async ({ accounts }: Pick<Services, 'accounts'>, decision: ReviewDecision | null): Promise<string> =>
  decision === null ? '' : ((await accounts.nameOf(decision.by)) ?? decision.by);

const listReviews = query(
  'listReviews',
  authorizeEntity,
  async (services: Pick<Services, 'accounts' | 'directory' | 'replies' | 'risk' | 'world'>, { entity, values }) => {
    const { state = 'waiting', after, limit = PAGE } = values;
    const place = cursorOf(after);
    const reach = reachOf(services, entity.id);
    if (state !== 'waiting') return decided(services, entity.id, { is: state, before: place, limit });
    const payments = await services.risk.store.reviewsWaiting({ scope: reach, before: place, limit });
    const body: ReviewPage = {
      reviews: payments.map((payment) => reviewSeen(payment, null, '')),
      next: nextCursor(payments, limit),
    };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

type DecisionQuery = { readonly is: ReviewDecision['is']; readonly before: ListCursor | null; readonly limit: number };

/** Decisions, the newest first. Decisions of the other kind are skipped. */
async function decided(
  services: Pick<Services, 'accounts' | 'directory' | 'replies' | 'risk' | 'world'>,
  entityId: string,
  { is, before, limit }: DecisionQuery,
): Promise<Reply> {
  const reach = reachOf(services, entityId);
  const pages = await Promise.all(
    reach.merchantIds.map((ownerId) =>
      services.risk.store.documents({
        collection: REVIEW_COLLECTION,
        ownerId,
        limit,
        ...(before && { before: { at: before.createdAt, id: before.id } }),
      }),
    ),
  );
  const documents = pages
    .flat()
    .map((document) => ({ ...(document as StoredDocument<ReviewDecision>), createdAt: document.at }))
    .sort(newestFirst)
    .slice(0, limit);
  const reviews: ReviewView[] = [];
  for (const { id, ownerId, body } of documents) {
    if (body.is !== is || !isWithin(reach, { merchantId: ownerId, entityId: body.entityId })) continue;
    const payment = await services.world.store.payment(ownerId, id);
    if (payment) reviews.push(reviewSeen(payment, body, await nameOf(services, body)));
  }
  const body: ReviewPage = { reviews, next: nextCursor(documents, limit) };
  return services.replies.json(200, body, { entityId });
}

type ReviewCall = AuthorizedAdmin<'acceptReview' | 'refuseReview', null>;

const ELSEWHERE = 'is above what one may give back alone: refund or reverse it on its own page, where another approves it';

/** Refusing a payment gives all of it back: it counts towards the user's limit of refunds and reversals. */
const soloOf = ({ id, merchantId, familyId, currency, amount }: Payment, userId: string): UnapprovedAction => ({
  userId,
  merchantId,
  familyId,
  currency,
  amount,
  kind: 'giveBack',
  key: `review-${id}`,
  body: id,
});

/** Counts a refusal before it is carried out; null: approvals are off. */
async function countRefusal(
  services: Pick<Services, 'directory' | 'users'>,
  payment: Payment,
  solo: UnapprovedAction,
): Promise<UnapprovedCount | null> {
  const settings = services.directory.entity(payment.entityId)?.settings;
  const limit = settings ? approvalLimit(settings, payment.currency) : null;
  return limit === null ? null : countUnapproved(services.users.needs, solo, limit);
}

async function review(
  services: Pick<Services, 'accounts' | 'directory' | 'forMerchant' | 'replies' | 'risk' | 'users'>,
  { entity, values, who }: ReviewCall,
  { request, is }: { request: Request; is: ReviewDecision['is'] },
): Promise<CommandResult> {
  const acted = (reply: Reply): CommandResult => ({ reply, objectId: request.id });
  const payment = await paymentWithin(services, reachOf(services, entity.id), request.id ?? '');
  if (!payment || !needsReview(payment)) return acted(noSuch(services, 'review'));
  const solo = soloOf(payment, who);
  const count = is === 'refused' ? await countRefusal(services, payment, solo) : null;
  if (count && count.is !== 'counted' && count.is !== 'again')
    return acted(faulty(services, entity.id, { name: 'amount', value: null, message: ELSEWHERE }));
  // Under the clock of the payment's merchant, whichever node was named.
  const { world, environment } = services.forMerchant(payment.merchantId);
  const service = { world, environment, documents: services.risk.store };
  const done = await decideReview(service, payment, { is, note: values.note, by: who });
  if (count?.is === 'counted' && (done === 'decided' || !done.acts.some(({ isDone }) => isDone)))
    await uncountUnapproved(services.users.needs, solo);
  const decision = done === 'decided' ? await readDecision(service, payment.id) : done;
  const body: AdminAnswer<'acceptReview'> = reviewSeen(payment, decision, await nameOf(services, decision));
  if (done !== 'decided') return acted(services.replies.json(200, body, { entityId: entity.id }));
  const faults = [{ name: 'id', value: payment.id, message: 'was decided already' }];
  return acted(
    services.replies.result('200.300.404', entity.id, { status: 409, faults, remark: 'another user has decided first' }),
  );
}

const acceptReview = command(
  'acceptReview',
  authorizeEntity,
  (services: Pick<Services, 'accounts' | 'directory' | 'forMerchant' | 'replies' | 'risk' | 'users'>, asked, request) =>
    review(services, asked, { request, is: 'accepted' }),
);
const refuseReview = command(
  'refuseReview',
  authorizeEntity,
  (services: Pick<Services, 'accounts' | 'directory' | 'forMerchant' | 'replies' | 'risk' | 'users'>, asked, request) =>
    review(services, asked, { request, is: 'refused' }),
);

export const reviewHandlers = { listReviews, acceptReview, refuseReview };
