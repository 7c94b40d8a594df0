import { digitsOf } from '../spec/currencies.ts';

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

/** The contents of a token before validation; null for missing parts. */
export type CardFound = {
  readonly number: string | null;
  readonly numberType: WalletCard['numberType'];
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
  readonly cryptogram: string | null;
  readonly eci: string | null;
  readonly holder: string | null;
  /** In the smallest unit of the currency. */
  readonly minorAmount: bigint | null;
  readonly currency: string | null;
  readonly tokenId: string;
  readonly validUntil: number;
};

const NUMBER = /^[0-9]{8,19}$/;
const MONTH = /^(?:0[1-9]|1[0-2])$/;
const YEAR = /^20[0-9]{2}$/;
const CRYPTOGRAM = /^[A-Za-z0-9+/_-]{1,256}={0,2}$/;
const ECI = /^[0-9]{1,2}$/;
const HOLDER = /^[^\p{Cc}\p{Cs}]{1,128}$/u;
const TOKEN_ID = /^[\x21-\x7e]{1,255}$/;

const malformed = (says: string): WalletFault => refusal('malformed', says);

/** Validates the contents of a token. Whether the card has expired is checked with the payment. */
export function walletCard(found: CardFound): WalletCard | WalletFault {
  const { number, numberType, expiryMonth, expiryYear, tokenId, validUntil } = found;
  if (number === null || !NUMBER.test(number)) return malformed('the account number in the token is not one');
  if (expiryMonth === null || !MONTH.test(expiryMonth) || expiryYear === null || !YEAR.test(expiryYear))
    return malformed('the expiry in the token is not a month of a year');
  const cryptogram = found.cryptogram || null;
  if (cryptogram !== null && !CRYPTOGRAM.test(cryptogram)) return malformed('the cryptogram in the token is not base64');
  if (cryptogram === null && numberType === 'DPAN') return malformed('the token has a device number but no cryptogram');
  const eci = found.eci || null;
  if (eci !== null && !ECI.test(eci)) return malformed('the indicator of the authentication is not two digits');
  const holder = found.holder?.trim() || null;
  if (holder !== null && !HOLDER.test(holder)) return malformed('the name in the token is not one');
  if (!TOKEN_ID.test(tokenId)) return malformed('the identifier of the token is not one');
  const { currency } = found;
  const amount = hundredthsOf(found.minorAmount, currency);
  if (amount === undefined)
    return refusal('unsupported', 'the amount in the token has no hundredths, or its currency is not known');
  return {
    number,
    numberType,
    expiryMonth,
    expiryYear,
    cryptogram,
    eci: eci === null ? null : eci.padStart(2, '0'),
    holder,
    amount,
    currency,
    tokenId,
    validUntil,
  };
}

/** Minor units as hundredths: 100 yen are 10000; undefined when that is not possible. */
function hundredthsOf(minor: bigint | null, currency: string | null): bigint | null | undefined {
  if (currency === null) return minor === null ? null : undefined;
  const digits = digitsOf(currency);
  if (digits === undefined) return undefined;
  if (minor === null) return null;
  if (digits <= 2) return minor * 10n ** BigInt(2 - digits);
  const step = 10n ** BigInt(digits - 2);
  return minor % step === 0n ? minor / step : undefined;
}
