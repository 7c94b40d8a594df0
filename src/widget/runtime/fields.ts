import { widgetFields } from '../../spec/widget.ts';

/** Page fields that the browser may send. The gateway drops all others, too. */
const groups = new RegExp(
  `^(?:${[
    'customer',
    'billing',
    'shipping',
    'cart',
    'recurring',
    'standingInstruction',
    'bankAccount',
    'virtualAccount',
    'giftCard',
    'applePay',
    'googlePay',
    'samsungPay',
    'wallet[ABC]',
  ].join('|')})[.[]`,
);
const parameters = /^customParameters\[SHOPPER_[^\]]*\]$/;
const single: ReadonlySet<string> = new Set([
  'paymentBrand',
  'registrationId',
  'createRegistration',
  'card.holder',
  'card.expiryMonth',
  'card.expiryYear',
  'shopperResultUrl',
  ...Object.values(widgetFields),
]);

/**
 * Whether a field of this name is sent: shop systems put their own into every form they find, and only frames have card data. `asked`
 * are the fields that the brand itself requires, under any names.
 */
export const isSent = (name: string, asked: readonly string[] = []): boolean =>
  single.has(name) || groups.test(name) || parameters.test(name) || asked.includes(name);

/** Sets a hidden field of a form; null removes it. */
export function setHidden(form: HTMLFormElement, name: string, value: string | null): void {
  const there = [...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')].find((input) => input.name === name);
  if (value === null) {
    there?.remove();
    return;
  }
  const input = there ?? document.createElement('input');
  input.type = 'hidden';
  input.name = name;
  input.value = value;
  if (!there) form.append(input);
}

/**
 * Leaves only what may be sent in a form's data, at the last moment before the browser sends it. That also holds when the page submits the
 * form itself, and no input of the page is touched.
 */
export function cleanData(data: FormData, asked: readonly string[]): void {
  for (const name of new Set(data.keys())) if (!isSent(name, asked)) data.delete(name);
}
