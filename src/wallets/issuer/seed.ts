import { checkPrimeSync, createCipheriv, createECDH, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';
import { attempt } from '../keys.ts';

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
