import { type AuthenticationRequest, type Card, type Read, readerOf } from './asked.ts';
import { buildAReq, type RequestParts } from './buildAReq.ts';
import { type Need, needed, type Plan } from './needed.ts';
import { sandboxSetup } from './setup.ts';

/** For tests: an ordinary debit with everything that a browser has to tell. Give only what the case is about. */

export const NOW = Date.UTC(2031, 1, 3, 4, 5, 6);
export const TRANS_ID = '018f2b7c-9a3d-4e5f-6071-8293a4b5c6d7';
export const ORIGIN = 'https://pay.example';

export const exampleFields: Readonly<Record<string, string>> = {
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'de-AT',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0 (X11)',
  'customer.browser.javaEnabled': 'false',
  'billing.street1': 'Hauptstrasse 1',
  'billing.city': 'Wien',
  'billing.postcode': '1010',
  'billing.country': 'AT',
  shopperResultUrl: 'https://shop.example/done',
};

/** What an app's SDK returns. */
export const exampleDeviceInfo = JSON.stringify({
  sdkAppID: '11111111-2222-4333-8444-555555555555',
  deviceData: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a.b.c.d',
  sdkEphemeralPublicKey: '{"kty":"EC","crv":"P-256","x":"eA","y":"eQ"}',
  sdkReferenceNumber: '3DS_LOA_SDK_EXAM_020100_00001',
  sdkTransactionID: '66666666-7777-4888-8999-aaaaaaaaaaaa',
});

export type ExampleAsked = Omit<Partial<AuthenticationRequest>, 'read'> & {
  readonly fields?: Readonly<Record<string, string | undefined>>;
};

/** Undefined as a value takes a field away. */
export function exampleAsked({ fields = {}, ...given }: ExampleAsked = {}): AuthenticationRequest {
  const all = Object.entries({ ...exampleFields, ...fields }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    paymentType: 'DB',
    paymentBrand: 'VISA',
    amount: 9200n,
    currency: 'EUR',
    instruction: null,
    isCard: true,
    hasCryptogram: false,
    isDemanded: false,
    channel: { threeDSecure: true },
    ...given,
    read: readerOf(Object.fromEntries(all)),
  };
}

export function planFor(asked: AuthenticationRequest): Plan {
  const need: Need = needed(asked);
  if (need.is !== 'yes') throw new Error(`not needed: ${JSON.stringify(need)}`);
  return need.plan;
}

export const exampleCard = (number = '4200000000000042'): Card => ({
  number,
  expiryMonth: '05',
  expiryYear: '2034',
  holder: 'Ann Example',
});

export const exampleAddresses = {
  results: `${ORIGIN}/threeDSecure/results`,
  notification: `${ORIGIN}/threeDSecure/return`,
  methodNotification: `${ORIGIN}/threeDSecure/method`,
};

export function exampleParts(asked: AuthenticationRequest, given: Partial<RequestParts> = {}): RequestParts {
  const read: Read = asked.read;
  return {
    plan: planFor(asked),
    version: '2.2.0',
    threeDSServerTransID: TRANS_ID,
    threeDSCompInd: 'U',
    card: exampleCard(),
    paymentBrand: asked.paymentBrand ?? 'VISA',
    read,
    registration: null,
    setup: sandboxSetup('Demo_Shop', ORIGIN),
    addresses: exampleAddresses,
    now: NOW,
    ...given,
  };
}

export const exampleAReq = (asked: AuthenticationRequest = exampleAsked(), given: Partial<RequestParts> = {}) =>
  buildAReq(exampleParts(asked, given));
