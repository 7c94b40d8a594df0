import { isAllowedHost } from '../payments/resultUrl.ts';
import { languageCalled } from '../spec/languages.ts';
import { widgetFields } from '../spec/widget.ts';
import { CALL_AFTER_MS, type Checkout, type Submission } from './checkout.ts';
import { updateCheckout } from './find.ts';
import type { CheckoutService } from './ports.ts';

const WEB = /^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i;
const ADDRESS_MAX = 2_048;
/** After a click in the last minute the merchant is notified this long before the checkout expires. */
const LAST_MOMENT_MS = 10_000;

/** An origin as browsers write it, of a page that may ask for this checkout; null otherwise. A page that has none is one only by name. */
function shopOriginOf(text: string | undefined, allowed: readonly string[] | null): string | null {
  if (text === 'null') return allowed?.includes(text) ? text : null;
  const url = text === undefined ? null : URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== text) return null;
  return allowed === null || allowed.includes(url.origin) ? url.origin : null;
}

/** The browser's choice of where the answer goes, sent with its form. */
function submissionOf(service: CheckoutService, checkout: Checkout, fields: ReadonlyMap<string, string>): Submission {
  const settings = service.entity(checkout.entityId)?.settings;
  const url = fields.get('shopperResultUrl') ?? '';
  const isWeb = url.length <= ADDRESS_MAX && WEB.test(url) && (service.environment === 'test' || /^https:/i.test(url));
  return {
    at: service.world.clock.now(),
    flow: fields.get(widgetFields.flow) === 'frame' ? 'frame' : 'tab',
    shopOrigin: checkout.link
      ? checkout.origin
      : shopOriginOf(fields.get(widgetFields.shopOrigin), settings?.widgetOrigins ?? null),
    language: languageCalled(fields.get(widgetFields.language) ?? '') ?? null,
    shopperResultUrl: isWeb && isAllowedHost(url, settings?.shopperResultHosts ?? null) ? url : null,
  };
}

const isSame = (one: Submission, other: Submission): boolean =>
  one.flow === other.flow &&
  one.shopOrigin === other.shopOrigin &&
  one.language === other.language &&
  one.shopperResultUrl === other.shopperResultUrl;

/** When the merchant is notified of a payment that begins now. */
const callAtOf = ({ createdAt, expiresAt }: Checkout, now: number): number =>
  Math.max(createdAt + CALL_AFTER_MS, Math.min(now + LAST_MOMENT_MS, expiresAt - LAST_MOMENT_MS));

/** The shopper has submitted the form: the merchant is notified later, unless its server reads the status before. */
export function noteSubmission(
  service: CheckoutService,
  checkout: Checkout,
  fields: ReadonlyMap<string, string>,
): Promise<Checkout> {
  const submission = submissionOf(service, checkout, fields);
  return updateCheckout(service, checkout, (current) => {
    // A repeated click changes nothing.
    if (current.callAt !== null && current.submission !== null && isSame(current.submission, submission)) return current;
    return { ...current, submission, callAt: callAtOf(current, submission.at) };
  });
}

/** The form was saved for the merchant's server to confirm: no notification is needed. */
export function noteSavedForm(
  service: CheckoutService,
  checkout: Checkout,
  fields: ReadonlyMap<string, string>,
): Promise<Checkout> {
  const submission = submissionOf(service, checkout, fields);
  return updateCheckout(service, checkout, (current) => ({ ...current, submission }));
}

/** The merchant's server has confirmed the form and the payment is pending: a notification follows in the end. */
export const notePending = (service: CheckoutService, checkout: Checkout): Promise<Checkout> =>
  updateCheckout(service, checkout, (current) => ({ ...current, callAt: callAtOf(current, service.world.clock.now()) }));

/** The merchant's server has read the status: no notification is needed. */
export function noteStatusRead(service: CheckoutService, checkout: Checkout): Promise<Checkout> {
  const now = service.world.clock.now();
  return updateCheckout(service, checkout, (current) =>
    current.callAt === null && current.askedAt !== null ? current : { ...current, askedAt: now, callAt: null },
  );
}

/** The merchant's result page for this shopper; null when there is none. */
export const shopUrlOf = ({ fields, submission }: Checkout): string | null =>
  fields.shopperResultUrl ?? submission?.shopperResultUrl ?? null;
