import { readSecret, secretText } from '../../settlement/remoteFolder.ts';
import type { FolderSecret } from '../../spec/remoteFolder.ts';
import type { SealedRecord, SecretStore, Vault } from '../../vault/ports.ts';
import { DELIVERY_SECRET } from './settings.ts';

const recordOf = (merchantId: string): SealedRecord => ({
  merchantId,
  entityId: merchantId,
  recordId: merchantId,
  field: DELIVERY_SECRET,
});

/** The password or private key of a merchant's server. */
export async function deliverySecret(
  { secrets, vault }: { readonly secrets: Pick<SecretStore, 'secret'>; readonly vault: Pick<Vault, 'ready' | 'open'> },
  merchantId: string,
): Promise<FolderSecret> {
  const sealed = await secrets.secret(merchantId, DELIVERY_SECRET);
  if (sealed === null) throw new Error('the password or key of the server is missing: turnpike reconciliation-setup stores it');
  await vault.ready(merchantId);
  return readSecret(await vault.open(recordOf(merchantId), sealed));
}

/** Seals and stores the secret; null removes it. */
export async function saveDeliverySecret(
  { secrets, vault }: { readonly secrets: Pick<SecretStore, 'storeSecret'>; readonly vault: Pick<Vault, 'ready' | 'seal'> },
  merchantId: string,
  secret: FolderSecret | null,
): Promise<void> {
  await vault.ready(merchantId);
  const sealed = secret === null ? null : vault.seal(recordOf(merchantId), secretText(secret));
  await secrets.storeSecret(merchantId, DELIVERY_SECRET, sealed);
}
