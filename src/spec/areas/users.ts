import { isRecord } from '../../runtime/json.ts';
import {
  admin,
  count,
  ENTITY,
  id,
  instant,
  type Kind,
  limit,
  matching,
  name,
  oneOf,
  optional,
  required,
  session,
  signIn,
  someOf,
  tagged,
  token,
} from '../admin/kinds.ts';
import { type Right, rights, roles } from '../rights.ts';

/** Users of the back office: how they sign in, and what they may change about themselves. */

const email = matching(/^(?=.{3,254}$)[^\s@\p{C}]+@[^\s@\p{C}]+$/u, 'must be an e-mail address', {
  good: ['ann@shop.example', 'ann+refunds@büro.example'],
  bad: ['', 'ann', '@shop.example', 'a b@shop.example', `${'a'.repeat(250)}@b.example`, 7, null],
});

const secret = (kind: Kind<string>): Kind<string> => ({ ...kind, isSecret: true });

/** A password as typed. The handler checks its strength. */
const password = secret(
  matching(/^[^\p{Cc}]{1,512}$/u, 'must be 1 to 512 characters on one line', {
    good: ['correct horse battery staple', 'ü'.repeat(20)],
    bad: ['', 'x'.repeat(513), 'two\nlines', 7, null],
  }),
);

const code = secret(
  matching(/^[0-9]{6}$/, 'must be the six digits that the app shows', {
    good: ['287082', '000000'],
    bad: ['', '12345', '1234567', '12 345', 287_082, null],
  }),
);

/** Opaque: a link or half a sign-in. */
const ticket = secret(
  matching(/^[A-Za-z0-9_-]{20,512}$/, 'must be as it was given out', {
    good: ['A'.repeat(43)],
    bad: ['', 'short', 'with space in it and long enough', 7, null],
  }),
);

/** The answer of a browser for a passkey. The handler checks its content. */
const credential: Kind<Readonly<Record<string, unknown>>> = {
  message: 'must be what the browser answers for a passkey, as a JSON object',
  schema: { type: 'object' },
  parse: (value) => (isRecord(value) ? value : undefined),
  good: [{ id: 'AAAA', type: 'public-key' }],
  bad: ['', 'x', 1, null, []],
  isSecret: true,
};

const ROLE = /^(?:[a-zA-Z]{1,32}|[a-f0-9]{32})$/;

const role = matching(ROLE, `must be one of ${Object.keys(roles).join(', ')}, or the id of a role that was made`, {
  good: ['readOnly', 'a'.repeat(32)],
  bad: ['', 'read only', 'a'.repeat(33), 7, null],
});

type Grant = { readonly entityId: string; readonly role: string };
const GRANTS_MAX = 200;

const isGrant = (value: unknown): value is Grant =>
  isRecord(value) &&
  Object.keys(value).length === 2 &&
  id.parse(value.entityId) !== undefined &&
  role.parse(value.role) !== undefined;

/** The roles of a user by entity, each once. */
const grants: Kind<readonly Grant[]> = {
  message: `must be a list of at most ${GRANTS_MAX} different {entityId, role}`,
  schema: {
    type: 'array',
    maxItems: GRANTS_MAX,
    items: { type: 'object', required: ['entityId', 'role'], properties: { entityId: id.schema, role: role.schema } },
  },
  parse: (value) => {
    if (!Array.isArray(value) || value.length > GRANTS_MAX || !value.every(isGrant)) return undefined;
    return new Set(value.map((one) => `${one.entityId} ${one.role}`)).size === value.length ? value : undefined;
  },
  good: [[{ entityId: ENTITY, role: 'readOnly' }], []],
  bad: [
    '',
    null,
    {},
    [7],
    [{ entityId: ENTITY }],
    [{ entityId: 'x', role: 'readOnly' }],
    [{ entityId: ENTITY, role: 'readOnly', more: 1 }],
    [
      { entityId: ENTITY, role: 'readOnly' },
      { entityId: ENTITY, role: 'readOnly' },
    ],
  ],
};

const noticeNumber = count(1, Number.MAX_SAFE_INTEGER);

const rightList = someOf(Object.keys(rights) as Right[]);

export const userEndpoints = {
  ...tagged('ownAccount', {
    signIn: signIn(
      'POST',
      '/admin/v1/session',
      'Begin to sign in with e-mail and password; the second factor is asked for next.',
    ),
    signInSecond: signIn('POST', '/admin/v1/session/second', 'End a sign-in with the second factor: a code or a passkey.'),
    passkeyOptions: signIn('POST', '/admin/v1/session/passkeyOptions', 'Begin to sign in with a passkey alone.'),
    passkeySignIn: signIn('POST', '/admin/v1/session/passkey', 'Sign in with a passkey alone: it is both factors.'),
    readInvitation: signIn('POST', '/admin/v1/invitations/read', 'Whom a link is for.'),
    acceptInvitation: signIn(
      'POST',
      '/admin/v1/invitations/accept',
      'Choose a password; answers the secret for the app with the codes.',
    ),
    finishInvitation: signIn('POST', '/admin/v1/invitations/finish', 'Show a first code; signs in.'),
    readMe: session('GET', '/admin/v1/me', 'The signed-in user, the rights at each entity, and how long the session lasts.'),
    countTasks: session(
      'GET',
      '/admin/v1/me/tasks',
      'Count what waits for you: approvals, reviews and exceptions at an entity and below it, and unread notices.',
    ),
    listNotices: session(
      'GET',
      '/admin/v1/me/notices',
      'List your newest notices: what others have done with webhooks, tokens and keys of your entities.',
    ),
    readNotices: session('POST', '/admin/v1/me/notices', 'Mark your notices up to a number as read.'),
    signOut: session('DELETE', '/admin/v1/session', 'Sign out.'),
    stepUpOptions: session('POST', '/admin/v1/me/stepUpOptions', 'Begin to show with a passkey that it is still you.'),
    stepUp: session('POST', '/admin/v1/me/stepUp', 'Show that it is still you: sensitive acts ask for it.'),
    changeMe: session('POST', '/admin/v1/me', 'Change your name, your language or the colours.'),
    changePassword: session('POST', '/admin/v1/me/password', 'Change your password. Your other sessions end.'),
    enrolTotp: session('POST', '/admin/v1/me/totp', 'Begin to set up another app for codes.', { stepUp: true }),
    finishTotp: session('POST', '/admin/v1/me/totp/finish', 'Show the first code of the new app; the old one is good no more.'),
    listPasskeys: session('GET', '/admin/v1/me/passkeys', 'List your passkeys.'),
    newPasskeyOptions: session('POST', '/admin/v1/me/passkeys/options', 'Begin to add a passkey.', { stepUp: true }),
    addPasskey: session('POST', '/admin/v1/me/passkeys', 'Add the passkey that the browser has made.', {
      stepUp: true,
    }),
    removePasskey: session('DELETE', '/admin/v1/me/passkeys/{id}', 'Remove a passkey.', { stepUp: true }),
    listSessions: session('GET', '/admin/v1/me/sessions', 'List your sessions: where you are signed in.'),
    endSession: session('DELETE', '/admin/v1/me/sessions/{id}', 'End one of your sessions.'),
    endOtherSessions: session('DELETE', '/admin/v1/me/sessions', 'End all of your sessions but this one.'),
  }),
  ...tagged('users', {
    listUsers: admin('GET', '/admin/v1/users', 'users', 'List the users with a role at an entity or below it.'),
    inviteUser: admin(
      'POST',
      '/admin/v1/users',
      'users',
      'Invite a user; returns a link that is valid for 72 hours and shown once.',
      {
        stepUp: true,
      },
    ),
    readUser: admin('GET', '/admin/v1/users/{id}', 'users', 'Read a user with a role at an entity or below it.'),
    changeUser: admin(
      'POST',
      '/admin/v1/users/{id}',
      'users',
      "Change a user's roles at an entity and below it, the name, or whether the user may sign in.",
      { stepUp: true },
    ),
    resetUser: admin(
      'POST',
      '/admin/v1/users/{id}/reset',
      'users',
      'Create a link for a new password and authenticator; valid for 72 hours and shown once.',
      { stepUp: true },
    ),
    endUserSessions: admin('POST', '/admin/v1/users/{id}/endSessions', 'users', 'End all sessions of a user.', {
      stepUp: true,
    }),
    listRoles: admin('GET', '/admin/v1/roles', 'users', 'List the roles that can be assigned at an entity, with their rights.'),
    makeRole: admin('POST', '/admin/v1/roles', 'users', 'Create a role for an entity and everything below it.', {
      stepUp: true,
    }),
    changeRole: admin('POST', '/admin/v1/roles/{id}', 'users', 'Change a role, for every user who has it.', {
      stepUp: true,
    }),
    removeRole: admin('DELETE', '/admin/v1/roles/{id}', 'users', 'Delete a role that no user has.', { stepUp: true }),
  }),
  ...tagged('approvals', {
    listApprovals: admin('GET', '/admin/v1/approvals', 'readPayments', 'List approval requests and their results, newest first.'),
    approve: admin(
      'POST',
      '/admin/v1/approvals/{id}/approve',
      'approve',
      'Approve a request of another user; the action is carried out.',
      {
        stepUp: true,
      },
    ),
    refuse: admin('POST', '/admin/v1/approvals/{id}/refuse', 'approve', 'Refuse a request of another user.', {
      stepUp: true,
    }),
  }),
} as const;

export const userFields = {
  signIn: { email: required(email, 'Who.'), password: required(password, 'The password.') },
  signInSecond: {
    ticket: required(ticket, 'From the answer before.'),
    code: optional(code, 'The six digits of the app.'),
    credential: optional(credential, 'The answer of a passkey.'),
  },
  passkeyOptions: {},
  passkeySignIn: {
    ticket: required(ticket, 'From the answer before.'),
    credential: required(credential, 'The answer of the passkey.'),
  },
  readInvitation: { token: required(ticket, 'From the link.') },
  acceptInvitation: {
    token: required(ticket, 'From the link.'),
    name: required(name, 'Your name, for those who work with you.', 'Ann Example'),
    email: optional(email, 'Your address, where the link does not say it.'),
    password: required(password, 'At least 15 characters, and none that others have lost.'),
  },
  finishInvitation: {
    ticket: required(ticket, 'From the answer before.'),
    code: required(code, 'The six digits that the app shows.'),
  },
  readMe: {},
  countTasks: { entityId: required(id, 'The entity.', ENTITY) },
  listNotices: {},
  readNotices: { number: required(noticeNumber, 'The number of the newest notice that you have read.', 17) },
  signOut: {},
  stepUpOptions: {},
  stepUp: {
    code: optional(code, 'The six digits of the app.'),
    credential: optional(credential, 'The answer of a passkey.'),
    ticket: optional(ticket, 'From the options, with a passkey.'),
  },
  changeMe: {
    name: optional(name, 'For those who work with you.', 'Ann Example'),
    language: optional(oneOf(['en', 'de', 'auto']), 'Of the pages; auto: as the browser asks.'),
    theme: optional(oneOf(['light', 'dark', 'auto']), 'The colours of the pages; auto: as the browser asks.'),
  },
  changePassword: {
    password: required(password, 'The present one.'),
    newPassword: required(password, 'At least 15 characters, none that others have lost, and none of your last four.'),
  },
  enrolTotp: {},
  finishTotp: {
    ticket: required(ticket, 'From the answer before.'),
    code: required(code, 'The six digits that the new app shows.'),
  },
  listPasskeys: {},
  newPasskeyOptions: {},
  addPasskey: {
    ticket: required(ticket, 'From the options.'),
    credential: required(credential, 'What the browser has made.'),
    name: required(name, 'For you.', 'My phone'),
  },
  removePasskey: {},
  listSessions: {},
  endSession: {},
  endOtherSessions: {},
  listUsers: {
    entityId: required(id, 'The entity; users of entities below it are included.', ENTITY),
    limit,
    after: optional(id, 'Only users after this one: the last of the previous page.'),
  },
  inviteUser: {
    entityId: required(id, 'The entity of the role; the role applies to everything below it.', ENTITY),
    email: required(email, 'The e-mail address for sign-in.'),
    name: required(name, 'The display name; the user may change it.', 'Ann Example'),
    role: required(role, 'The role; only rights that you have yourself.'),
  },
  readUser: { entityId: required(id, "An entity at or above the user's role.", ENTITY) },
  changeUser: {
    entityId: required(id, 'The entity: only roles at it and below it are changed.', ENTITY),
    grants: optional(grants, 'All roles of the user there.'),
    state: optional(oneOf(['active', 'disabled']), 'disabled: the user is signed out and cannot sign in.'),
    name: optional(name, 'The display name.', 'Ann Example'),
  },
  resetUser: { entityId: required(id, "An entity at or above the user's role.", ENTITY) },
  endUserSessions: { entityId: required(id, "An entity at or above the user's role.", ENTITY) },
  listRoles: { entityId: required(id, 'The entity.', ENTITY) },
  makeRole: {
    entityId: required(id, 'The role can be assigned here and below.', ENTITY),
    name: required(name, 'A display name.', 'Night shift'),
    rights: required(rightList, 'Its rights; only rights that you have yourself.', ['readPayments', 'refund']),
  },
  changeRole: {
    name: optional(name, 'A display name.', 'Night shift'),
    rights: optional(rightList, 'Its rights.', ['readPayments']),
  },
  removeRole: {},
  listApprovals: {
    entityId: required(id, 'The entity; requests of entities below it are included.', ENTITY),
    state: optional(oneOf(['waiting', 'decided']), 'Default waiting.'),
    limit,
    after: optional(id, 'Only entries older than this one: the last of the previous page.'),
  },
  approve: { note: optional(name, 'The reason.', 'called the shopper') },
  refuse: { note: optional(name, 'The reason.', 'ask for a smaller one') },
} as const;

/** The audit log: actor, action, time, address, object and outcome. */

const who = matching(/^(?=\S)[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, 'must be 1 to 200 characters on one line', {
  good: ['operator', 'ann@shop.example', 'Ann Example'],
  bad: ['', ' ', 'x'.repeat(201), 'two\nlines', null],
});

const what = matching(/^[A-Za-z][A-Za-z -]{0,63}$/, 'must be the name of an act, such as createWebhook', {
  good: ['createWebhook', 'start', 'command rotate-data'],
  bad: ['', '1', 'x'.repeat(65), 'a_b', null],
});

const object = token(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, lines and underscores', {
  good: ['0123456789abcdef0123456789abcdef', 'my-scenario'],
  bad: ['', 'a b', 'x'.repeat(65), 'ü', 'a/b', null],
});

const place = token(/^[0-9]{1,15}-[0-9]{1,15}$/, 'must be as the page before said it', {
  good: ['1790000000000-17'],
  bad: ['', '17', 'a-b', '1-2-3', null],
});

const filters = {
  entityId: required(id, 'Entries about this entity and those below it; for a PSP also entries about no entity.', ENTITY),
  who: optional(who, 'Only this actor: an id, or part of a name or e-mail address.'),
  what: optional(what, 'Only this action.'),
  about: optional(id, 'Only entries about this entity.', ENTITY),
  objectId: optional(object, 'Only entries about this object.'),
  result: optional(oneOf(['done', 'refused', 'failed']), 'Only entries with this result.'),
  from: optional(instant, 'Only events at or after this instant.'),
  to: optional(instant, 'Only events before this instant.'),
} as const;

export const auditEndpoints = tagged('audit', {
  listAudit: admin('GET', '/admin/v1/audit', 'audit', 'Read the audit log, newest first; reading it adds an entry.'),
  exportAudit: admin('GET', '/admin/v1/audit/csv', 'audit', 'The audit log as a CSV file.'),
  verifyAudit: admin('POST', '/admin/v1/audit/verification', 'audit', 'Verify that the audit log is unchanged.'),
});

export const auditFields = {
  listAudit: { ...filters, after: optional(place, '`next` of the previous page.'), limit },
  exportAudit: filters,
  verifyAudit: { entityId: required(id, 'Any entity whose audit log you may read; there is one chain for all.', ENTITY) },
} as const;
