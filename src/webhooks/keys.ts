import type { Ids } from '../payments/ports.ts';
import type { SealedRecord, SecretStore, Vault } from '../vault/ports.ts';
import type { RandomBytes } from '../vault/randomBytes.ts';
import type { WebhookStore } from './ports.ts';
import { secretName, type Webhook, type WebhookKey } from './webhook.ts';
import { updateWebhook } from './webhookState.ts';

const KEY_BYTES = 32;
/** The cache limit of keys. A key never changes under its id. */
const CACHED_MAX = 10_000;

export type KeyNeeds = {
  readonly store: SecretStore & Pick<WebhookStore, 'webhooks' | 'saveWebhook'>;
  readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'>;
  readonly ids: Pick<Ids, 'next'>;
  readonly random: RandomBytes;
};

/** A new key: its entry for the webhook, and the key itself, shown to its owner once. */
export type NewKey = { readonly key: WebhookKey; readonly hex: string };

/** `untilMs`: how long the previous key stays valid. `hex`: a key chosen by the owner. */
export type Rotation = { readonly now: number; readonly untilMs: number; readonly hex?: string };

export interface WebhookKeys {
  /** Creates a key, or uses the given one, and seals it. The caller must add it to the webhook. */
  make(webhook: Pick<Webhook, 'id' | 'entityId'>, now: number, hex?: string): Promise<NewKey>;
  /** The keys that are valid at this instant, the encrypting one first. Rejects when one cannot be read. */
  read(webhook: Pick<Webhook, 'id' | 'entityId' | 'keys'>, now: number): Promise<readonly Uint8Array[]>;
  /** Saves a new encrypting key and drops expired ones. Null when the webhook no longer exists. */
  rotate(webhook: Webhook, rotation: Rotation): Promise<{ readonly webhook: Webhook; readonly hex: string } | null>;
  /** Deletes every key of a removed webhook. */
  forget(webhook: Pick<Webhook, 'id' | 'entityId' | 'keys'>): Promise<void>;
}

/** Why a string is not a key, as a sentence; null when it is one. */
export const keyFault = (hex: string): string | null =>
  /^[0-9a-f]{64}$/i.test(hex) ? null : 'must be 64 hexadecimal digits: a key of 32 bytes';

type Owner = Pick<Webhook, 'id' | 'entityId'>;

const recordOf = ({ id, entityId }: Owner, keyId: string): SealedRecord => ({
  merchantId: entityId,
  entityId,
  recordId: entityId,
  field: secretName(id, keyId),
});

/** Creates, seals, reads and rotates the keys of webhooks. */
export function createWebhookKeys({ store, vault, ids, random }: KeyNeeds): WebhookKeys {
  const cached = new Map<string, Uint8Array>();
  const fresh = (): string => {
    const bytes = Buffer.alloc(KEY_BYTES);
    random(bytes);
    return bytes.toString('hex');
  };
  const make: WebhookKeys['make'] = async (webhook, now, hex = fresh()) => {
    const fault = keyFault(hex);
    if (fault !== null) throw new Error(`a key of a webhook ${fault}`);
    const key: WebhookKey = { id: ids.next(), createdAt: now, until: null };
    const record = recordOf(webhook, key.id);
    const keys = vault.ready(record.merchantId);
    if (keys) await keys;
    await store.storeSecret(webhook.entityId, record.field, vault.seal(record, hex.toLowerCase()));
    return { key, hex };
  };
  const drop = async ({ id, entityId }: Owner, keyIds: readonly string[]): Promise<void> => {
    for (const keyId of keyIds) {
      cached.delete(secretName(id, keyId));
      await store.storeSecret(entityId, secretName(id, keyId), null);
    }
  };
  const readOne = async (webhook: Owner, keyId: string): Promise<Uint8Array> => {
    const record = recordOf(webhook, keyId);
    const known = cached.get(record.field);
    if (known) return known;
    const sealed = await store.secret(webhook.entityId, record.field);
    if (sealed === null) throw new Error(`the key ${keyId} of the webhook ${webhook.id} is not there`);
    const key = Buffer.from(await vault.open(record, sealed), 'hex');
    if (cached.size >= CACHED_MAX) cached.clear();
    cached.set(record.field, key);
    return key;
  };
  return {
    make,
    read: (webhook, now) => Promise.all(validAt(webhook.keys, now).map(({ id }) => readOne(webhook, id))),
    async rotate(started, { now, untilMs, hex }) {
      const created = await make(started, now, hex);
      const webhook = await updateWebhook(store, started, (current) => ({
        ...current,
        keys: [created.key, ...retired(current.keys, now, untilMs)],
        changedAt: now,
      }));
      if (webhook === null) await drop(started, [created.key.id]);
      const isInUse = (id: string): boolean => webhook?.keys.some((key) => key.id === id) ?? true;
      await drop(
        started,
        started.keys.flatMap(({ id }) => (isInUse(id) ? [] : [id])),
      );
      return webhook && { webhook, hex: created.hex };
    },
    forget: (webhook) =>
      drop(
        webhook,
        webhook.keys.map(({ id }) => id),
      ),
  };
}

const validAt = (keys: readonly WebhookKey[], now: number): readonly WebhookKey[] =>
  keys.filter(({ until }) => until === null || until > now);

/** At most two keys are valid: the previous one stays for a while. */
function retired(keys: readonly WebhookKey[], now: number, untilMs: number): readonly WebhookKey[] {
  const [front] = validAt(keys, now);
  return front && untilMs > 0 ? [{ ...front, until: now + untilMs }] : [];
}
