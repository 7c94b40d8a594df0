import { argon2, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../vault/randomBytes.ts';

/** The cost of a hash. */
export type PasswordCost = { readonly memory: number; readonly passes: number; readonly parallelism: number };

/** The advice of OWASP for Argon2id: some 50 ms and 19 MiB. The cost is written into each hash, so it may grow. */
export const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const [SALT_BYTES, HASH_BYTES] = [16, 32];
const HASH = /^\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,3}),p=([0-9]{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;
/** A flood of sign-ins must not take the threads that everything else needs, nor fill the memory with waiting requests. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 64;

/** Too many password checks are waiting. */
export class HashQueueFull extends Error {
  override readonly name = 'TooManyAtOnce';
}

type Hashing = {
  readonly vault: { digest(purpose: string, text: string): string };
  readonly random: RandomBytes;
  readonly hashQueue: HashQueue;
  readonly passwordCost: PasswordCost;
};

/** Lets a few work concurrently; the others wait. */
export type HashQueue = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createHashQueue(): HashQueue {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async (work) => {
    if (busy >= AT_ONCE_MAX) {
      if (waiting.length >= WAITING_MAX) throw new HashQueueFull('too many passwords at once');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else busy += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
}

const derived = (
  { hashQueue }: Hashing,
  message: string,
  { nonce, ...cost }: PasswordCost & { readonly nonce: Uint8Array },
): Promise<Buffer> =>
  hashQueue(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        argon2('argon2id', { message, nonce, ...cost, tagLength: HASH_BYTES }, (error, hash) =>
          error ? reject(error) : resolve(hash),
        );
      }),
  );

/** The vault's key is mixed in, so that a stolen database alone does not allow guessing. */
const mixed = ({ vault }: Hashing, password: string): string => vault.digest('password', password.normalize('NFKC'));

const hashText = (cost: PasswordCost, salt: Uint8Array, hash: Uint8Array): string => {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(salt)}$${text(hash)}`;
};

/** The stored hash of a password. */
export async function hashPassword(needs: Hashing, password: string): Promise<string> {
  const salt = Buffer.alloc(SALT_BYTES);
  needs.random(salt);
  const { passwordCost: cost } = needs;
  return hashText(cost, salt, await derived(needs, mixed(needs, password), { ...cost, nonce: salt }));
}

/** The hash for unknown users: no password matches it, and the check takes the same time. */
const unknownUserHash = ({ passwordCost }: Hashing): string =>
  hashText(passwordCost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** Whether the password matches the hash; undefined never matches, and costs the same work. */
export async function isPassword(needs: Hashing, password: string, kept: string | undefined): Promise<boolean> {
  const [, memory = '', passes = '', parallelism = '', salt = '', hash = ''] = HASH.exec(kept ?? unknownUserHash(needs)) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const found = await derived(needs, mixed(needs, password), { ...cost, nonce: Buffer.from(salt, 'base64url') });
  const expected = Buffer.from(hash, 'base64url');
  return found.length === expected.length && timingSafeEqual(found, expected) && kept !== undefined;
}

/** Whether the password matches one of the hashes. All of them are checked. */
export async function matchesAny(needs: Hashing, password: string, kept: readonly string[]): Promise<boolean> {
  const found = await Promise.all(kept.map((hash) => isPassword(needs, password, hash)));
  return found.includes(true);
}
