import type { Ids } from '../payments/ports.ts';
import type { SealedRecord, SecretStore, Vault } from '../vault/ports.ts';
import type { RandomBytes } from '../vault/randomBytes.ts';
import type { WebhookStore } from './ports.ts';
import { updateWebhook } from './updateWebhook.ts';
import { secretName, type Webhook, type WebhookKey } from './webhook.ts';

const KEY_BYTES = 32;
/** Keys do not change under their id, so one that was read is remembered; this many at most. */
const REMEMBERED_MAX = 10_000;

export type KeyNeeds = {
  readonly store: SecretStore & Pick<WebhookStore, 'webhooks' | 'saveWebhook'>;
  readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'>;
  readonly ids: Pick<Ids, 'next'>;
  readonly random: RandomBytes;
};

/** A key that was just made: its name for the webhook, and the key itself for its owner, who is told once. */
export type MadeKey = { readonly key: WebhookKey; readonly hex: string };

/** `untilMs`: how much longer the key before it is good. `hex`: a key that the owner brings. */
export type Rotation = { readonly now: number; readonly untilMs: number; readonly hex?: string };

export interface WebhookKeys {
  /** Makes a key, or takes the one given, and seals it. The webhook has it only once it is stored with it. */
  make(webhook: Pick<Webhook, 'id' | 'entityId'>, now: number, hex?: string): Promise<MadeKey>;
  /** The keys that are good at this instant, the one that encrypts first. Rejects when one cannot be read. */
  read(webhook: Pick<Webhook, 'id' | 'entityId' | 'keys'>, now: number): Promise<readonly Uint8Array[]>;
  /** Puts a new key in front, stored; what is over goes. Null when the webhook is not there any more. */
  rotate(webhook: Webhook, rotation: Rotation): Promise<{ readonly webhook: Webhook; readonly hex: string } | null>;
  /** Forgets every key of a webhook that is removed. */
  forget(webhook: Pick<Webhook, 'id' | 'entityId' | 'keys'>): Promise<void>;
}

/** Why a text is no key, as a sentence; null when it is one. */
export const keyFault = (hex: string): string | null =>
  /^[0-9a-f]{64}$/i.test(hex) ? null : 'must be 64 hexadecimal digits: a key of 32 bytes';

type Owner = Pick<Webhook, 'id' | 'entityId'>;

const recordOf = ({ id, entityId }: Owner, keyId: string): SealedRecord => ({
  merchantId: entityId,
  entityId,
  recordId: entityId,
  field: secretName(id, keyId),
});

/** Makes, seals, reads and exchanges the keys of webhooks. */
export function createWebhookKeys({ store, vault, ids, random }: KeyNeeds): WebhookKeys {
  const remembered = new Map<string, Uint8Array>();
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
      remembered.delete(secretName(id, keyId));
      await store.storeSecret(entityId, secretName(id, keyId), null);
    }
  };
  const readOne = async (webhook: Owner, keyId: string): Promise<Uint8Array> => {
    const record = recordOf(webhook, keyId);
    const known = remembered.get(record.field);
    if (known) return known;
    const sealed = await store.secret(webhook.entityId, record.field);
    if (sealed === null) throw new Error(`the key ${keyId} of the webhook ${webhook.id} is not there`);
    const key = Buffer.from(await vault.open(record, sealed), 'hex');
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(record.field, key);
    return key;
  };
  return {
    make,
    read: (webhook, now) => Promise.all(goodAt(webhook.keys, now).map(({ id }) => readOne(webhook, id))),
    async rotate(started, { now, untilMs, hex }) {
      const made = await make(started, now, hex);
      const webhook = await updateWebhook(store, started, (current) => ({
        ...current,
        keys: [made.key, ...aged(current.keys, now, untilMs)],
        changedAt: now,
      }));
      if (webhook === null) await drop(started, [made.key.id]);
      const isKept = (id: string): boolean => webhook?.keys.some((key) => key.id === id) ?? true;
      await drop(
        started,
        started.keys.flatMap(({ id }) => (isKept(id) ? [] : [id])),
      );
      return webhook && { webhook, hex: made.hex };
    },
    forget: (webhook) =>
      drop(
        webhook,
        webhook.keys.map(({ id }) => id),
      ),
  };
}

const goodAt = (keys: readonly WebhookKey[], now: number): readonly WebhookKey[] =>
  keys.filter(({ until }) => until === null || until > now);

/** Two are good at most: the key that was in front, for a while. */
function aged(keys: readonly WebhookKey[], now: number, untilMs: number): readonly WebhookKey[] {
  const [front] = goodAt(keys, now);
  return front && untilMs > 0 ? [{ ...front, until: now + untilMs }] : [];
}
