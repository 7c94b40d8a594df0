const FOCUSABLE = 'a[href], button, input, select, textarea, iframe, summary, [tabindex], [contenteditable]';

function canTakeFocus(element: HTMLElement): boolean {
  if (element.matches(':disabled, [type=hidden]') || element.tabIndex < 0 || element.closest('[inert]')) return false;
  if (!element.checkVisibility({ visibilityProperty: true })) return false;
  // Of a group of radio buttons only one is a stop.
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.checked) return true;
  const others = [...element.ownerDocument.querySelectorAll<HTMLInputElement>('input[type=radio]:checked')];
  return !others.some(({ name, form }) => name === element.name && form === element.form);
}

/** Moves the focus on from an element as the tab key does; a frame of ours is entered through its own input. */
export function moveFocus(from: HTMLElement, isBackward: boolean, enter: (iframe: HTMLIFrameElement) => boolean): void {
  const stops = [...from.ownerDocument.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element === from || canTakeFocus(element),
  );
  const next = stops[stops.indexOf(from) + (isBackward ? -1 : 1)];
  if (!next) from.blur();
  else if (!(next instanceof HTMLIFrameElement) || !enter(next)) next.focus();
}
