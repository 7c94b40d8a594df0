import type { Options } from '../options.ts';

/** Where the shop's result page opens. A target of its own counts only beside a target for the payment. */
export const resultTarget = (options: Options): string => (options.paymentTarget && options.shopperResultTarget) || '_top';

/** Sends the shopper on. */
export function redirect(window: Window, url: string, target: string): void {
  const isHere = target === '_self' || (target === '_top' && window.top === window);
  if (isHere) window.location.assign(url);
  else window.open(url, target);
}
