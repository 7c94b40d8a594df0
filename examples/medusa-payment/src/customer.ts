import type { CheckoutParameters } from 'turnpike/client';

type Text = string | null | undefined;

/** The customer of Medusa's context, as far as a checkout wants it. */
export type Customer = {
  readonly id?: string;
  readonly email?: Text;
  readonly first_name?: Text;
  readonly last_name?: Text;
  readonly billing_address?: {
    readonly address_1?: Text;
    readonly city?: Text;
    readonly postal_code?: Text;
    readonly country_code?: Text;
  } | null;
};

const cut = (text: Text, length: number): string => text?.trim().slice(0, length).trim() ?? '';

function personOf({ id, email, first_name, last_name }: Customer): CheckoutParameters {
  const [givenName, surname] = [cut(first_name, 50), cut(last_name, 50)];
  if (givenName === '' || surname === '') return {};
  return {
    'customer.givenName': givenName,
    'customer.surname': surname,
    'customer.merchantCustomerId': cut(id, 255) || undefined,
    'customer.email': /^[^@\s]+@[^@\s]+$/.test(email ?? '') ? (email ?? undefined) : undefined,
  };
}

/** An address counts as a whole: a part of one is of no use to 3D Secure. */
function addressOf({ billing_address }: Customer): CheckoutParameters {
  const street = cut(billing_address?.address_1, 100);
  const city = cut(billing_address?.city, 80);
  const postcode = cut(billing_address?.postal_code?.replace(/[^A-Za-z0-9]/g, ''), 16);
  const country = cut(billing_address?.country_code, 2).toUpperCase();
  if (street === '' || /^[0-9\s]+$/.test(street) || city === '' || postcode === '' || country.length !== 2) return {};
  return { 'billing.street1': street, 'billing.city': city, 'billing.postcode': postcode, 'billing.country': country };
}

/** What the widget then does not ask the shopper for. */
export const customerParameters = (customer: Customer): CheckoutParameters => ({ ...personOf(customer), ...addressOf(customer) });
