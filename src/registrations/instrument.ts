import { isValidBIC, isValidIBAN } from 'ibantools';
import type { Checked } from '../form/checked.ts';
import { ibanOf } from '../spec/accountNumbers.ts';
import { brands } from '../spec/cards/brands.ts';
import { withoutNumber } from '../spec/cards/cardNumbers.ts';
import { fitsBrand, hasCheckDigit, passesLuhn } from '../spec/cards/cardRanges.ts';
import type { CodeThat } from '../spec/resultCodes.ts';
import type { WalletCard } from '../wallets/wallet.ts';

/** The payer's instrument as it may be shown: no number that could be used again. */
export type Instrument =
  | {
      readonly kind: 'card';
      readonly bin: string | null;
      readonly last4Digits: string;
      readonly holder: string | null;
      readonly expiryMonth: string;
      readonly expiryYear: string;
    }
  | {
      readonly kind: 'bankAccount';
      readonly holder: string | null;
      readonly last4Digits: string | null;
      readonly country: string | null;
      readonly bankCode: string | null;
      readonly bic: string | null;
      readonly bankName: string | null;
    }
  | { readonly kind: 'virtualAccount'; readonly accountId: string }
  | { readonly kind: 'giftCard'; readonly last4Digits: string | null }
  | {
      readonly kind: 'tokenAccount';
      readonly type: 'EXTERNAL' | 'NETWORK';
      readonly last4Digits: string;
      readonly expiryMonth: string | null;
      readonly expiryYear: string | null;
    };

/** The holder of a card or bank account; null without one. */
export const holderOf = (instrument: Instrument | null): string | null =>
  instrument?.kind === 'card' || instrument?.kind === 'bankAccount' ? instrument.holder : null;

/** Secrets that leave the process only towards the acquirer, and are never written down in clear. */
export type Secrets = {
  readonly number?: string;
  readonly iban?: string;
  readonly cvv?: string;
  /** Of a gift card; it goes with one payment, as a security code does. */
  readonly pin?: string;
  readonly cryptogram?: string;
  readonly dtvc?: string;
  readonly verificationId?: string;
  /** The device data of an app's SDK, for the directory server alone. */
  readonly deviceInfo?: string;
  /** Numbers of people that are no instrument (documents, accounts of sender and recipient, a bought gift card), by their parameters. */
  readonly personal?: Readonly<Record<string, string>>;
  /** The scheme's own token for a stored card, with a cryptogram for this one payment: it is sent in the place of the number. */
  readonly networkToken?: NetworkToken & { readonly cryptogram: string };
};

/** A number of the scheme's that stands for a card at one merchant. */
export type NetworkToken = { readonly number: string; readonly expiryMonth: string; readonly expiryYear: string };

/** The charged instrument with its brand and its secrets. */
export type Charged = {
  readonly instrument: Instrument | null;
  readonly paymentBrand: string | null;
  readonly secrets: Secrets;
};

type Refusal = CodeThat<'refused'>;

/** With fewer digits, first six and last four together would leave less than four hidden. */
const BIN_LENGTH_MIN = 14;

/** A gift card pays only under its brand; with another instrument it is the purchase. */
const giftNumberOf = (checked: Checked): string | undefined =>
  brands[checked.get('paymentBrand') ?? '']?.account === 'giftCard' ? checked.get('giftCard.number') : undefined;

/** The last four of a number, where enough of it stays hidden. */
const lastFour = (number: string | undefined): string | null =>
  number !== undefined && number.length >= 8 ? number.slice(-4) : null;

/** The instrument a request names, as it may be shown. The rules have made sure that it names one at most. */
export function instrumentOf(checked: Checked): Instrument | null {
  const number = checked.get('card.number');
  if (number !== undefined) {
    return shownCard(number, {
      holder: checked.get('card.holder') ?? null,
      expiryMonth: checked.get('card.expiryMonth') ?? '',
      expiryYear: checked.get('card.expiryYear') ?? '',
    });
  }
  const token = checked.get('tokenAccount.number');
  if (token !== undefined) {
    return {
      kind: 'tokenAccount',
      type: checked.get('tokenAccount.type') ?? 'EXTERNAL',
      last4Digits: token.slice(-4),
      expiryMonth: checked.get('tokenAccount.expiryMonth') ?? null,
      expiryYear: checked.get('tokenAccount.expiryYear') ?? null,
    };
  }
  const accountId = checked.get('virtualAccount.accountId');
  if (accountId !== undefined) return { kind: 'virtualAccount', accountId };
  const giftNumber = giftNumberOf(checked);
  if (giftNumber !== undefined) return { kind: 'giftCard', last4Digits: lastFour(giftNumber) };
  return bankAccountOf(checked);
}

/** The payer of a brand without an account, who is stored by a number of theirs; null when the brand has none. */
export function payerOf(checked: Checked): Instrument | null {
  const name = brands[checked.get('paymentBrand') ?? '']?.payer;
  const accountId = name === undefined ? undefined : checked.text(name);
  return accountId === undefined ? null : { kind: 'virtualAccount', accountId };
}

/** The card in a wallet's token. A name that the request adds stands where the token has none. */
export function walletInstrument(card: WalletCard, checked: Checked): Instrument {
  const holder = card.holder ?? checked.get('card.holder') ?? null;
  return shownCard(card.number, { holder, expiryMonth: card.expiryMonth, expiryYear: card.expiryYear });
}

export const walletSecrets = ({ number, cryptogram }: WalletCard): Secrets =>
  cryptogram === null ? { number } : { number, cryptogram };

type CardFace = { readonly holder: string | null; readonly expiryMonth: string; readonly expiryYear: string };

const shownCard = (number: string, { holder, expiryMonth, expiryYear }: CardFace): Instrument => ({
  kind: 'card',
  bin: number.length >= BIN_LENGTH_MIN ? number.slice(0, 6) : null,
  last4Digits: number.slice(-4),
  holder,
  expiryMonth,
  expiryYear,
});

function bankAccountOf(checked: Checked): Instrument | null {
  const number = checked.get('bankAccount.iban') ?? checked.get('bankAccount.number');
  const country = checked.get('bankAccount.country');
  const holder = checked.get('bankAccount.holder');
  if (number === undefined && country === undefined && holder === undefined) return null;
  return {
    kind: 'bankAccount',
    holder: holder ?? null,
    last4Digits: lastFour(number),
    country: country ?? null,
    bankCode: checked.get('bankAccount.bankCode') ?? null,
    bic: checked.get('bankAccount.bic') ?? null,
    bankName: checked.get('bankAccount.bankName') ?? null,
  };
}

/** A SEPA debit is drawn by IBAN, also where account number and bank code were sent. */
function convertedIban(checked: Checked): string | undefined {
  if (brands[checked.get('paymentBrand') ?? '']?.method !== 'DD') return undefined;
  const [number, bankCode] = [checked.get('bankAccount.number'), checked.get('bankAccount.bankCode')];
  const country = checked.get('bankAccount.country');
  if (number === undefined || bankCode === undefined || country === undefined) return undefined;
  return ibanOf({ country, bankCode, number }) ?? undefined;
}

const PERSONAL = [
  ...(['customer.identificationDocId', 'shipping.customer.identificationDocId'] as const),
  ...(['sender.accountNumber', 'recipient.accountNumber', 'recipient.identificationValue'] as const),
  ...(['giftCard.number', 'giftCard.pin'] as const),
];

/** The secrets of a request that belong to no instrument; undefined: there are none. */
export function personalOf(checked: Checked): Secrets['personal'] {
  const isPaidByGift = giftNumberOf(checked) !== undefined;
  let personal: Record<string, string> | undefined;
  for (const name of PERSONAL) {
    const text = checked.text(name);
    if (text !== undefined && !(isPaidByGift && name.startsWith('giftCard.'))) personal = { ...personal, [name]: text };
  }
  return personal;
}

/** Data for the acquirer only. */
export function secretsOf(checked: Checked): Secrets {
  const secrets: Record<string, string> = {};
  const take = (key: keyof Secrets, text: string | undefined) => {
    if (text !== undefined) secrets[key] = text;
  };
  const giftNumber = giftNumberOf(checked);
  const number = checked.get('card.number') ?? checked.get('tokenAccount.number') ?? checked.get('bankAccount.number');
  take('number', number ?? giftNumber);
  take('iban', checked.get('bankAccount.iban') ?? convertedIban(checked));
  take('cvv', checked.get('card.cvv'));
  take('pin', giftNumber && checked.get('giftCard.pin'));
  take('cryptogram', checked.get('tokenAccount.cryptogram'));
  take('dtvc', checked.get('tokenAccount.dtvc'));
  take('verificationId', checked.get('threeDSecure.verificationId'));
  take('deviceInfo', checked.get('threeDSecure.deviceInfo'));
  return secrets;
}

/** An instrument that is well formed and still cannot be charged: a real transaction with an id, refused. */
export function refusalOfInstrument(charged: Charged, now: number): Refusal | null {
  const { instrument, secrets } = charged;
  switch (instrument?.kind) {
    case 'card':
      return refusalOfCard(charged, now);
    case 'tokenAccount':
      return isPast(instrument.expiryMonth, instrument.expiryYear, now) ? '100.100.303' : null;
    case 'bankAccount':
      return refusalOfBankAccount(instrument, secrets.iban);
    default:
      return null;
  }
}

function refusalOfCard({ instrument, paymentBrand, secrets }: Charged, now: number): Refusal | null {
  if (instrument?.kind !== 'card') return null;
  const number = secrets.number ?? '';
  if (hasCheckDigit(paymentBrand ?? '') && !passesLuhn(number)) return '100.100.101';
  if (paymentBrand !== null && !fitsBrand(paymentBrand, number)) return '100.100.700';
  if (isPast(instrument.expiryMonth, instrument.expiryYear, now)) return '100.100.303';
  const cvvLength = paymentBrand === null ? undefined : brands[paymentBrand]?.cvvLength;
  if (secrets.cvv !== undefined && cvvLength !== undefined && secrets.cvv.length !== cvvLength) return '100.100.601';
  return null;
}

/** A card is good to the end of the month printed on it. */
function isPast(month: string | null, year: string | null, now: number): boolean {
  return month !== null && year !== null && now >= Date.UTC(Number(year), Number(month), 1);
}

function refusalOfBankAccount(
  { country, bic }: Extract<Instrument, { kind: 'bankAccount' }>,
  iban: string | undefined,
): Refusal | null {
  if (iban !== undefined && !isValidIBAN(iban)) return '100.100.101';
  if (bic !== null && !isValidBIC(bic)) return '100.100.101';
  if (iban !== undefined && country !== null && iban.slice(0, 2) !== country) return '100.200.100';
  if (iban !== undefined && bic !== null && bic.slice(4, 6) !== iban.slice(0, 2)) return '100.200.103';
  return null;
}

/**
 * A string without the number or account that is charged, in case the request repeats it there. The form is searched for card numbers
 * before; this finds the one that no issuer's range or check digit tells.
 */
export function scrubbed<Text extends string | null>(text: Text, { number, iban }: Secrets): Text {
  const secret = number ?? iban;
  return text === null || secret === undefined ? text : (withoutNumber(text, secret) as Text);
}
