import type { ErrorKey } from '../../texts.ts';
import type { Surroundings } from '../contract.ts';
import { freeButton, lockButton } from './buttonLock.ts';
import type { Draw } from './draw.ts';

/** A field as far as its faults go. */
export type Marked = {
  readonly group: HTMLElement;
  readonly control: HTMLElement;
  /** Every error it may show: what the page itself has hung up under these names goes with ours. */
  readonly errors: readonly ErrorKey[];
  /** Tells a frame's own input what is wrong with it. */
  describe?(error: string | null): void;
};

/** What is wrong in one form: classes, hints, the button, and what is said aloud. */
export interface Faults {
  show(field: Marked, key: ErrorKey): string;
  clear(field: Marked): void;
  isShown(field: Marked): boolean;
}

const BAD = 'wpwl-has-error';

/** Gives the button free as soon as nothing in the form is wrong any more. A button that the page locked for its own reasons stays so. */
function freeButtons(form: HTMLFormElement): void {
  const isBad = form.querySelector(`.${BAD}:not(.wpwl-message)`) !== null;
  for (const button of form.querySelectorAll<HTMLButtonElement>('.wpwl-button-error')) {
    if (isBad) continue;
    button.classList.remove('wpwl-button-error');
    freeButton(button);
  }
}

function lockButtons(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('.wpwl-button[type=submit]')) {
    button.classList.add('wpwl-button-error');
    lockButton(button);
  }
}

/** Hints in the field's own group, and those of its names that a page has put elsewhere in the form. */
const hintsOf = (form: HTMLFormElement, { group, errors, control }: Marked): readonly Element[] => {
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

/** For one form. */
export function createFaults(around: Surroundings, form: HTMLFormElement, draw: Draw): Faults {
  let count = 0;
  function clear(field: Marked): void {
    const { control } = field;
    control.classList.remove(BAD);
    control.removeAttribute('aria-invalid');
    for (const hint of hintsOf(form, field)) {
      hint.remove();
      if (hint.id !== '' && control.getAttribute('aria-describedby') === hint.id) control.removeAttribute('aria-describedby');
    }
    field.describe?.(null);
    freeButtons(form);
  }
  return {
    show(field, key) {
      const { control } = field;
      const text = around.text(key);
      const there = [...field.group.querySelectorAll(`.wpwl-hint-${key}`)].find(({ textContent }) => textContent === text);
      if (control.classList.contains(BAD) && there) return text;
      clear(field);
      count += 1;
      const hint = draw('div', `wpwl-hint wpwl-hint-${key}`, { id: `${form.parentElement?.id}_hint${count}` }, text);
      control.classList.add(BAD);
      control.setAttribute('aria-invalid', 'true');
      control.setAttribute('aria-describedby', hint.id);
      control.after(hint);
      field.describe?.(text);
      lockButtons(form);
      return text;
    },
    clear,
    isShown: ({ control }) => control.classList.contains(BAD),
  };
}
