import type { WidgetResult } from '../../spec/widget.ts';
import type { Options } from '../options.ts';

const OUTCOMES: readonly string[] = ['success', 'pending', 'declined', 'cancelled', 'expired'];

/** An address that a shopper may be sent to: a page or an app, nothing that would run inside the shop's own page. */
export const isAddress = (url: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^(?:javascript|data|vbscript|blob|file|about|filesystem|view-source):/i.test(url);

type WindowMessage = { readonly data: unknown; readonly origin: string };

/** Returns the result that our result page has posted; null for any other message. */
export function readResult(message: WindowMessage, origin: string, checkoutId: string): WidgetResult | null {
  if (message.origin !== origin || message.data === null || typeof message.data !== 'object') return null;
  const { turnpike, result } = message.data as { readonly turnpike?: unknown; readonly result?: Partial<WidgetResult> | null };
  if (turnpike !== 1 || result === null || typeof result !== 'object') return null;
  const { url, outcome, resourcePath, code, text } = result;
  if (result.checkoutId !== checkoutId || typeof outcome !== 'string' || !OUTCOMES.includes(outcome)) return null;
  if (url !== null && (typeof url !== 'string' || !isAddress(url))) return null;
  if (typeof resourcePath !== 'string' || typeof code !== 'string' || typeof text !== 'string') return null;
  return { checkoutId, resourcePath, url, outcome, code, text };
}

/** The shop's result page with the parameters for querying the outcome, as the gateway would build it. */
export function resultUrl(url: string, checkoutId: string, resourcePath: string): string {
  const [, front = url, hash = ''] = /^([^#]*)(#.*)?$/.exec(url) ?? [];
  const query = `id=${encodeURIComponent(checkoutId)}&resourcePath=${encodeURIComponent(resourcePath)}`;
  return `${front}${front.includes('?') ? '&' : '?'}${query}${hash}`;
}

/** The target of the shop's result page. `shopperResultTarget` counts only together with `paymentTarget`. */
export const resultTarget = (options: Options): string => (options.paymentTarget && options.shopperResultTarget) || '_top';

/** Redirects the shopper. */
export function redirect(window: Window, url: string, target: string): void {
  const isHere = target === '_self' || (target === '_top' && window.top === window);
  if (isHere) window.location.assign(url);
  else window.open(url, target);
}
