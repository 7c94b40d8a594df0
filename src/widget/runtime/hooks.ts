import type { Hooks, Options, WidgetError } from '../options.ts';
import { developerLog } from './developers.ts';

/** The shop's own functions, looked up at the moment they are called. */
export interface ShopHooks {
  has(name: keyof Hooks): boolean;
  /** What a hook throws is for the page's own error log and goes no further. */
  call(name: keyof Hooks, self: object, ...words: readonly unknown[]): unknown;
  /** Whether a submission may go on: not after `false`, a promise of it, a rejection or a throw. */
  allows(name: keyof Hooks, self: object, event: Event): Promise<boolean>;
  fail(error: WidgetError): void;
}

type AnyHook = (this: object, ...words: readonly unknown[]) => unknown;

/** Around the options as they are read at any moment. */
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
        // A rejection is the shop's way to say no; only a real error is worth a line in its log.
        if (error instanceof Error) reportError(error);
        return false;
      }
    },
    fail(error) {
      // A shop that does not listen finds it at least where its developers look.
      if (hook('onError') === null) developerLog.error(error);
      call('onError', {}, error);
    },
  };
}
