/** The three device wallets, by the placeholder names of the API document. */
export type WalletName = 'walletA' | 'walletB' | 'walletC';

/** The contents of a valid token. Number, cryptogram and holder are secrets. */
export type WalletCard = {
  readonly number: string;
  /** DPAN: a device account number; PAN: the card's own number. */
  readonly numberType: 'PAN' | 'DPAN';
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly cryptogram: string | null;
  /** Two digits, also when the wallet sends one. */
  readonly eci: string | null;
  readonly holder: string | null;
  /** The amount that the shopper confirmed, in hundredths; null when the wallet does not send it. */
  readonly amount: bigint | null;
  readonly currency: string | null;
  /** Identifies the token among all tokens of this wallet, to detect replays. */
  readonly tokenId: string;
  /** When the token expires, and its use no longer needs to be stored. */
  readonly validUntil: number;
};

/** Why a token was refused. `says` contains nothing of the token, of a key or of a card. */
export class WalletFault {
  readonly why: 'malformed' | 'expired' | 'otherMerchant' | 'tampered' | 'untrusted' | 'unknownKey' | 'unsupported';
  readonly says: string;
  constructor(why: WalletFault['why'], says: string) {
    this.why = why;
    this.says = says;
  }
}

/** A private key of a merchant. Old and new key are both present during a rotation. */
export type WalletKey = { readonly id: string; readonly privateKey: string };

export type WalletASetup = {
  readonly merchantIdentifier: string;
  readonly keys: readonly WalletKey[];
  /** Trusted root certificates in PEM. */
  readonly roots: readonly string[];
  /** The largest difference between signing time and now. */
  readonly windowSeconds: number;
};

/** A root signing key as the wallet's provider publishes it: base64 of the public key, and its expiry in milliseconds. */
export type WalletBRoot = {
  readonly keyValue: string;
  readonly protocolVersion: string;
  readonly keyExpiration: string | null;
};

export type WalletBSetup = {
  /** The recipient of messages: `merchant:<id>` or `gateway:<id>`. */
  readonly recipientId: string;
  /** The gateway's id of the merchant; null when messages are addressed to the merchant directly. */
  readonly gatewayMerchantId: string | null;
  readonly keys: readonly WalletKey[];
  readonly roots: readonly WalletBRoot[];
};

export type WalletCSetup = {
  /** Compared with the token's audience when it has one. */
  readonly merchantIdentifier: string;
  readonly keys: readonly WalletKey[];
  /** Trusted public keys, in PEM, for signatures inside the encryption. */
  readonly signers: readonly { readonly id: string; readonly publicKey: string }[];
  readonly requireSigned: boolean;
  readonly windowSeconds: number;
};

/** The wallet configuration of an entity as plain data; null for a wallet it does not accept. */
export type WalletSetup = {
  readonly walletA: WalletASetup | null;
  readonly walletB: WalletBSetup | null;
  readonly walletC: WalletCSetup | null;
};

/** Longer tokens are refused. */
export const TOKEN_CHARACTERS_MAX = 16_384;

/** Five minutes, as the provider of walletA recommends against replays. */
export const WINDOW_SECONDS = 300;

export const refusal = (why: WalletFault['why'], says: string): WalletFault => new WalletFault(why, says);

export const isFault = (result: unknown): result is WalletFault => result instanceof WalletFault;
