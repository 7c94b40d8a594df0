import { checkPrimeSync, createCipheriv, createECDH, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';
import { minorUnits } from '../../money/amount.ts';
import { digitsOf } from '../../spec/currencies.ts';
import { attempt, publicHash } from '../keys.ts';
import type { WalletFault, WalletKey, WalletName } from '../wallet.ts';

/** The supported encodings of tokens, the default of each wallet first. */
export const walletVersions = {
  walletA: ['EC_v1'],
  walletB: ['ECv2', 'ECv1'],
  walletC: ['RSA_PKI', 'RSA-OAEP', 'RSA-OAEP-256', 'ECDH-ES+A256KW'],
} as const;

/** The contents of a token to issue. Missing parts are generated. */
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
  /** The merchant's previous key opens tokens while it is in the setup. */
  readonly key?: 'current' | 'previous';
  /** walletC only: a signed token inside the encryption. */
  readonly signed?: boolean;
  /** Issues a token with only this fault. */
  readonly fault?: WalletFault['why'];
};

/** A key of a merchant with its id in the setup. */
export type NamedKey = { readonly id: string; readonly key: KeyObject };

/** The merchant's keys, and one that is in no setup. */
export type MerchantKeys = { readonly current: NamedKey; readonly previous: NamedKey; readonly unknown: NamedKey };

/** The keys of a setup. */
export const setupKeys = ({ current, previous }: MerchantKeys): readonly WalletKey[] =>
  [current, previous].map(({ id, key }) => ({ id, privateKey: key.export({ format: 'pem', type: 'pkcs8' }) as string }));

/** The three keys, each generated on first use from bytes of its own. */
export function merchantKeys(make: (bytes: ByteSource) => KeyObject, bytes: (label: string) => ByteSource): MerchantKeys {
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
    get unknown() {
      return named('unknown');
    },
  };
}

/** The key a token is encrypted for. */
export const keyFor = (order: WalletOrder, keys: MerchantKeys): NamedKey =>
  keys[order.fault === 'unknownKey' ? 'unknown' : (order.key ?? 'current')];

/** The amount in minor units; undefined when it cannot be paid in the currency. */
export function minorAmount({ amount, currency }: WalletOrder): bigint | undefined {
  const digits = digitsOf(currency);
  return digits === undefined || amount < 0n ? undefined : minorUnits(amount, digits);
}

/** A cryptogram of 20 bytes, as networks generate. */
export const cryptogramOf = (order: WalletOrder, random: ByteSource): string => order.cryptogram ?? random(20).toString('base64');

/** The fault of an order, for its author; null when it is valid. */
export function orderFault(wallet: WalletName, order: WalletOrder): string | null {
  const versions: readonly string[] = walletVersions[wallet];
  if (order.version !== undefined && !versions.includes(order.version)) return `the version is one of ${versions.join(', ')}`;
  if (!/^[0-9]{8,19}$/.test(order.number)) return 'the number has 8 to 19 digits';
  if (!/^(?:0[1-9]|1[0-2])$/.test(order.expiryMonth)) return 'the month of expiry is 01 to 12';
  if (!/^20[0-9]{2}$/.test(order.expiryYear)) return 'the year of expiry is 2000 to 2099';
  if (minorAmount(order) === undefined) return 'the amount cannot be paid in this currency';
  return null;
}

/** A deterministic stream of bytes. */
export type ByteSource = (count: number) => Buffer;

/** The byte stream of a seed and label. */
export function bytesFrom(seed: string, label: string): ByteSource {
  const key = Buffer.from(hkdfSync('sha256', seed, 'wallet issuer', label, 32));
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return (count) => cipher.update(Buffer.alloc(count));
}

export function p256From(bytes: ByteSource): KeyObject {
  const curve = createECDH('prime256v1');
  // Fewer than one in 2^32 values of 32 bytes is no private key; then the next one is used.
  for (;;) {
    const d = bytes(32);
    const point = attempt(() => {
      curve.setPrivateKey(d);
      return curve.getPublicKey();
    });
    if (!point) continue;
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x, y } });
  }
}

const EXPONENT = 65_537n;
const PRIME_BYTES = 128;

/** An RSA key of 2048 bits. Node generates only random keys; a sandbox needs the same key after every start. */
export function rsaFrom(bytes: ByteSource): KeyObject {
  return rsaOf(primeFrom(bytes), primeFrom(bytes));
}

/** The RSA key of two primes. */
export function rsaOf(p: bigint, q: bigint): KeyObject {
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const texts = Object.entries(numbers).map(([name, number]) => [name, base64Url(number)]);
  return createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...Object.fromEntries(texts) } });
}

/** A prime with its two highest bits set, so that the product of two has full length. */
function primeFrom(bytes: ByteSource): bigint {
  const start = bytes(PRIME_BYTES);
  start[0] = (start[0] as number) | 0xc0;
  start[PRIME_BYTES - 1] = (start[PRIME_BYTES - 1] as number) | 1;
  let candidate = BigInt(`0x${start.toString('hex')}`);
  while (candidate % EXPONENT === 1n || !checkPrimeSync(candidate)) candidate += 2n;
  return candidate;
}

function inverse(number: bigint, modulus: bigint): bigint {
  let [rest, next, sum, term] = [modulus, number % modulus, 0n, 1n];
  while (next > 0n) {
    const times = rest / next;
    [rest, next, sum, term] = [next, rest - times * next, term, sum - times * term];
  }
  return ((sum % modulus) + modulus) % modulus;
}

function base64Url(number: bigint): string {
  const hex = number.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
