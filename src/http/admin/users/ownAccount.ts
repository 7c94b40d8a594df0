import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type {
  Enrolment,
  PasskeyQuestion,
  PasskeysView,
  PasskeyView,
  SessionsView,
  SessionView,
} from '../../../spec/answers/users.ts';
import {
  addPasskey,
  changeOwnAccount,
  changePassword,
  enrolTotp,
  finishTotp,
  newPasskeyOptions,
  removePasskey,
} from '../../../users/account.ts';
import { endSession, endSessions, sessionsOf } from '../../../users/sessions.ts';
import { userDocument } from '../../../users/user.ts';
import type { Services } from '../../services.ts';
import { noSuch } from '../authorize.ts';
import { ownAccount, ownAccountCommand } from '../command.ts';
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
