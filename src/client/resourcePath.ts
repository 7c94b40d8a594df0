import { ResourcePathError } from './errors.ts';
import { CHECKOUT_ID } from './generated/sandbox.ts';

/** The object of a resourcePath. `checkout` has the result of a payment, `checkoutRegistration` that of stored details. */
export type Resource = {
  readonly kind: 'checkout' | 'checkoutRegistration' | 'payment' | 'registration' | 'authentication' | 'assessment';
  readonly id: string;
  /** The path as the gateway writes it. */
  readonly path: string;
};

const checkoutId = CHECKOUT_ID.source.slice(1, -1);
const patterns: readonly (readonly [kind: Resource['kind'], pattern: RegExp])[] = [
  ['checkout', new RegExp(`^/v1/checkouts/(${checkoutId})/payment$`)],
  ['checkoutRegistration', new RegExp(`^/v1/checkouts/(${checkoutId})/registration$`)],
  ['payment', /^\/v1\/payments\/([a-f0-9]{32})$/],
  ['registration', /^\/v1\/registrations\/([a-f0-9]{32})$/],
  ['authentication', /^\/v1\/threeDSecure\/([a-f0-9]{32})$/],
  ['assessment', /^\/v1\/risk\/([a-f0-9]{32})$/],
];

/**
 * Reads the `resourcePath` that a shopper's browser brings back. The browser can send anything, and the client calls the path with the access
 * token: only a path that the gateway makes is accepted, without host, query, dots or escapes. With `id`, it must also name that object: compare
 * with the checkout of the shopper's session, or a shopper can present another shopper's payment.
 */
export function parseResourcePath(resourcePath: string, id?: string): Resource {
  for (const [kind, pattern] of patterns) {
    const found = pattern.exec(resourcePath)?.[1];
    if (found === undefined) continue;
    if (id !== undefined && found !== id) throw new ResourcePathError('the resourcePath names another object than expected');
    return { kind, id: found, path: resourcePath };
  }
  throw new ResourcePathError('not a resourcePath of the gateway: it must be a path such as /v1/checkouts/{id}/payment');
}
