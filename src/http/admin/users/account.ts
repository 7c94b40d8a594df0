import type {
  Enrolment,
  PasskeyQuestion,
  SeenPasskey,
  SeenPasskeys,
  SeenSession,
  SeenSessions,
} from '../../../spec/answers/users.ts';
import {
  addPasskey,
  changeMe,
  changePassword,
  enrolTotp,
  finishTotp,
  newPasskeyOptions,
  removePasskey,
} from '../../../users/account.ts';
import { endSession, endSessions, sessionsOf } from '../../../users/sessions.ts';
import { userPaper } from '../../../users/user.ts';
import type { Rooms } from '../../services.ts';
import { noSuch, ofOneself } from '../authorize.ts';
import { changingOneself, faulty, isoText, NO_PASSKEYS, partyFor, shownUser } from './replies.ts';

/** What somebody looks at and changes about himself. */

const orNull = <Word extends string>(word: Word): Exclude<Word, 'auto'> | null =>
  word === 'auto' ? null : (word as Exclude<Word, 'auto'>);

const change = changingOneself('changeMe', async (rooms, { signed, values }) => {
  const { name, language, theme } = values;
  const user = await changeMe(rooms.people.needs, signed.user.id, {
    ...(name !== undefined && { name }),
    ...(language !== undefined && { language: orNull(language) }),
    ...(theme !== undefined && { theme: orNull(theme) }),
  });
  return { reply: user ? rooms.respond.json(200, shownUser(user)) : noSuch(rooms, 'user') };
});

const password = changingOneself('changePassword', async (rooms, { signed, values }) => {
  const asked = { ...values, userId: signed.user.id, sessionId: signed.sessionId };
  const came = await changePassword(rooms.people.needs, asked);
  if (came === null) return { reply: rooms.respond.json(200, { changed: true }) };
  if (typeof came === 'object') return { reply: faulty(rooms, 'newPassword', came.says) };
  return { reply: faulty(rooms, 'password', 'is not right; after five failures wait for 30 minutes'), result: came };
});

const enrol = changingOneself('enrolTotp', async (rooms, { signed }) => ({
  reply: rooms.respond.json(200, (await enrolTotp(rooms.people.needs, signed.user)) satisfies Enrolment),
}));

const finish = changingOneself('finishTotp', async (rooms, { signed, values }) => {
  const came = await finishTotp(rooms.people.needs, signed.user.id, values);
  if (came === 'done') return { reply: rooms.respond.json(200, { changed: true }) };
  const says = came === 'wrong' ? 'is not what the new app shows now' : 'is not good any more; begin again';
  return { reply: faulty(rooms, came === 'wrong' ? 'code' : 'ticket', says), result: came };
});

const listPasskeys = ofOneself('listPasskeys', async (rooms, { signed }) => {
  const user = (await userPaper(rooms.people.needs.store, signed.user.id))?.body;
  const passkeys = (user?.passkeys ?? []).map(
    ({ id, name, createdAt, usedAt }): SeenPasskey => ({
      ...{ id, name, createdAt: isoText(createdAt) },
      usedAt: usedAt === null ? null : isoText(usedAt),
    }),
  );
  return rooms.respond.json(200, { passkeys } satisfies SeenPasskeys);
});

const askNew = ofOneself('newPasskeyOptions', async (rooms, { signed }, request) => {
  const asked = await newPasskeyOptions(rooms.people.needs, signed.user.id, partyFor(rooms, request));
  if (!asked) return rooms.respond.result('200.300.404', null, { remark: NO_PASSKEYS });
  return rooms.respond.json(200, asked satisfies PasskeyQuestion);
});

const add = changingOneself('addPasskey', async (rooms, { signed, values }, request) => {
  const party = partyFor(rooms, request);
  const passkey = await addPasskey(rooms.people.needs, signed.user.id, { ...values, party });
  if (!passkey) return { reply: faulty(rooms, 'credential', 'is not right, or the question is too old; begin again') };
  return { reply: rooms.respond.json(200, { id: passkey.id, name: passkey.name }), objectId: passkey.id };
});

const remove = changingOneself('removePasskey', async (rooms, { signed }, { id }) => {
  const isRemoved = await removePasskey(rooms.people.needs, signed.user.id, id ?? '');
  return { reply: isRemoved ? rooms.respond.json(200, { id, removed: true }) : noSuch(rooms, 'passkey'), objectId: id };
});

const listSessions = ofOneself('listSessions', async (rooms, { signed }) => {
  const papers = await sessionsOf(rooms.people.needs, signed.user.id);
  const sessions = papers.map(
    ({ body: { id, from, agent, createdAt, usedAt, endsAt } }): SeenSession => ({
      ...{ id, from, agent, isThis: id === signed.sessionId },
      ...{ createdAt: isoText(createdAt), usedAt: isoText(usedAt), endsAt: isoText(endsAt) },
    }),
  );
  return rooms.respond.json(200, { sessions } satisfies SeenSessions);
});

const ownSession = async ({ people }: Rooms, userId: string, id: string | null) =>
  (await sessionsOf(people.needs, userId)).find(({ body }) => body.id === id) ?? null;

const endOne = changingOneself('endSession', async (rooms, { signed }, { id }) => {
  const paper = await ownSession(rooms, signed.user.id, id);
  if (paper) await endSession(rooms.people.needs, paper);
  return { reply: paper ? rooms.respond.json(200, { id, ended: true }) : noSuch(rooms, 'session'), objectId: id };
});

const endOthers = changingOneself('endOtherSessions', async (rooms, { signed }) => ({
  reply: rooms.respond.json(200, { ended: await endSessions(rooms.people.needs, signed.user.id, signed.sessionId) }),
}));

export const oneselfHandlers = {
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
