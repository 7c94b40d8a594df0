import type { EntityKind } from '../settingRows.ts';

/** What is answered about merchants, channels, their settings and tokens, as the pages of the back office read it. */

export type EntityState = 'active' | 'new' | 'disabled' | 'closed';

/** A node of the hierarchy. */
export type SeenNode = {
  readonly id: string;
  readonly kind: EntityKind;
  readonly name: string;
  readonly parentId: string | null;
  /** As it is: nothing below a closed door is open. */
  readonly state: EntityState;
  /** How many stand directly below it. */
  readonly below: number;
  readonly revision: number;
};

/** Of listEntities: a node and a page of what stands directly below it, by name. */
export type NodePage = {
  readonly entity: SeenNode;
  readonly below: readonly SeenNode[];
  /** What to ask for as `after`; null: this was the last page. */
  readonly next: string | null;
};

/** Where a value comes from: the node itself, a node above it, or nobody who set it. */
export type SettingSource =
  | { readonly from: 'own' }
  | { readonly from: 'above'; readonly entityId: string; readonly name: string }
  | { readonly from: 'default' };

/** `inherited` is what it would be if the node itself said nothing. What is not told is not set anywhere. */
export type SeenSetting = {
  readonly name: string;
  readonly value?: unknown;
  readonly inherited?: unknown;
  readonly source: SettingSource;
};

/** A private key of a wallet that is kept here: never the key, only what tells it from others. */
export type SeenWalletKey = {
  readonly wallet: 'walletA' | 'walletB' | 'walletC';
  readonly keyId: string;
  /** SHA-256 of the public key, in hex; null: the kept text does not open or is no key. */
  readonly fingerprint: string | null;
  /** When it was set here; null: not in the back office. */
  readonly keptAt: string | null;
  /** Whether the setup of the wallet names it. */
  readonly isNamed: boolean;
};

/** What signs us in at a server: whether there is something, and since when. */
export type SeenServerSecret = {
  readonly server: 'reconciliation' | 'settlement';
  readonly kind: 'password' | 'privateKey' | null;
  /** Of a private key, as that of a wallet. */
  readonly fingerprint: string | null;
  readonly keptAt: string | null;
};

/** Of readEntity, changeEntity, addEntity and addChannel. */
export type SeenAccount = SeenNode & {
  /** From the top down to the node itself. */
  readonly path: readonly { readonly id: string; readonly kind: EntityKind; readonly name: string }[];
  readonly settings: readonly SeenSetting[];
  readonly walletKeys: readonly SeenWalletKey[];
  readonly serverSecrets: readonly SeenServerSecret[];
  /** The connectors that this gateway has. */
  readonly connectors: readonly string[];
};

export type SeenToken = {
  readonly id: string;
  readonly entityId: string;
  /** Null: nobody has named it. */
  readonly name: string | null;
  /** Who issued it, for people; null: nobody of the back office. */
  readonly createdBy: string | null;
  readonly createdAt: string;
  /** As yyyy-MM-dd in UTC; null: never. */
  readonly lastUsedOn: string | null;
  /** Null: until somebody ends it. */
  readonly endsAt: string | null;
  readonly hasEnded: boolean;
};

/** Of listTokens: those that are good first, the youngest first. */
export type SeenTokens = { readonly tokens: readonly SeenToken[]; readonly most: number };

/** Of issueToken and rotateToken: the only answer that ever has the token in it. */
export type IssuedToken = {
  readonly token: string;
  readonly issued: SeenToken;
  /** The one before, where there is one. */
  readonly before: SeenToken | null;
};
