import type { Fault } from '../../../form/checked.ts';
import { addedBelow, chainOf, nodeSeen, nodesBelow, rowsOf, settingsSeen } from '../../../merchants/accounts.ts';
import { changedSettings, touchedBy } from '../../../merchants/changeSettings.ts';
import type { Entity } from '../../../merchants/directory.ts';
import type { KeptEntity } from '../../../merchants/ports.ts';
import type { NodePage, SeenAccount } from '../../../spec/answers/account.ts';
import { isSettingName, type SettingName, settingRow } from '../../../spec/settingRows.ts';
import { weakensLimits } from '../../../users/approvalLimits.ts';
import type { Reply } from '../../server/reply.ts';
import type { Rooms } from '../../services.ts';
import { type Acted, type Administered, acting, enterEntity, looking, noSuch, notSteppedUp } from '../authorize.ts';
import { askWeaker } from './approvalLimits.ts';
import { enterNode, secretHandlers } from './secrets.ts';
import { tokenHandlers } from './tokens.ts';

/** Account data: the hierarchy and its settings. */

const PAGE = 50;

const faulty = ({ respond }: Rooms, entityId: string, faults: readonly Fault[]): Reply =>
  respond.result('200.300.404', entityId, { faults });

const overtaken = ({ respond }: Rooms, entityId: string): Reply =>
  respond.result('200.300.404', entityId, {
    status: 409,
    faults: [{ name: 'revision', value: null, message: 'is not the present one any more' }],
    remark: 'somebody was faster: look at what is there now, then change it',
  });

/** A node with everything that is told of it; null: the store does not have it any more. */
async function accountOf({ accounts }: Rooms, id: string): Promise<SeenAccount | null> {
  const rows = rowsOf(await accounts.store.entities());
  const chain = chainOf(rows, id);
  const row = chain.at(-1);
  if (!row) return null;
  const [walletKeys, serverSecrets] = await Promise.all([accounts.secrets.walletKeys(row), accounts.secrets.serverSecrets(row)]);
  return {
    ...nodeSeen(rows, row),
    path: chain.map((one) => ({ id: one.id, kind: one.kind, name: one.name })),
    settings: settingsSeen(chain, accounts.defaults),
    walletKeys,
    serverSecrets,
    connectors: accounts.change.connectors,
  };
}

async function shownAccount(rooms: Rooms, id: string): Promise<Reply> {
  const account = await accountOf(rooms, id);
  return account ? rooms.respond.json(200, account, { entityId: id }) : noSuch(rooms, 'entity');
}

const listEntities = looking('listEntities', enterEntity, async (rooms, { entity, values }) => {
  const rows = rowsOf(await rooms.accounts.store.entities());
  const row = rows.byId.get(entity.id);
  if (!row) return noSuch(rooms, 'entity');
  const { nodes, next } = nodesBelow(rows, entity.id, { after: values.after, limit: values.limit ?? PAGE });
  const body: NodePage = { entity: nodeSeen(rows, row), below: nodes, next };
  return rooms.respond.json(200, body, { entityId: entity.id });
});

const readEntity = looking('readEntity', enterNode<'readEntity'>, (rooms, { thing }) => shownAccount(rooms, thing.id));

/** Adds a node below another. Its id is made here; what it may stand below is told by its kind. */
async function add(
  rooms: Rooms,
  { entity, values: { name } }: Administered<'addEntity' | 'addChannel', null>,
  isChannel: boolean,
): Promise<Acted> {
  const { accounts, directory } = rooms;
  const parent = directory.entity(entity.id);
  const kind = parent ? addedBelow[parent.kind] : undefined;
  if (!parent || !kind || (kind === 'channel') !== isChannel) {
    const message = isChannel ? 'must be a merchant' : 'must be a PSP or a division';
    return { reply: faulty(rooms, entity.id, [{ name: 'entityId', value: entity.id, message }]), objectId: null };
  }
  const id = accounts.ids.random();
  await accounts.store.seed({ entities: [{ id, kind, parentId: parent.id, name, settings: {} }], tokens: [] });
  await accounts.reload();
  return { reply: await shownAccount(rooms, id), objectId: id };
}

const addEntity = acting('addEntity', enterEntity, (rooms, asked) => add(rooms, asked, false));
const addChannel = acting('addChannel', enterEntity, (rooms, asked) => add(rooms, asked, true));

type Change = Administered<'changeEntity', Entity>;

/** Settings that are more than settings ask for more than the right to change those. */
function withheld(rooms: Rooms, { signed, thing, values }: Change): Reply | null {
  if (!signed) return null;
  const rows = touchedBy(values)
    .filter(isSettingName)
    .map((name: SettingName) => ({ name, ...settingRow(name) }));
  const isAllowed = ({ right }: (typeof rows)[number]) =>
    right === undefined || signed.nodesWith(right).some((node) => thing.path.includes(node));
  const refused = rows.filter((row) => !isAllowed(row));
  if (refused.length > 0) {
    const faults = refused.map(({ name, right }) => ({ name, value: null, message: `needs the right ${right}` }));
    return rooms.respond.result('800.900.300', thing.id, { status: 403, faults, why: 'a right of a setting' });
  }
  return rows.some(({ stepUp }) => stepUp) ? notSteppedUp(rooms, signed) : null;
}

async function change(rooms: Rooms, asked: Change): Promise<Pick<Acted, 'reply' | 'result'>> {
  const { accounts } = rooms;
  const { thing, values } = asked;
  const refused = withheld(rooms, asked);
  if (refused) return { reply: refused };
  const rows = await accounts.store.entities();
  const row = rows.find(({ id }) => id === thing.id);
  if (!row) return { reply: noSuch(rooms, 'entity') };
  if (row.revision !== values.revision) return { reply: overtaken(rooms, row.id) };
  const changed = changedSettings(row, values, accounts.change);
  if ('faults' in changed) return { reply: faulty(rooms, row.id, changed.faults) };
  const wallets = await accounts.secrets.walletFaults(row.id, values);
  if (wallets.length > 0) return { reply: faulty(rooms, row.id, wallets) };
  if (weakensLimits(rows, row.id, changed.settings))
    return askWeaker(rooms, row, { values, after: changed.settings, who: asked.who });
  return { reply: await keep(rooms, row, { name: values.name ?? row.name, settings: changed.settings }) };
}

async function keep(rooms: Rooms, row: KeptEntity, after: Pick<KeptEntity, 'name' | 'settings'>): Promise<Reply> {
  const { accounts } = rooms;
  if (!(await accounts.store.saveEntity({ id: row.id, ...after, revision: row.revision + 1 }))) return overtaken(rooms, row.id);
  await accounts.secrets.unnamed(row, after.settings);
  await accounts.reload();
  return shownAccount(rooms, row.id);
}

const changeEntity = acting(
  'changeEntity',
  enterNode<'changeEntity'>,
  async (rooms, asked): Promise<Acted> => ({
    ...(await change(rooms, asked)),
    objectId: asked.thing.id,
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
