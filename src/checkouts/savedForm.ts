import type { Fault } from '../form/checked.ts';
import { canonical } from '../spec/aliases.ts';
import { parameters } from '../spec/parameters.ts';
import type { Secret } from '../spec/row.ts';
import { type Checkout, decisiveAttempt } from './checkout.ts';
import { updateCheckout } from './find.ts';
import type { Texts } from './merge.ts';
import { cardOf, type OpenedForm, type PayResult, payWith, prepareRequest, type SubmittedForm, unreadableSeal } from './pay.ts';
import type { CheckoutService } from './ports.ts';
import { openCard, openSaved, sealSaved } from './secrets.ts';

/**
 * Shops with a summary page of their own: the shopper's form is saved with the checkout until the merchant's server confirms it. The number
 * is sealed. Fields that must never be stored stay in the memory of the node that received the form.
 */

type SavedForm = Omit<OpenedForm, 'fields'> & { readonly fields: Texts };

const isNever = (name: string): boolean =>
  (parameters as Readonly<Record<string, { readonly secret?: Secret } | undefined>>)[canonical(name)]?.secret?.stored === 'never';

/** Fields by whether they may be stored. */
function splitByStorage(texts: Texts): { readonly kept: Texts; readonly codes: Texts } {
  const entries = Object.entries(texts);
  return {
    kept: Object.fromEntries(entries.filter(([name]) => !isNever(name))),
    codes: Object.fromEntries(entries.filter(([name]) => isNever(name))),
  };
}

/** Checks a form as if it were paid now, and saves it in place of an earlier one. Null: it is saved. */
export async function saveForm(
  service: CheckoutService,
  checkout: Checkout,
  posted: SubmittedForm,
): Promise<Extract<PayResult, { readonly is: 'faulty' }> | null> {
  const opened = await cardOf(service, checkout, posted.fields);
  if (opened === null) return unreadableSeal;
  const { card, isPlain } = opened;
  const prepared = await prepareRequest(service, checkout, { ...posted, card, isPlain });
  if (prepared.is === 'faulty') return prepared;
  const said = splitByStorage(prepared.shopperFields);
  const number = splitByStorage(card);
  const kept: SavedForm = { ...posted, fields: said.kept, card: number.kept, isPlain };
  const sealedForm = await sealSaved(service, checkout, JSON.stringify(kept));
  await updateCheckout(service, checkout, (current) => ({ ...current, savedForm: sealedForm }));
  service.heldCodes.keep(checkout.id, {
    fields: { ...said.codes, ...number.codes },
    until: checkout.expiresAt,
    clock: service.world.clock,
  });
  return null;
}

const NOTHING: Fault = { name: 'id', value: null, message: 'has nothing to carry out: the shopper has saved nothing' };

/**
 * Pays with the saved form, once. `sealed` is the sealed card that the shop's page was given: it lets any node read the security code while it
 * is valid. A second call returns the payment.
 */
export async function paySavedForm(service: CheckoutService, checkout: Checkout, sealed: string | null): Promise<PayResult> {
  if (!checkout.savedForm) {
    const payment = decisiveAttempt(await service.store.attempts(checkout.merchantId, checkout.id));
    return payment ? { is: 'there', payment } : { is: 'faulty', faults: [NOTHING], code: '200.300.404' };
  }
  const { fields, card, ...seen } = JSON.parse(await openSaved(service, checkout, checkout.savedForm)) as SavedForm;
  const brought = sealed === null ? null : await openCard(service, checkout, sealed);
  const { 'card.cvv': cvv, ...codes } = service.heldCodes.of(checkout.id);
  const code = brought?.['card.cvv'] ?? cvv;
  const paid = await payWith(service, checkout, {
    ...seen,
    fields: new Map(Object.entries({ ...fields, ...codes })),
    card: { ...card, ...(code !== undefined && { 'card.cvv': code }) },
  });
  // A refused form stays: another node may hold the codes that it lacks.
  if (paid.is === 'faulty') return paid;
  service.heldCodes.drop(checkout.id);
  const done = checkout.savedForm;
  await updateCheckout(service, checkout, (current) => (current.savedForm === done ? { ...current, savedForm: null } : current));
  return paid;
}
