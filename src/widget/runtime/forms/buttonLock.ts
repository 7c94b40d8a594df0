/** Buttons that we keep locked, and whether the page had locked them before: such a one stays so when we are done with it. */
const before = new WeakMap<HTMLButtonElement, boolean>();
/** Buttons that have our mark for errors. Pages set the same class themselves, and lock the button with it. */
const marked = new WeakSet<HTMLButtonElement>();

const MARK = 'wpwl-button-error';

/** Locks a button, once more where it is locked already. */
export function lockButton(button: HTMLButtonElement): void {
  if (!before.has(button)) before.set(button, button.disabled);
  button.disabled = true;
}

/** Ends our lock. A button that the page itself wants locked, or has marked meanwhile, stays locked. */
export function freeButton(button: HTMLButtonElement): void {
  const isPages = button.classList.contains(MARK) && !marked.has(button);
  if (before.has(button) && !isPages) button.disabled = before.get(button) ?? false;
  before.delete(button);
}

/** The button stays enabled: pressed again, it says again what is missing. */
export function markButton(button: HTMLButtonElement): void {
  if (!button.classList.contains(MARK)) marked.add(button);
  button.classList.add(MARK);
}

/** Takes the mark away, ours or the page's, and with it the page's lock. */
export function unmarkButton(button: HTMLButtonElement): void {
  if (!button.classList.contains(MARK)) return;
  button.classList.remove(MARK);
  if (marked.delete(button)) return;
  if (before.has(button)) before.set(button, false);
  else button.disabled = false;
}
