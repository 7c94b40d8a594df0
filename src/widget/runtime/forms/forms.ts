import type { WidgetBrand } from '../../../spec/widget.ts';
import type { FormsMaker, PaymentForm, Surroundings } from '../contract.ts';
import { createAccordion, hasPayButton } from './accordion.ts';
import { createAskedForm } from './askedForm.ts';
import { createCardForm } from './cardForm.ts';
import { setShown } from './draw.ts';
import { createStoredForm } from './storedForm.ts';
import { createWalletForm } from './walletForm.ts';

function formOf(around: Surroundings, brand: WidgetBrand, cards: readonly WidgetBrand[]): PaymentForm | null {
  const { form } = brand;
  if (form === 'card') return brand === cards[0] ? createCardForm(around, cards) : null;
  return form === 'wallet' ? createWalletForm(around, brand) : createAskedForm(around, { ...brand, form });
}

/** Whether the other ways to pay wait behind a button. Pages spell this option in two ways. */
function isWaiting({ options, flag }: Surroundings): boolean {
  const { hideInitialPaymentForms, hideInitialPayentForms } = options().registrations ?? {};
  return flag(hideInitialPaymentForms, false) || flag(hideInitialPayentForms, false);
}

/** The forms for the brands of one of the shop's forms: stored details first, all cards in one where the first of them stands. */
export const makeForms: FormsMaker = (around, { brands, registrations }) => {
  const known = brands.flatMap((name) => around.session.brands.find((brand) => brand.name === name) ?? []);
  const cards = known.filter(({ form }) => form === 'card');
  const forms = known.map((brand) => formOf(around, brand, cards)).filter((form) => form !== null);
  if (registrations.length === 0) return forms;
  const isHidden = forms.length > 0 && isWaiting(around);
  const [other] = forms.filter(hasPayButton);
  const openOne = (first: PaymentForm): void => {
    if (other) createAccordion(around, [stored, ...forms.filter(hasPayButton)], first);
  };
  const showOthers = (): void => {
    for (const { container } of forms) setShown(container, true);
    openOne(other ?? stored);
  };
  const stored = createStoredForm(around, {
    registrations,
    showOthers: isHidden ? showOthers : null,
    // A click on the heading opens the next one.
    onEmpty: () => other?.container.querySelector<HTMLElement>('.wpwl-method')?.click(),
  });
  if (isHidden) for (const { container } of forms) setShown(container, false);
  else openOne(stored);
  return [stored, ...forms];
};
