import { bicCheck, giftNumberCheck, ibanCheck, isShortIban, portuguesePhoneCheck, showIban, textCheck } from './checks.ts';
import { createInput, createSelect, type FieldRow } from './field.ts';
import type { Field, FormBuilder } from './formBuilder.ts';
import { countryChoices, email, givenName, phone, surname } from './personFields.ts';

const letters = (min: number, max: number) => (text: string) => {
  const value = text.replace(/[\s.-]/g, '');
  return new RegExp(`^[A-Za-z0-9]{${min},${max}}$`).test(value) ? value : null;
};

const accountHolder: FieldRow = {
  name: 'accountHolder',
  wire: 'bankAccount.holder',
  label: 'accountHolder',
  error: 'accountHolderError',
  check: textCheck(4, 128),
  autocomplete: 'name',
};
const accountIban: FieldRow = {
  name: 'accountIban',
  wire: 'bankAccount.iban',
  label: 'accountIban',
  error: 'accountIbanError',
  emptyError: 'emptyError',
  detail: (text) => (isShortIban(text) ? 'accountIbanShortError' : null),
  check: ibanCheck,
  isRewritten: true,
  isLtr: true,
  show: showIban,
};
const accountBic: FieldRow = {
  name: 'accountBic',
  wire: 'bankAccount.bic',
  label: 'accountBic',
  error: 'accountBicError',
  emptyError: 'emptyError',
  check: bicCheck,
  isRewritten: true,
  isLtr: true,
};
const accountNumber: FieldRow = {
  name: 'accountNumber',
  wire: 'bankAccount.number',
  label: 'accountNumber',
  error: 'accountNumberError',
  emptyError: 'emptyError',
  check: letters(3, 64),
  isRewritten: true,
  isLtr: true,
};
const accountBank: FieldRow = {
  name: 'accountBank',
  wire: 'bankAccount.bankCode',
  label: 'accountBank',
  error: 'accountBankError',
  emptyError: 'emptyError',
  check: letters(1, 12),
  isRewritten: true,
  isLtr: true,
};
const accountId: FieldRow = {
  name: 'accountId',
  wire: 'virtualAccount.accountId',
  label: 'accountId',
  error: 'accountIdError',
  emptyError: 'emptyError',
  check: textCheck(1, 100),
  autocomplete: 'username',
  isLtr: true,
};
const giftNumber: FieldRow = {
  name: 'giftCardNumber',
  wire: 'giftCard.number',
  label: 'giftCardNumber',
  error: 'giftCardNumberError',
  emptyError: 'emptyError',
  check: giftNumberCheck,
  inputMode: 'numeric',
  isRewritten: true,
  isLtr: true,
};
const giftPin: FieldRow = {
  name: 'pin',
  wire: 'giftCard.pin',
  label: 'pin',
  error: 'pinError',
  emptyError: 'pinEmptyError',
  check: (text) => (/^[A-Za-z0-9]{2,32}$/.test(text.trim()) ? text.trim() : null),
  type: 'password',
  inputMode: 'numeric',
  isLtr: true,
};
const bankName: FieldRow = {
  name: 'bankName',
  wire: 'bankAccount.bankName',
  label: 'bankName',
  error: 'bankNameError',
  check: textCheck(1, 255),
};

/** Fields that a brand may require, by wire name. An address, a date of birth and a tax number have their own blocks. */
const rows: ReadonlyMap<string, FieldRow> = new Map(
  [
    ...[accountHolder, accountIban, accountBic, accountNumber, accountBank, accountId, giftNumber, giftPin, bankName],
    ...[givenName, surname, email, phone, { ...phone, wire: 'customer.phone' }],
  ].map((row) => [row.wire, row]),
);

/** Brands that pay by a telephone, whose number is the account, and how each writes it. */
const byPhone: ReadonlyMap<string, Partial<FieldRow>> = new Map([
  ['MBWAY', { check: portuguesePhoneCheck, isRewritten: true, placeholder: '+351 912 345 678' }],
  ['STC_PAY', {}],
]);

/** The country of a brand with only one, so that the shopper need not choose it. */
const homes: Readonly<Record<string, readonly string[]>> = {
  EPS: ['AT'],
  GIROPAY: ['DE'],
  IDEAL: ['NL'],
  POLI: ['AU', 'NZ'],
  INTERAC_ONLINE: ['CA'],
  ENTERCASH: ['DE', 'AT', 'FI', 'SE'],
  SOFORTUEBERWEISUNG: ['DE', 'AT', 'BE', 'CH', 'ES', 'IT', 'NL', 'PL'],
};

const banks: Readonly<Record<string, readonly string[]>> = {
  IDEAL: [
    ...['ABN AMRO', 'ASN Bank', 'bunq', 'ING', 'Knab', 'N26', 'Rabobank', 'RegioBank', 'Revolut', 'SNS', 'Triodos Bank'],
    ...['Van Lanschot Kempen', 'Yoursafe'],
  ],
};

function createCountry(builder: FormBuilder, brand: string): Field | null {
  const only = homes[brand] ?? null;
  if (only?.length === 1) {
    builder.setHidden('bankAccount.country', only[0] ?? null);
    return null;
  }
  const { environment } = builder;
  const choices = countryChoices(environment.language, only);
  const row = { name: 'country', wire: 'bankAccount.country', label: 'country', error: 'countryError' } as const;
  return createSelect(builder, {
    ...row,
    choices,
    prompt: environment.text('chooseCountry'),
    isRequired: true,
    autocomplete: 'country',
  });
}

function createBank(builder: FormBuilder, brand: string): Field {
  const list = banks[brand];
  if (!list) return createInput(builder, { ...bankName, isRequired: true });
  const choices = list.map((name) => [name, name] as const);
  return createSelect(builder, { ...bankName, choices, prompt: '–', isRequired: true });
}

/** The field for a wire name; null: it is known, or nothing that a shopper could say. `isRequired` may change while the form lives. */
export function createRequiredField(
  builder: FormBuilder,
  brand: string,
  wire: string,
  isRequired = (): boolean => true,
): Field | null {
  if (wire === 'bankAccount.country') return createCountry(builder, brand);
  if (wire === 'bankAccount.bankName') return createBank(builder, brand);
  const telephone = wire === 'virtualAccount.accountId' ? byPhone.get(brand) : undefined;
  if (telephone) return createInput(builder, { ...phone, ...telephone, wire, isRequired: true });
  const row = rows.get(wire);
  if (!row) return null;
  return createInput(builder, {
    ...row,
    get isRequired() {
      return isRequired();
    },
  });
}
