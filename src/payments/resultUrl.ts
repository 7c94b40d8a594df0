import { AUTHENTICATION, RISK_CHECK, type TransactionType } from '../spec/paymentTypes.ts';
import type { Payment } from './payment.ts';

/** The path of the payment in the API. */
export const resourcePathOf = ({ id, paymentType }: Payment): string => `/v1/${places[paymentType] ?? 'payments'}/${id}`;

const places: Readonly<Partial<Record<TransactionType, string>>> = {
  RG: 'registrations',
  [AUTHENTICATION]: 'threeDSecure',
  [RISK_CHECK]: 'risk',
};

/**
 * Where the shopper goes after paying: the merchant's address from the payment, with id and resourcePath; for a checkout the gateway's own
 * return page. Null when there is none.
 */
export function resultUrlOf(payment: Payment): string | null {
  if (payment.checkoutId !== null) return returnPathOf(payment.checkoutId);
  return withOutcome(payment.fields.shopperResultUrl ?? '', payment.id, resourcePathOf(payment));
}

/** The return page of a checkout, at which every payment of it ends. The page reports the result to the shop. */
export const returnPathOf = (checkoutId: string): string => `/v1/checkouts/${checkoutId}/return`;

/** A merchant's address with id and resourcePath added, its own query and fragment kept; null when it is not an address. */
export function withOutcome(url: string, id: string, resourcePath: string): string | null {
  const given = inAscii(url);
  if (given === null) return null;
  const [address = '', fragment] = splitAt(given, '#');
  const mark = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?';
  const said = `id=${id}&resourcePath=${encodeURIComponent(resourcePath)}`;
  return `${address}${mark}${said}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** A header holds ASCII only: an address with other signs is written as browsers write it, any other one stays as it was given. */
const inAscii = (url: string): string | null => (/^[\x21-\x7e]+$/.test(url) ? url : (URL.parse(url)?.href ?? null));

function splitAt(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Whether an address is on one of the hosts; no list allows every host. */
export function isAllowedHost(url: string, hosts: readonly string[] | null): boolean {
  if (hosts === null) return true;
  const host = URL.parse(url)?.host.toLowerCase() ?? '';
  return hosts.some((allowed) => (allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed));
}
