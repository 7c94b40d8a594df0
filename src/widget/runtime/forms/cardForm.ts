import { type WidgetBrand, widgetFields } from '../../../spec/widget.ts';
import type { TextKey } from '../../texts.ts';
import type { PaymentForm, Surroundings } from '../contract.ts';
import { setHidden } from '../fields.ts';
import { type BrandChoice, createBrandChoice } from './brandChoice.ts';
import { type Cvv, createCvv, createExpiry, createHolder, createNumber } from './cardParts.ts';
import { looksLikeCard } from './checks.ts';
import { randomName, setShown } from './draw.ts';
import { createBilling, createPersonal } from './extras.ts';
import { createBox } from './field.ts';
import type { Framed } from './frameField.ts';
import { createSheet, finish, type Sheet } from './sheet.ts';
import { drawSubmit } from './submitPart.ts';

const texts: Readonly<Record<string, TextKey>> = { AMEX: 'cvvHintAmex', MAESTRO: 'cvvHintMaestro' };

/** Where the code stands on the card: a mark beside the field that opens when it is pointed at, focused or tapped, and closes by Escape. */
function createCvvHint(sheet: Sheet, wrapper: HTMLElement): (brand: string) => void {
  const { around, draw, id, life } = sheet;
  const content = draw('div', 'wpwl-popover-content', {}, around.text('cvvHint'));
  const popover = draw('div', 'wpwl-popover', { id: `${id}_cvvHint`, role: 'tooltip', hidden: true }, content);
  const icon = draw(
    'button',
    'wpwl-icon',
    { type: 'button', 'aria-label': around.text('cvvHelp'), 'aria-describedby': popover.id },
    draw('span', 'wpwl-icon-sign', { 'aria-hidden': 'true' }, '?'),
  );
  const isOpen = (): boolean => !popover.hidden;
  const open = (isWanted: boolean): void => {
    popover.hidden = !isWanted;
  };
  let wasOpenAtPress = false;
  life.listen(icon, 'pointerdown', () => {
    wasOpenAtPress = isOpen() && icon.ownerDocument.activeElement === icon;
  });
  life.listen(icon, 'click', () => open(!wasOpenAtPress));
  life.listen(icon, 'focus', () => open(true));
  life.listen(icon, 'blur', () => open(false));
  // The text itself may be pointed at without closing.
  const area = draw('span', 'wpwl-hint-area', {}, icon, popover);
  life.listen(area, 'mouseenter', () => open(true));
  life.listen(area, 'mouseleave', () => open(icon.ownerDocument.activeElement === icon && isOpen()));
  life.listen(around.document, 'keydown', (event) => {
    if ((event as KeyboardEvent).key !== 'Escape' || !isOpen()) return;
    event.stopPropagation();
    open(false);
  });
  wrapper.append(area);
  return (brand) => {
    content.textContent = around.text(texts[brand] ?? 'cvvHint');
  };
}

/** The group of each name, in the order pages know, or in the shop's own: what it does not name keeps its place behind. */
function arrange({ around, form }: Sheet, groups: readonly (readonly [name: string, groups: readonly HTMLElement[]])[]): void {
  const { fieldOrder, slots = {} } = around.options();
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

/** Where a frame stands, or will stand. */
const wrapperOf = ({ group }: Framed): HTMLElement => group.querySelector<HTMLElement>('.wpwl-wrapper') ?? group;

/** The mark of the brand inside the number's field. */
function drawMark({ draw }: Sheet, number: Framed): HTMLElement {
  const mark = draw('span', 'wpwl-mark', { 'aria-hidden': 'true' });
  wrapperOf(number).append(mark);
  return mark;
}

/** Keeps everything that depends on the brand in step with it. */
function followBrand(sheet: Sheet, brands: readonly WidgetBrand[], { number, cvv }: { number: Framed; cvv: Cvv | null }) {
  const { around } = sheet;
  const mark = drawMark(sheet, number);
  const isHinted = around.flag(around.options().showCVVHint, false);
  const hint = cvv && isHinted ? createCvvHint(sheet, wrapperOf(cvv)) : null;
  const isCvvRequired = !around.flag(around.options().allowEmptyCvv, false);
  return (brand: string): void => {
    const known = brands.find(({ name }) => name === brand);
    mark.className = brand ? `wpwl-mark wpwl-brand-${brand}` : 'wpwl-mark wpwl-mark-none';
    number.client.change({ brand: brand || null });
    if (!cvv) return;
    // Some cards of this brand have no code, and their owners cannot enter one.
    cvv.follow({ name: brand, digits: known?.cvvLength ?? null, isRequired: isCvvRequired && brand !== 'MAESTRO' });
    setShown(cvv.group, known === undefined || known.cvvLength !== null);
    hint?.(brand);
  };
}

function drawConsent(sheet: Sheet): readonly HTMLElement[] {
  const { around } = sheet;
  if (!around.flag(around.options().saveCard, false) || around.session.endpoint === '/registration') return [];
  const box = createBox(sheet, {
    name: 'createRegistration',
    wire: 'createRegistration',
    label: around.text('saveCard'),
    isRequired: false,
  });
  return [sheet.add(box).group];
}

/** Keeps a card number that was typed into the name field from being sent. */
function guardHolder({ form }: Sheet): void {
  for (const input of form.querySelectorAll<HTMLInputElement>('input[name="card.holder"], input[name^="customer."]'))
    if (input.type !== 'tel' && looksLikeCard(input.value)) input.value = '';
}

/** One form for all cards. */
export function createCardForm(around: Surroundings, brands: readonly WidgetBrand[]): PaymentForm {
  const sheet = createSheet(around, { key: 'card', action: 'submit-payment-card' });
  const frames = around.given.early?.group(around.given.checkoutId) ?? randomName();
  const names = brands.map(({ name }) => name);
  let follow = (_brand: string): void => {};
  const choice: BrandChoice = createBrandChoice(sheet, { brands, onChange: (brand) => follow(brand) });
  const number = createNumber(sheet, frames, { brands: names, choice });
  const expiry = createExpiry(sheet, frames);
  const holder = createHolder(sheet, frames);
  const { requireCvv, allowEmptyCvv } = around.options();
  const cvv = around.flag(requireCvv, true) ? createCvv(sheet, frames, !around.flag(allowEmptyCvv, false)) : null;
  for (const field of [choice, number, expiry, ...(cvv ? [cvv] : []), ...holder.fields]) sheet.add(field);
  const asked = brands.flatMap(({ asks }) => asks.filter((name) => name.startsWith('billing.')));
  const billing = createBilling(sheet, brands.every(({ asks }) => asks.some((name) => name.startsWith('billing.'))) ? asked : []);
  arrange(sheet, [
    ['brand', [choice.group]],
    ['cardNumber', [number.group]],
    ['expiry', [expiry.group]],
    ['cvv', cvv ? [cvv.group] : []],
    ['cardHolder', holder.groups],
    ['personal', createPersonal(sheet)],
    ['billing', billing ? [billing] : []],
    ['createRegistration', drawConsent(sheet)],
    ['submit', [drawSubmit(sheet)]],
  ]);
  number.group.append(choice.candidates);
  follow = followBrand(sheet, brands, { number, cvv });
  follow(choice.current());
  // The page hears of the brand when its own hook for ready forms has run.
  sheet.life.after(0, () => choice.begin());
  const made = finish(sheet, {
    key: 'card',
    brands: names,
    beforeHook: 'onBeforeSubmitCard',
    async prepare() {
      guardHolder(sheet);
      setHidden(sheet.form, widgetFields.sealed, await number.client.seal({}));
    },
    renew() {
      setHidden(sheet.form, widgetFields.sealed, null);
      cvv?.client.clear();
    },
  });
  const arrive = (): void => {
    number.arrive();
    cvv?.arrive();
  };
  return { ...made, arrive };
}
