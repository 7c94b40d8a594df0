import { listNotices, readNotices } from '../../../audit/notices.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type {
  Enrolment,
  PasskeyQuestion,
  PasskeysView,
  PasskeyView,
  SessionsView,
  SessionView,
} from '../../../spec/answers/users.ts';
import type { Right } from '../../../spec/rights.ts';
import {
  addPasskey,
  changeOwnAccount,
  changePassword,
  enrolTotp,
  finishTotp,
  newPasskeyOptions,
  removePasskey,
} from '../../../users/account.ts';
import { listApprovals } from '../../../users/approvals.ts';
import { endSession, endSessions, sessionsOf } from '../../../users/sessions.ts';
import { userDocument } from '../../../users/user.ts';
import type { Services } from '../../services.ts';
import { noSuch } from '../authorize.ts';
import { ownAccount, ownAccountCommand } from '../command.ts';
import { reachOf } from '../listings/reach.ts';
import { faulty, isoText, NO_PASSKEYS, partyFor, shownUser } from './replies.ts';

/** A user's own account. */

const orNull = <Word extends string>(word: Word): Exclude<Word, 'auto'> | null =>
  word === 'auto' ? null : (word as Exclude<Word, 'auto'>);

const change = ownAccountCommand('changeMe', async (services: Pick<Services, 'replies' | 'users'>, { signed, values }) => {
  const { name, language, theme } = values;
  const user = await changeOwnAccount(services.users.needs, signed.user.id, {
    ...(name !== undefined && { name }),
    ...(language !== undefined && { language: orNull(language) }),
    ...(theme !== undefined && { theme: orNull(theme) }),
  });
  return {
    reply: user ? services.replies.json(200, shownUser(user) satisfies AdminAnswer<'changeMe'>) : noSuch(services, 'user'),
  };
});

const password = ownAccountCommand(
  'changePassword',
  async (services: Pick<Services, 'replies' | 'users'>, { signed, values }) => {
    const options = { ...values, userId: signed.user.id, sessionId: signed.sessionId };
    const outcome = await changePassword(services.users.needs, options);
    if (outcome === null) return { reply: services.replies.json(200, { changed: true } satisfies AdminAnswer<'changePassword'>) };
    if (typeof outcome === 'object') return { reply: faulty(services, 'newPassword', outcome.message) };
    return { reply: faulty(services, 'password', 'is not right; after five failures wait for 30 minutes'), result: outcome };
  },
);

const enrol = ownAccountCommand('enrolTotp', async (services: Pick<Services, 'replies' | 'users'>, { signed }) => ({
  reply: services.replies.json(200, (await enrolTotp(services.users.needs, signed.user)) satisfies Enrolment),
}));

const finish = ownAccountCommand('finishTotp', async (services: Pick<Services, 'replies' | 'users'>, { signed, values }) => {
  const outcome = await finishTotp(services.users.needs, signed.user.id, values);
  if (outcome === 'done') return { reply: services.replies.json(200, { changed: true } satisfies AdminAnswer<'changePassword'>) };
  const says = outcome === 'wrong' ? 'is not what the new app shows now' : 'is not good any more; begin again';
  return { reply: faulty(services, outcome === 'wrong' ? 'code' : 'ticket', says), result: outcome };
});

const listPasskeys = ownAccount('listPasskeys', async (services: Pick<Services, 'replies' | 'users'>, { signed }) => {
  const user = (await userDocument(services.users.needs.store, signed.user.id))?.body;
  const passkeys = (user?.passkeys ?? []).map(
    ({ id, name, createdAt, usedAt }): PasskeyView => ({
      id,
      name,
      createdAt: isoText(createdAt),
      usedAt: usedAt === null ? null : isoText(usedAt),
    }),
  );
  return services.replies.json(200, { passkeys } satisfies PasskeysView);
});

const askNew = ownAccount(
  'newPasskeyOptions',
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, { signed }, request) => {
    const options = await newPasskeyOptions(services.users.needs, signed.user.id, partyFor(services, request));
    if (!options) return services.replies.result('200.300.404', null, { remark: NO_PASSKEYS });
    return services.replies.json(200, options satisfies PasskeyQuestion);
  },
);

const add = ownAccountCommand(
  'addPasskey',
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, { signed, values }, request) => {
    const party = partyFor(services, request);
    const passkey = await addPasskey(services.users.needs, signed.user.id, { ...values, party });
    if (!passkey) return { reply: faulty(services, 'credential', 'is not right, or the question is too old; begin again') };
    return {
      reply: services.replies.json(200, { id: passkey.id, name: passkey.name } satisfies AdminAnswer<'addPasskey'>),
      objectId: passkey.id,
    };
  },
);

const remove = ownAccountCommand('removePasskey', async (services: Pick<Services, 'replies' | 'users'>, { signed }, { id }) => {
  const isRemoved = await removePasskey(services.users.needs, signed.user.id, id ?? '');
  return {
    reply:
      isRemoved && id !== null
        ? services.replies.json(200, { id, removed: true } satisfies AdminAnswer<'removePasskey'>)
        : noSuch(services, 'passkey'),
    objectId: id,
  };
});

const listSessions = ownAccount('listSessions', async (services: Pick<Services, 'replies' | 'users'>, { signed }) => {
  const documents = await sessionsOf(services.users.needs, signed.user.id);
  const sessions = documents.map(
    ({ body: { id, from, agent, createdAt, usedAt, endsAt } }): SessionView => ({
      id,
      from,
      agent,
      isThis: id === signed.sessionId,
      createdAt: isoText(createdAt),
      usedAt: isoText(usedAt),
      endsAt: isoText(endsAt),
    }),
  );
  return services.replies.json(200, { sessions } satisfies SessionsView);
});

const ownSession = async ({ users }: Pick<Services, 'users'>, userId: string, id: string | null) =>
  (await sessionsOf(users.needs, userId)).find(({ body }) => body.id === id) ?? null;

const endOne = ownAccountCommand('endSession', async (services: Pick<Services, 'replies' | 'users'>, { signed }, { id }) => {
  const document = await ownSession(services, signed.user.id, id);
  if (document) await endSession(services.users.needs, document);
  return {
    reply: document
      ? services.replies.json(200, { id: document.body.id, ended: true } satisfies AdminAnswer<'endSession'>)
      : noSuch(services, 'session'),
    objectId: id,
  };
});

const endOthers = ownAccountCommand('endOtherSessions', async (services: Pick<Services, 'replies' | 'users'>, { signed }) => ({
  reply: services.replies.json(200, {
    ended: await endSessions(services.users.needs, signed.user.id, signed.sessionId),
  } satisfies AdminAnswer<'endOtherSessions'>),
}));

export const ownAccountHandlers = {
  changeMe: change,
  changePassword: password,
  enrolTotp: enrol,
  finishTotp: finish,
  listPasskeys,
  newPasskeyOptions: askNew,
  addPasskey: add,
  removePasskey: remove,
  listSessions,
  endSession: endOne,
  endOtherSessions: endOthers,
};

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
