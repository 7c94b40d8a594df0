import type { Fault } from '../form/checked.ts';
import { canonical } from '../spec/aliases.ts';
import { parameters } from '../spec/parameters.ts';
import type { Secret } from '../spec/row.ts';
import { decisiveAttempt } from './attempts.ts';
import type { Checkout } from './checkout.ts';
import { codesOf, dropCodes, keepCodes } from './codes.ts';
import { updateCheckout } from './find.ts';
import type { Texts } from './merge.ts';
import { cardOf, type OpenedForm, type PayResult, payWith, prepareRequest, type SubmittedForm, unreadableSeal } from './pay.ts';
import type { CheckoutService } from './ports.ts';
import { openCard, openSaved, sealSaved } from './secrets.ts';

/**
 * Pages with a summary of their own: on pay nothing is carried out, but what the shopper has entered is kept with the checkout until the
 * merchant's server says go. The number is sealed with it. What may be written nowhere stays in the memory of the node that took the form.
 */

type Kept = Omit<OpenedForm, 'fields'> & { readonly fields: Texts };

const isNever = (name: string): boolean =>
  (parameters as Readonly<Record<string, { readonly secret?: Secret } | undefined>>)[canonical(name)]?.secret?.stored === 'never';

/** Apart by whether it may be written down at all. */
function parted(texts: Texts): { readonly kept: Texts; readonly codes: Texts } {
  const entries = Object.entries(texts);
  return {
    kept: Object.fromEntries(entries.filter(([name]) => !isNever(name))),
    codes: Object.fromEntries(entries.filter(([name]) => isNever(name))),
  };
}

/** Looks at a form as if it were paid now, and keeps it. Whatever was kept before is replaced. Null: it is kept. */
export async function saveForm(
  service: CheckoutService,
  checkout: Checkout,
  posted: SubmittedForm,
): Promise<Extract<PayResult, { readonly is: 'faulty' }> | null> {
  const card = await cardOf(service, checkout, posted.fields);
  if (card === null) return unreadableSeal;
  const plan = await prepareRequest(service, checkout, { ...posted, card });
  if ('is' in plan) return plan;
  const said = parted(plan.shopperFields);
  const number = parted(card);
  const kept: Kept = { ...posted, fields: said.kept, card: number.kept };
  const sealedForm = await sealSaved(service, checkout, JSON.stringify(kept));
  await updateCheckout(service, checkout, (current) => ({ ...current, savedForm: sealedForm }));
  keepCodes(service.world, checkout.id, { fields: { ...said.codes, ...number.codes }, until: checkout.expiresAt });
  return null;
}

const NOTHING: Fault = { name: 'id', value: null, message: 'has nothing to carry out: the shopper has saved nothing' };

/**
 * Carries out what was kept, once. `sealed` is what the shop's page was handed for it: with that any node knows the security code for as
 * long as it is good. Who asks again is told what became of it.
 */
export async function handle(service: CheckoutService, checkout: Checkout, sealed: string | null): Promise<PayResult> {
  if (!checkout.savedForm) {
    const payment = decisiveAttempt(await service.store.attempts(checkout.merchantId, checkout.id));
    return payment ? { is: 'there', payment } : { is: 'faulty', faults: [NOTHING], code: '200.300.404' };
  }
  const { fields, card, ...seen } = JSON.parse(await openSaved(service, checkout, checkout.savedForm)) as Kept;
  const brought = sealed === null ? null : await openCard(service, checkout, sealed);
  const { 'card.cvv': cvv, ...codes } = codesOf(service.world, checkout.id);
  const code = brought?.['card.cvv'] ?? cvv;
  const paid = await payWith(service, checkout, {
    ...seen,
    fields: new Map(Object.entries({ ...fields, ...codes })),
    card: { ...card, ...(code !== undefined && { 'card.cvv': code }) },
  });
  // What was refused as it stands can be tried again where more of it is known.
  if (paid.is === 'faulty') return paid;
  dropCodes(service.world, checkout.id);
  const done = checkout.savedForm;
  await updateCheckout(service, checkout, (current) => (current.savedForm === done ? { ...current, savedForm: null } : current));
  return paid;
}
