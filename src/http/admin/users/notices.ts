import { listNotices, readNotices } from '../../../audit/notices.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { Services } from '../../services.ts';
import { ownAccount, ownAccountCommand } from '../command.ts';

/** What others have done with webhooks, tokens and keys. */

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
