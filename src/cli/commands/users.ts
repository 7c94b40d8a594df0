import { OperatorError } from '../../app/operatorError.ts';
import { officeUrl } from '../../app/process/banner.ts';
import { createDirectory } from '../../merchants/directory.ts';
import { userFields } from '../../spec/areas/users.ts';
import { clearFailures, lockedUntil } from '../../users/failedAttempts.ts';
import { invitedUser, isEmailFree, newInvitation, topGrants } from '../../users/invitations.ts';
import { createHashQueue, PASSWORD_COST } from '../../users/passwordRules.ts';
import type { UserNeeds } from '../../users/ports.ts';
import { allUsers, changeUser, hasUsers, newUserDocuments, reviseUser, type User, userByEmail } from '../../users/user.ts';
import { systemRandom } from '../../vault/randomBytes.ts';
import { type Command, type Context, parseOptions, requiredOption, UsageError } from '../command.ts';
import { counted, formatTable } from '../output.ts';

/** Users of the back office, from the machine: the way in when no user can sign in. */
export const usersCommand: Command = {
  name: 'users',
  summary: 'list the users of the back office; links for a new operator, and for a user who cannot sign in any more',
  usage: [
    'users [list|invite-operator|reset] [options]',
    '  --email address  invite-operator, reset: the user',
    '  --name text      invite-operator: the name that other users see',
    'A link is good for 72 hours, and is shown once.',
  ].join('\n'),
  run: (words, context) => users(words, context),
};

const actions = { list, 'invite-operator': inviteOperator, reset } as const;

type Texts = Readonly<Partial<Record<'email' | 'name', string>>>;

export async function users([action = 'list', ...words]: readonly string[], context: Context): Promise<number> {
  if (!Object.hasOwn(actions, action)) throw new UsageError('say list, invite-operator or reset');
  const texts = parseOptions(words, action === 'list' ? [] : action === 'reset' ? ['email'] : ['email', 'name']) as Texts;
  await actions[action as keyof typeof actions](await needsOf(context), texts, context);
  return 0;
}

async function needsOf({ store: open, vault, clock, ids }: Context): Promise<UserNeeds> {
  const store = await open();
  const directory = await createDirectory(store, clock);
  return {
    store,
    vault: await vault(),
    directory,
    clock,
    ids,
    random: systemRandom,
    hashQueue: createHashQueue(),
    passwordCost: PASSWORD_COST,
  };
}

const iso = (at: number | null): string => (at === null ? '-' : new Date(at).toISOString().slice(0, 16));

async function list(needs: UserNeeds, _: Texts, { print, printError }: Context): Promise<void> {
  const all = await allUsers(needs.store);
  const head = ['EMAIL', 'NAME', 'STATE', 'LOCKED UNTIL', 'LAST SIGN-IN', 'ROLES'];
  const cells = async ({ email, name, state, signedInAt, grants }: User): Promise<readonly string[]> => {
    const until = await lockedUntil(needs, email);
    const roles = grants.map(({ entityId, role }) => `${role} at ${needs.directory.entity(entityId)?.name ?? entityId}`);
    return [email, name, state, iso(until || null), iso(signedInAt), roles.join(', ')];
  };
  for (const line of formatTable([head, ...(await Promise.all(all.map(cells)))])) print(line);
  printError(counted(all.length, 'user'));
}

/** The base of links. Without a back office there are none. */
function backOfficeUrl({ config }: Context): string {
  const { backOfficePort } = config();
  if (backOfficePort === null) throw new OperatorError('BACKOFFICE_PORT: is off; a link needs its pages');
  return officeUrl(config(), backOfficePort);
}

const isLocal = (url: string): boolean => /^https?:\/\/(?:127\.|localhost|\[::1?\]|0\.0\.0\.0)/.test(url);

type Link = { readonly token: string; readonly until: number };

function printLink({ print, printError }: Context, url: string, { token, until }: Link): void {
  print(`${url}/welcome#${token}`);
  if (isLocal(url)) printError('if the back office has another address for its users, put that in place of the host and port');
  printError(`good until ${iso(until)} UTC; it is not shown again`);
}

const CHANGED = '--email: the user was changed at the same time; try again';

async function inviteOperator(needs: UserNeeds, texts: Texts, context: Context): Promise<void> {
  const email = requiredOption(texts.email, 'email');
  const url = backOfficeUrl(context);
  const name = texts.name ?? email.split('@')[0] ?? email;
  const { kind } = userFields.inviteUser.email;
  if (kind.parse(email) === undefined) throw new OperatorError(`--email: ${kind.message}`);
  if (userFields.inviteUser.name.kind.parse(name) === undefined)
    throw new OperatorError(`--name: ${userFields.inviteUser.name.kind.message}`);
  if (!(await isEmailFree(needs, email)))
    throw new OperatorError('--email: is in use; turnpike users reset makes a new link for this user');
  const before = await userByEmail(needs.store, email);
  const fresh = invitedUser(needs, { email, name, grants: await topGrants(needs) });
  const user: User = before ? { ...before.body, name, state: 'invited', grants: fresh.grants } : fresh;
  const { changes, ...link } = await newInvitation(needs, user.id);
  const isFirst = !(await hasUsers(needs.store));
  const own = before ? [reviseUser(before, user)] : newUserDocuments(user);
  if (!(await needs.store.saveDocuments([...own, ...changes]))) throw new OperatorError(CHANGED);
  printLink(context, url, link);
  if (isFirst)
    context.printError('the link "First administrator" that the gateway printed at its start is no longer good: use this one');
}

/** The operator on the machine has all rights: this also restores locked or disabled users. */
async function reset(needs: UserNeeds, texts: Texts, context: Context): Promise<void> {
  const email = requiredOption(texts.email, 'email');
  const url = backOfficeUrl(context);
  const user = (await userByEmail(needs.store, email))?.body;
  if (!user) throw new OperatorError('--email: there is no user with this address; turnpike users list shows all');
  const { changes, ...link } = await newInvitation(needs, user.id);
  const enable = async (before: User): Promise<User> =>
    before.state === 'disabled' ? { ...before, state: before.passwords.length > 0 ? 'active' : 'invited' } : before;
  if (!(await changeUser(needs.store, user.id, enable, async () => changes))) throw new OperatorError(CHANGED);
  await clearFailures(needs, email);
  printLink(context, url, link);
}
