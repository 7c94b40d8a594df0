import type { EndpointName } from '../endpoints.ts';

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
  // Those of the administration API whose names the merchant API has.
  capturePayment: 'captureAdminPayment',
  refundPayment: 'refundAdminPayment',
  reversePayment: 'reverseAdminPayment',
  createSchedule: 'createAdminSchedule',
  changeSchedule: 'changeAdminSchedule',
};

export const operationIdOf = (name: EndpointName): string => operationIds[name] ?? name;
