import type { Fault } from '../../form/checked.ts';
import type { ModuleDefaults } from '../../merchants/accounts.ts';
import type { ChangeNeeds, SettingsChange } from '../../merchants/changeSettings.ts';
import type { KeptEntity, MerchantStore } from '../../merchants/ports.ts';
import type { TargetSecret } from '../../settlement/remoteFolder.ts';
import type { SeenServerSecret, SeenWalletKey } from '../../spec/answers/account.ts';
import type { WalletKeyLocation } from '../../wallets/keptKeys.ts';

export type ServerName = SeenServerSecret['server'];

/** What is kept sealed for an entity: set and destroyed, and never shown. */
export interface SecretService {
  walletKeys(entity: KeptEntity): Promise<readonly SeenWalletKey[]>;
  /** Null destroys it. */
  keepWalletKey(place: WalletKeyLocation, privateKey: string | null): Promise<void>;
  /** What is wrong with the wallets of a wish and the keys that are kept for them, by the names of settings. */
  walletFaults(entityId: string, wish: SettingsChange): Promise<readonly Fault[]>;
  /** Keys that were named until now and are not any more can still be found, to be destroyed. */
  unnamed(before: KeptEntity, after: KeptEntity['settings']): Promise<void>;
  serverSecrets(entity: KeptEntity): Promise<readonly SeenServerSecret[]>;
  /** Null destroys it. */
  keepServerSecret(entityId: string, server: ServerName, secret: TargetSecret | null): Promise<void>;
}

/** What those work with who administer the hierarchy, its settings and its tokens. Time is real here, whatever a merchant's own is. */
export interface AccountService {
  readonly store: Pick<MerchantStore, 'entities' | 'tokens' | 'seed' | 'saveEntity' | 'endToken'>;
  readonly change: ChangeNeeds;
  /** What holds where nobody has set anything. */
  readonly defaults: ModuleDefaults;
  readonly secrets: SecretService;
  readonly ids: { next(): string; random(): string };
  now(): number;
  /** This node knows at once what has changed, the others within seconds. */
  reload(): Promise<void>;
  /** Whom an id of a user means, for people; null: nobody who is known any more. */
  nameOf(userId: string): Promise<string | null>;
}
