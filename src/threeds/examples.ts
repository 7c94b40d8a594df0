import { type Authentication, next } from './authentication.ts';
import {
  type AuthenticationNeed,
  type AuthenticationParameters,
  type AuthenticationRequest,
  authenticationNeed,
  authenticationParameters,
  type Card,
  createParameterReader,
  type ParameterReader,
} from './authenticationNeed.ts';
import { areqFor, buildAReq, type RequestParts } from './buildAReq.ts';
import { answerResults, type Directory, requestAuthentication } from './directory.ts';
import type { AReq, Erro, RRes } from './messages/message.ts';
import { prepare } from './prepare.ts';
import { type Acs, createAcs } from './sandbox/acs.ts';
import type { Delivery, Step } from './sandbox/challenge.ts';
import { directiveExtensions } from './sandbox/directives.ts';
import { createDirectoryServer } from './sandbox/directoryServer.ts';
import { sandboxSetup } from './settings.ts';
import { challengeForm, returnEvent } from './shopper.ts';

/** For tests: an ordinary debit with complete browser data, and a complete authentication flow. */

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

export const ACS_URL = `${ORIGIN}/sandbox/acs`;
export const acs: Acs = createAcs({ url: ACS_URL });
export const directory: Directory = createDirectoryServer({ acs, acsUrl: ACS_URL, clock: { now: () => NOW } });

/** Runs the flow up to the answer of the directory server. */
export async function authenticateUpToAnswer(
  request: AuthenticationRequest,
  number: string,
): Promise<{ readonly authentication: Authentication; readonly areq: AReq }> {
  const parameters = parametersFor(request);
  const enrolment = await directory.versions({ number, read: request.read });
  const prepared = prepare(request, { parameters, enrolment, threeDSServerTransID: TRANS_ID, decoupledMinutes: 60, now: NOW });
  if (prepared.is !== 'begun') throw new Error(JSON.stringify(prepared));
  const methodDone = { is: 'methodDone', threeDSServerTransID: TRANS_ID } as const;
  const authentication = next(prepared.authentication, methodDone, NOW);
  const areq = areqFor(authentication, {
    ...exampleParts(request, { parameters, card: exampleCard(number) }),
    extensions: directiveExtensions(request.read),
  });
  return {
    authentication: next(authentication, await requestAuthentication(directory, { areq, network: parameters.network }), NOW),
    areq,
  };
}

/** The hidden fields of a page's forms. */
export function fieldsIn(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
}

export const ticketIn = (url: string): string => new URL(url).searchParams.get('ticket') ?? '';

/** Opens the challenge at the issuer. */
export function arrive(authentication: Authentication, now = NOW): Step {
  const form = challengeForm(authentication, 'session');
  if (form === null) throw new Error('no challenge');
  const posted = Object.fromEntries(form.parameters.map(({ name, value }) => [name, value]));
  return acs.open(ticketIn(form.url), posted, now);
}

export const codeIn = ({ page }: Step): string => /class="code">([0-9]{6})</.exec(page.html)?.[1] ?? '';

/** Presses a button of the page. */
export const press = (step: Step, action: string, { code = '', now = NOW }: { code?: string; now?: number } = {}): Step =>
  acs.act({ state: fieldsIn(step.page.html).state, action, code }, now);

type FlowResult = { readonly authentication: Authentication; readonly replies: readonly (RRes | Erro)[] };

/** Finishes the flow: delivers the results and the shopper's return. */
export function finishFlow(authentication: Authentication, step: Step, now = NOW): FlowResult {
  const replies: (RRes | Erro)[] = [];
  let state = authentication;
  const deliver = (when: Delivery['when']): void => {
    for (const { rreq } of step.sends.filter((delivery) => delivery.when === when)) {
      const answer = answerResults(state, rreq, now);
      replies.push(answer.reply);
      state = answer.authentication;
    }
  };
  deliver('before');
  const fields = fieldsIn(step.page.html);
  if (fields.cres !== undefined) state = next(state, returnEvent(fields.cres), now);
  deliver('after');
  return { authentication: state, replies };
}
