import type { PaymentForm, Surroundings } from '../contract.ts';
import { brandName } from './brandNames.ts';
import { createDraw, setShown } from './draw.ts';

const MARKS_MAX = 4;

function headText({ text, session }: Surroundings, { key, brands }: PaymentForm): string {
  if (key === 'registration') return text('storedCards');
  if (key === 'card') return text('useOtherCard');
  const [brand = ''] = brands;
  const isGift = session.brands.some(({ name, form }) => name === brand && form === 'giftCard');
  return isGift ? text('giftCard') : brandName(brand);
}

/** Forms with a pay button of their own. A brand that is only a button needs no opening, and a wallet is a button too. */
export const hasPayButton = ({ form }: PaymentForm): boolean => form.querySelector('.wpwl-button-pay[type=submit]') !== null;

/** Shows one of these forms at a time, and so one pay button. The others wait behind a heading that opens them. */
export function createAccordion(around: Surroundings, forms: readonly PaymentForm[], first: PaymentForm): void {
  const draw = createDraw(around.document);
  const parts = forms.map((payment) => {
    const { form, container, key, brands } = payment;
    form.id ||= `${container.id}_form`;
    const marks = key === 'registration' ? [] : brands.slice(0, MARKS_MAX);
    const head = draw(
      'button',
      'wpwl-method',
      { type: 'button', 'aria-controls': form.id },
      draw('span', 'wpwl-method-text', {}, headText(around, payment)),
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
