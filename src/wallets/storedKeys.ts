import { createPrivateKey, createPublicKey, hash, X509Certificate } from 'node:crypto';
import type { WalletSetups } from '../merchants/walletSettings.ts';
import type { SecretStore, Vault } from '../vault/ports.ts';
import { VaultRefused } from '../vault/sealedText.ts';
import { isRsa } from './jwe.ts';
import { attempt, isP256 } from './keys.ts';
import { type SetupFault, setupFaults } from './setup.ts';
import type { WalletKey, WalletName } from './wallet.ts';
import { walletSecretName, walletSecretRecord, walletSetup } from './wallets.ts';

/** Stored private keys of wallets: sealed, each under the name of its wallet and its id. */

export type StoredKeyNeeds = { readonly secrets: SecretStore; readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'> };

/** `identity`: authenticates a shop to the servers of its wallet; `tokens`: opens tokens. */
export type KeyUse = 'tokens' | 'identity';

/** A key of an entity. */
export type WalletKeyLocation = { readonly entityId: string; readonly wallet: WalletName; readonly keyId: string };

/** The key id under which a key for this use is stored. */
export const keyIdFor = (use: KeyUse, id: string): string => (use === 'identity' ? `identity/${id}` : id);

/** SHA-256 of the public key in hex; null when the text is no private key. */
export function keyFingerprint(privateKey: string): string | null {
  return attempt(() =>
    hash('sha256', createPublicKey(createPrivateKey(privateKey)).export({ format: 'der', type: 'spki' }), 'hex'),
  );
}

/** The fault of a key for a wallet; null when it is valid. Never repeats the key. */
export function walletKeyFault(wallet: WalletName, use: KeyUse, privateKey: string): string | null {
  const key = attempt(() => createPrivateKey(privateKey));
  if (!key) return 'must be a private key in PEM, without a passphrase';
  if (use === 'identity') return wallet === 'walletA' ? null : 'is of no use: only walletA knows shops by a key';
  if (wallet !== 'walletC') return isP256(key) ? null : 'must be a P-256 key';
  return isP256(key) || isRsa(key) ? null : 'must be an RSA key of 2048 bits or more, or a P-256 one';
}

/** Seals and stores a key; null deletes it. */
export async function storeWalletKey(
  { secrets, vault }: StoredKeyNeeds,
  place: WalletKeyLocation,
  privateKey: string | null,
): Promise<void> {
  const { entityId, wallet, keyId } = place;
  const name = walletSecretName(wallet, keyId);
  await vault.ready(entityId);
  await secrets.storeSecret(
    entityId,
    name,
    privateKey === null ? null : vault.seal(walletSecretRecord(entityId, name), privateKey),
  );
}

/** Null when there is no key or it cannot be opened. */
export async function walletKey(
  { secrets, vault }: StoredKeyNeeds,
  { entityId, wallet, keyId }: WalletKeyLocation,
): Promise<WalletKey | null> {
  const name = walletSecretName(wallet, keyId);
  const sealed = await secrets.secret(entityId, name);
  if (sealed === null) return null;
  try {
    return { id: keyId, privateKey: await vault.open(walletSecretRecord(entityId, name), sealed) };
  } catch (error) {
    if (error instanceof VaultRefused) return null;
    throw error;
  }
}

/** The ids of every key that a setup refers to. */
export const keyIdsIn = (setup: WalletSetups[WalletName]): readonly string[] => [
  ...setup.keys,
  ...(setup.identity ? [keyIdFor('identity', setup.identity.id)] : []),
];

/** The faults of a setup and its stored keys, each with its location such as `walletA.keys`. */
export async function storedSetupFaults(
  needs: StoredKeyNeeds,
  { entityId, wallet }: Omit<WalletKeyLocation, 'keyId'>,
  setup: WalletSetups[WalletName],
): Promise<readonly SetupFault[]> {
  const named = keyIdsIn(setup);
  const stored = await Promise.all(named.map((keyId) => walletKey(needs, { entityId, wallet, keyId })));
  const missing = named.filter((_, at) => stored[at] === null);
  if (missing.length > 0) {
    return missing.map((keyId) => ({ name: `${wallet}.keys`, says: `names ${keyId}, of which no private key is stored yet` }));
  }
  const known = stored.filter((key) => key !== null);
  const opening = known.filter(({ id }) => setup.keys.includes(id));
  return [...setupFaults(walletSetup(wallet, setup, opening)), ...identityFaults(setup, known)];
}

function identityFaults(setup: WalletSetups[WalletName], keys: readonly WalletKey[]): readonly SetupFault[] {
  const { identity } = setup;
  const key = identity && keys.find(({ id }) => id === keyIdFor('identity', identity.id));
  if (!identity || !key) return [];
  const belongs = attempt(() => new X509Certificate(identity.certificate).checkPrivateKey(createPrivateKey(key.privateKey)));
  return belongs ? [] : [{ name: 'walletA.identity', says: 'has a certificate that does not belong to its private key' }];
}
