import type { ErrorKey } from '../../texts.ts';
import type { Environment } from '../contract.ts';
import type { Draw } from './draw.ts';

/** The part of a field that its errors need. */
export type MarkedField = {
  readonly group: HTMLElement;
  readonly control: HTMLElement;
  /** Its name for the shopper; null for a checkbox, whose label is a whole sentence. */
  readonly label: string | null;
  /** The classes of its errors, the usual one first. Hints of the page with these classes are removed together with ours. */
  readonly errors: readonly ErrorKey[];
  /** Values for the placeholders in its error texts. */
  places?(): Readonly<Record<string, string>>;
  /** Passes the error to the input inside a frame. */
  describe?(error: string | null): void;
};

/** The errors of one form: classes, hints, marks on its buttons and announcements. */
export interface Faults {
  show(field: MarkedField, key: ErrorKey): string;
  clear(field: MarkedField): void;
  isShown(field: MarkedField): boolean;
  /** Lists the missing ones of these fields beside the button, and keeps the list up to date. */
  summarise(fields: readonly MarkedField[]): void;
}

const BAD = 'wpwl-has-error';

/** Texts that say more than the error whose class they stand under. A shop that replaces that error's text replaces them as well. */
const general: Readonly<Partial<Record<ErrorKey, ErrorKey>>> = {
  cardNumberEmptyError: 'cardNumberError',
  cardNumberShortError: 'cardNumberError',
  cvvEmptyError: 'cvvError',
  cvvLengthError: 'cvvError',
  expiryEmptyError: 'expiryYearError',
  expiryShortError: 'expiryYearError',
  expiryPastError: 'expiryYearError',
  accountIbanShortError: 'accountIbanError',
};

/** The error whose class the hint gets, as pages know it. */
const classOf = ({ errors }: MarkedField, key: ErrorKey): ErrorKey =>
  key === 'emptyError' ? (errors[0] ?? key) : (general[key] ?? key);

function textOf(environment: Environment, field: MarkedField, key: ErrorKey): string {
  const { errorMessages = {}, labels = {} } = environment.options();
  const isReplaced = (name: ErrorKey): boolean => typeof (errorMessages[name] ?? labels[name]) === 'string';
  const known = classOf(field, key);
  return environment.text(isReplaced(known) && !isReplaced(key) ? known : key, field.places?.());
}

/** Hints in the field's own group, and hints with its classes that the page has put elsewhere in the form. */
const hintsOf = (form: HTMLFormElement, { group, errors, control }: MarkedField): readonly Element[] => {
  const own = [...group.querySelectorAll('.wpwl-hint')].filter((hint) => isNear(hint, control, group));
  const named = errors.flatMap((key) => [...form.querySelectorAll(`.wpwl-hint-${key}`)]);
  return [...new Set([...own, ...named])].filter((hint) => isNear(hint, control, group) || !group.contains(hint));
};

/** A group may hold several controls, each in its own wrapper. */
function isNear(hint: Element, control: Element, group: Element): boolean {
  const wrapper = control.parentElement;
  const isAlone = group.querySelectorAll('.wpwl-control').length < 2;
  return isAlone || hint.parentElement === wrapper;
}

const MARK = 'wpwl-button-error';

/** Locks and marks the pay buttons of one form. Pages lock and mark buttons themselves, and their locks are left alone. */
export interface ButtonLock {
  lock(button: HTMLButtonElement): void;
  /** Ends our lock. A button that the page itself wants locked, or has marked meanwhile, stays locked. */
  unlock(button: HTMLButtonElement): void;
  /** A marked button stays enabled: pressing it again lists the missing fields again. */
  mark(button: HTMLButtonElement): void;
  /** Removes the mark, ours or the page's, and with it the page's lock. */
  unmark(button: HTMLButtonElement): void;
}

export function createButtonLock(): ButtonLock {
  /** Locked buttons, and whether the page had locked them before. */
  const locked = new WeakMap<HTMLButtonElement, boolean>();
  const marked = new WeakSet<HTMLButtonElement>();
  return {
    lock(button) {
      if (!locked.has(button)) locked.set(button, button.disabled);
      button.disabled = true;
    },
    unlock(button) {
      const isPages = button.classList.contains(MARK) && !marked.has(button);
      if (locked.has(button) && !isPages) button.disabled = locked.get(button) ?? false;
      locked.delete(button);
    },
    mark(button) {
      if (!button.classList.contains(MARK)) marked.add(button);
      button.classList.add(MARK);
    },
    unmark(button) {
      if (!button.classList.contains(MARK)) return;
      button.classList.remove(MARK);
      if (marked.delete(button)) return;
      if (locked.has(button)) locked.set(button, false);
      else button.disabled = false;
    },
  };
}

type FaultTools = { readonly draw: Draw; readonly buttons: ButtonLock };

/** For one form. */
export function createFaults(environment: Environment, form: HTMLFormElement, { draw, buttons }: FaultTools): Faults {
  let count = 0;
  let summed: readonly MarkedField[] = [];
  const summary = draw('p', 'wpwl-missing');
  const isShown = ({ control }: MarkedField): boolean => control.classList.contains(BAD);
  function sumUp(): void {
    const button = form.querySelector('.wpwl-button-pay[type=submit]');
    const wrong = summed.filter(isShown);
    const names = wrong.flatMap(({ label }) => label ?? []);
    const fields = new Intl.ListFormat(environment.language, { type: 'unit' }).format(names);
    summary.textContent = names.length > 0 ? environment.text('missingFields', { fields }) : '';
    if (names.length === 0 || !button) {
      summary.remove();
      if (button?.getAttribute('aria-describedby') === summary.id) button.removeAttribute('aria-describedby');
      return;
    }
    summary.id = `${form.parentElement?.id}_missing`;
    button.setAttribute('aria-describedby', summary.id);
    if (!summary.isConnected) button.before(summary);
  }
  /** Removes the marks from the buttons as soon as nothing in the form is wrong any more. */
  function unmarkButtons(): void {
    if (form.querySelector(`.${BAD}:not(.wpwl-message)`) !== null) return;
    for (const button of form.querySelectorAll<HTMLButtonElement>(`.${MARK}`)) buttons.unmark(button);
  }
  function clear(field: MarkedField): void {
    const { control } = field;
    control.classList.remove(BAD);
    control.removeAttribute('aria-invalid');
    for (const hint of hintsOf(form, field)) {
      hint.remove();
      if (hint.id !== '' && control.getAttribute('aria-describedby') === hint.id) control.removeAttribute('aria-describedby');
    }
    field.describe?.(null);
    unmarkButtons();
    sumUp();
  }
  return {
    show(field, key) {
      const { control } = field;
      const text = textOf(environment, field, key);
      const known = classOf(field, key);
      const there = [...field.group.querySelectorAll(`.wpwl-hint-${known}`)].find(({ textContent }) => textContent === text);
      if (control.classList.contains(BAD) && there) return text;
      clear(field);
      count += 1;
      const hint = draw('div', `wpwl-hint wpwl-hint-${known}`, { id: `${form.parentElement?.id}_hint${count}` }, text);
      control.classList.add(BAD);
      control.setAttribute('aria-invalid', 'true');
      control.setAttribute('aria-describedby', hint.id);
      control.after(hint);
      field.describe?.(text);
      for (const button of form.querySelectorAll<HTMLButtonElement>('.wpwl-button[type=submit]')) buttons.mark(button);
      sumUp();
      return text;
    },
    clear,
    isShown,
    summarise(fields) {
      summed = fields;
      sumUp();
    },
  };
}
