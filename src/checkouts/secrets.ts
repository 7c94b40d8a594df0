import { MINUTE_MS } from '../spec/time.ts';
import { VaultRefused } from '../vault/sealedText.ts';
import type { Checkout } from './checkout.ts';
import type { CheckoutService } from './ports.ts';

/** Data sealed for one checkout, which opens nowhere else. */

type CheckoutKey = Pick<Checkout, 'id' | 'merchantId' | 'entityId'>;
type Texts = Readonly<Record<string, string>>;

/** Sealed by us, given to a browser, and back within ten minutes: long enough to look for a phone, too short to be collected. */
export const SEALED_MS = 10 * MINUTE_MS;
const LENGTH_MAX = 8_192;

const sealedRecord = ({ id, merchantId, entityId }: CheckoutKey, field: 'widget' | 'checkout' | 'savedForm') => ({
  merchantId,
  entityId,
  recordId: id,
  field,
});

async function seal(
  { world: { vault } }: CheckoutService,
  place: ReturnType<typeof sealedRecord>,
  clear: string,
): Promise<Buffer> {
  const keys = vault.ready(place.merchantId);
  if (keys) await keys;
  return Buffer.from(vault.seal(place, clear));
}

/** The fields of a card as text that only this gateway can read, for this checkout and for a while. Nothing is kept here. */
export async function sealCard(service: CheckoutService, checkout: CheckoutKey, fields: Texts): Promise<string> {
  const clear = JSON.stringify({ at: service.world.clock.now(), fields });
  return (await seal(service, sealedRecord(checkout, 'widget'), clear)).toString('base64url');
}

/** The fields again; null when the text is not ours, not for this checkout, or too old. */
export async function openCard({ world }: CheckoutService, checkout: CheckoutKey, text: string): Promise<Texts | null> {
  if (text.length > LENGTH_MAX || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  try {
    const clear = await world.vault.open(sealedRecord(checkout, 'widget'), Buffer.from(text, 'base64url'));
    const { at, fields } = JSON.parse(clear) as { readonly at: number; readonly fields: Texts };
    return world.clock.now() - at < SEALED_MS ? fields : null;
  } catch (error) {
    // A text that does not open is forged, or for another checkout: no reason for an alarm.
    if (error instanceof VaultRefused) return null;
    throw error;
  }
}

/** The secret parameters that a merchant has prepared. */
export async function sealPrepared(service: CheckoutService, checkout: CheckoutKey, fields: Texts): Promise<string | null> {
  if (Object.keys(fields).length === 0) return null;
  return (await seal(service, sealedRecord(checkout, 'checkout'), JSON.stringify(fields))).toString('base64');
}

export async function openPrepared({ world }: CheckoutService, checkout: CheckoutKey & Pick<Checkout, 'sealed'>): Promise<Texts> {
  if (checkout.sealed === null) return {};
  const clear = await world.vault.open(sealedRecord(checkout, 'checkout'), Buffer.from(checkout.sealed, 'base64'));
  return JSON.parse(clear) as Texts;
}

/** The shopper's form, until the merchant executes it. */
export const sealSaved = async (service: CheckoutService, checkout: CheckoutKey, text: string): Promise<string> =>
  (await seal(service, sealedRecord(checkout, 'savedForm'), text)).toString('base64');

export const openSaved = async ({ world }: CheckoutService, checkout: CheckoutKey, text: string): Promise<string> =>
  world.vault.open(sealedRecord(checkout, 'savedForm'), Buffer.from(text, 'base64'));
