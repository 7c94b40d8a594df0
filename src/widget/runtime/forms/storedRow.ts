import type { WidgetRegistration } from '../../../spec/widget.ts';
import { brandName } from './brandNames.ts';
import { createCvv } from './cardParts.ts';
import { holderCheck } from './checks.ts';
import { randomName, setShown } from './draw.ts';
import { createInput, type Field } from './field.ts';
import type { Framed } from './frameField.ts';
import type { Sheet } from './sheet.ts';

/** One of the stored details. */
export interface StoredRow {
  readonly registration: WidgetRegistration;
  readonly group: HTMLElement;
  readonly radio: HTMLInputElement;
  /** The frame of its code, once it was chosen and where one is asked for. */
  cvv(): Framed | null;
  setSelected(isSelected: boolean): void;
  remove(): void;
}

/** `** 1234`, as pages read it; an address or a name stands as it is. */
export const endsText = ({ kind, ends }: WidgetRegistration): string => (kind === 'virtualAccount' ? ends : `** ${ends}`);

function drawDetails({ draw, around }: Sheet, registration: WidgetRegistration): HTMLElement {
  const { kind, expiryMonth, expiryYear, holder, ends } = registration;
  const part = (name: string, text: string, isLtr = false): HTMLElement =>
    draw('div', `wpwl-wrapper wpwl-wrapper-registration wpwl-wrapper-registration-${name}`, isLtr ? { dir: 'ltr' } : {}, text);
  const details = draw('div', 'wpwl-wrapper wpwl-wrapper-registration wpwl-wrapper-registration-details');
  if (kind === 'virtualAccount') details.append(part('email', ends, true));
  else details.append(part('number', endsText(registration), true));
  if (expiryMonth !== null && expiryYear !== null) {
    const expiry = part('expiry', `${expiryMonth}/${expiryYear.slice(-2)}`, true);
    expiry.title = around.text('expires', { date: `${expiryMonth}/${expiryYear}` });
    details.append(expiry);
  }
  if (holder !== null) details.append(part('holder', holder));
  return details;
}

function drawRadio({ draw, around, id }: Sheet, registration: WidgetRegistration): HTMLInputElement {
  const named = around.text('cardEnds', { brand: brandName(registration.brand), ends: registration.ends });
  const { expiryMonth, expiryYear } = registration;
  const expiry = expiryMonth && expiryYear ? `, ${around.text('expires', { date: `${expiryMonth}/${expiryYear}` })}` : '';
  return draw('input', 'wpwl-control wpwl-control-registrationId', {
    type: 'radio',
    name: 'registrationId',
    value: registration.id,
    id: `${id}_${registration.id}`,
    'data-action': 'change-registration',
    'aria-label': `${named}${expiry}`,
  });
}

/** A code in a frame of its own group: what is sealed with it is only this. */
function createCode(sheet: Sheet, { brand }: WidgetRegistration, place: HTMLElement): Framed {
  const { around } = sheet;
  const isRequired = !around.flag(around.options().allowEmptyCvv, false);
  const cvv = createCvv(sheet, randomName(), isRequired);
  const digits = around.session.brands.find(({ name }) => name === brand)?.cvvLength ?? null;
  cvv.follow({ name: brand, digits, isRequired });
  const wrapper = cvv.control.parentElement;
  wrapper?.classList.add('wpwl-wrapper-registration');
  place.append(cvv.group);
  sheet.add(cvv);
  return cvv;
}

/** Stored details without a holder may be given one. */
function createStoredHolder(sheet: Sheet, { holder, kind }: WidgetRegistration, place: HTMLElement): Field | null {
  const { around } = sheet;
  if (!around.session.overrideHolder || holder !== null || kind !== 'card') return null;
  const field = createInput(sheet, {
    name: 'cardHolder',
    wire: 'card.holder',
    label: 'cardHolder',
    error: 'cardHolderError',
    check: holderCheck(around.session.isTest),
    autocomplete: 'cc-name',
    isRequired: false,
    blurHook: 'onBlurCardHolder',
  });
  place.append(field.group);
  return sheet.add(field);
}

/** Draws one, with room for its code. */
export function createRow(sheet: Sheet, registration: WidgetRegistration): StoredRow {
  const { around, draw } = sheet;
  const radio = drawRadio(sheet, registration);
  const wrapper = (name: string, ...inner: readonly Node[]): HTMLElement =>
    draw('div', `wpwl-wrapper wpwl-wrapper-registration wpwl-wrapper-registration-${name}`, {}, ...inner);
  const badge = draw('div', `wpwl-brand wpwl-brand-${registration.brand} wpwl-brand-inline`, { 'aria-hidden': 'true' });
  const label = draw('label', 'wpwl-registration', { for: radio.id });
  label.append(wrapper('registrationId', radio), wrapper('brand', badge), drawDetails(sheet, registration));
  const more = wrapper('cvv');
  const group = draw('div', 'wpwl-group wpwl-group-registration wpwl-clearfix', {}, label, more);
  const isCoded = registration.kind === 'card' && around.flag(around.options().registrations?.requireCvv, false);
  let code: Framed | null = null;
  let holder: Field | null = null;
  return {
    registration,
    group,
    radio,
    cvv: () => code,
    setSelected(isSelected) {
      radio.checked = isSelected;
      group.classList.toggle('wpwl-selected', isSelected);
      if (isSelected && isCoded) code ??= createCode(sheet, registration, more);
      if (isSelected) holder ??= createStoredHolder(sheet, registration, more);
      setShown(more, isSelected && more.childElementCount > 0);
      for (const field of [code, holder]) if (field) field.group.hidden = !isSelected;
      // A field of a card that is not chosen is not sent with the one that is.
      if (holder) (holder.control as HTMLInputElement).disabled = !isSelected;
    },
    remove: () => group.remove(),
  };
}
