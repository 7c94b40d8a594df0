type AccountFormat = {
  /** Letters in the place of digits. */
  readonly bankCode: { readonly length: number; readonly isLetters?: true };
  /** The longest account number; a shorter one gets zeros in front. */
  readonly numberLength: number;
  /** Control digits between bank code and account number. */
  readonly controls?: (bankCode: string, number: string) => string;
};

/** The countries whose account numbers and bank codes give an IBAN without asking a bank. Elsewhere the merchant must send the IBAN. */
const accountFormats: Readonly<Record<string, AccountFormat>> = {
  AT: { bankCode: { length: 5 }, numberLength: 11 },
  CH: { bankCode: { length: 5 }, numberLength: 12 },
  DE: { bankCode: { length: 8 }, numberLength: 10 },
  ES: { bankCode: { length: 8 }, numberLength: 10, controls: spanishControls },
  LI: { bankCode: { length: 5 }, numberLength: 12 },
  NL: { bankCode: { length: 4, isLetters: true }, numberLength: 10 },
};

const SPANISH_WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6];

/** One digit for bank and branch, one for the account. */
function spanishControls(bankCode: string, number: string): string {
  const control = (digits: string): number => {
    const sum = SPANISH_WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
    const rest = 11 - (sum % 11);
    return rest === 11 ? 0 : rest === 10 ? 1 : rest;
  };
  return `${control(`00${bankCode}`)}${control(number)}`;
}

/** The countries of the table, for messages. */
export const convertibleCountries: readonly string[] = Object.keys(accountFormats);

type Account = { readonly country: string; readonly bankCode: string; readonly number: string };

/** The fault of an account that is to become an IBAN; null when it has none. The country must be a convertible one. */
export function conversionFault({
  country,
  bankCode,
  number,
}: Account): { readonly of: 'bankCode' | 'number'; readonly message: string } | null {
  const format = accountFormats[country];
  if (!format) return null;
  const { length, isLetters } = format.bankCode;
  const inCountry = `when bankAccount.country is ${country} and no IBAN is sent`;
  if (!new RegExp(`^[${isLetters ? 'A-Za-z' : '0-9'}]{${length}}$`).test(bankCode))
    return { of: 'bankCode', message: `must be ${length} ${isLetters ? 'letters' : 'digits'} ${inCountry}` };
  if (!new RegExp(`^[0-9]{1,${format.numberLength}}$`).test(number))
    return { of: 'number', message: `must be up to ${format.numberLength} digits ${inCountry}` };
  return null;
}

/** The IBAN of an account; null where the country or the account does not allow a conversion. */
export function ibanOf(account: Account): string | null {
  const format = accountFormats[account.country];
  if (!format || conversionFault(account) !== null) return null;
  const bankCode = account.bankCode.toUpperCase();
  const number = account.number.padStart(format.numberLength, '0');
  const bban = `${bankCode}${format.controls?.(bankCode, number) ?? ''}${number}`;
  const digits = [...`${bban}${account.country}00`].map((sign) => Number.parseInt(sign, 36)).join('');
  const check = String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
  return `${account.country}${check}${bban}`;
}
