import type { Options } from '../options.ts';

/** The target of the shop's result page. `shopperResultTarget` counts only together with `paymentTarget`. */
export const resultTarget = (options: Options): string => (options.paymentTarget && options.shopperResultTarget) || '_top';

/** Redirects the shopper. */
export function redirect(window: Window, url: string, target: string): void {
  const isHere = target === '_self' || (target === '_top' && window.top === window);
  if (isHere) window.location.assign(url);
  else window.open(url, target);
}
