import { createPrivateKey, createPublicKey, hash, type KeyObject, X509Certificate } from 'node:crypto';
import type { WalletSetups } from '../merchants/walletSettings.ts';
import type { SecretStore, Vault } from '../vault/ports.ts';
import { VaultRefused } from '../vault/sealedText.ts';
import { isAuthority, parseCertificate } from './cms.ts';
import { isRsa } from './jwe.ts';
import { attempt, isP256, p256Key } from './keys.ts';
import { base64Bytes } from './text.ts';
import type { WalletASetup, WalletBSetup, WalletCSetup, WalletKey, WalletName, WalletSetup } from './wallet.ts';
import { walletSecretName, walletSecretRecord, walletSetup } from './wallets.ts';

/** Stored private keys of wallets: sealed, each under the name of its wallet and its id. */

export type StoredKeyNeeds = { readonly secrets: SecretStore; readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'> };

/** `identity`: authenticates a shop to the servers of its wallet; `tokens`: opens tokens. */
type KeyUse = 'tokens' | 'identity';

/** A key of an entity. */
export type WalletKeyLocation = { readonly entityId: string; readonly wallet: WalletName; readonly keyId: string };

/** The key id under which a key for this use is stored. */
export const keyIdFor = (use: KeyUse, id: string): string => (use === 'identity' ? `identity/${id}` : id);

/** SHA-256 of the public key in hex; null when the string is no private key. */
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

/** A fault of a setting. `name` is its location: `walletA.keys[0]`. */
type SetupFault = { readonly name: string; readonly says: string };

/** Everything in a setup that could never open a token; openWallet ignores such parts. */
export function setupFaults({ walletA, walletB, walletC }: WalletSetup): readonly SetupFault[] {
  return [...(walletA ? faultsA(walletA) : []), ...(walletB ? faultsB(walletB) : []), ...(walletC ? faultsC(walletC) : [])];
}

const fault = (isWrong: boolean, name: string, says: string): readonly SetupFault[] => (isWrong ? [{ name, says }] : []);

function faultsA({ merchantIdentifier, keys, roots, windowSeconds }: WalletASetup): readonly SetupFault[] {
  return [
    ...fault(merchantIdentifier === '', 'walletA.merchantIdentifier', 'must not be empty'),
    ...keyFaults('walletA', keys, { isRight: isP256, says: 'must be a P-256 private key in PEM' }),
    ...fault(roots.length === 0, 'walletA.roots', 'must name a root certificate'),
    ...roots.flatMap((root, at) => {
      const certificate = parseCertificate(root);
      const isRight = certificate !== null && isAuthority(certificate);
      return fault(!isRight, `walletA.roots[${at}]`, 'must be the certificate of an authority in PEM, signed with ECDSA');
    }),
    ...windowFaults('walletA', windowSeconds),
  ];
}

function faultsB({ recipientId, gatewayMerchantId, keys, roots }: WalletBSetup): readonly SetupFault[] {
  const isGateway = recipientId.startsWith('gateway:');
  return [
    ...fault(!/^(?:merchant|gateway):.+$/.test(recipientId), 'walletB.recipientId', 'must be merchant:<id> or gateway:<id>'),
    ...fault(isGateway && !gatewayMerchantId, 'walletB.gatewayMerchantId', 'must be set for a gateway'),
    ...keyFaults('walletB', keys, { isRight: isP256, says: 'must be a P-256 private key in PEM' }),
    ...fault(roots.length === 0, 'walletB.roots', 'must name a root signing key'),
    ...roots.flatMap(({ keyValue, protocolVersion, keyExpiration }, at) => {
      const spki = base64Bytes(keyValue);
      const hasEnd = keyExpiration === null ? protocolVersion === 'ECv1' : /^[0-9]{1,16}$/.test(keyExpiration);
      return [
        ...fault(!spki || !p256Key(spki), `walletB.roots[${at}].keyValue`, 'must be a P-256 public key in base64'),
        ...fault(!hasEnd, `walletB.roots[${at}].keyExpiration`, 'must be milliseconds; only ECv1 may leave it out'),
      ];
    }),
  ];
}

function faultsC({ keys, signers, requireSigned, windowSeconds }: WalletCSetup): readonly SetupFault[] {
  const isRight = (key: KeyObject): boolean => isRsa(key) || isP256(key);
  return [
    ...keyFaults('walletC', keys, { isRight, says: 'must be an RSA private key of 2048 bits or more, or a P-256 one, in PEM' }),
    ...signers.flatMap(({ publicKey }, at) => {
      const key = attempt(() => createPublicKey(publicKey));
      return fault(!key || !isRight(key), `walletC.signers[${at}]`, 'must be an RSA or P-256 public key in PEM');
    }),
    ...fault(requireSigned && signers.length === 0, 'walletC.signers', 'must name a signer when tokens have to be signed'),
    ...windowFaults('walletC', windowSeconds),
  ];
}

type KeyRule = { readonly isRight: (key: KeyObject) => boolean; readonly says: string };

function keyFaults(wallet: string, keys: readonly WalletKey[], { isRight, says }: KeyRule): readonly SetupFault[] {
  return [
    ...fault(keys.length === 0, `${wallet}.keys`, 'must name a private key'),
    ...keys.flatMap(({ privateKey }, at) => {
      const key = attempt(() => createPrivateKey(privateKey));
      return fault(!key || !isRight(key), `${wallet}.keys[${at}]`, says);
    }),
  ];
}

const windowFaults = (wallet: string, seconds: number): readonly SetupFault[] =>
  fault(!(Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= 86_400), `${wallet}.windowSeconds`, 'must be 1 to 86400');
