import type { Hooks } from '../../options.ts';
import type { ErrorKey } from '../../texts.ts';
import type { Environment, PaymentForm } from '../contract.ts';
import { setHidden } from '../fields.ts';
import { createLifetime, type Lifetime } from '../lifetime.ts';
import { wrap } from '../readOptions.ts';
import { createDraw, type Draw, hideFromSight, randomDigits } from './draw.ts';
import { type ButtonLock, createButtonLock, createFaults, type Faults, type MarkedField } from './faults.ts';

/** One thing that a shopper fills in. */
export type Field = MarkedField & {
  /** The end of its classes. */
  readonly name: string;
  /** Its current error; null: none. */
  fault(): Promise<ErrorKey | null>;
  focus(): void;
  /** Writes the wire value into a hidden input, where it differs from the value of the control. */
  sync?(): void;
  /** Called with the validity each time the field loses focus. */
  readonly blurHook?: keyof Hooks;
};

type Control = HTMLInputElement | HTMLSelectElement;

/** Whether a control is in the page itself, so that its events arrive directly. */
export const isPageControl = (control: HTMLElement): control is Control =>
  control.tagName === 'INPUT' || control.tagName === 'SELECT';

/** The shared context of a form's parts, while it is built and while it is in the page. */
export interface FormBuilder {
  readonly environment: Environment;
  readonly lifetime: Lifetime;
  readonly draw: Draw;
  readonly id: string;
  readonly container: HTMLElement;
  readonly form: HTMLFormElement;
  readonly faults: Faults;
  readonly fields: readonly Field[];
  isBusy: boolean;
  /** Adds a field: it is checked on blur, while it is corrected, and before it is sent. */
  add(field: Field): Field;
  /** The field was edited: from now on it may also show that it is empty. */
  markTouched(field: Field): void;
  /** Checks a field now. Resolves to whether it is valid. */
  check(field: Field, when: 'left' | 'typed'): Promise<boolean>;
  setHidden(wire: string, value: string | null): void;
  /** Announces a text once to screen readers. */
  announce(text: string): void;
}

export type FormBuilderOptions = {
  /** `card`, `onlineTransfer-EPS`, …: the end of the classes. */
  readonly key: string;
  readonly formClasses?: string;
  readonly action: string;
};

/** Only our own variables can be set, so a shop cannot restyle anything else by them. */
function applyTheme(container: HTMLElement, { options, isRtl, language }: Environment): void {
  const { theme, variables = {}, spinner } = options();
  container.dir = isRtl ? 'rtl' : 'ltr';
  container.lang = language;
  if (theme === 'light' || theme === 'dark' || theme === 'auto') container.dataset.tpTheme = theme;
  const colour = spinner?.color;
  if (typeof colour === 'string') container.style.setProperty('--tp-spinner', colour);
  for (const [name, value] of Object.entries(variables))
    if (/^(?:--)?tp-[\w-]+$/.test(name)) container.style.setProperty(`--${name.replace(/^--/, '')}`, value);
}

/** Which fields were edited, and whether the form was submitted: only then is an empty field an error. */
type FormHistory = { readonly touched: Set<Field>; hasTried: boolean };

function createCheck(builder: FormBuilder, history: FormHistory): FormBuilder['check'] {
  return async (field, when) => {
    const { environment, faults } = builder;
    const key = await field.fault();
    const isChecking = environment.flag(environment.options().validation, true);
    if (key === null || !isChecking) {
      if (key === null) faults.clear(field);
    } else if (when === 'left' && (history.hasTried || history.touched.has(field))) {
      const wasShown = faults.isShown(field);
      const text = faults.show(field, key);
      if (!wasShown) builder.announce(text);
    }
    field.sync?.();
    if (when === 'left' && field.blurHook) {
      const $iframe = field.control.tagName === 'IFRAME' ? { $iframe: wrap(field.control) } : {};
      environment.call(field.blurHook, { $form: wrap(builder.form), ...$iframe }, key === null);
    }
    return key === null;
  };
}

function listen(builder: FormBuilder, history: FormHistory, field: Field): void {
  const { lifetime, faults } = builder;
  const { control } = field;
  if (!isPageControl(control)) return;
  const typed = (): void => {
    history.touched.add(field);
    field.sync?.();
    if (faults.isShown(field)) builder.check(field, 'typed');
  };
  lifetime.listen(control, 'input', typed);
  lifetime.listen(control, 'change', typed);
  lifetime.listen(control, 'blur', () => void builder.check(field, 'left'));
}

/** An empty form in its container. */
export function createFormBuilder(
  environment: Environment,
  { key, formClasses = '', action }: FormBuilderOptions,
): FormBuilder & { readonly history: FormHistory; readonly buttons: ButtonLock } {
  const draw = createDraw(environment.document);
  const lifetime = createLifetime();
  const id = `${key}_${randomDigits(12)}`;
  const form = draw('form', `wpwl-form wpwl-form-${key} ${formClasses} wpwl-clearfix`.replace(/ +/g, ' '), {
    method: 'POST',
    lang: environment.language,
    'accept-charset': 'UTF-8',
    'data-action': action,
    novalidate: true,
  });
  const live = hideFromSight(draw('div', 'wpwl-live', { role: 'status' }));
  const container = draw('div', `wpwl-container wpwl-container-${key}`, { id }, form, live);
  applyTheme(container, environment);
  const buttons = createButtonLock();
  const fields: Field[] = [];
  const history: FormHistory = { touched: new Set(), hasTried: false };
  const builder = {
    environment,
    lifetime,
    draw,
    id,
    container,
    form,
    fields,
    history,
    faults: createFaults(environment, form, { draw, buttons }),
    buttons,
    isBusy: false,
    add(field: Field): Field {
      fields.push(field);
      listen(builder, history, field);
      // A frame takes the focus by itself.
      const isFirst = isPageControl(field.control) && field.control.name === environment.options().autofocus;
      if (isFirst) lifetime.after(0, () => field.focus());
      return field;
    },
    markTouched: (field: Field) => void history.touched.add(field),
    check: (field: Field, when: 'left' | 'typed') => createCheck(builder, history)(field, when),
    setHidden: (wire: string, value: string | null) => setHidden(form, wire, value),
    announce(text: string) {
      live.textContent = text;
    },
  };
  // A page may submit the form itself: the wire values must be in it then, too.
  lifetime.listen(form, 'formdata', (event) => syncInto(builder, (event as FormDataEvent).formData));
  lifetime.listen(form, 'keydown', (event) => {
    const { key: pressed, target } = event as KeyboardEvent;
    const isTyping = target instanceof HTMLInputElement && !/^(?:button|submit)$/.test(target.type);
    if (pressed === 'Enter' && isTyping && environment.flag(environment.options().disableSubmitOnEnter, false))
      event.preventDefault();
  });
  return builder;
}

function syncInto(builder: FormBuilder, data: FormData): void {
  const hidden = (): readonly HTMLInputElement[] => [...builder.form.querySelectorAll<HTMLInputElement>('input[type=hidden]')];
  const before = new Map(hidden().map((input) => [input, input.value]));
  for (const field of builder.fields) if (field.control.isConnected) field.sync?.();
  // Only what has changed just now: a page may have two fields of one name, and the browser knows which of them count.
  for (const input of hidden()) if (input.name !== '' && before.get(input) !== input.value) data.set(input.name, input.value);
  // Empty fields are dropped: the wire knows no empty values.
  for (const name of new Set(data.keys())) if (data.getAll(name).every((value) => value === '')) data.delete(name);
}

/** Whether a field is in use: pages remove groups, and some groups are shown only for certain brands. */
const isAsked = ({ control, group }: Field): boolean => control.isConnected && !group.hidden;

/** Checks every field and shows every error. */
export async function validateAll(builder: FormBuilder & { readonly history: FormHistory }): Promise<Field | null> {
  const { environment, faults, history, fields } = builder;
  history.hasTried = true;
  if (!environment.flag(environment.options().validation, true)) return null;
  const asked = fields.filter(isAsked);
  const keys: readonly (ErrorKey | null)[] = await Promise.all(asked.map((field) => field.fault()));
  const said = new Set<string>();
  asked.forEach((field, at) => {
    const key = keys[at] ?? null;
    if (key === null) faults.clear(field);
    else said.add(faults.show(field, key));
  });
  faults.summarise(asked);
  if (said.size > 0) builder.announce([...said].join('. '));
  const wrong = asked.filter((_, at) => keys[at] !== null);
  // Pages move groups, so the first wrong field is found by its current position.
  return wrong.toSorted((one, other) => (one.control.compareDocumentPosition(other.control) & 4 ? -1 : 1))[0] ?? null;
}

export type FinishOptions = {
  readonly key: string;
  readonly brands: readonly string[];
  readonly beforeHook: keyof Hooks;
  readonly prepare?: () => Promise<void>;
  readonly resetForRetry?: () => void;
};

/** The form as the engine drives it. */
export function finishForm(
  builder: ReturnType<typeof createFormBuilder>,
  { key, brands, beforeHook, prepare, resetForRetry }: FinishOptions,
): PaymentForm {
  const { container, form, lifetime, environment } = builder;
  let wasFocused: Element | null = null;
  let wrong: Field | null = null;
  return {
    key,
    container,
    form,
    brands,
    beforeHook,
    async validate() {
      wrong = await validateAll(builder);
      if (wrong && !builder.isBusy) wrong.focus();
      return wrong === null;
    },
    async prepare() {
      for (const field of builder.fields) if (isAsked(field)) field.sync?.();
      await prepare?.();
    },
    setBusy(isBusy) {
      if (isBusy === builder.isBusy || lifetime.isOver) return;
      builder.isBusy = isBusy;
      if (isBusy) wasFocused = form.contains(environment.document.activeElement) ? environment.document.activeElement : null;
      container.classList.toggle('wpwl-busy', isBusy);
      form.setAttribute('aria-busy', String(isBusy));
      form.inert = isBusy;
      if (isBusy) builder.announce(environment.text('working'));
      for (const button of form.querySelectorAll<HTMLButtonElement>('.wpwl-button[type=submit]'))
        if (isBusy) builder.buttons.lock(button);
        else builder.buttons.unlock(button);
      if (isBusy) return;
      if (wrong) wrong.focus();
      else if (wasFocused instanceof HTMLElement) wasFocused.focus();
      wrong = null;
    },
    resetForRetry: () => resetForRetry?.(),
    unmount() {
      lifetime.end();
      container.remove();
    },
  };
}
