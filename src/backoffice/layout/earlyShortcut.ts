/** The palette loads after the page. Its shortcut is remembered until then. */
let isThere = false;
let isAskedFor = false;

export function onEarlyShortcut(event: KeyboardEvent): void {
  if (isThere || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
  event.preventDefault();
  isAskedFor = true;
}

/** To be called when the palette is loaded. Returns whether its shortcut was pressed before. */
export function arrived(): boolean {
  isThere = true;
  return isAskedFor;
}
