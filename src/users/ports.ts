import type { Directory } from '../merchants/directory.ts';
import type { MerchantStore } from '../merchants/ports.ts';
import type { Ids } from '../payments/ports.ts';
import type { Clock } from '../spec/time.ts';
import type { SecretStore, Vault } from '../vault/ports.ts';
import type { RandomBytes } from '../vault/randomBytes.ts';
import type { BreachedList } from './breachedList.ts';
import type { DocumentStore } from './documents.ts';
import type { HashQueue, PasswordCost } from './passwordRules.ts';

/** The dependencies of the users module. */
export type UserNeeds = {
  readonly store: DocumentStore & SecretStore & Pick<MerchantStore, 'entitiesBelow' | 'insertAccounts'>;
  readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'> & {
    /** The vault's keyed hash, for tokens and passwords. */
    digest(purpose: string, text: string): string;
  };
  readonly directory: Pick<Directory, 'entity' | 'idsBelow' | 'ownersOf' | 'reload'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'next' | 'random'>;
  readonly random: RandomBytes;
  /** Hashes passwords, a few concurrently. */
  readonly hashQueue: HashQueue;
  readonly passwordCost: PasswordCost;
  /** Whether an operator's own list holds a password; left out: there is no such list. */
  readonly isBreached?: BreachedList | undefined;
};

const TOKEN_BYTES = 32;

/** Something that only its holder knows: a session, a link, half a sign-in. */
export function freshToken({ random }: Pick<UserNeeds, 'random'>): string {
  const bytes = Buffer.alloc(TOKEN_BYTES);
  random(bytes);
  return bytes.toString('base64url');
}
