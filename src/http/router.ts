import type { EndpointName } from '../spec/endpoints.ts';
import { accountHandlers } from './admin/account/account.ts';
import { exportAudit, listAudit, verifyAudit } from './admin/audit.ts';
import { readBalances } from './admin/balances.ts';
import { moveClock, readClock } from './admin/clock.ts';
import { listDeliveries, readDelivery, resendDeliveries } from './admin/deliveries.ts';
import { createDeveloper } from './admin/developer/developer.ts';
import { backOffice } from './admin/pages.ts';
import { paymentHandlers } from './admin/payments/handlers.ts';
import { riskHandlers } from './admin/risk/rules.ts';
import {
  attachScenario,
  detachScenario,
  listScenarios,
  putScenario,
  readPlayed,
  readScenario,
  readScenarioLog,
  removeScenario,
} from './admin/scenarios.ts';
import { exportSettled, listReconciliations, listSettled } from './admin/settledRecords.ts';
import {
  bringSettlement,
  listExceptions,
  listSettlements,
  listUnsettled,
  readSettlement,
  resolveException,
} from './admin/settlement.ts';
import { readStatistics } from './admin/statistics.ts';
import { storedHandlers } from './admin/stored/handlers.ts';
import { signInHandlers } from './admin/users/signIn.ts';
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
  rotateWebhookKey,
  switchOffWebhook,
  testWebhook,
} from './admin/webhooks.ts';
import { isOfMerchant } from './api/checkoutSummary.ts';
import { createCheckout, readCheckout, updateCheckout } from './api/checkouts.ts';
import { docs, openApi } from './api/documentHandlers.ts';
import { live, ready } from './api/health.ts';
import { metrics } from './api/metricsHandler.ts';
import { pay } from './api/pay.ts';
import { query } from './api/query.ts';
import { read, readAssessment, readAuthentication } from './api/read.ts';
import { deregister, extendLife, readRegistration } from './api/registrations.ts';
import { reportAggregations, reportCsv, reportSettlement, reportSettlementPages } from './api/reports.ts';
import { resultCodes } from './api/resultCodes.ts';
import { previewSchedule } from './api/schedulePreview.ts';
import { deschedule, readSchedule, reschedule, schedule } from './api/schedules.ts';
import { withMerchantClock } from './merchantTime.ts';
import { acsAction, acsApp, acsChallenge, acsMethod } from './sandbox/acs.ts';
import { createDemo } from './sandbox/demo.ts';
import { walletForm, walletToken } from './sandbox/walletIssuer.ts';
import { failed, unavailable } from './server/errorReplies.ts';
import type { Log } from './server/log.ts';
import type { Reply } from './server/reply.ts';
import type { Request } from './server/request.ts';
import type { Handler, Services } from './services.ts';
import { languageFor, wantsJson, widgetPageReply } from './shopper/checkoutReply.ts';
import { checkoutReturn, forgetStored, sealFields, submitCheckout, widgetSession } from './shopper/checkouts.ts';
import { bankChoice, bankPage, shopperReturn } from './shopper/return.ts';
import { threeDSContinue, threeDSMethod, threeDSPage, threeDSResults, threeDSReturn } from './shopper/threeDS.ts';
import { walletSession } from './shopper/walletSession.ts';
import {
  widgetBrandImage,
  widgetField,
  widgetFile,
  widgetInventory,
  widgetScript,
  widgetTarget,
  widgetTypings,
} from './shopper/widget.ts';
import { goneWrong } from './shopper/widgetPages.ts';

/** The server of the demo shop is a merchant like any other: its requests go through the same doors. */
const demo = createDemo(handle);
/** What is run again goes through the same doors. */
const developer = createDeveloper(handle);

/** Everything is done in the time of the merchant whom it is about. */
async function handle(services: Services, request: Request): Promise<Reply> {
  const own = services.isAnyMoved() ? await withMerchantClock(services, request) : services;
  const { inspector } = services.developer;
  if (inspector === null) return handlers[request.endpoint](own, request);
  return inspector.watch(request, () => handlers[request.endpoint](own, request));
}

const handlers: Readonly<Record<EndpointName, Handler>> = {
  pay,
  refer: pay,
  read,
  query,
  queryOne: query,
  findPayments: query,
  queryRecords: query,
  queryRecord: query,
  reportAggregations,
  reportSettlement,
  reportSettlementPages,
  reportCsv,
  register: pay,
  payRegistered: pay,
  readRegistration,
  deregister,
  extendLife,
  createCheckout,
  updateCheckout,
  readCheckoutPayment: readCheckout,
  readCheckoutRegistration: readCheckout,
  payCheckout: submitCheckout,
  registerCheckout: submitCheckout,
  sealFields,
  walletSession,
  checkoutReturn,
  widgetSession,
  forgetStored,
  widgetScript,
  widgetBrandImage,
  widgetTypings,
  widgetFile,
  widgetField,
  widgetTarget,
  widgetInventory,
  authenticate: pay,
  readAuthentication,
  assess: pay,
  readAssessment,
  screen: pay,
  screenAgain: pay,
  schedule,
  reschedule,
  deschedule,
  removeSchedule: deschedule,
  readSchedule,
  previewSchedule,
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
  bringSettlement,
  listSettlements,
  readSettlement,
  listExceptions,
  resolveException,
  listUnsettled,
  resultCodes,
  openApi,
  docs,
  live,
  ready,
  metrics,
  walletForm,
  walletToken,
  bankPage,
  bankChoice,
  shopperReturn,
  shopperReturnForm: shopperReturn,
  threeDSPage,
  threeDSContinue,
  threeDSMethod,
  threeDSReturn,
  threeDSResults,
  acsMethod,
  acsChallenge,
  acsApart: acsChallenge,
  acsAction,
  acsApp,
  backOffice,
  ...accountHandlers,
  ...paymentHandlers,
  ...signInHandlers,
  ...riskHandlers,
  ...storedHandlers,
  readStatistics,
  listAudit,
  exportAudit,
  verifyAudit,
  listSettled,
  exportSettled,
  listReconciliations,
  ...demo,
  ...developer,
};

/** Names of the errors by which a store says that it cannot work; see the store's own page of errors. */
const OUT_OF_ORDER: ReadonlySet<string> = new Set(['StoreOutOfOrder', 'UnknownOutcome']);
const ASK_AGAIN = 'whether the request was carried out is not known; send it again with the same Idempotency-Key, or look for it';

/** The answer to a request, whatever happens on the way to it. */
export async function handleRequest(services: Services, request: Request, log: Log): Promise<Reply> {
  try {
    return await handle(services, request);
  } catch (error) {
    const { respond } = services;
    const ndc = respond.ndc(null);
    log.error({ err: error, ndc, endpoint: request.endpoint }, 'the request failed');
    const name = error instanceof Error ? error.name : '';
    if (!OUT_OF_ORDER.has(name)) return readable(request, failed(respond, ndc));
    return readable(request, unavailable(respond, name === 'UnknownOutcome' ? { ndc, remark: ASK_AGAIN } : { ndc }));
  }
}

/** Where a browser goes with a shopper before it. */
const forShoppers: ReadonlySet<EndpointName> = new Set([
  ...(['payCheckout', 'registerCheckout', 'checkoutReturn', 'shopperReturn', 'bankPage', 'bankChoice'] as const),
  ...(['threeDSPage', 'threeDSContinue', 'threeDSReturn'] as const),
]);

/** A shopper reads a page, whatever has failed. */
function readable(request: Request, said: Reply): Reply {
  if (!forShoppers.has(request.endpoint) || wantsJson(request) || isOfMerchant(request)) return said;
  const { code, ndc, status } = said;
  const page = goneWrong({ language: languageFor(request, null), shopUrl: null });
  return widgetPageReply({ ...page, status }, { code, ndc });
}
