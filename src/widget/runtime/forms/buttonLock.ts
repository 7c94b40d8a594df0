/** Buttons that we keep locked, and whether the page had locked them before: such a one stays so when we are done with it. */
const before = new WeakMap<HTMLButtonElement, boolean>();

/** Locks a button, once more where it is locked already. */
export function lockButton(button: HTMLButtonElement): void {
  if (!before.has(button)) before.set(button, button.disabled);
  button.disabled = true;
}

/** Whether it was we who locked it. */
export const isOurLock = (button: HTMLButtonElement): boolean => before.has(button);

/** Gives a button free, unless the page itself wants it locked. */
export function freeButton(button: HTMLButtonElement): void {
  button.disabled = before.get(button) ?? false;
  before.delete(button);
}
