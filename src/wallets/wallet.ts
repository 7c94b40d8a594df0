/** The three device wallets of the API, by the placeholder names of its document. */
export type WalletName = 'walletA' | 'walletB' | 'walletC';

/** What a token held, once every check has passed. The number, the cryptogram and the holder are secrets. */
export type WalletCard = {
  readonly number: string;
  /** DPAN: a number that stands for the card in one device; PAN: the card's own. */
  readonly numberType: 'PAN' | 'DPAN';
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly cryptogram: string | null;
  /** Two digits, also where the wallet writes one. */
  readonly eci: string | null;
  readonly holder: string | null;
  /** What the shopper agreed to, in hundredths; null where the wallet does not say. */
  readonly amount: bigint | null;
  readonly currency: string | null;
  /** The same for every copy of one token and for no other token of this wallet: what a replay is known by. */
  readonly tokenId: string;
  /** From this moment on the token is refused as expired, so a note of its use may be forgotten then. */
  readonly validUntil: number;
};

/** Why a token was refused. `says` is ours alone: nothing of the token, of a key or of a card stands in it. */
export type WalletFault = {
  readonly why: 'malformed' | 'expired' | 'otherMerchant' | 'tampered' | 'untrusted' | 'unknownKey' | 'unsupported';
  readonly says: string;
};

/** One private key of a merchant. The old and the new stand side by side while they are exchanged. */
export type WalletKey = { readonly id: string; readonly privateKey: string };

export type WalletASetup = {
  readonly merchantIdentifier: string;
  readonly keys: readonly WalletKey[];
  /** Certificates of the roots that are trusted, as PEM. */
  readonly roots: readonly string[];
  /** How far the time of signing may lie from now. */
  readonly windowSeconds: number;
};

/** A root signing key as the wallet's provider publishes it: base64 of the public key and, in milliseconds, its end. */
export type WalletBRoot = {
  readonly keyValue: string;
  readonly protocolVersion: string;
  readonly keyExpiration: string | null;
};

export type WalletBSetup = {
  /** `merchant:<id>` or `gateway:<id>`, as the wallet addresses its messages. */
  readonly recipientId: string;
  /** Who of the gateway's merchants this is; null for a merchant who is addressed himself. */
  readonly gatewayMerchantId: string | null;
  readonly keys: readonly WalletKey[];
  readonly roots: readonly WalletBRoot[];
};

export type WalletCSetup = {
  /** Compared with the token's audience where it names one. */
  readonly merchantIdentifier: string;
  readonly keys: readonly WalletKey[];
  /** Public keys, as PEM, of those whose signature inside the encryption is trusted. */
  readonly signers: readonly { readonly id: string; readonly publicKey: string }[];
  readonly requireSigned: boolean;
  readonly windowSeconds: number;
};

/** Everything an entity configures, as plain data; null for a wallet it does not take. */
export type WalletSetup = {
  readonly walletA: WalletASetup | null;
  readonly walletB: WalletBSetup | null;
  readonly walletC: WalletCSetup | null;
};

/** Longest token that is looked at. */
export const TOKEN_CHARACTERS_MAX = 16_384;

/** Five minutes: what the provider of walletA advises against replays. */
export const WINDOW_SECONDS = 300;

/** A refusal. */
export const refusal = (why: WalletFault['why'], says: string): WalletFault => ({ why, says });

/** Whether a result is a refusal. */
export const isFault = (result: object): result is WalletFault => 'why' in result;
