import type { AccountNeeds, SealedTexts } from '../connectors/ports.ts';
import type { Payment } from '../payments/payment.ts';
import { parseSecrets, sealedRecordOf } from '../registrations/storedSecrets.ts';
import { type SealedRecord, sealedFields } from '../vault/ports.ts';
import { VaultRefused } from '../vault/sealedText.ts';
import type { Foundation } from './foundation.ts';
import type { AppOptions } from './options.ts';

type Needs = Pick<AppOptions, 'store'> & Pick<Foundation, 'vault' | 'alarm'>;

/** Secrets and sealed texts of accounts, and the numbers of payments that accounts need later. */
export function createAccountSecrets({ store, vault, alarm }: Needs) {
  /** Null, and an alarm, when it does not open. */
  async function openSealed(record: SealedRecord, sealed: Uint8Array): Promise<string | null> {
    try {
      return await vault.open(record, sealed);
    } catch (error) {
      if (!(error instanceof VaultRefused)) throw error;
      alarm('a secret of an account does not open', { entityId: record.entityId, name: record.field, why: error.why });
      return null;
    }
  }

  const recordOf = (ownerId: string, name: string): SealedRecord => ({
    merchantId: ownerId,
    entityId: ownerId,
    recordId: ownerId,
    field: name,
  });

  async function secret(ownerId: string, name: string): Promise<string | null> {
    const sealed = await store.secret(ownerId, name);
    return sealed === null ? null : openSealed(recordOf(ownerId, name), sealed);
  }

  /** Among the secrets of the owner, so that an exchange of keys seals them anew. */
  const sealedTexts = (ownerId: string, account: string): SealedTexts => {
    const nameOf = (name: string): string => `connectors/${account}/${name}`;
    return {
      async put(name, clear) {
        await vault.ready(ownerId);
        await store.storeSecret(ownerId, nameOf(name), vault.seal(recordOf(ownerId, nameOf(name)), clear));
      },
      open: (name) => secret(ownerId, nameOf(name)),
      erase: (name) => store.storeSecret(ownerId, nameOf(name), null),
      async fingerprint(clear) {
        await vault.ready(ownerId);
        return vault.fingerprint(ownerId, clear);
      },
    };
  };

  const storedNumber: AccountNeeds['storedNumber'] = async ({ merchantId, entityId, id, registrationId }: Payment) => {
    const own = await store.sealed(merchantId, id);
    if (own) return parsed(await openSealed({ merchantId, entityId, recordId: id, field: sealedFields.payment }, own));
    const stored = registrationId === null ? null : await store.registration(merchantId, registrationId);
    return stored?.sealed ? parsed(await openSealed(sealedRecordOf(stored.registration), stored.sealed)) : null;
  };

  return { secret, sealedTexts, storedNumber };
}

const parsed = (text: string | null) => (text === null ? null : parseSecrets(text));
