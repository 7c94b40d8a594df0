import type { EntityKind } from '../settingRows.ts';
import type { Day, Id, Instant } from './texts.ts';

/** Answers about merchants, channels, their settings and tokens. */

export type EntityState = 'active' | 'new' | 'disabled' | 'closed';

/** An entity of the hierarchy. */
export type NodeView = {
  readonly id: string;
  readonly kind: EntityKind;
  readonly name: string;
  readonly parentId: string | null;
  /** The effective status: everything below a closed entity is closed. */
  readonly state: EntityState;
  /** The number of children. */
  readonly below: number;
  readonly revision: number;
};

/** Of listEntities: an entity and a page of its children, by name. */
export type NodePage = {
  /** Null: the top of the hierarchy. */
  readonly entity: NodeView | null;
  readonly below: readonly NodeView[];
  /** The `after` of the next page; null: this was the last one. */
  readonly next: string | null;
};

/** The source of a value: the entity itself, an entity above it, or the default. */
export type SettingSource =
  | { readonly from: 'own' }
  | { readonly from: 'above'; readonly entityId: Id; readonly name: string }
  | { readonly from: 'default' };

/** `inherited` is the value without an own one. A missing property is set nowhere. */
export type SettingView = {
  readonly name: string;
  readonly value?: unknown;
  readonly inherited?: unknown;
  readonly source: SettingSource;
};

/** A stored private key of a wallet: never the key, only what identifies it. */
export type WalletKeyView = {
  readonly wallet: 'walletA' | 'walletB' | 'walletC';
  readonly keyId: string;
  /** SHA-256 of the public key, in hex; null: the stored key cannot be decrypted or is invalid. */
  readonly fingerprint: string | null;
  /** When it was set here; null: not in the back office. */
  readonly keptAt: Instant | null;
  /** Whether the setup of the wallet names it. */
  readonly isNamed: boolean;
};

/** The secret for signing in at a server: whether there is one, and since when. */
export type ServerSecretView = {
  readonly server: 'reconciliation' | 'settlement';
  readonly kind: 'password' | 'privateKey' | null;
  /** Of a private key, as that of a wallet. */
  readonly fingerprint: string | null;
  readonly keptAt: Instant | null;
};

/** An account at an acquirer that the entity itself has: which of its secrets are stored, never the secrets. */
export type AcquirerAccountView = {
  readonly name: string;
  readonly connector: string;
  /** The name of the acquirer. */
  readonly title: string;
  readonly state: 'on' | 'off';
  /** Whether its acquirer answers, as the node that was asked sees it. */
  readonly isReachable: boolean;
  readonly secrets: readonly {
    readonly name: string;
    readonly help: string;
    readonly isOptional: boolean;
    readonly isSet: boolean;
    /** When it was set here; null: not set, or not in the back office. */
    readonly keptAt: Instant | null;
  }[];
  /** Where the acquirer sends its notifications: the path of the API. */
  readonly notificationPath: string;
};

/** An account at an acquirer that the entity may name: its own, or one of an entity above. */
export type UsableAccountView = Pick<AcquirerAccountView, 'name' | 'connector' | 'title' | 'state' | 'isReachable'> & {
  readonly ownerId: Id;
  /** Whether a credential that it needs is missing. */
  readonly lacksSecrets: boolean;
};

/** Of readEntity, changeEntity, addEntity and addChannel. */
export type AccountView = NodeView & {
  /** From the top down to the node itself. */
  readonly path: readonly { readonly id: string; readonly kind: EntityKind; readonly name: string }[];
  readonly settings: readonly SettingView[];
  readonly walletKeys: readonly WalletKeyView[];
  readonly serverSecrets: readonly ServerSecretView[];
  readonly acquirerAccounts: readonly AcquirerAccountView[];
  readonly usableAccounts: readonly UsableAccountView[];
  /** The connectors without accounts that this gateway has, and the accounts that the entity may use. */
  readonly connectors: readonly string[];
};

export type TokenView = {
  readonly id: string;
  readonly entityId: Id;
  /** Null: unnamed. */
  readonly name: string | null;
  /** The name of the user who issued it; null: not issued in the back office. */
  readonly createdBy: string | null;
  readonly createdAt: Instant;
  /** As yyyy-MM-dd in UTC; null: never. */
  readonly lastUsedOn: Day | null;
  /** Null: no expiry. */
  readonly endsAt: Instant | null;
  readonly hasEnded: boolean;
  /** The addresses and CIDR blocks from which it is accepted; empty: from anywhere. */
  readonly allowedAddresses: readonly string[];
};

/** Of listTokens: active ones first, the youngest first. */
export type TokensView = { readonly tokens: readonly TokenView[]; readonly most: number };

/** Of issueToken and rotateToken: the only answer that ever has the token in it. */
export type IssuedToken = {
  readonly token: string;
  readonly issued: TokenView;
  /** The one before, where there is one. */
  readonly before: TokenView | null;
};
