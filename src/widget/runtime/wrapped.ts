import type { Wrapped } from '../options.ts';

type Paged = Window & { readonly jQuery?: (elements: readonly Element[]) => Wrapped };

/** Elements as pages expect them in hooks: the page's own jQuery where there is one, otherwise the few verbs that pages use. */
export function wrap(...elements: readonly (Element | null | undefined)[]): Wrapped {
  const there = elements.filter((element) => element instanceof Element);
  const { jQuery } = window as Paged;
  return typeof jQuery === 'function' ? jQuery(there) : ownWrapped(there);
}

type Control = Element & { value?: string };
const styled = (element: Element | undefined): CSSStyleDeclaration | null =>
  element instanceof HTMLElement || element instanceof SVGElement ? element.style : null;

function ownWrapped(elements: readonly Element[]): Wrapped {
  const [first] = elements;
  const each = (act: (element: Element) => void): Wrapped => {
    elements.forEach(act);
    return self;
  };
  const other = (found: readonly (Element | null)[]): Wrapped =>
    ownWrapped([...new Set(found.filter((element) => element !== null))]);
  const words = (name: string): readonly string[] => name.split(/\s+/).filter(Boolean);
  const self = Object.assign([...elements], {
    get: (index: number) => elements.at(index),
    eq: (index: number) => ownWrapped(elements.slice(index, index + 1 || undefined)),
    find: (selector: string) => other(elements.flatMap((element) => [...element.querySelectorAll(selector)])),
    closest: (selector: string) => other(elements.map((element) => element.closest(selector))),
    parent: () => other(elements.map((element) => element.parentElement)),
    is: (selector: string) => elements.some((element) => element.matches(selector)),
    hasClass: (name: string) => elements.some((element) => element.classList.contains(name)),
    addClass: (name: string) => each((element) => element.classList.add(...words(name))),
    removeClass: (name: string) => each((element) => element.classList.remove(...words(name))),
    on: (type: string, listener: (event: Event) => void) => each((element) => element.addEventListener(type, listener)),
    height: () => first?.getBoundingClientRect().height ?? 0,
    width: () => first?.getBoundingClientRect().width ?? 0,
    val(value?: string) {
      if (value === undefined) return (first as Control | undefined)?.value;
      return each((element) => {
        (element as Control).value = value;
      });
    },
    text(value?: string) {
      if (value === undefined) return elements.map((element) => element.textContent ?? '').join('');
      return each((element) => {
        element.textContent = value;
      });
    },
    attr(name: string, value?: string) {
      return value === undefined
        ? (first?.getAttribute(name) ?? undefined)
        : each((element) => element.setAttribute(name, value));
    },
    css(name: string, value?: string) {
      if (value === undefined) return first ? getComputedStyle(first).getPropertyValue(name) : undefined;
      return each((element) => styled(element)?.setProperty(name, value));
    },
  }) as unknown as Wrapped;
  return self;
}
