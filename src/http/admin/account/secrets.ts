import type { Entity } from '../../../merchants/directory.ts';
import type { KeptEntity } from '../../../merchants/ports.ts';
import type { TargetSecret } from '../../../settlement/remoteFolder.ts';
import type { RightEndpointName } from '../../../spec/admin/admin.ts';
import { keyFingerprint, keyIdFor, walletKeyFault } from '../../../wallets/keptKeys.ts';
import type { Reply } from '../../server/reply.ts';
import type { Request } from '../../server/request.ts';
import type { Rooms } from '../../services.ts';
import { type Acted, type Administered, acting, enterThing, noSuch } from '../authorize.ts';

/** Keys and passwords that are kept sealed for an entity. What is answered tells them apart and shows none. */

/** The door of requests about a node that the path names. */
export const enterNode = <Name extends RightEndpointName>(rooms: Rooms, request: Request, endpoint: Name) =>
  enterThing<Name, Entity>(rooms, request, {
    endpoint,
    what: 'entity',
    find: async (id) => rooms.directory.entity(id),
    entityIdOf: ({ id }) => id,
  });

const refused = ({ respond }: Rooms, entityId: string, name: string, message: string): Reply =>
  respond.result('200.300.404', entityId, { faults: [{ name, value: null, message }] });

const rowOf = async ({ accounts }: Rooms, id: string): Promise<KeptEntity | null> =>
  (await accounts.store.entities()).find((row) => row.id === id) ?? null;

async function shownKeys(rooms: Rooms, id: string): Promise<Reply> {
  const row = await rowOf(rooms, id);
  if (!row) return noSuch(rooms, 'entity');
  return rooms.respond.json(200, { walletKeys: await rooms.accounts.secrets.walletKeys(row) }, { entityId: id });
}

async function shownServers(rooms: Rooms, id: string): Promise<Reply> {
  const row = await rowOf(rooms, id);
  if (!row) return noSuch(rooms, 'entity');
  return rooms.respond.json(200, { serverSecrets: await rooms.accounts.secrets.serverSecrets(row) }, { entityId: id });
}

type KeyAct = Administered<'keepWalletKey' | 'dropWalletKey', Entity>;

const placeOf = ({ thing, values: { wallet, keyId, use = 'tokens' } }: KeyAct) => ({
  entityId: thing.id,
  wallet,
  keyId: keyIdFor(use, keyId),
});

/** A key that is there is not overwritten: the one that opens tokens today would be gone. Another gets another id. */
async function keepKey(rooms: Rooms, asked: Administered<'keepWalletKey', Entity>): Promise<Reply> {
  const { thing, values } = asked;
  const fault = walletKeyFault(values.wallet, values.use ?? 'tokens', values.privateKey);
  if (fault !== null) return refused(rooms, thing.id, 'privateKey', fault);
  const row = await rowOf(rooms, thing.id);
  if (!row) return noSuch(rooms, 'entity');
  const place = placeOf(asked);
  const known = (await rooms.accounts.secrets.walletKeys(row)).find(
    ({ wallet, keyId }) => wallet === place.wallet && keyId === place.keyId,
  );
  if (known?.fingerprint)
    return refused(rooms, thing.id, 'keyId', 'is that of a key that is kept already; give this one another');
  await rooms.accounts.secrets.keepWalletKey(place, values.privateKey);
  await rooms.accounts.reload();
  return shownKeys(rooms, thing.id);
}

async function dropKey(rooms: Rooms, asked: Administered<'dropWalletKey', Entity>): Promise<Reply> {
  const { thing } = asked;
  const place = placeOf(asked);
  const row = await rowOf(rooms, thing.id);
  const known =
    row &&
    (await rooms.accounts.secrets.walletKeys(row)).find(({ wallet, keyId }) => wallet === place.wallet && keyId === place.keyId);
  if (!known) return noSuch(rooms, 'key');
  if (known.isNamed) return refused(rooms, thing.id, 'keyId', 'is named in the setup of its wallet; take it out there first');
  await rooms.accounts.secrets.keepWalletKey(place, null);
  return shownKeys(rooms, thing.id);
}

async function keepServer(rooms: Rooms, { thing, values }: Administered<'keepServerSecret', Entity>): Promise<Reply> {
  const { server, password, privateKey } = values;
  if ((password === undefined) === (privateKey === undefined)) {
    return refused(rooms, thing.id, 'password', 'or privateKey must be given, and not both');
  }
  if (server === 'reconciliation' && thing.kind !== 'merchant') {
    return refused(rooms, thing.id, 'server', 'is one of merchants: files are delivered to them');
  }
  const isOpenSsh = privateKey?.includes('OPENSSH') ?? false;
  // OpenSSH has a form of its own, which the library that signs in reads.
  if (privateKey !== undefined && !isOpenSsh && keyFingerprint(privateKey) === null) {
    return refused(rooms, thing.id, 'privateKey', 'must be a private key in PEM, without a passphrase');
  }
  const secret: TargetSecret = privateKey === undefined ? { password: password ?? '' } : { privateKey };
  await rooms.accounts.secrets.keepServerSecret(thing.id, server, secret);
  return shownServers(rooms, thing.id);
}

const acted = async (reply: Promise<Reply>, { thing }: { readonly thing: Entity }): Promise<Acted> => ({
  reply: await reply,
  objectId: thing.id,
});

export const secretHandlers = {
  keepWalletKey: acting('keepWalletKey', enterNode<'keepWalletKey'>, (rooms, asked) => acted(keepKey(rooms, asked), asked)),
  dropWalletKey: acting('dropWalletKey', enterNode<'dropWalletKey'>, (rooms, asked) => acted(dropKey(rooms, asked), asked)),
  keepServerSecret: acting('keepServerSecret', enterNode<'keepServerSecret'>, (rooms, asked) =>
    acted(keepServer(rooms, asked), asked),
  ),
  dropServerSecret: acting('dropServerSecret', enterNode<'dropServerSecret'>, async (rooms, asked) => {
    await rooms.accounts.secrets.keepServerSecret(asked.thing.id, asked.values.server, null);
    return acted(shownServers(rooms, asked.thing.id), asked);
  }),
} as const;
