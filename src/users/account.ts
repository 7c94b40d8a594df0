import type { Enrolment } from '../spec/answers/users.ts';
import { clearFailures, comparePassword } from './failedAttempts.ts';
import {
  type Credential,
  deletedPasskey,
  issueNewPasskeyChallenge,
  newPasskey,
  PASSKEYS_MAX,
  passkeyDocument,
  type RelyingParty,
} from './passkeys.ts';
import { hashPassword, newPasswordFault, passwordHistory } from './passwordRules.ts';
import type { UserNeeds } from './ports.ts';
import { dropSecret, newSecret, proveSecret, totpUri } from './secondFactor.ts';
import { endSessions } from './sessions.ts';
import { attemptTicket, issueTicket, withTicketUse } from './tickets.ts';
import { changeUser, type Passkey, reviseUser, type User, userDocument } from './user.ts';

/** Changes of the own account. */

export const changeOwnAccount = (needs: UserNeeds, userId: string, change: Partial<Pick<User, 'name' | 'language' | 'theme'>>) =>
  changeUser(needs.store, userId, async (user) => ({ ...user, ...change }));

export type PasswordChange = {
  readonly userId: string;
  readonly sessionId: string;
  readonly password: string;
  readonly newPassword: string;
};

/** `wrong`: the present password is wrong. Otherwise the fault of the new one; null when it is changed. */
export async function changePassword(
  needs: UserNeeds,
  asked: PasswordChange,
): Promise<'wrong' | 'locked' | { readonly message: string } | null> {
  const document = await userDocument(needs.store, asked.userId);
  if (!document) return 'wrong';
  const user = document.body;
  const compared = await comparePassword(needs, user.email, { password: asked.password, kept: user.passwords[0] });
  if (compared !== 'right') return compared;
  const message = await newPasswordFault(needs, asked.newPassword, user);
  if (message !== null) return { message };
  const passwords = passwordHistory(await hashPassword(needs, asked.newPassword), user.passwords);
  const changed: User = { ...user, passwords, passwordAt: needs.clock.now() };
  if (!(await needs.store.saveDocuments([reviseUser(document, changed)]))) return 'wrong';
  await clearFailures(needs, user.email);
  // A thief of the old password may have a session.
  await endSessions(needs, user.id, asked.sessionId);
  return null;
}

/** A new secret for the app. The old one is valid until the first code of the new one. */
export async function enrolTotp(needs: UserNeeds, { id, email }: Pick<User, 'id' | 'email'>): Promise<Enrolment> {
  const { secret, sealed } = await newSecret(needs);
  const ticket = await issueTicket(needs, { for: 'totp', userId: id, sealed });
  return { ticket, secret, uri: totpUri(secret, email, 'Turnpike') };
}

export async function finishTotp(
  needs: UserNeeds,
  userId: string,
  asked: { readonly ticket: string; readonly code: string },
): Promise<'over' | 'wrong' | 'done'> {
  const tried = await attemptTicket(needs, asked.ticket, 'totp');
  if (!tried || tried.ticket.userId !== userId) return 'over';
  const totp = await proveSecret(needs, tried.ticket.sealed, asked.code);
  if (!totp) return 'wrong';
  let replaced: User['totp'] = null;
  const renewed = async (user: User): Promise<User> => {
    replaced = user.totp;
    return { ...user, totp };
  };
  const changed = await changeUser(needs.store, userId, renewed, () => withTicketUse(tried));
  await dropSecret(needs, changed ? replaced : totp);
  return changed ? 'done' : 'over';
}

/** The creation options of a new passkey; null: this host has no passkeys, or the user has the maximum. */
export async function newPasskeyOptions(needs: UserNeeds, userId: string, party: RelyingParty | null) {
  const user = (await userDocument(needs.store, userId))?.body;
  if (!party || !user || user.passkeys.length >= PASSKEYS_MAX) return null;
  const passkey = issueNewPasskeyChallenge(needs, party, user);
  return { ticket: await issueTicket(needs, { for: 'passkey', userId, challenge: passkey.challenge }), passkey };
}

export async function addPasskey(
  needs: UserNeeds,
  userId: string,
  asked: { readonly ticket: string; readonly credential: Credential; readonly name: string; readonly party: RelyingParty | null },
): Promise<Passkey | null> {
  const tried = await attemptTicket(needs, asked.ticket, 'passkey');
  if (!tried || tried.ticket.userId !== userId || !asked.party) return null;
  const about = { id: needs.ids.next(), name: asked.name, createdAt: needs.clock.now() };
  const passkey = newPasskey(asked.party, { credential: asked.credential, challenge: tried.ticket.challenge }, about);
  if (!passkey) return null;
  const withKey = async (user: User): Promise<User | null> =>
    user.passkeys.length >= PASSKEYS_MAX ? null : { ...user, passkeys: [...user.passkeys, passkey] };
  const also = () => withTicketUse(tried, passkeyDocument({ id: userId }, passkey));
  const changed = await changeUser(needs.store, userId, withKey, also);
  return changed ? passkey : null;
}

/** Whether there was such a passkey. */
export async function removePasskey({ store }: UserNeeds, userId: string, id: string): Promise<boolean> {
  const passkey = (await userDocument(store, userId))?.body.passkeys.find((one) => one.id === id);
  if (!passkey) return false;
  const without = async (user: User): Promise<User> => ({ ...user, passkeys: user.passkeys.filter((one) => one.id !== id) });
  return (await changeUser(store, userId, without, async () => [deletedPasskey(passkey)])) !== null;
}
