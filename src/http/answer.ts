import type { EndpointName } from '../spec/endpoints.ts';
import { languageFor, wantsJson, widgetPageReply } from './checkoutReply.ts';
import { accountHandlers } from './handlers/account.ts';
import { acsAction, acsApp, acsChallenge, acsMethod } from './handlers/acs.ts';
import { exportAudit, listAudit, verifyAudit } from './handlers/audit.ts';
import { backOffice } from './handlers/backOffice.ts';
import { readBalances } from './handlers/balances.ts';
import { checkoutReturn, forgetStored, sealFields, submitCheckout, widgetSession } from './handlers/checkoutShopper.ts';
import { isOfMerchant } from './handlers/checkoutSummary.ts';
import { createCheckout, readCheckout, updateCheckout } from './handlers/checkouts.ts';
import { moveClock, readClock } from './handlers/clock.ts';
import { listDeliveries, readDelivery, resendDeliveries } from './handlers/deliveries.ts';
import { createDemo } from './handlers/demo.ts';
import { createDeveloper } from './handlers/developer.ts';
import { docs, openApi } from './handlers/documents.ts';
import { live, ready } from './handlers/health.ts';
import { metrics } from './handlers/metrics.ts';
import { paymentHandlers } from './handlers/office/payments.ts';
import { pay } from './handlers/pay.ts';
import { peopleHandlers } from './handlers/people.ts';
import { query } from './handlers/query.ts';
import { read, readAssessment, readAuthentication } from './handlers/read.ts';
import { deregister, extendLife, readRegistration } from './handlers/registrations.ts';
import { reportAggregations, reportCsv, reportSettlement, reportSettlementPages } from './handlers/reports.ts';
import { resultCodes } from './handlers/resultCodes.ts';
import { riskHandlers } from './handlers/riskOffice.ts';
import {
  attachScenario,
  detachScenario,
  listScenarios,
  putScenario,
  readPlayed,
  readScenario,
  readScenarioLog,
  removeScenario,
} from './handlers/scenarios.ts';
import { previewSchedule } from './handlers/schedulePreview.ts';
import { deschedule, readSchedule, reschedule, schedule } from './handlers/schedules.ts';
import { exportSettled, listReconciliations, listSettled } from './handlers/settled.ts';
import {
  bringSettlement,
  listExceptions,
  listSettlements,
  listUnsettled,
  readSettlement,
  resolveException,
} from './handlers/settlement.ts';
import { bankChoice, bankPage, shopperReturn } from './handlers/shopper.ts';
import { readStatistics } from './handlers/statistics.ts';
import { storedHandlers } from './handlers/storedOffice.ts';
import { threeDSContinue, threeDSMethod, threeDSPage, threeDSResults, threeDSReturn } from './handlers/threeDS.ts';
import { walletForm, walletToken } from './handlers/walletIssuer.ts';
import { walletSession } from './handlers/walletSession.ts';
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
  rotateWebhookKey,
  switchOffWebhook,
  testWebhook,
} from './handlers/webhooks.ts';
import {
  widgetBrandImage,
  widgetField,
  widgetFile,
  widgetInventory,
  widgetScript,
  widgetTarget,
  widgetTypings,
} from './handlers/widget.ts';
import type { Log } from './log.ts';
import { inOwnTime } from './ownTime.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Handler, Rooms } from './rooms.ts';
import { failed, unavailable } from './turnAway.ts';
import { goneWrong } from './widgetPages.ts';

/** The server of the demo shop is a merchant like any other: its requests go through the same doors. */
const demo = createDemo(carryOut);
/** What is run again goes through the same doors. */
const developer = createDeveloper(carryOut);

/** Everything is done in the time of the merchant whom it is about. */
async function carryOut(rooms: Rooms, request: Request): Promise<Reply> {
  const own = rooms.isAnyMoved() ? await inOwnTime(rooms, request) : rooms;
  const { inspector } = rooms.developer;
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
  ...peopleHandlers,
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
export async function answer(rooms: Rooms, request: Request, log: Log): Promise<Reply> {
  try {
    return await carryOut(rooms, request);
  } catch (error) {
    const { respond } = rooms;
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
