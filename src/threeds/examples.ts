import {
  type AuthenticationNeed,
  type AuthenticationParameters,
  authenticationNeed,
  authenticationParameters,
} from './authenticationNeed.ts';
import { type AuthenticationRequest, type Card, createParameterReader, type ParameterReader } from './authenticationRequest.ts';
import { buildAReq, type RequestParts } from './buildAReq.ts';
import { sandboxSetup } from './setup.ts';

/** For tests: an ordinary debit with complete browser data. Override only what the case is about. */

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

/** The data that an app's SDK returns. */
export const exampleDeviceInfo = JSON.stringify({
  sdkAppID: '11111111-2222-4333-8444-555555555555',
  deviceData: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a.b.c.d',
  sdkEphemeralPublicKey: '{"kty":"EC","crv":"P-256","x":"eA","y":"eQ"}',
  sdkReferenceNumber: '3DS_LOA_SDK_EXAM_020100_00001',
  sdkTransactionID: '66666666-7777-4888-8999-aaaaaaaaaaaa',
});

export type ExampleRequest = Omit<Partial<AuthenticationRequest>, 'read'> & {
  readonly fields?: Readonly<Record<string, string | undefined>>;
};

/** A field with the value undefined is removed. */
export function exampleRequest({ fields = {}, ...given }: ExampleRequest = {}): AuthenticationRequest {
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
    channel: { threeDSecure: true, isLenient: false },
    ...given,
    read: createParameterReader(Object.fromEntries(all)),
  };
}

export function parametersFor(request: AuthenticationRequest): AuthenticationParameters {
  const need: AuthenticationNeed = authenticationNeed(request);
  if (need.is !== 'yes') throw new Error(`not needed: ${JSON.stringify(need)}`);
  return authenticationParameters(request, need.network);
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

export function exampleParts(request: AuthenticationRequest, given: Partial<RequestParts> = {}): RequestParts {
  const read: ParameterReader = request.read;
  return {
    parameters: parametersFor(request),
    version: '2.2.0',
    threeDSServerTransID: TRANS_ID,
    threeDSCompInd: 'U',
    card: exampleCard(),
    paymentBrand: request.paymentBrand ?? 'VISA',
    read,
    registration: null,
    setup: sandboxSetup('Demo_Shop', ORIGIN),
    addresses: exampleAddresses,
    now: NOW,
    ...given,
  };
}

export const exampleAReq = (request: AuthenticationRequest = exampleRequest(), given: Partial<RequestParts> = {}) =>
  buildAReq(exampleParts(request, given));
