/** The palette comes a moment after the page; who has pressed its keys before that finds it open when it is there. */
let isThere = false;
let isAskedFor = false;

export function onEarlyShortcut(event: KeyboardEvent): void {
  if (isThere || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
  event.preventDefault();
  isAskedFor = true;
}

/** To be called when the palette is there: whether somebody has asked for it. */
export function arrived(): boolean {
  isThere = true;
  return isAskedFor;
}
