import { accountNames, ancestorsOf, childKinds, nodeView, settingsView } from '../../../merchants/accounts.ts';
import { applySettingsChange, changedNames, type SettingsChange } from '../../../merchants/changeSettings.ts';
import type { Entity } from '../../../merchants/directory.ts';
import type { VersionedEntity } from '../../../merchants/ports.ts';
import type { AccountView, NodePage } from '../../../spec/answers/account.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import { isSettingName, type SettingName, settingRow } from '../../../spec/settingRows.ts';
import { weakensLimits } from '../../../users/approvers.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { type AuthorizedAdmin, authorizeEntity, faulty, noSuch, notSteppedUp, overtaken, TOP } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { type Performer, requestApproval } from '../users/requestApproval.ts';
import { acquirerAccountsOf, authorizeNode, secretHandlers, usableAccountsOf } from './secrets.ts';
import { tokenHandlers } from './tokens.ts';

/** Account data: the hierarchy and its settings. */

const PAGE = 50;

/** A node with all its settings; null: it does not exist any more. */
async function accountOf({ accounts }: Pick<Services, 'accounts'>, id: string): Promise<AccountView | null> {
  const rows = await accounts.store.lineages([id]);
  const chain = ancestorsOf(rows, id);
  const row = chain.at(-1);
  if (!row) return null;
  const [walletKeys, serverSecrets, acquirerAccounts, usableAccounts] = await Promise.all([
    accounts.secrets.walletKeys(row),
    accounts.secrets.serverSecrets(row),
    acquirerAccountsOf(accounts, row),
    usableAccountsOf(accounts, chain),
  ]);
  return {
    ...nodeView(chain, await accounts.store.countBelow(row.id)),
    path: chain.map((one) => ({ id: one.id, kind: one.kind, name: one.name })),
    settings: settingsView(chain, accounts.defaults),
    walletKeys,
    serverSecrets,
    acquirerAccounts,
    usableAccounts,
    connectors: [...accounts.change.connectors, ...accountNames(chain)],
  };
}

async function shownAccount(services: Pick<Services, 'accounts' | 'replies'>, id: string): Promise<Reply> {
  const account = await accountOf(services, id);
  return account
    ? services.replies.json(200, account satisfies AdminAnswer<'readEntity'>, { entityId: id })
    : noSuch(services, 'entity');
}

const listEntities = query(
  'listEntities',
  authorizeEntity,
  async (services: Pick<Services, 'accounts' | 'replies'>, { entity, values }) => {
    const { store } = services.accounts;
    const { after, limit = PAGE } = values;
    const rows = await store.lineages(after === undefined ? [entity.id] : [entity.id, after]);
    const chain = ancestorsOf(rows, entity.id);
    const row = chain.at(-1);
    if (!row && entity !== TOP) return noSuch(services, 'entity');
    // Any other entity would show by the page where its name stands among these.
    const last = rows.find(({ id, parentId }) => id === after && parentId === (row?.id ?? null)) ?? null;
    const page = await store.entitiesBelow(row?.id ?? null, last, limit + 1);
    const nodes = page.slice(0, limit).map((one) => nodeView([...chain, one.row], one.below));
    const next = page.length > limit ? (nodes.at(-1)?.id ?? null) : null;
    const body: NodePage = { entity: row ? nodeView(chain, await store.countBelow(row.id)) : null, below: nodes, next };
    return services.replies.json(200, body, { entityId: row?.id ?? null });
  },
);

const readEntity = query(
  'readEntity',
  authorizeNode<'readEntity'>,
  (services: Pick<Services, 'accounts' | 'replies'>, { resource }) => shownAccount(services, resource.id),
);

/** Adds a node below another. Its kind decides where it may be. */
async function add(
  services: Pick<Services, 'accounts' | 'directory' | 'replies'>,
  { entity, values: { name } }: Pick<AuthorizedAdmin<'addEntity', null>, 'entity' | 'values'>,
  isChannel: boolean,
): Promise<CommandResult> {
  const { accounts, directory } = services;
  const parent = directory.entity(entity.id);
  const kind = parent ? childKinds[parent.kind] : entity === TOP ? 'psp' : undefined;
  if (!kind || (kind === 'channel') !== isChannel) {
    const message = isChannel ? 'must be a merchant' : 'must be a PSP or a division';
    return { reply: faulty(services, entity.id, { name: 'entityId', value: entity.id, message }), objectId: null };
  }
  const id = accounts.ids.random();
  await accounts.store.insertAccounts({ entities: [{ id, kind, parentId: parent?.id ?? null, name, settings: {} }], tokens: [] });
  await accounts.reload();
  return { reply: await shownAccount(services, id), objectId: id };
}

const addEntity = command(
  'addEntity',
  authorizeEntity,
  (services: Pick<Services, 'accounts' | 'directory' | 'replies'>, authorized) => add(services, authorized, false),
);
const addChannel = command(
  'addChannel',
  authorizeEntity,
  (services: Pick<Services, 'accounts' | 'directory' | 'replies'>, authorized) => add(services, authorized, true),
);

type EntityChange = AuthorizedAdmin<'changeEntity', Entity>;

/** The step-up that sensitive settings need beside the right to change settings. */
function withheld(services: Pick<Services, 'forMerchant' | 'replies'>, { signed, resource, values }: EntityChange): Reply | null {
  if (!signed) return null;
  const rows = changedNames(values)
    .filter(isSettingName)
    .map((name: SettingName) => ({ name, ...settingRow(name) }));
  const isAllowed = ({ right }: (typeof rows)[number]) =>
    right === undefined || signed.nodesWith(right).some((node) => resource.path.includes(node));
  const refused = rows.filter((row) => !isAllowed(row));
  if (refused.length > 0) {
    const faults = refused.map(({ name, right }) => ({ name, value: null, message: `needs the right ${right}` }));
    return services.replies.result('800.900.300', resource.id, { status: 403, faults, why: 'a right of a setting' });
  }
  return rows.some(({ stepUp }) => stepUp) ? notSteppedUp(services, signed) : null;
}

async function change(
  services: Pick<Services, 'accounts' | 'directory' | 'forMerchant' | 'replies' | 'users'>,
  authorized: EntityChange,
): Promise<Pick<CommandResult, 'reply' | 'result'>> {
  const { accounts, directory } = services;
  const { resource, values } = authorized;
  const refused = withheld(services, authorized);
  if (refused) return { reply: refused };
  await accounts.reload();
  // The entity, and every one below it with limits of its own, which a change here could weaken.
  const limited = directory.ownersOf('approvals').filter((id) => directory.entity(id)?.path.includes(resource.id));
  const rows = await accounts.store.lineages([resource.id, ...limited]);
  const row = rows.find(({ id }) => id === resource.id);
  if (!row) return { reply: noSuch(services, 'entity') };
  if (row.revision !== values.revision) return { reply: overtaken(services, row.id) };
  const above = accountNames(ancestorsOf(rows, row.id));
  const changed = applySettingsChange(row, values, { ...accounts.change, accounts: above });
  if (changed.is === 'faulty') return { reply: faulty(services, row.id, ...changed.faults) };
  const wallets = await accounts.secrets.walletFaults(row.id, values);
  if (wallets.length > 0) return { reply: faulty(services, row.id, ...wallets) };
  if (weakensLimits(rows, row.id, changed.settings))
    return requestWeakerLimits(services, row, { values, after: changed.settings, who: authorized.who });
  return { reply: await keep(services, row, { name: values.name ?? row.name, settings: changed.settings }) };
}

async function keep(
  services: Pick<Services, 'accounts' | 'replies'>,
  row: VersionedEntity,
  after: Pick<VersionedEntity, 'name' | 'settings'>,
): Promise<Reply> {
  const { accounts } = services;
  if (!(await accounts.store.saveEntity({ id: row.id, ...after, revision: row.revision + 1 })))
    return overtaken(services, row.id);
  await accounts.secrets.noteRemovedKeys(row, after.settings);
  await accounts.reload();
  return shownAccount(services, row.id);
}

const changeEntity = command(
  'changeEntity',
  authorizeNode<'changeEntity'>,
  async (
    services: Pick<Services, 'accounts' | 'directory' | 'forMerchant' | 'replies' | 'users'>,
    authorized,
  ): Promise<CommandResult> => ({
    ...(await change(services, authorized)),
    objectId: authorized.resource.id,
  }),
);

export const accountHandlers = {
  listEntities,
  readEntity,
  addEntity,
  addChannel,
  changeEntity,
  ...tokenHandlers,
  ...secretHandlers,
} as const;

/** The amounts above which a command needs a second person. To weaken them needs one too. */

const ALONE = 'weakens the approvals and waits for a second person: change nothing else with it';

type WeakerLimits = {
  readonly values: SettingsChange & { readonly name?: string };
  readonly after: VersionedEntity['settings'];
  readonly who: string;
};

const limitsOf = (settings: VersionedEntity['settings']): unknown => settings.approvals ?? null;

/** Requests approval of weaker limits. The change and the present limits are stored for the approver. */
async function requestWeakerLimits(
  services: Pick<Services, 'replies' | 'users'>,
  row: VersionedEntity,
  { values, after, who }: WeakerLimits,
): Promise<CommandResult> {
  const { name, set, inherit } = values;
  if (name !== undefined || changedNames(values).some((one) => one !== 'approvals')) {
    const faults = [{ name: 'approvals', value: null, message: ALONE }];
    return { reply: services.replies.result('200.300.404', row.id, { faults }), objectId: row.id };
  }
  const settingsChange: SettingsChange = { ...(set && { set }), ...(inherit && { inherit }) };
  return requestApproval(services, {
    what: 'changeEntity',
    entityId: row.id,
    objectId: row.id,
    who,
    values: { ...settingsChange, before: limitsOf(row.settings), after: limitsOf(after) },
  });
}

/** Sets approved limits, unless they have changed since the request. */
export const changeLimitsPerformer: Performer = async ({ accounts }: Pick<Services, 'accounts'>, { entityId, values }) => {
  const row = (await accounts.store.lineages([entityId])).find(({ id }) => id === entityId);
  const { set, inherit, before } = values as SettingsChange & { readonly before: unknown };
  const settingsChange: SettingsChange = { ...(set && { set }), ...(inherit && { inherit }) };
  const failed = { isDone: false, result: '200.300.404', objectId: entityId };
  if (!row || JSON.stringify(limitsOf(row.settings)) !== JSON.stringify(before)) return failed;
  const changed = applySettingsChange(row, settingsChange, accounts.change);
  if (changed.is === 'faulty') return failed;
  const { id, name, revision } = row;
  if (!(await accounts.store.saveEntity({ id, name, settings: changed.settings, revision: revision + 1 }))) return failed;
  await accounts.reload();
  return { isDone: true, result: 'done', objectId: entityId };
};
