/** Requests that pass every rule, as tests change them: a null takes a parameter away. */
export type Fields = Readonly<Record<string, string | null>>;

export const channel = '8ac7a4c9d0e1b2f38ac7a4c9d0e1b2f3';
export const earlier = '8ac7a49f9a2b0c41019a2b5907ff73bc';

export const order: Fields = { entityId: channel, paymentType: 'DB', amount: '92.00', currency: 'EUR' };
export const card: Fields = { 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
export const cardPayment: Fields = { ...order, paymentBrand: 'VISA', ...card };
export const directDebit: Fields = {
  ...order,
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Ann Example',
  'bankAccount.iban': 'DE23100000001234567890',
  'bankAccount.bic': 'MARKDEF1100',
  'bankAccount.country': 'DE',
};
export const capture: Fields = { ...order, paymentType: 'CP' };

/** The fields as a body. */
export function bodyOf(...parts: readonly Fields[]): string {
  const fields = Object.entries(Object.assign(Object.create(null), ...parts) as Fields);
  return fields
    .filter((field): field is [string, string] => field[1] !== null)
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join('&');
}
