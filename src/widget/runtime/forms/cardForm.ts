import { type WidgetBrand, widgetFields } from '../../../spec/widget.ts';
import type { TextKey } from '../../texts.ts';
import type { Environment, PaymentForm } from '../contract.ts';
import { setHidden } from '../fields.ts';
import { type BrandChoice, createBrandChoice } from './brandChoice.ts';
import { type Cvv, createCvv, createExpiry, createHolder, createNumber } from './cardParts.ts';
import { looksLikeCard } from './checks.ts';
import { randomName, setShown } from './draw.ts';
import { createBox } from './field.ts';
import { createFormBuilder, type FormBuilder, finishForm } from './formBuilder.ts';
import type { Framed } from './frameField.ts';
import { createBilling, createPersonal } from './personFields.ts';
import { drawSubmit } from './submitPart.ts';

const texts: Readonly<Record<string, TextKey>> = { AMEX: 'cvvHintAmex', MAESTRO: 'cvvHintMaestro' };

/** A hint that shows where the code is on the card. It opens on hover, focus or tap, and closes on Escape. */
function createCvvHint(builder: FormBuilder, wrapper: HTMLElement): (brand: string) => void {
  const { environment, draw, id, lifetime } = builder;
  const content = draw('div', 'wpwl-popover-content', {}, environment.text('cvvHint'));
  const popover = draw('div', 'wpwl-popover', { id: `${id}_cvvHint`, role: 'tooltip', hidden: true }, content);
  const icon = draw(
    'button',
    'wpwl-icon',
    { type: 'button', 'aria-label': environment.text('cvvHelp'), 'aria-describedby': popover.id },
    draw('span', 'wpwl-icon-sign', { 'aria-hidden': 'true' }, '?'),
  );
  const isOpen = (): boolean => !popover.hidden;
  const open = (isWanted: boolean): void => {
    popover.hidden = !isWanted;
  };
  let wasOpenAtPress = false;
  lifetime.listen(icon, 'pointerdown', () => {
    wasOpenAtPress = isOpen() && icon.ownerDocument.activeElement === icon;
  });
  lifetime.listen(icon, 'click', () => open(!wasOpenAtPress));
  lifetime.listen(icon, 'focus', () => open(true));
  lifetime.listen(icon, 'blur', () => open(false));
  // The text itself may be pointed at without closing.
  const area = draw('span', 'wpwl-hint-area', {}, icon, popover);
  lifetime.listen(area, 'mouseenter', () => open(true));
  lifetime.listen(area, 'mouseleave', () => open(icon.ownerDocument.activeElement === icon && isOpen()));
  lifetime.listen(environment.document, 'keydown', (event) => {
    if ((event as KeyboardEvent).key !== 'Escape' || !isOpen()) return;
    event.stopPropagation();
    open(false);
  });
  wrapper.append(area);
  return (brand) => {
    content.textContent = environment.text(texts[brand] ?? 'cvvHint');
  };
}

/** Arranges the groups in the order that pages know, or in the shop's own; groups that the shop does not name follow in the usual order. */
function arrange(
  { environment, form }: FormBuilder,
  groups: readonly (readonly [name: string, groups: readonly HTMLElement[]])[],
): void {
  const { fieldOrder, slots = {} } = environment.options();
  const order = Array.isArray(fieldOrder) ? fieldOrder : [];
  // The button stays the last one unless the shop says where it is.
  const place = (name: string): number => {
    if (order.includes(name)) return order.indexOf(name);
    return name === 'submit' ? Number.POSITIVE_INFINITY : order.length;
  };
  for (const [name, elements] of groups.toSorted((one, other) => place(one[0]) - place(other[0]))) {
    const [before, after] = [slots[`before:${name}`], slots[`after:${name}`]];
    form.append(...(before ? [before] : []), ...elements, ...(after ? [after] : []));
  }
}

/** The element that holds a frame, or will hold it. */
const wrapperOf = ({ group }: Framed): HTMLElement => group.querySelector<HTMLElement>('.wpwl-wrapper') ?? group;

/** The mark of the brand inside the number's field. */
function drawMark({ draw }: FormBuilder, number: Framed): HTMLElement {
  const mark = draw('span', 'wpwl-mark', { 'aria-hidden': 'true' });
  wrapperOf(number).append(mark);
  return mark;
}

/** Updates everything that depends on the brand. */
function followBrand(builder: FormBuilder, brands: readonly WidgetBrand[], { number, cvv }: { number: Framed; cvv: Cvv | null }) {
  const { environment } = builder;
  const mark = drawMark(builder, number);
  const isHinted = environment.flag(environment.options().showCVVHint, false);
  const hint = cvv && isHinted ? createCvvHint(builder, wrapperOf(cvv)) : null;
  const isCvvRequired = !environment.flag(environment.options().allowEmptyCvv, false);
  return (brand: string): void => {
    const known = brands.find(({ name }) => name === brand);
    mark.className = brand ? `wpwl-mark wpwl-brand-${brand}` : 'wpwl-mark wpwl-mark-none';
    number.client.change({ brand: brand || null });
    if (!cvv) return;
    // Some cards of this brand have no code, and their owners cannot enter one.
    cvv.setBrand({ name: brand, digits: known?.cvvLength ?? null, isRequired: isCvvRequired && brand !== 'MAESTRO' });
    setShown(cvv.group, known === undefined || known.cvvLength !== null);
    hint?.(brand);
  };
}

function drawConsent(builder: FormBuilder): readonly HTMLElement[] {
  const { environment } = builder;
  if (!environment.flag(environment.options().saveCard, false) || environment.session.endpoint === '/registration') return [];
  const box = createBox(builder, {
    name: 'createRegistration',
    wire: 'createRegistration',
    label: environment.text('saveCard'),
    isRequired: false,
  });
  return [builder.add(box).group];
}

/** Keeps a card number that was typed into the name field from being sent. */
function guardHolder({ form }: FormBuilder): void {
  for (const input of form.querySelectorAll<HTMLInputElement>('input[name="card.holder"], input[name^="customer."]'))
    if (input.type !== 'tel' && looksLikeCard(input.value)) input.value = '';
}

/** One form for all cards. */
export function createCardForm(environment: Environment, brands: readonly WidgetBrand[]): PaymentForm {
  const builder = createFormBuilder(environment, { key: 'card', action: 'submit-payment-card' });
  const frames = environment.config.early?.group(environment.config.checkoutId) ?? randomName();
  const names = brands.map(({ name }) => name);
  let onBrand = (_brand: string): void => {};
  const choice: BrandChoice = createBrandChoice(builder, { brands, onChange: (brand) => onBrand(brand) });
  const number = createNumber(builder, frames, { brands: names, choice });
  const expiry = createExpiry(builder, frames);
  const holder = createHolder(builder, frames);
  const { requireCvv, allowEmptyCvv } = environment.options();
  const cvv = environment.flag(requireCvv, true) ? createCvv(builder, frames, !environment.flag(allowEmptyCvv, false)) : null;
  for (const field of [choice, number, expiry, ...(cvv ? [cvv] : []), ...holder.fields]) builder.add(field);
  const asked = brands.flatMap(({ asks }) => asks.filter((name) => name.startsWith('billing.')));
  const billing = createBilling(
    builder,
    brands.every(({ asks }) => asks.some((name) => name.startsWith('billing.'))) ? asked : [],
  );
  arrange(builder, [
    ['brand', [choice.group]],
    ['cardNumber', [number.group]],
    ['expiry', [expiry.group]],
    ['cvv', cvv ? [cvv.group] : []],
    ['cardHolder', holder.groups],
    ['personal', createPersonal(builder)],
    ['billing', billing ? [billing] : []],
    ['createRegistration', drawConsent(builder)],
    ['submit', [drawSubmit(builder)]],
  ]);
  number.group.append(choice.candidates);
  onBrand = followBrand(builder, brands, { number, cvv });
  onBrand(choice.current());
  // The page hears of the brand when its own hook for ready forms has run.
  builder.lifetime.after(0, () => choice.begin());
  const made = finishForm(builder, {
    key: 'card',
    brands: names,
    beforeHook: 'onBeforeSubmitCard',
    async prepare() {
      guardHolder(builder);
      setHidden(builder.form, widgetFields.sealed, await number.client.seal({}));
    },
    resetForRetry() {
      setHidden(builder.form, widgetFields.sealed, null);
      cvv?.client.clear();
    },
  });
  const onMounted = (): void => {
    number.onMounted();
    cvv?.onMounted();
  };
  return { ...made, onMounted };
}
