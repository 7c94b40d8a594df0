import type { Hooks } from '../../options.ts';
import type { ErrorKey } from '../../texts.ts';
import type { PaymentForm, Surroundings } from '../contract.ts';
import { setHidden } from '../fields.ts';
import { createLife, type Life } from '../life.ts';
import { wrap } from '../wrapped.ts';
import { freeButton, lockButton } from './buttonLock.ts';
import { createDraw, type Draw, hideFromSight, randomDigits } from './draw.ts';
import { createFaults, type Faults } from './faults.ts';
import { type Field, isPageControl } from './field.ts';

/** One form while it is built and while it lives: what its parts share. */
export interface Sheet {
  readonly around: Surroundings;
  readonly life: Life;
  readonly draw: Draw;
  readonly id: string;
  readonly container: HTMLElement;
  readonly form: HTMLFormElement;
  readonly faults: Faults;
  readonly fields: readonly Field[];
  isBusy: boolean;
  /** Listens to a field: it is looked at when it is left, while it is corrected, and before it is sent. */
  add(field: Field): Field;
  /** Something was typed into it: from now on it may also be wrong by being empty. */
  touch(field: Field): void;
  /** Looks at a field now. Whether it is right. */
  judge(field: Field, when: 'left' | 'typed'): Promise<boolean>;
  setHidden(wire: string, value: string | null): void;
  /** Announces a text once to screen readers. */
  announce(text: string): void;
}

export type SheetOf = {
  /** `card`, `onlineTransfer-EPS`, …: the end of the classes. */
  readonly key: string;
  readonly formClasses?: string;
  readonly action: string;
};

/** Names of variables are ours alone: a shop cannot restyle anything else by them. */
function applyTheme(container: HTMLElement, { options, isRtl, language }: Surroundings): void {
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
type Memory = { readonly touched: Set<Field>; hasTried: boolean };

function judgeOf(sheet: Sheet, memory: Memory): Sheet['judge'] {
  return async (field, when) => {
    const { around, faults } = sheet;
    const key = await field.fault();
    const isChecking = around.flag(around.options().validation, true);
    if (key === null || !isChecking) {
      if (key === null) faults.clear(field);
    } else if (when === 'left' && (memory.hasTried || memory.touched.has(field))) {
      const wasShown = faults.isShown(field);
      const text = faults.show(field, key);
      if (!wasShown) sheet.announce(text);
    }
    field.settle?.();
    if (when === 'left' && field.blurHook) {
      const $iframe = field.control.tagName === 'IFRAME' ? { $iframe: wrap(field.control) } : {};
      around.call(field.blurHook, { $form: wrap(sheet.form), ...$iframe }, key === null);
    }
    return key === null;
  };
}

function listen(sheet: Sheet, memory: Memory, field: Field): void {
  const { life, faults } = sheet;
  const { control } = field;
  if (!isPageControl(control)) return;
  const typed = (): void => {
    memory.touched.add(field);
    field.settle?.();
    if (faults.isShown(field)) sheet.judge(field, 'typed');
  };
  life.listen(control, 'input', typed);
  life.listen(control, 'change', typed);
  life.listen(control, 'blur', () => void sheet.judge(field, 'left'));
}

/** An empty form in its container. */
export function createSheet(
  around: Surroundings,
  { key, formClasses = '', action }: SheetOf,
): Sheet & { readonly memory: Memory } {
  const draw = createDraw(around.document);
  const life = createLife();
  const id = `${key}_${randomDigits(12)}`;
  const form = draw('form', `wpwl-form wpwl-form-${key} ${formClasses} wpwl-clearfix`.replace(/ +/g, ' '), {
    method: 'POST',
    lang: around.language,
    'accept-charset': 'UTF-8',
    'data-action': action,
    novalidate: true,
  });
  const live = hideFromSight(draw('div', 'wpwl-live', { role: 'status' }));
  const container = draw('div', `wpwl-container wpwl-container-${key}`, { id }, form, live);
  applyTheme(container, around);
  const fields: Field[] = [];
  const memory: Memory = { touched: new Set(), hasTried: false };
  const sheet = {
    around,
    life,
    draw,
    id,
    container,
    form,
    fields,
    memory,
    faults: createFaults(around, form, draw),
    isBusy: false,
    add(field: Field): Field {
      fields.push(field);
      listen(sheet, memory, field);
      // A frame takes the focus by itself.
      const isFirst = isPageControl(field.control) && field.control.name === around.options().autofocus;
      if (isFirst) life.after(0, () => field.focus());
      return field;
    },
    touch: (field: Field) => void memory.touched.add(field),
    judge: (field: Field, when: 'left' | 'typed') => judgeOf(sheet, memory)(field, when),
    setHidden: (wire: string, value: string | null) => setHidden(form, wire, value),
    announce(text: string) {
      live.textContent = text;
    },
  };
  // A page may send the form itself: what the wire wants must be in it then, too.
  life.listen(form, 'formdata', (event) => settleInto(sheet, (event as FormDataEvent).formData));
  life.listen(form, 'keydown', (event) => {
    const { key: pressed, target } = event as KeyboardEvent;
    const isTyping = target instanceof HTMLInputElement && !/^(?:button|submit)$/.test(target.type);
    if (pressed === 'Enter' && isTyping && around.flag(around.options().disableSubmitOnEnter, false)) event.preventDefault();
  });
  return sheet;
}

function settleInto(sheet: Sheet, data: FormData): void {
  const hidden = (): readonly HTMLInputElement[] => [...sheet.form.querySelectorAll<HTMLInputElement>('input[type=hidden]')];
  const before = new Map(hidden().map((input) => [input, input.value]));
  for (const field of sheet.fields) if (field.control.isConnected) field.settle?.();
  // Only what has changed just now: a page may have two fields of one name, and the browser knows which of them count.
  for (const input of hidden()) if (input.name !== '' && before.get(input) !== input.value) data.set(input.name, input.value);
  // What was left empty is not there: the wire knows no empty values.
  for (const name of new Set(data.keys())) if (data.getAll(name).every((value) => value === '')) data.delete(name);
}

/** Whether a field plays a part: pages take groups out, and some are shown only when a brand asks for them. */
const isAsked = ({ control, group }: Field): boolean => control.isConnected && !group.hidden;

/** Looks at every field and shows every fault. */
export async function validateAll(sheet: Sheet & { readonly memory: Memory }): Promise<Field | null> {
  const { around, faults, memory, fields } = sheet;
  memory.hasTried = true;
  if (!around.flag(around.options().validation, true)) return null;
  const asked = fields.filter(isAsked);
  const keys: readonly (ErrorKey | null)[] = await Promise.all(asked.map((field) => field.fault()));
  const said = new Set<string>();
  asked.forEach((field, at) => {
    const key = keys[at] ?? null;
    if (key === null) faults.clear(field);
    else said.add(faults.show(field, key));
  });
  faults.summarise(asked);
  if (said.size > 0) sheet.announce([...said].join('. '));
  const wrong = asked.filter((_, at) => keys[at] !== null);
  // Pages move groups about: the first is the one that stands first now.
  return wrong.toSorted((one, other) => (one.control.compareDocumentPosition(other.control) & 4 ? -1 : 1))[0] ?? null;
}

export type FinishOf = {
  readonly key: string;
  readonly brands: readonly string[];
  readonly beforeHook: keyof Hooks;
  readonly prepare?: () => Promise<void>;
  readonly renew?: () => void;
};

/** The form as the engine drives it. */
export function finish(
  sheet: ReturnType<typeof createSheet>,
  { key, brands, beforeHook, prepare, renew }: FinishOf,
): PaymentForm {
  const { container, form, life, around } = sheet;
  let wasFocused: Element | null = null;
  let wrong: Field | null = null;
  return {
    key,
    container,
    form,
    brands,
    beforeHook,
    async validate() {
      wrong = await validateAll(sheet);
      if (wrong && !sheet.isBusy) wrong.focus();
      return wrong === null;
    },
    async prepare() {
      for (const field of sheet.fields) if (isAsked(field)) field.settle?.();
      await prepare?.();
    },
    setBusy(isBusy) {
      if (isBusy === sheet.isBusy || life.isOver) return;
      sheet.isBusy = isBusy;
      if (isBusy) wasFocused = form.contains(around.document.activeElement) ? around.document.activeElement : null;
      container.classList.toggle('wpwl-busy', isBusy);
      form.setAttribute('aria-busy', String(isBusy));
      form.inert = isBusy;
      if (isBusy) sheet.announce(around.text('working'));
      for (const button of form.querySelectorAll<HTMLButtonElement>('.wpwl-button[type=submit]'))
        if (isBusy) lockButton(button);
        else freeButton(button);
      if (isBusy) return;
      if (wrong) wrong.focus();
      else if (wasFocused instanceof HTMLElement) wasFocused.focus();
      wrong = null;
    },
    renew: () => renew?.(),
    unmount() {
      life.end();
      container.remove();
    },
  };
}
