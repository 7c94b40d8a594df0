type Attributes = Readonly<Record<string, string | boolean | null>>;

/** Makes an element: classes, attributes (false and null leave one out, true gives an empty one), children. */
export type Draw = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  classes: string,
  attributes?: Attributes,
  ...children: readonly (Node | string)[]
) => HTMLElementTagNameMap[Tag];

/** For one document. */
export const createDraw =
  (document: Document): Draw =>
  (tag, classes, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    if (classes) element.className = classes;
    for (const [name, value] of Object.entries(attributes))
      if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : value);
    element.append(...children);
    return element;
  };

const unseen = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  margin: '-1px',
  overflow: 'hidden',
  'clip-path': 'inset(50%)',
  'white-space': 'nowrap',
} as const;

/** Visually hidden, but read by screen readers. Styled on the element, since a page may load none of our style sheets. */
export function hideFromSight<Element extends HTMLElement>(element: Element): Element {
  for (const [name, value] of Object.entries(unseen)) element.style.setProperty(name, value);
  return element;
}

/** Hides an element whatever the styles of the page say, and shows it again. */
export function setShown(element: HTMLElement, isShown: boolean): void {
  element.hidden = !isShown;
  if (isShown) element.style.removeProperty('display');
  else element.style.setProperty('display', 'none', 'important');
}

/** So many random digits, the first not a zero: for names that only have to differ. */
export function randomDigits(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return [...bytes].map((byte, at) => (at === 0 ? 1 + (byte % 9) : byte % 10)).join('');
}

/** A random name. */
export const randomName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
