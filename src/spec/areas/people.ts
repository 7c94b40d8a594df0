import { free, needed } from '../adminField.ts';
import { type Kind, matching, name } from '../adminKinds.ts';
import { isRecord } from '../json.ts';
import { door, session } from './row.ts';

/** Who works in the back office: how they come in, and what they may change about themselves. */

export const email = matching(/^(?=.{3,254}$)[^\s@\p{C}]+@[^\s@\p{C}]+$/u, 'must be an e-mail address', {
  good: ['ann@shop.example', 'ann+refunds@büro.example'],
  bad: ['', 'ann', '@shop.example', 'a b@shop.example', `${'a'.repeat(250)}@b.example`, 7, null],
});

const secret = (kind: Kind<string>): Kind<string> => ({ ...kind, isSecret: true });

/** What was typed; whether it is good enough is told in words of its own. */
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

/** What a browser answers for a passkey; whoever checks it says what is wrong inside. */
const credential: Kind<Readonly<Record<string, unknown>>> = {
  says: 'must be what the browser answers for a passkey, as a JSON object',
  schema: { type: 'object' },
  read: (value) => (isRecord(value) ? value : undefined),
  good: [{ id: 'AAAA', type: 'public-key' }],
  bad: ['', 'x', 1, null, []],
  isSecret: true,
};

export const peopleEndpoints = {
  signIn: door('POST', '/admin/v1/session', 'Begin to sign in with e-mail and password; the second factor is asked for next.'),
  signInSecond: door('POST', '/admin/v1/session/second', 'End a sign-in with the second factor: a code or a passkey.'),
  passkeyOptions: door('POST', '/admin/v1/session/passkeyOptions', 'Begin to sign in with a passkey alone.'),
  passkeySignIn: door('POST', '/admin/v1/session/passkey', 'Sign in with a passkey alone: it is both factors.'),
  readInvitation: door('POST', '/admin/v1/invitations/read', 'Whom a link is for.'),
  acceptInvitation: door(
    'POST',
    '/admin/v1/invitations/accept',
    'Choose a password; answers the secret for the app with the codes.',
  ),
  finishInvitation: door('POST', '/admin/v1/invitations/finish', 'Show a first code; signs in.'),
  readMe: session('GET', '/admin/v1/me', 'Who is signed in, what he may do where, and how long the session lasts.'),
  signOut: session('DELETE', '/admin/v1/session', 'Sign out.'),
  stepUpOptions: session('POST', '/admin/v1/me/stepUpOptions', 'Begin to show with a passkey that it is still you.'),
  stepUp: session('POST', '/admin/v1/me/stepUp', 'Show that it is still you: sensitive acts ask for it.'),
} as const;

export const peopleFields = {
  signIn: { email: needed(email, 'Who.'), password: needed(password, 'The password.') },
  signInSecond: {
    ticket: needed(ticket, 'From the answer before.'),
    code: free(code, 'The six digits of the app.'),
    credential: free(credential, 'The answer of a passkey.'),
  },
  passkeyOptions: {},
  passkeySignIn: {
    ticket: needed(ticket, 'From the answer before.'),
    credential: needed(credential, 'The answer of the passkey.'),
  },
  readInvitation: { token: needed(ticket, 'From the link.') },
  acceptInvitation: {
    token: needed(ticket, 'From the link.'),
    name: needed(name, 'Your name, for those who work with you.', 'Ann Example'),
    email: free(email, 'Your address, where the link does not say it.'),
    password: needed(password, 'At least 15 characters, and none that others have lost.'),
  },
  finishInvitation: {
    ticket: needed(ticket, 'From the answer before.'),
    code: needed(code, 'The six digits that the app shows.'),
  },
  readMe: {},
  signOut: {},
  stepUpOptions: {},
  stepUp: {
    code: free(code, 'The six digits of the app.'),
    credential: free(credential, 'The answer of a passkey.'),
    ticket: free(ticket, 'From the options, with a passkey.'),
  },
} as const;
