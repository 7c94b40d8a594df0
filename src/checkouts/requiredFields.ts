import { type Brand, brands } from '../spec/cards/brands.ts';
import type { FormKind } from '../spec/widget.ts';
import { networkOf } from '../threeds/networks.ts';
import type { Checkout } from './checkout.ts';

const ADDRESS = ['billing.street1', 'billing.city', 'billing.postcode', 'billing.country'];
/** Known from the connection, or to the merchant alone: the shopper is not asked for it. */
const isNotAsked = (name: string): boolean => name === 'customer.ip' || name.startsWith('cart.');

const isDrawn = ({ account, method }: Brand): boolean => account === 'bankAccount' && (method === 'DD' || method === 'CT');

/** Which form a brand is paid by. */
export function formOf(brand: Brand): FormKind {
  switch (brand.account) {
    case 'card':
      return 'card';
    case 'wallet':
      return 'wallet';
    case 'giftCard':
      return 'giftCard';
    case 'bankAccount':
      return isDrawn(brand) ? 'directDebit' : 'onlineTransfer';
    case 'none':
      return 'prepayment';
    case 'virtualAccount':
      return brand.paidBy === 'slip' ? 'prepayment' : brand.paidBy === 'invoice' ? 'invoice' : 'virtualAccount';
  }
}

export type FieldContext = {
  /** Whether the merchant has prepared the field. */
  readonly isPrepared: (name: string) => boolean;
  readonly isRegistering: boolean;
  /** The channel authenticates cardholders. */
  readonly threeDSecure: boolean;
};

/** Whether the merchant has prepared a field, in clear or sealed. Neither is copied: a cart may have thousands of them. */
export const preparedIn =
  ({ fields }: Pick<Checkout, 'fields'>, secrets: Readonly<Record<string, string>>) =>
  (name: string): boolean =>
    fields[name] !== undefined || secrets[name] !== undefined;

/** What a shopper has to be asked for with this brand, by wire names: what it needs and the merchant has not prepared. */
export function requiredFieldsOf(name: string, { isPrepared, isRegistering, threeDSecure }: FieldContext): readonly string[] {
  const brand = brands[name];
  if (!brand) return [];
  const account = isDrawn(brand) ? ['bankAccount.holder', 'bankAccount.iban', 'bankAccount.bic'] : [];
  const needed = new Set([...account, ...brand.extras]);
  // Not every gift card has one, but the form that asks for a number asks for it too.
  if (brand.account === 'giftCard') needed.add('giftCard.pin');
  if (brand.isByPhoneOrCode && !isRegistering) needed.add('customer.mobile');
  if (isRegistering && brand.account === 'virtualAccount') needed.add('virtualAccount.accountId');
  if (isRegistering && brand.account === 'bankAccount') needed.add('bankAccount.iban');
  if (threeDSecure && brand.account === 'card' && networkOf(name) !== null) for (const one of ADDRESS) needed.add(one);
  return [...needed].filter((one) => !isPrepared(one) && !isNotAsked(one));
}
