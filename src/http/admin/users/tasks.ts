import { listNotices, readNotices } from '../../../audit/notices.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { Right } from '../../../spec/rights.ts';
import { listApprovals } from '../../../users/approvals.ts';
import type { Services } from '../../services.ts';
import { ownAccount, ownAccountCommand } from '../command.ts';
import { reachOf } from '../listings/reach.ts';

/** Tasks and notices of a user. */

/** One more than pages show: `99+`. */
const COUNT_MAX = 100;

/** The numbers of tasks at an entity and below it; 0 where the user has no right to decide. Notices are counted over all entities. */
export const countTasks = ownAccount(
  'countTasks',
  async (services: Pick<Services, 'directory' | 'replies' | 'risk' | 'settlement' | 'users'>, { signed, values }) => {
    const { directory, settlement, users } = services;
    const entity = directory.entity(values.entityId);
    const path: readonly string[] = entity?.path ?? [];
    const count = (right: Right, counted: () => Promise<number>): Promise<number> => {
      const nodes = signed.nodesWith(right);
      return path.some((node) => nodes.includes(node)) ? counted() : Promise.resolve(0);
    };
    const isSeen = (id: string): boolean => directory.entity(id)?.path.includes(values.entityId) ?? false;
    const entityIds = directory.idsBelow(values.entityId);
    const [approvals, reviews, exceptions, { unread: notices }] = await Promise.all([
      count('approve', async () => (await listApprovals(users.needs, { isWaiting: true, isSeen, limit: COUNT_MAX })).length),
      count('review', () => services.risk.store.countReviews({ scope: reachOf(services, values.entityId), limit: COUNT_MAX })),
      count('settlement', async () => (await settlement.store.exceptions({ entityIds, status: null, limit: COUNT_MAX })).length),
      listNotices(users.needs, signed),
    ]);
    return services.replies.json(200, { approvals, reviews, exceptions, notices } satisfies AdminAnswer<'countTasks'>);
  },
);

/** Changes of webhooks, tokens and keys by other users. */

const list = ownAccount('listNotices', async ({ replies, users }: Pick<Services, 'replies' | 'users'>, { signed }) =>
  replies.json(200, (await listNotices(users.needs, signed)) satisfies AdminAnswer<'listNotices'>),
);

const read = ownAccountCommand(
  'readNotices',
  async ({ replies, users }: Pick<Services, 'replies' | 'users'>, { signed, values }) => {
    await readNotices(users.needs, signed.user.id, values.number);
    return { reply: replies.json(200, (await listNotices(users.needs, signed)) satisfies AdminAnswer<'readNotices'>) };
  },
);

export const noticeHandlers = { listNotices: list, readNotices: read } as const;
