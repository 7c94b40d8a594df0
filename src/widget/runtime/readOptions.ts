import type { Hooks, Options, WidgetError, Wrapped } from '../options.ts';
import { developerLog } from './errors.ts';

declare const wpwlOptions: Options | undefined;

/**
 * The page's options as they are at this moment. By the bare name first: a `let` at the top of a script makes no property of the window.
 * Pages delete them when they leave, and then there are none.
 */
export function pageOptions(): Options {
  const named = typeof wpwlOptions === 'undefined' ? undefined : wpwlOptions;
  const found = named ?? (window as unknown as { readonly wpwlOptions?: Options }).wpwlOptions;
  return found !== null && typeof found === 'object' ? found : {};
}

/** True for true and "true"; the default for missing and meaningless values. */
export function flag(value: unknown, otherwise: boolean): boolean {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  return otherwise;
}

/** Options that are read when they are needed: their change requires no new forms. */
const late = new Set([
  'paymentTarget',
  'shopperResultTarget',
  'shopperResultUrl',
  'threeDIframeSize',
  'browser',
  'expiryWarningMinutes',
  'disableSubmitOnEnter',
  'validation',
]);

/** Whether a change of options affects forms that are shown already. */
export const isSeen = (changed: Options): boolean =>
  Object.entries(changed).some(([name, value]) => typeof value !== 'function' && !late.has(name));

/** The shop's own functions, which are looked up whenever they are called. */
export interface ShopHooks {
  has(name: keyof Hooks): boolean;
  /** An exception of a hook goes to the page's own error log and no further. */
  call(name: keyof Hooks, self: object, ...words: readonly unknown[]): unknown;
  /** Whether a submission may go on: not after `false`, a promise of it, a rejection or a throw. */
  allows(name: keyof Hooks, self: object, event: Event): Promise<boolean>;
  fail(error: WidgetError): void;
}

type AnyHook = (this: object, ...words: readonly unknown[]) => unknown;

/** `options` returns the current options. */
export function createHooks(options: () => Options): ShopHooks {
  const hook = (name: keyof Hooks): AnyHook | null => {
    const found = options()[name];
    return typeof found === 'function' ? (found as AnyHook) : null;
  };
  function call(name: keyof Hooks, self: object, ...words: readonly unknown[]): unknown {
    try {
      return hook(name)?.apply(self, [...words]);
    } catch (error) {
      reportError(error);
      return undefined;
    }
  }
  return {
    has: (name) => hook(name) !== null,
    call,
    async allows(name, self, event) {
      try {
        return (await hook(name)?.call(self, event)) !== false;
      } catch (error) {
        // A rejection is the shop's refusal; only a real error is reported.
        if (error instanceof Error) reportError(error);
        return false;
      }
    },
    fail(error) {
      // Without the hook the error appears at least in the console.
      if (hook('onError') === null) developerLog.error(error);
      call('onError', {}, error);
    },
  };
}

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
