import type { Fault } from '../form/checked.ts';
import type { SettingsChange } from '../merchants/changeSettings.ts';
import type { VersionedEntity } from '../merchants/ports.ts';
import { isWalletName, type WalletSetups } from '../merchants/walletSettings.ts';
import { DELIVERY_SECRET, deliverySecret, saveDeliverySecret } from '../reports/reconciliation/settings.ts';
import { isRecord } from '../runtime/json.ts';
import { PULL_SECRET, pullSecret, savePullSecret } from '../settlement/in/pull.ts';
import type { ServerSecretView, WalletKeyView } from '../spec/answers/account.ts';
import type { FolderSecret } from '../spec/remoteFolder.ts';
import type { Clock } from '../spec/time.ts';
import type { SecretStore, Vault } from '../vault/ports.ts';
import { VaultRefused } from '../vault/sealedText.ts';
import {
  keyFingerprint,
  keyIdsIn,
  type StoredKeyNeeds,
  storedSetupFaults,
  storeWalletKey,
  type WalletKeyLocation,
  walletKey,
} from '../wallets/storedKeys.ts';
import type { WalletName } from '../wallets/wallet.ts';
import type { DocumentStore, StoredDocument } from './documents.ts';

type SecretParts = {
  readonly store: SecretStore & DocumentStore;
  readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'>;
  readonly clock: Clock;
};

/** Records that a secret exists under a name, and since when: the store of secrets knows neither. */
type Note = { readonly name: string; readonly fingerprint: string | null };

const COLLECTION = 'secret';
/** Far more than an entity has. */
const NOTES_MAX = 200;
const TRIES_MAX = 8;

const walletNames: readonly WalletName[] = ['walletA', 'walletB', 'walletC'];
const serverNames: Readonly<Record<ServerName, string>> = { reconciliation: DELIVERY_SECRET, settlement: PULL_SECRET };

/** Stores the secrets of entities: private keys of wallets, and credentials for remote servers. */
export function createEntitySecrets({ store, vault, clock }: SecretParts): SecretService {
  const needs: StoredKeyNeeds = { secrets: store, vault };
  const note = createNotes(store, clock);
  const server = createServerSecrets({ store, vault });
  return {
    ...createAccountSecrets({ store, vault }, note),
    walletKeys: async (entity) => {
      const notes = await note.all(entity.id);
      const seen = walletNames.flatMap((wallet) => keyIdsOf(entity, wallet, notes).map((keyId) => ({ wallet, keyId })));
      return Promise.all(
        seen.map(async ({ wallet, keyId }) => {
          const key = await walletKey(needs, { entityId: entity.id, wallet, keyId });
          const fingerprint = key && keyFingerprint(key.privateKey);
          const isNamed = namedBy(entity.settings, wallet).includes(keyId);
          return { wallet, keyId, fingerprint, keptAt: since(notes, `${wallet}/${keyId}`, fingerprint), isNamed };
        }),
      );
    },
    saveWalletKey: async (place, privateKey) => {
      await storeWalletKey(needs, place, privateKey);
      const name = `${place.wallet}/${place.keyId}`;
      if (privateKey === null) await note.drop(place.entityId, name);
      else await note.put(place.entityId, { name, fingerprint: keyFingerprint(privateKey) });
    },
    walletFaults: async (entityId, { set = {} }) => {
      const wallets = Object.entries(set).flatMap(([name, setup]) => {
        const wallet = name.split('.')[1] ?? '';
        return name.startsWith('wallets.') && isWalletName(wallet) && isRecord(setup) ? [{ wallet, setup }] : [];
      });
      const found = wallets.map(async ({ wallet, setup }): Promise<readonly Fault[]> => {
        const faults = await storedSetupFaults(needs, { entityId, wallet }, setup as unknown as WalletSetups[WalletName]);
        return faults.map(({ name, says }) => ({ name: `wallets.${name}`, value: null, message: says }));
      });
      return (await Promise.all(found)).flat();
    },
    noteRemovedKeys: async ({ id, settings }, after) => {
      for (const wallet of walletNames) {
        const gone = namedBy(settings, wallet).filter((keyId) => !namedBy(after, wallet).includes(keyId));
        for (const keyId of gone) await note.putIfNone(id, { name: `${wallet}/${keyId}`, fingerprint: null });
      }
    },
    serverSecrets: async (entity) => {
      const notes = await note.all(entity.id);
      const servers: readonly ServerName[] = entity.kind === 'merchant' ? ['reconciliation', 'settlement'] : ['settlement'];
      return Promise.all(
        servers.map(async (name) => {
          const secret = await server.read(entity.id, name);
          const fingerprint = secret?.kind === 'privateKey' ? keyFingerprint(secret.privateKey) : null;
          const kind = secret?.kind ?? null;
          return { server: name, kind, fingerprint, keptAt: kind === null ? null : since(notes, serverNames[name], fingerprint) };
        }),
      );
    },
    saveServerSecret: async (entityId, name, secret) => {
      await server.save(entityId, name, secret);
      if (secret === null) return note.drop(entityId, serverNames[name]);
      const fingerprint = secret.kind === 'privateKey' ? keyFingerprint(secret.privateKey) : null;
      return note.put(entityId, { name: serverNames[name], fingerprint });
    },
  };
}

/** Credentials of accounts at acquirers. */
function createAccountSecrets(
  { store, vault }: Pick<SecretParts, 'store' | 'vault'>,
  note: ReturnType<typeof createNotes>,
): Pick<SecretService, 'accountSecrets' | 'saveAccountSecret'> {
  return {
    accountSecrets: async (entityId, names) => {
      const notes = await note.all(entityId);
      const kept = names.map(async (name) => {
        const isSet = (await store.secret(entityId, name)) !== null;
        return { name, isSet, keptAt: isSet ? since(notes, name, null) : null };
      });
      return Promise.all(kept);
    },
    saveAccountSecret: async (entityId, name, text) => {
      if (text === null) {
        await store.storeSecret(entityId, name, null);
        return note.drop(entityId, name);
      }
      await vault.ready(entityId);
      const record = { merchantId: entityId, entityId, recordId: entityId, field: name };
      await store.storeSecret(entityId, name, vault.seal(record, text));
      return note.put(entityId, { name, fingerprint: null });
    },
  };
}

/** The ids of the keys that an entity's own wallet setup names. */
function namedBy(settings: VersionedEntity['settings'], wallet: WalletName): readonly string[] {
  const wallets = isRecord(settings.wallets) ? settings.wallets : {};
  const setup = wallets[wallet];
  return isRecord(setup) ? keyIdsIn(setup as unknown as WalletSetups[WalletName]) : [];
}

const keyIdsOf = (
  { settings }: VersionedEntity,
  wallet: WalletName,
  notes: readonly StoredDocument<Note>[],
): readonly string[] => [
  ...new Set([
    ...namedBy(settings, wallet),
    ...notes.flatMap(({ body: { name } }) => (name.startsWith(`${wallet}/`) ? [name.slice(wallet.length + 1)] : [])),
  ]),
];

/** A note with another fingerprint than the stored key is ignored: an operator has replaced the key by other means. */
function since(notes: readonly StoredDocument<Note>[], name: string, fingerprint: string | null): string | null {
  const found = notes.find(({ body }) => body.name === name && body.fingerprint === fingerprint);
  return found ? new Date(found.at).toISOString() : null;
}

function createNotes(store: DocumentStore, clock: Clock) {
  const idOf = (entityId: string, name: string): string => `${entityId}/${name}`;
  const put = async (entityId: string, body: Note): Promise<void> => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const id = idOf(entityId, body.name);
      const revision = ((await store.document(COLLECTION, id))?.revision ?? 0) + 1;
      if (await store.saveDocuments([{ collection: COLLECTION, id, ownerId: entityId, at: clock.now(), revision, body }])) return;
    }
  };
  return {
    all: async (entityId: string) =>
      (await store.documents({ collection: COLLECTION, ownerId: entityId, limit: NOTES_MAX })) as readonly StoredDocument<Note>[],
    put,
    putIfNone: async (entityId: string, body: Note): Promise<void> => {
      if ((await store.document(COLLECTION, idOf(entityId, body.name))) === null) await put(entityId, body);
    },
    drop: async (entityId: string, name: string): Promise<void> => {
      const document = await store.document(COLLECTION, idOf(entityId, name));
      if (document)
        await store.saveDocuments([{ collection: COLLECTION, id: document.id, revision: document.revision, isDeleted: true }]);
    },
  };
}

function createServerSecrets({ store, vault }: Pick<SecretParts, 'store' | 'vault'>) {
  return {
    /** Null: there is none, or it does not open. */
    read: async (entityId: string, name: ServerName): Promise<FolderSecret | null> => {
      if ((await store.secret(entityId, serverNames[name])) === null) return null;
      try {
        return name === 'settlement'
          ? await pullSecret({ store, vault }, entityId)
          : await deliverySecret({ secrets: store, vault }, entityId);
      } catch (error) {
        if (error instanceof VaultRefused) return null;
        throw error;
      }
    },
    save: async (entityId: string, name: ServerName, secret: FolderSecret | null): Promise<void> => {
      if (secret === null) return store.storeSecret(entityId, serverNames[name], null);
      if (name === 'settlement') return savePullSecret({ store, vault }, entityId, secret);
      return saveDeliverySecret({ secrets: store, vault }, entityId, secret);
    },
  };
}

export type ServerName = ServerSecretView['server'];

/** The sealed secrets of an entity. They are set and destroyed, and never shown. */
export interface SecretService {
  walletKeys(entity: VersionedEntity): Promise<readonly WalletKeyView[]>;
  /** Null destroys it. */
  saveWalletKey(place: WalletKeyLocation, privateKey: string | null): Promise<void>;
  /** The faults of wallets in a change and of their stored keys, by the names of settings. */
  walletFaults(entityId: string, change: SettingsChange): Promise<readonly Fault[]>;
  /** Records the keys that a change stops naming, so that they can still be destroyed. */
  noteRemovedKeys(before: VersionedEntity, after: VersionedEntity['settings']): Promise<void>;
  serverSecrets(entity: VersionedEntity): Promise<readonly ServerSecretView[]>;
  /** Which credentials of accounts at acquirers are stored, by their names in the store. */
  accountSecrets(
    entityId: string,
    names: readonly string[],
  ): Promise<readonly { readonly name: string; readonly isSet: boolean; readonly keptAt: string | null }[]>;
  /** Null destroys it. */
  saveAccountSecret(entityId: string, name: string, text: string | null): Promise<void>;
  /** Null destroys it. */
  saveServerSecret(entityId: string, server: ServerName, secret: FolderSecret | null): Promise<void>;
}
