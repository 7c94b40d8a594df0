import type { Options } from '../options.ts';

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

/** True for true and "true"; the default where nothing, or nothing of sense, is set. */
export function flag(value: unknown, otherwise: boolean): boolean {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  return otherwise;
}

/** Options that are only looked up when they are needed: a change of them asks for no new forms. */
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

/** Whether a change of options can be seen in forms that are there already. */
export const isSeen = (changed: Options): boolean =>
  Object.entries(changed).some(([name, value]) => typeof value !== 'function' && !late.has(name));
