import { mapKeys } from '../src/spec/parameters.ts';
import { card, cardPayment, directDebit, earlier, type Fields, order } from './requests.ts';

/** For each parameter of the catalogue a request that is right with it. */

const preauthorization: Fields = { ...cardPayment, paymentType: 'PA' };
const names: Fields = { 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
const proof: Fields = { 'threeDSecure.verificationId': 'x', 'threeDSecure.eci': '05' };
const [MODE, TYPE, SOURCE] = ['standingInstruction.mode', 'standingInstruction.type', 'standingInstruction.source'] as const;
const series: Fields = { [MODE]: 'INITIAL', [TYPE]: 'INSTALLMENT', [SOURCE]: 'CIT' };
// The first payment of a series is never the merchant's, so a later one is asked who started it.
const later: Fields = { ...series, [MODE]: 'REPEATED', 'standingInstruction.initialTransactionId': '0123' };
const PRACTICE = 'standingInstruction.industryPractice';
const migration: Fields = {
  'recurringMigration.paymentType': 'PA',
  'recurringMigration.requestTimestamp': '2025-01-31 12:00:00',
  'recurringMigration.connectorTxId1': 'x',
};
const seller = (text: string): Fields => ({ 'marketPlace.sellers[0].id': text, 'cart.items[0].sellerId': text });
const wallet = (name: string): Fields => ({ ...order, [`${name.slice(0, 7)}.paymentToken`]: 'x' });

/** The request a parameter belongs into, by how its name begins: the first that fits. The text is that of the parameter. */
const bases: readonly (readonly [RegExp, (name: string, text: string) => Fields])[] = [
  [/^wallet.\.source/, () => ({ ...order, ...card, ...proof })],
  [/^wallet/, wallet],
  [/^virtualAccount/, () => ({ ...order, paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/' })],
  [/^bankAccount/, () => ({ ...directDebit, 'bankAccount.mandate.id': 'M-A' })],
  [/^tokenAccount\.type/, () => ({ ...order, 'tokenAccount.number': '489537000000', 'tokenAccount.dtvc': '123' })],
  [
    /^tokenAccount/,
    (name) => ({
      ...(name.endsWith('cryptogram') ? {} : { 'tokenAccount.dtvc': '123' }),
      ...order,
      'tokenAccount.number': '489537000000',
      'tokenAccount.type': 'NETWORK',
      'tokenAccount.expiryMonth': '01',
      'tokenAccount.expiryYear': '2031',
    }),
  ],
  [/^transactionDueDate/, () => directDebit],
  [
    /^customer\.identification/,
    () => ({
      ...cardPayment,
      ...names,
      'customer.identificationDocType': 'IDCARD',
      'customer.identificationDocId': 'C01X00T478',
    }),
  ],
  [/^customer\./, () => ({ ...cardPayment, ...names })],
  [/\.houseNumber2$/, (name) => ({ ...cardPayment, [name.replace(/2$/, '1')]: '7' })],
  [/^forex/, () => ({ ...cardPayment, 'forex.amount': '1.00', 'forex.currency': 'EUR' })],
  [
    /^threeDSecure\.(?:amount|currency)/,
    () => ({ ...cardPayment, 'threeDSecure.amount': '1.00', 'threeDSecure.currency': 'EUR' }),
  ],
  [/^threeDSecure\.(?:threeRI|channel)/, () => ({ ...cardPayment, 'threeDSecure.channel': '3' })],
  [/^threeDSecure\.(?:verificationId|eci)/, () => ({ ...cardPayment, 'threeDSecure.eci': '05' })],
  [
    /^(?:referenceUuid|standingInstruction\.industryPractice)/,
    () => ({ ...preauthorization, referenceUuid: earlier, [PRACTICE]: 'REAUTHORIZATION' }),
  ],
  [/^standingInstruction\.source/, () => ({ ...cardPayment, ...later })],
  [/^standingInstruction/, () => ({ ...cardPayment, ...series })],
  [/^numberOfCaptures/, () => preauthorization],
  [/^cart\.payments/, () => ({ ...cardPayment, 'cart.payments[0].amount': '1.00', 'cart.payments[0].currency': 'EUR' })],
  [/^marketPlace\.sellers\[0\]\.id/, (_, text) => ({ ...cardPayment, ...seller(text) })],
  [/^marketPlace/, () => ({ ...cardPayment, ...seller('a') })],
  [/^recurringMigration/, () => ({ ...cardPayment, createRegistration: 'true', ...migration })],
  [/^authentication\.entityId/, () => ({ ...cardPayment, entityId: null })],
  [/^/, () => cardPayment],
];

export const baseFor = (name: string, text: string): Fields =>
  bases.find(([pattern]) => pattern.test(name))?.[1](name, text) ?? {};

/** A parameter of the row: the first of a list, some entry of a map. */
export function nameOf(rowName: string): string {
  const key = mapKeys[rowName]?.good.at(-1) ?? '';
  return (rowName in mapKeys ? rowName.replace(/\[[a-z]+\]/, `[${key}]`) : rowName).replaceAll('[n]', '[0]');
}

/** Where a rule between parameters takes less than the row alone: texts that pass, and what all that pass look like. */
export const narrowed: Readonly<Record<string, { readonly good: readonly string[]; readonly like: RegExp }>> = {
  paymentType: { good: ['PA', 'DB', 'CD'], like: /^(?:PA|DB|CD)$/ },
  paymentBrand: { good: ['VISA', 'MASTER', 'AMEX', 'MAESTRO'], like: /^(?:VISA|MASTER|AMEX|MAESTRO)$/ },
  sequence: { good: ['FINAL'], like: /^FINAL$/ },
  referenceUuid: { good: [earlier], like: /^[a-f0-9]{32}$/ },
  'job.expression': { good: ['0 0 12 1 * ?', '0 0 12 ? * MON 2031'], like: /^0 0 12 (?:1 \* \?|\? \* MON 2031)$/ },
  shopperResultUrl: { good: ['https://shop.example/a?b=c', 'http://a.b'], like: /^https?:/ },
};
