import { testCards } from '../cards/testCards.ts';
import type { EndpointName } from '../endpoints.ts';
import { resultCodes } from '../resultCodes.ts';
import type { JsonObject } from './schemas.ts';

/** A request that passes as it stands, and the answer it gets in the test environment. */
type Example = { readonly request: Readonly<Record<string, string>>; readonly answer: JsonObject };

const number = testCards[0]?.number ?? '';
const entityId = '8ac7a4c9d0e1b2f38ac7a4c9d0e1b2f3';
const REGISTRATION = '019a1c5b0f3e11a78ac7a4a19a1c22d4';
const INITIAL_REFERENCE = '015221323070423';

const done = (code: keyof typeof resultCodes): JsonObject => ({ code, description: resultCodes[code].text });
const base = { buildNumber: 'turnpike-1', timestamp: '2031-10-02 09:15:31+0000', ndc: `${entityId}-019a1c5b0f3e` };
const holder = 'Ann Example';
const expiry = { expiryMonth: '05', expiryYear: '2034' };
const card = { bin: number.slice(0, 6), last4Digits: number.slice(-4), holder, ...expiry };

/** Examples for the endpoints of stored payment details. */
export const openApiExamples: Partial<Readonly<Record<EndpointName, Example>>> = {
  register: {
    request: {
      entityId,
      paymentBrand: 'VISA',
      'card.number': number,
      'card.holder': holder,
      'card.expiryMonth': expiry.expiryMonth,
      'card.expiryYear': expiry.expiryYear,
      'card.cvv': '123',
    },
    answer: { id: REGISTRATION, paymentBrand: 'VISA', result: done('000.100.110'), card, ...base },
  },
  payRegistered: {
    request: {
      entityId,
      paymentType: 'DB',
      amount: '92.00',
      currency: 'EUR',
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.source': 'MIT',
    },
    answer: {
      id: '019a1c5b2a7740c68ac7a4a19a1c31f0',
      registrationId: REGISTRATION,
      paymentType: 'DB',
      paymentBrand: 'VISA',
      amount: '92.00',
      currency: 'EUR',
      result: done('000.100.110'),
      card,
      ...base,
      standingInstruction: { mode: 'REPEATED', type: 'RECURRING', source: 'MIT', initialTransactionId: INITIAL_REFERENCE },
    },
  },
  readRegistration: {
    request: { entityId },
    answer: {
      id: REGISTRATION,
      paymentBrand: 'VISA',
      result: done('000.100.110'),
      card,
      networkToken: { last4Digits: '0026', expiryMonth: '12', expiryYear: '2036' },
      ...base,
      standingInstruction: { initialTransactionId: INITIAL_REFERENCE },
    },
  },
  deregister: {
    request: { entityId },
    answer: { id: '019a1c5c41d80e938ac7a4a19a1c40b7', referencedId: REGISTRATION, result: done('000.100.110'), ...base },
  },
  extendLife: {
    request: { entityId },
    answer: { id: '019a1c5c77aa5b128ac7a4a19a1c49c2', referencedId: REGISTRATION, result: done('000.100.110'), ...base },
  },
};

/** The names of operations in generated clients: a verb and a noun. Endpoints that are not listed have such a name themselves. */
const operationIds: Partial<Readonly<Record<EndpointName, string>>> = {
  pay: 'createPayment',
  refer: 'changePayment',
  capture: 'capturePayment',
  refund: 'refundPayment',
  reverse: 'reversePayment',
  read: 'readPayment',
  query: 'queryPayments',
  queryOne: 'queryPayment',
  register: 'createRegistration',
  payRegistered: 'createRegistrationPayment',
  deregister: 'deleteRegistration',
  extendLife: 'extendRegistration',
  widgetScript: 'loadWidgetScript',
  authenticate: 'createAuthentication',
  assess: 'assessRisk',
  screen: 'screenRisk',
  screenAgain: 'screenRiskAgain',
  schedule: 'createSchedule',
  reschedule: 'changeSchedule',
  deschedule: 'endSchedule',
  removeSchedule: 'deleteSchedule',
  resultCodes: 'listResultCodes',
  openApi: 'readOpenApi',
  merchantOpenApi: 'readMerchantOpenApi',
  administrationOpenApi: 'readAdministrationOpenApi',
  merchantGeneratorsOpenApi: 'readMerchantGeneratorsOpenApi',
  administrationGeneratorsOpenApi: 'readAdministrationGeneratorsOpenApi',
  docs: 'readDocs',
  live: 'checkLiveness',
  ready: 'checkReadiness',
  metrics: 'readMetrics',
  // Endpoints of the administration API whose names the merchant API has.
  capturePayment: 'captureAdminPayment',
  refundPayment: 'refundAdminPayment',
  reversePayment: 'reverseAdminPayment',
  createSchedule: 'createAdminSchedule',
  changeSchedule: 'changeAdminSchedule',
};

export const operationIdOf = (name: EndpointName): string => operationIds[name] ?? name;
