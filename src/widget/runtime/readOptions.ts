import type { Hooks, Options, WidgetError } from '../options.ts';
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
