import { digitsOf } from '../spec/currencies.ts';
import { refusal, type WalletCard, type WalletFault } from './wallet.ts';

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
