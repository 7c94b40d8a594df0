import { type WidgetRegistration, widgetFields } from '../../../spec/widget.ts';
import type { Environment, PaymentForm } from '../contract.ts';
import { setHidden } from '../fields.ts';
import { brandName } from './brandNames.ts';
import { createCvv } from './cardParts.ts';
import { holderCheck } from './checks.ts';
import { randomName, setShown } from './draw.ts';
import { createInput } from './field.ts';
import { createFormBuilder, type Field, type FormBuilder, finishForm } from './formBuilder.ts';
import type { Framed } from './frameField.ts';
import { drawSubmit } from './submitPart.ts';

type Shown = { select(row: StoredRow | null): void; selected(): StoredRow | null };

/** One of them is selected at a time, and only its security code is required. */
function createSelection(rows: readonly StoredRow[]): Shown {
  let current: StoredRow | null = null;
  return {
    selected: () => current,
    select(row) {
      current = row;
      for (const one of rows) one.setSelected(one === row);
    },
  };
}

/** The button that shows the other payment forms, which are hidden until it is pressed. */
function drawOthers({ environment, draw }: FormBuilder, show: () => void): HTMLElement {
  const text = environment.text('showOtherPaymentMethods');
  const attributes = { type: 'button', 'data-action': 'show-initial-forms' };
  const button = draw('button', 'wpwl-button wpwl-button-pay wpwl-button-other', attributes, text);
  const group = draw('div', 'wpwl-group wpwl-group-other wpwl-clearfix', {}, button);
  button.addEventListener('click', () => {
    setShown(group, false);
    show();
  });
  return group;
}

type StoredFormOptions = {
  readonly registrations: readonly WidgetRegistration[];
  /** Shows the hidden forms; null: they are shown from the start. */
  readonly showOthers: (() => void) | null;
  /** The last of them was removed. */
  readonly onEmpty: () => void;
};

/** Stored details to choose from. */
export function createStoredForm(
  environment: Environment,
  { registrations, showOthers, onEmpty }: StoredFormOptions,
): PaymentForm {
  const builder = createFormBuilder(environment, {
    key: 'registrations',
    formClasses: 'wpwl-form-has-inputs',
    action: 'submit-registration',
  });
  const { draw, form, container } = builder;
  container.className = 'wpwl-container wpwl-container-registration wpwl-clearfix';
  const root = draw('div', '', { id: 'wpwl-registrations' }, container);
  const list = draw('div', 'wpwl-registration-list', { role: 'radiogroup', 'aria-label': environment.text('storedCards') });
  const rows = registrations.map((registration) => createRow(builder, registration));
  const selection = createSelection(rows);
  const submit = drawSubmit(builder);
  const others = showOthers ? drawOthers(builder, showOthers) : null;
  for (const row of rows) {
    row.radio.addEventListener('change', () => selection.select(row));
    list.append(row.group);
    createRemoval(builder, row, () => {
      rows.splice(rows.indexOf(row), 1);
      row.remove();
      if (selection.selected() === row) selection.select(rows[0] ?? null);
      if (rows.length > 0) return;
      others?.querySelector('button')?.click();
      onEmpty();
      setShown(container, false);
    });
  }
  form.append(list, submit, ...(others ? [others] : []));
  selection.select(rows[0] ?? null);
  const built = finishForm(builder, {
    key: 'registration',
    brands: [...new Set(registrations.map(({ brand }) => brand))],
    beforeHook: 'onBeforeSubmitOneClickCard',
    async prepare() {
      const cvv = selection.selected()?.cvv();
      setHidden(form, widgetFields.sealed, cvv && !cvv.client.state().isEmpty ? await cvv.client.seal({}) : null);
    },
    resetForRetry() {
      setHidden(form, widgetFields.sealed, null);
      selection.selected()?.cvv()?.client.clear();
    },
  });
  return {
    ...built,
    unmount() {
      built.unmount();
      root.remove();
    },
  };
}

/** One of the stored details. */
interface StoredRow {
  readonly registration: WidgetRegistration;
  readonly group: HTMLElement;
  readonly radio: HTMLInputElement;
  /** The frame of its code, once it was chosen and where one is asked for. */
  cvv(): Framed | null;
  setSelected(isSelected: boolean): void;
  remove(): void;
}

/** `** 1234`, as pages read it; an address or a name stands as it is. */
const endsText = ({ kind, ends }: WidgetRegistration): string => (kind === 'virtualAccount' ? ends : `** ${ends}`);

function drawDetails({ draw, environment }: FormBuilder, registration: WidgetRegistration): HTMLElement {
  const { kind, expiryMonth, expiryYear, holder, ends } = registration;
  const part = (name: string, text: string, isLtr = false): HTMLElement =>
    draw('div', `wpwl-wrapper wpwl-wrapper-registration wpwl-wrapper-registration-${name}`, isLtr ? { dir: 'ltr' } : {}, text);
  const details = draw('div', 'wpwl-wrapper wpwl-wrapper-registration wpwl-wrapper-registration-details');
  if (kind === 'virtualAccount') details.append(part('email', ends, true));
  else details.append(part('number', endsText(registration), true));
  if (expiryMonth !== null && expiryYear !== null) {
    const expiry = part('expiry', `${expiryMonth}/${expiryYear.slice(-2)}`, true);
    expiry.title = environment.text('expires', { date: `${expiryMonth}/${expiryYear}` });
    details.append(expiry);
  }
  if (holder !== null) details.append(part('holder', holder));
  return details;
}

function drawRadio({ draw, environment, id }: FormBuilder, registration: WidgetRegistration): HTMLInputElement {
  const named = environment.text('cardEnds', { brand: brandName(registration.brand), ends: registration.ends });
  const { expiryMonth, expiryYear } = registration;
  const expiry = expiryMonth && expiryYear ? `, ${environment.text('expires', { date: `${expiryMonth}/${expiryYear}` })}` : '';
  return draw('input', 'wpwl-control wpwl-control-registrationId', {
    type: 'radio',
    name: 'registrationId',
    value: registration.id,
    id: `${id}_${registration.id}`,
    'data-action': 'change-registration',
    'aria-label': `${named}${expiry}`,
  });
}

/** A security code in a frame of its own group, so that it is sealed alone. */
function createCode(builder: FormBuilder, { brand }: WidgetRegistration, place: HTMLElement): Framed {
  const { environment } = builder;
  const isRequired = !environment.flag(environment.options().allowEmptyCvv, false);
  const cvv = createCvv(builder, randomName(), isRequired);
  const digits = environment.session.brands.find(({ name }) => name === brand)?.cvvLength ?? null;
  cvv.setBrand({ name: brand, digits, isRequired });
  const wrapper = cvv.control.parentElement;
  wrapper?.classList.add('wpwl-wrapper-registration');
  place.append(cvv.group);
  builder.add(cvv);
  return cvv;
}

/** Stored details without a holder may be given one. */
function createStoredHolder(builder: FormBuilder, { holder, kind }: WidgetRegistration, place: HTMLElement): Field | null {
  const { environment } = builder;
  if (!environment.session.overrideHolder || holder !== null || kind !== 'card') return null;
  const field = createInput(builder, {
    name: 'cardHolder',
    wire: 'card.holder',
    label: 'cardHolder',
    error: 'cardHolderError',
    check: holderCheck(environment.session.isTest),
    autocomplete: 'cc-name',
    isRequired: false,
    blurHook: 'onBlurCardHolder',
  });
  place.append(field.group);
  return builder.add(field);
}

/** Draws one, with room for its code. */
function createRow(builder: FormBuilder, registration: WidgetRegistration): StoredRow {
  const { environment, draw } = builder;
  const radio = drawRadio(builder, registration);
  const wrapper = (name: string, ...inner: readonly Node[]): HTMLElement =>
    draw('div', `wpwl-wrapper wpwl-wrapper-registration wpwl-wrapper-registration-${name}`, {}, ...inner);
  const badge = draw('div', `wpwl-brand wpwl-brand-${registration.brand} wpwl-brand-inline`, { 'aria-hidden': 'true' });
  const label = draw('label', 'wpwl-registration', { for: radio.id });
  label.append(wrapper('registrationId', radio), wrapper('brand', badge), drawDetails(builder, registration));
  const more = wrapper('cvv');
  const group = draw('div', 'wpwl-group wpwl-group-registration wpwl-clearfix', {}, label, more);
  const isCoded = registration.kind === 'card' && environment.flag(environment.options().registrations?.requireCvv, false);
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
      if (isSelected && isCoded) code ??= createCode(builder, registration, more);
      if (isSelected) holder ??= createStoredHolder(builder, registration, more);
      setShown(more, isSelected && more.childElementCount > 0);
      for (const field of [code, holder]) if (field) field.group.hidden = !isSelected;
      // A field of a card that is not chosen is not sent with the one that is.
      if (holder) (holder.control as HTMLInputElement).disabled = !isSelected;
    },
    remove: () => group.remove(),
  };
}

/** Asks the gateway to delete stored details of this checkout. Resolves to whether it did. */
async function forget({ environment, lifetime }: FormBuilder, registrationId: string): Promise<boolean> {
  const { origin, checkoutId } = environment.config;
  try {
    const answer = await environment.window.fetch(`${origin}/v1/checkouts/${encodeURIComponent(checkoutId)}/forget`, {
      method: 'POST',
      body: new URLSearchParams({ registrationId }),
      signal: lifetime.signal,
    });
    return answer.status === 204;
  } catch {
    return false;
  }
}

/** A button beside stored details that removes them after a confirmation. */
function createRemoval(builder: FormBuilder, row: StoredRow, onGone: () => void): void {
  const { environment, draw } = builder;
  if (!environment.flag(environment.options().removeCards, false)) return;
  const { brand, ends, id } = row.registration;
  const named = { brand: brandName(brand), ends };
  const ask = draw(
    'button',
    'wpwl-quiet wpwl-remove',
    { type: 'button', 'aria-label': `${environment.text('removeCard')}: ${environment.text('cardEnds', named)}` },
    environment.text('removeCard'),
  );
  const yes = draw('button', 'wpwl-quiet wpwl-remove-yes', { type: 'button' }, environment.text('removeYes'));
  const no = draw('button', 'wpwl-quiet wpwl-remove-no', { type: 'button' }, environment.text('keepIt'));
  const words = draw('p', 'wpwl-question-text', { id: `${builder.id}_ask${id}` }, environment.text('removeQuestion', named));
  const question = draw('div', 'wpwl-question', { role: 'group', 'aria-labelledby': words.id }, words, yes, no);
  setShown(question, false);
  const open = (isOpen: boolean): void => {
    words.textContent = environment.text('removeQuestion', named);
    setShown(question, isOpen);
    setShown(ask, !isOpen);
    (isOpen ? no : ask).focus();
  };
  ask.addEventListener('click', () => open(true));
  no.addEventListener('click', () => open(false));
  question.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') open(false);
  });
  yes.addEventListener('click', async () => {
    yes.disabled = true;
    const isGone = await forget(builder, id);
    yes.disabled = false;
    if (!isGone) {
      words.textContent = environment.text('networkTrouble');
      builder.announce(environment.text('networkTrouble'));
      return;
    }
    onGone();
    builder.announce(environment.text('removed'));
    builder.form.querySelector<HTMLElement>('input:checked, button')?.focus();
  });
  row.group.querySelector('label')?.after(ask);
  row.group.append(question);
}
