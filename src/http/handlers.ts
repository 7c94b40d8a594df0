import type { storedEndpoints } from '../spec/areas/stored.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import type { PaymentType } from '../spec/paymentTypes.ts';
import { exportAudit, listAudit, verifyAudit } from './admin/audit.ts';
import { moveClock, readClock } from './admin/developer/clock.ts';
import { createDeveloper } from './admin/developer/developer.ts';
import {
  attachScenario,
  detachScenario,
  listScenarios,
  putScenario,
  readPlayed,
  readScenario,
  readScenarioLog,
  removeScenario,
} from './admin/developer/scenarios.ts';
import { accountHandlers } from './admin/entities/entity.ts';
import { checkoutHandlers } from './admin/listings/checkouts.ts';
import { customerHandlers } from './admin/listings/customers.ts';
import { mandateHandlers } from './admin/listings/mandates.ts';
import { paymentLinkHandlers } from './admin/listings/paymentLinks.ts';
import { registrationHandlers } from './admin/listings/registrations.ts';
import { scheduleCommands, scheduleHandlers } from './admin/listings/schedules.ts';
import { backOffice } from './admin/pages.ts';
import { paymentHandlers } from './admin/payments/views.ts';
import { riskHandlers } from './admin/risk/rules.ts';
import { tryRouting } from './admin/routing.ts';
import { exportSettled, listReconciliations, listSettled } from './admin/settlement/settledRecords.ts';
import {
  bringSettlement,
  listExceptions,
  listSettlements,
  listUnsettled,
  readSettlement,
  resolveException,
  resolveExceptions,
} from './admin/settlement/settlement.ts';
import { readBalances, readStatistics } from './admin/statistics.ts';
import { signInHandlers } from './admin/users/signIn.ts';
import { listDeliveries, readDelivery, resendDeliveries } from './admin/webhooks/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
  rotateWebhookKey,
  switchOffWebhook,
  testWebhook,
} from './admin/webhooks/webhooks.ts';
import { receiveNotification } from './api/acquirerNotifications.ts';
import { authenticated, authorized } from './api/authenticate.ts';
import { createCheckout, readCheckout, updateCheckout } from './api/checkouts.ts';
import { docs, listBrands, openApiDocument, resultCodes } from './api/documents.ts';
import { live, metrics, ready } from './api/health.ts';
import { pay } from './api/pay.ts';
import { query } from './api/query.ts';
import { read, readAssessment, readAuthentication } from './api/read.ts';
import { deregister, extendLife, listCustomerRegistrations, readRegistration } from './api/registrations.ts';
import { reportAggregations, reportCsv, reportSettlement, reportSettlementPages } from './api/reports.ts';
import { deschedule, previewSchedule, readSchedule, reschedule, schedule } from './api/schedules.ts';
import type { Handle, Handler } from './handler.ts';
import { acsAction, acsApp, acsChallenge, acsMethod, bankChoice, bankPage } from './sandbox/bank.ts';
import { createDemo } from './sandbox/demo.ts';
import { walletForm, walletToken } from './sandbox/walletIssuer.ts';
import { checkoutReturn, forgetStored, sealFields, submitCheckout, widgetSession } from './shopper/checkouts.ts';
import { paymentLink } from './shopper/paymentLink.ts';
import {
  componentPage,
  componentResult,
  shopperReturn,
  threeDSBrowser,
  threeDSContinue,
  threeDSMethod,
  threeDSPage,
  threeDSResults,
  threeDSReturn,
} from './shopper/threeDS.ts';
import {
  walletSession,
  widgetBrandImage,
  widgetField,
  widgetFile,
  widgetInventory,
  widgetScript,
  widgetTarget,
  widgetTypings,
} from './shopper/widget.ts';

/**
 * The handler of every endpoint. The demo shop's server sends its requests through `handle`, and so does a call that a developer runs
 * again.
 */
export const createHandlers = (handle: Handle): Readonly<Record<EndpointName, Handler>> => ({
  ...ofApi,
  ...ofBackOffice,
  ...createDeveloper(handle),
  ...ofShopper,
  ...ofSandbox,
  ...createDemo(handle),
});

const refer = authenticated(pay);

/** A follow-up of a payment whose type is in the path: the request of `refer` with that paymentType. */
const followUp = (type: PaymentType): Handler => {
  const suffix = Buffer.from(`&paymentType=${type}`);
  return (services, request) => refer(services, { ...request, endpoint: 'refer', body: Buffer.concat([request.body, suffix]) });
};

/** For merchants' servers, and about the gateway itself. */
const ofApi = {
  pay: authenticated(pay),
  refer: authenticated(pay),
  capture: followUp('CP'),
  refund: followUp('RF'),
  reverse: followUp('RV'),
  register: authenticated(pay),
  payRegistered: authenticated(pay),
  authenticate: authenticated(pay),
  assess: authenticated(pay),
  screen: authenticated(pay),
  screenAgain: authenticated(pay),
  read: authorized(read),
  readAuthentication: authorized(readAuthentication),
  readAssessment: authorized(readAssessment),

  query: authorized(query),
  queryOne: authorized(query),
  findPayments: authorized(query),
  queryRecords: authorized(query),
  queryRecord: authorized(query),

  listCustomerRegistrations: authorized(listCustomerRegistrations),
  readRegistration: authorized(readRegistration),
  deregister: authorized(deregister),
  extendLife: authorized(extendLife),

  createCheckout: authenticated(createCheckout),
  updateCheckout: authenticated(updateCheckout),
  readCheckoutPayment: authorized(readCheckout),
  readCheckoutRegistration: authorized(readCheckout),

  schedule: authenticated(schedule),
  reschedule: authenticated(reschedule),
  deschedule: authenticated(deschedule),
  removeSchedule: authenticated(deschedule),
  readSchedule: authorized(readSchedule),
  previewSchedule: authorized(previewSchedule),

  receiveNotification,

  reportAggregations: authorized(reportAggregations),
  reportSettlement: authorized(reportSettlement),
  reportSettlementPages: authorized(reportSettlementPages),
  reportCsv: authorized(reportCsv),

  resultCodes,
  listBrands,
  openApi: openApiDocument('openApi'),
  merchantOpenApi: openApiDocument('merchantOpenApi'),
  administrationOpenApi: openApiDocument('administrationOpenApi'),
  merchantGeneratorsOpenApi: openApiDocument('merchantGeneratorsOpenApi'),
  administrationGeneratorsOpenApi: openApiDocument('administrationGeneratorsOpenApi'),
  docs,
  docsPage: docs,
  docsFile: docs,
  live,
  ready,
  metrics,
} as const;

/** Registrations, mandates, customers, checkouts, payment links and schedules. */
const listingHandlers: Readonly<Record<keyof typeof storedEndpoints, Handler>> = {
  ...registrationHandlers,
  ...checkoutHandlers,
  ...customerHandlers,
  ...mandateHandlers,
  ...paymentLinkHandlers,
  ...scheduleHandlers,
  ...scheduleCommands,
};

/** For the administration API and the back office. */
const ofBackOffice = {
  backOffice,
  ...signInHandlers,
  ...accountHandlers,
  ...paymentHandlers,
  ...listingHandlers,
  ...riskHandlers,
  tryRouting,

  listWebhooks,
  createWebhook,
  readWebhook,
  changeWebhook,
  removeWebhook,
  testWebhook,
  rotateWebhookKey,
  switchOffWebhook,
  listDeliveries,
  readDelivery,
  resendDeliveries,

  readClock,
  moveClock,
  listScenarios,
  putScenario,
  readScenario,
  removeScenario,
  readScenarioLog,
  attachScenario,
  detachScenario,
  readPlayed,

  readBalances,
  readStatistics,
  bringSettlement,
  listSettlements,
  readSettlement,
  listExceptions,
  resolveException,
  resolveExceptions,
  listUnsettled,
  listSettled,
  exportSettled,
  listReconciliations,

  listAudit,
  exportAudit,
  verifyAudit,
} as const;

/** For shoppers' browsers: the payment widget, its forms, and the pages of 3D Secure. */
const ofShopper = {
  payCheckout: submitCheckout,
  registerCheckout: submitCheckout,
  sealFields,
  walletSession,
  checkoutReturn,
  paymentLink,
  widgetSession,
  forgetStored,
  widgetScript,
  widgetBrandImage,
  widgetTypings,
  widgetFile,
  widgetField,
  widgetTarget,
  widgetInventory,
  shopperReturn,
  shopperReturnForm: shopperReturn,
  componentPage,
  componentResult,
  threeDSPage,
  threeDSBrowser,
  threeDSContinue,
  threeDSMethod,
  threeDSReturn,
  threeDSResults,
} as const;

/** For the simulators: bank, issuer and wallet. */
const ofSandbox = {
  bankPage,
  bankChoice,
  acsMethod,
  acsChallenge,
  acsApart: acsChallenge,
  acsAction,
  acsApp,
  walletForm,
  walletToken,
} as const;
