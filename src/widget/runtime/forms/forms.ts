import type { WidgetBrand } from '../../../spec/widget.ts';
import type { Environment, FormsMaker, PaymentForm } from '../contract.ts';
import { createWalletForm } from '../wallets/walletForm.ts';
import { brandName } from './brandNames.ts';
import { createCardForm } from './cardForm.ts';
import { createDraw, setShown } from './draw.ts';
import { createMethodForm } from './methodForm.ts';
import { createStoredForm } from './storedForm.ts';

function formOf(environment: Environment, brand: WidgetBrand, cards: readonly WidgetBrand[]): PaymentForm | null {
  const { form } = brand;
  if (form === 'card') return brand === cards[0] ? createCardForm(environment, cards) : null;
  return form === 'wallet' ? createWalletForm(environment, brand) : createMethodForm(environment, { ...brand, form });
}

/** Whether the other ways to pay wait behind a button. Pages spell this option in two ways. */
function isWaiting({ options, flag }: Environment): boolean {
  const { hideInitialPaymentForms, hideInitialPayentForms } = options().registrations ?? {};
  return flag(hideInitialPaymentForms, false) || flag(hideInitialPayentForms, false);
}

/** The forms for the brands of one of the shop's forms: stored details first, all cards in one where the first of them stands. */
export const makeForms: FormsMaker = (environment, { brands, registrations }) => {
  const known = brands.flatMap((name) => environment.session.brands.find((brand) => brand.name === name) ?? []);
  const cards = known.filter(({ form }) => form === 'card');
  const forms = known.map((brand) => formOf(environment, brand, cards)).filter((form) => form !== null);
  if (registrations.length === 0) return forms;
  const isHidden = forms.length > 0 && isWaiting(environment);
  const [other] = forms.filter(hasPayButton);
  const openOne = (first: PaymentForm): void => {
    if (other) createAccordion(environment, [stored, ...forms.filter(hasPayButton)], first);
  };
  const showOthers = (): void => {
    for (const { container } of forms) setShown(container, true);
    openOne(other ?? stored);
  };
  const stored = createStoredForm(environment, {
    registrations,
    showOthers: isHidden ? showOthers : null,
    // A click on the heading opens the next one.
    onEmpty: () => other?.container.querySelector<HTMLElement>('.wpwl-method')?.click(),
  });
  if (isHidden) for (const { container } of forms) setShown(container, false);
  else openOne(stored);
  return [stored, ...forms];
};

const MARKS_MAX = 4;

function headText({ text, session }: Environment, { key, brands }: PaymentForm): string {
  if (key === 'registration') return text('storedCards');
  if (key === 'card') return text('useOtherCard');
  const [brand = ''] = brands;
  const isGift = session.brands.some(({ name, form }) => name === brand && form === 'giftCard');
  return isGift ? text('giftCard') : brandName(brand);
}

/** Forms with a pay button of their own. A brand that is only a button needs no opening, and a wallet is a button too. */
const hasPayButton = ({ form }: PaymentForm): boolean => form.querySelector('.wpwl-button-pay[type=submit]') !== null;

/** Shows one of these forms at a time, and so one pay button. The others wait behind a heading that opens them. */
function createAccordion(environment: Environment, forms: readonly PaymentForm[], first: PaymentForm): void {
  const draw = createDraw(environment.document);
  const parts = forms.map((payment) => {
    const { form, container, key, brands } = payment;
    form.id ||= `${container.id}_form`;
    const marks = key === 'registration' ? [] : brands.slice(0, MARKS_MAX);
    const head = draw(
      'button',
      'wpwl-method',
      { type: 'button', 'aria-controls': form.id },
      draw('span', 'wpwl-method-text', {}, headText(environment, payment)),
      ...marks.map((brand) => draw('span', `wpwl-mark wpwl-brand-${brand}`, { 'aria-hidden': 'true' })),
    );
    form.before(head);
    return { payment, head };
  });
  const open = (wanted: PaymentForm): void => {
    for (const { payment, head } of parts) {
      const isOpen = payment === wanted;
      head.setAttribute('aria-expanded', String(isOpen));
      setShown(payment.form, isOpen);
    }
  };
  for (const { payment, head } of parts) {
    head.addEventListener('click', () => open(payment));
    // A page may pay with any of them by its own button.
    payment.form.addEventListener('submit', () => open(payment), true);
  }
  open(first);
}
