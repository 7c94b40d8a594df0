import { type Payment, paymentRefText } from '../../payments/payment.ts';
import type { Component } from '../../payments/shopperStep.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { type AdyenSettings, liveEnvironments } from './settings.ts';

type Json = Readonly<Record<string, unknown>>;

/** The version of Adyen Web that `BEGIN` was written for. */
const VERSION = '6.45.2';

/** The gateway's page for a payment. */
export const componentPath = (payment: Pick<Payment, 'merchantId' | 'id'>): string =>
  endpoints.componentPage.path.replace('{id}', paymentRefText(payment));

/** Whether the shopper was sent to that page. */
export const isAtComponent = (payment: Payment): boolean =>
  payment.phase.at === 'shopper' && payment.phase.redirect.url === componentPath(payment);

/**
 * Runs one action. Adyen Web takes the fingerprint and shows the challenge; it may do both for one action, and then asks its own server
 * between them. The window of the challenge is the largest of those agreed between issuers that fits.
 */
const BEGIN = `async (data, place, done, failed) => {
  const create = window.AdyenWeb?.AdyenCheckout ?? window.AdyenCheckout;
  const checkout = await create({
    clientKey: data.clientKey,
    environment: data.environment,
    locale: data.locale,
    countryCode: data.countryCode,
    analytics: { enabled: false },
    onAdditionalDetails: (state) => done(state?.data?.details?.threeDSResult),
    onError: failed,
  });
  const width = document.documentElement.clientWidth;
  const challengeWindowSize = width >= 532 ? '03' : width >= 390 ? '02' : '01';
  checkout.createFromAction(data.action, { challengeWindowSize }).mount(place);
}`;

/** What the page loads for an action, and what it passes on. The client key says which environment it belongs to. */
export function componentFor(settings: AdyenSettings, action: Json, { fields }: Payment): Component {
  const { clientKey, componentRegion, componentUrl, componentIntegrity, componentStyleIntegrity } = settings;
  const environment = clientKey.startsWith('live_') ? liveEnvironments[componentRegion] : 'test';
  const files = `https://checkoutshopper-${environment}.cdn.adyen.com`;
  const script = componentUrl === '' ? `${files}/checkoutshopper/sdk/${VERSION}/adyen.js` : componentUrl;
  const origins = [new URL(script).origin, files, `https://checkoutshopper-${environment}.adyen.com`];
  return {
    script: { url: script, integrity: componentIntegrity || null },
    style: { url: script.replace(/\.js$/, '.css'), integrity: componentStyleIntegrity || null },
    origins: [...new Set(origins)],
    begin: BEGIN,
    data: {
      clientKey,
      environment,
      locale: localeOf(fields['customer.browser.language'] ?? fields['customer.language'] ?? ''),
      // Adyen Web asks for one. It matters to lists of payment methods alone.
      countryCode: /^[A-Z]{2}$/.test(fields['billing.country'] ?? '') ? fields['billing.country'] : 'NL',
      action,
    },
  };
}

const localeOf = (text: string): string => (/^[a-z]{2}(?:-[A-Z]{2})?$/.test(text) ? text : 'en-US');
