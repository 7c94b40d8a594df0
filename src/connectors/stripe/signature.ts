import { createHmac, timingSafeEqual } from 'node:crypto';
import { SECOND_MS } from '../../spec/time.ts';

/** A signature that is older or newer is refused, so that an old notification cannot be sent again. */
const TOLERANCE_MS = 300 * SECOND_MS;
const SIGNATURES_MAX = 10;

/** Why the header `Stripe-Signature: t=…,v1=…` does not prove the body; null when it does. */
export function signatureFault(
  header: string | undefined,
  { body, secret, now }: { readonly body: Uint8Array; readonly secret: string; readonly now: number },
): string | null {
  if (header === undefined) return 'without a signature';
  const parts = header.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, hex = '']) => (name === 'v1' && /^[0-9a-f]{64}$/.test(hex) ? [hex] : []));
  if (!/^[0-9]{1,12}$/.test(time) || signatures.length === 0) return 'the signature has another form';
  const own = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  // All of them are compared: during an exchange of the secret there is one for the old and one for the new.
  const isSigned = signatures
    .slice(0, SIGNATURES_MAX)
    .reduce((is, hex) => timingSafeEqual(own, Buffer.from(hex, 'hex')) || is, false);
  if (!isSigned) return 'the signature is wrong';
  return Math.abs(now - Number(time) * SECOND_MS) > TOLERANCE_MS ? 'the signature is too old or too new' : null;
}
