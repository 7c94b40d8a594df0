import { detectBrand } from '../spec/cards/cardRanges.ts';
import { type Checkout, offered } from './checkout.ts';
import { createForm, type Form } from './form.ts';
import type { CheckoutService } from './ports.ts';

export type Texts = Readonly<Record<string, string>>;

/** The parameters with which a payment of the checkout is requested. */
export type CheckoutRequest = {
  /** A whole request: the merchant's prepared parameters and the shopper's. */
  readonly form: Form;
  /** The stored details that the shopper has chosen. */
  readonly registrationId: string | null;
  readonly isRegistering: boolean;
  readonly brand: string | null;
};

/** Of the checkout itself, not of a payment. */
const isOfCheckout = (name: string): boolean =>
  name === 'integrity' || name.startsWith('registrations[') || name.startsWith('overridePaymentType[');

/** Stored details pay alone; of the form only the security code and, where it is allowed, a holder go with them. */
const isInstrument = (name: string): boolean =>
  name === 'paymentBrand' ||
  (/^(?:card|bankAccount|virtualAccount|walletA|walletB|walletC|applePay|googlePay|samsungPay|giftCard)\./.test(name) &&
    name !== 'card.cvv' &&
    name !== 'card.holder');

export type Parts = {
  /** The sealed part of the merchant's prepared parameters. */
  readonly secrets: Texts;
  readonly posted: Texts;
  /** The sealed values of the field frames. */
  readonly card: Texts;
  readonly isRegistering: boolean;
  /** The brand of stored details. */
  readonly brandOf: (registrationId: string) => string | null;
};

/** One request of what merchant, shopper and field frames have said. The merchant's word stands. */
export async function mergeRequest(
  { rest }: Pick<CheckoutService, 'rest'>,
  checkout: Checkout,
  { secrets, posted, card, isRegistering, brandOf }: Parts,
): Promise<CheckoutRequest> {
  const registrationId = isRegistering ? null : (card.registrationId ?? posted.registrationId ?? null);
  const isOwn = (name: string): boolean => name !== 'registrationId' && (registrationId === null || !isInstrument(name));
  const form = createForm(rest);
  form.put(posted, isOwn);
  form.put(card, isOwn);
  await form.putMany(checkout.fields, (name) => !isOfCheckout(name));
  form.put(secrets, (name) => !isOfCheckout(name));
  form.put({ entityId: checkout.entityId });
  const { fields } = form;
  const sent = fields.get('paymentBrand') ?? detectBrand(fields.get('card.number') ?? '') ?? null;
  const brand = registrationId === null ? sent : brandOf(registrationId);
  const override = checkout.fields[`overridePaymentType[${brand}]`];
  if (override !== undefined) form.put({ paymentType: override });
  return { form, registrationId, isRegistering, brand };
}

/** Whether the checkout offers these stored details. */
export const isOffered = (checkout: Checkout, registrationId: string): boolean =>
  offered(checkout).some(([, id]) => id === registrationId);
