/** A message above a form. Plugins of shops read its text, so a place has at most one. */
export type Message = {
  readonly text: string;
  readonly isError: boolean;
  /** A button or link beside the text. */
  readonly action?:
    | { readonly text: string; act(): void }
    | { readonly text: string; readonly url: string; readonly target: string };
};

const KEY = 'wpwl-message';

function actionElement(document: Document, action: NonNullable<Message['action']>): HTMLElement {
  if ('url' in action) {
    const link = document.createElement('a');
    link.className = 'wpwl-link';
    link.href = action.url;
    link.target = action.target;
    link.textContent = action.text;
    return link;
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'wpwl-button wpwl-button-retry';
  button.textContent = action.text;
  button.addEventListener('click', () => action.act());
  return button;
}

/** Removes the message of a place. */
export function clearMessage(place: Element): void {
  place.querySelector(`:scope > .${KEY}`)?.remove();
}

/** Shows a message at the top of a place. Screen readers announce errors immediately, other messages when they are idle. */
export function showMessage(place: HTMLElement, { text, isError, action }: Message): void {
  const { ownerDocument: document } = place;
  clearMessage(place);
  const box = document.createElement('div');
  box.className = isError ? `${KEY} wpwl-has-error` : `${KEY} wpwl-info`;
  box.setAttribute('role', isError ? 'alert' : 'status');
  place.prepend(box);
  // A live region announces later changes, not its initial content.
  const words = document.createElement('p');
  words.className = 'wpwl-message-text';
  words.textContent = text;
  box.append(words);
  if (action) box.append(actionElement(document, action));
}
