import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { isAuthority, parseCertificate } from './certificate.ts';
import { isRsa } from './jwe.ts';
import { attempt, isP256, p256Key } from './keys.ts';
import { base64Bytes } from './text.ts';
import type { WalletASetup, WalletBSetup, WalletCSetup, WalletKey, WalletSetup } from './wallet.ts';

/** A fault of a setting. `name` is its location: `walletA.keys[0]`. */
export type SetupFault = { readonly name: string; readonly says: string };

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
