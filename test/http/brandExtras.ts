import type { Fields } from './client.ts';

export const names: Fields = { 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
const billing: Fields = {
  'billing.street1': 'Main Street 1',
  'billing.city': 'Springfield',
  'billing.postcode': '12345',
  'billing.country': 'DE',
};
export const item = (n: number): Fields => ({
  [`cart.items[${n}].merchantItemId`]: `pen-${n}`,
  [`cart.items[${n}].name`]: 'Pen',
  [`cart.items[${n}].quantity`]: '2',
  [`cart.items[${n}].price`]: '46.00',
  [`cart.items[${n}].discount`]: '0.00',
  [`cart.items[${n}].tax`]: '19.00',
});
export const priced = (n: number): Fields => ({
  [`customParameters[PAYOLUTION_ITEM_PRICE_${n}]`]: '46.00',
  [`customParameters[PAYOLUTION_ITEM_DESCR_${n}]`]: 'Pen',
});
export const klarna: Fields = { ...names, 'customer.email': 'ann@example.org', ...billing, ...item(0) };
const payolution: Fields = {
  ...names,
  'customer.email': 'ann@example.org',
  'customer.ip': '192.0.2.17',
  ...billing,
  ...priced(1),
};
export const boleto: Fields = { ...names, ...billing, 'customParameters[BRADESCO_cpfsacado]': '11111111111' };
const sepa: Fields = {
  'bankAccount.holder': 'Ann Example',
  'bankAccount.iban': 'DE23100000001234567890',
  'bankAccount.bic': 'MARKDEF1100',
};

/** Facts 14.4, and what follows from an account: what each brand needs. */
export const brandExtras: Readonly<Record<string, Fields>> = {
  DIRECTDEBIT_SEPA: { ...sepa, 'bankAccount.country': 'DE' },
  SEPA: sepa,
  SOFORTUEBERWEISUNG: { 'bankAccount.country': 'AT' },
  EPS: { 'bankAccount.country': 'AT' },
  GIROPAY: { 'bankAccount.bic': 'TESTDETT421', 'bankAccount.iban': 'DE14940593100000012346', 'bankAccount.country': 'DE' },
  IDEAL: { 'bankAccount.bankName': 'ING_TEST', 'bankAccount.country': 'NL' },
  KLARNA_PAYMENTS_PAYLATER: klarna,
  KLARNA_PAYMENTS_PAYNOW: klarna,
  KLARNA_PAYMENTS_SLICEIT: klarna,
  KLARNA_PAYMENTS_BILLPAY: klarna,
  KLARNA_INVOICE: klarna,
  KLARNA_INSTALLMENTS: klarna,
  PAYOLUTION_INVOICE: payolution,
  PAYOLUTION_INS: payolution,
  PAYOLUTION_ELV: payolution,
  TRUSTPAY_VA: names,
  BOLETO: boleto,
  BRADESCO: boleto,
  MBWAY: { 'virtualAccount.accountId': '351#911222111' },
};
