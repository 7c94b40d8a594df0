import type { KeyObject } from 'node:crypto';
import { minorUnits } from '../../money/amount.ts';
import { digitsOf } from '../../spec/currencies.ts';
import { publicHash } from '../keys.ts';
import type { WalletFault, WalletKey, WalletName } from '../wallet.ts';
import type { Bytes } from './seed.ts';

/** The ways a token can be written, the usual one of each wallet first. */
export const walletVersions = {
  walletA: ['EC_v1'],
  walletB: ['ECv2', 'ECv1'],
  walletC: ['RSA_PKI', 'RSA-OAEP', 'RSA-OAEP-256', 'ECDH-ES+A256KW'],
} as const;

/** What a token is asked to hold. Whatever is left out is made up. */
export type WalletOrder = {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  /** In hundredths. */
  readonly amount: bigint;
  readonly currency: string;
  readonly now: number;
  /** One of walletVersions. */
  readonly version?: string;
  /** walletB only: PAN gives the card's own number, without a cryptogram. */
  readonly numberType?: 'PAN' | 'DPAN';
  readonly cryptogram?: string;
  readonly eci?: string;
  readonly holder?: string;
  /** The merchant's former key still opens tokens while it stands in the setup. */
  readonly key?: 'current' | 'previous';
  /** walletC only: signed inside the encryption. */
  readonly signed?: boolean;
  /** Makes a token that is refused for this reason, and would be good but for it. */
  readonly fault?: WalletFault['why'];
};

/** A key pair of a merchant under the id it has in his setup. */
export type NamedKey = { readonly id: string; readonly key: KeyObject };

/** The merchant's keys, and one that is not his. */
export type MerchantKeys = { readonly current: NamedKey; readonly previous: NamedKey; readonly stranger: NamedKey };

/** The keys a setup holds: never the stranger's. */
export const setupKeys = ({ current, previous }: MerchantKeys): readonly WalletKey[] =>
  [current, previous].map(({ id, key }) => ({ id, privateKey: key.export({ format: 'pem', type: 'pkcs8' }) as string }));

/** Both keys and the stranger's, each made by `make` from bytes of its own purpose when it is first used. */
export function merchantKeys(make: (bytes: Bytes) => KeyObject, bytes: (label: string) => Bytes): MerchantKeys {
  const made = new Map<string, NamedKey>();
  const named = (label: string): NamedKey => {
    const before = made.get(label);
    if (before) return before;
    const key = make(bytes(label));
    const after = { id: publicHash(key), key };
    made.set(label, after);
    return after;
  };
  return {
    get current() {
      return named('current');
    },
    get previous() {
      return named('previous');
    },
    get stranger() {
      return named('stranger');
    },
  };
}

/** The key a token is encrypted for. */
export const keyFor = (order: WalletOrder, keys: MerchantKeys): NamedKey =>
  keys[order.fault === 'unknownKey' ? 'stranger' : (order.key ?? 'current')];

/** Whole smallest units of the currency; undefined when the amount cannot be paid in it. */
export function minorAmount({ amount, currency }: WalletOrder): bigint | undefined {
  const digits = digitsOf(currency);
  return digits === undefined || amount < 0n ? undefined : minorUnits(amount, digits);
}

/** A cryptogram of 20 bytes, which is what networks make. */
export const cryptogramOf = (order: WalletOrder, random: Bytes): string => order.cryptogram ?? random(20).toString('base64');

/** What is wrong with an order, in words for the person who wrote it; null when the wallet can make a token of it. */
export function orderFault(wallet: WalletName, order: WalletOrder): string | null {
  const versions: readonly string[] = walletVersions[wallet];
  if (order.version !== undefined && !versions.includes(order.version)) return `the version is one of ${versions.join(', ')}`;
  if (!/^[0-9]{8,19}$/.test(order.number)) return 'the number has 8 to 19 digits';
  if (!/^(?:0[1-9]|1[0-2])$/.test(order.expiryMonth)) return 'the month of expiry is 01 to 12';
  if (!/^20[0-9]{2}$/.test(order.expiryYear)) return 'the year of expiry is 2000 to 2099';
  if (minorAmount(order) === undefined) return 'the amount cannot be paid in this currency';
  return null;
}
