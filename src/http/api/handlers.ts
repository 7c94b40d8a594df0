import { receiveNotification } from './acquirerNotifications.ts';
import { authenticated } from './authenticate.ts';
import { authorized } from './authorize.ts';
import { listBrands } from './brands.ts';
import { createCheckout, readCheckout, updateCheckout } from './checkouts.ts';
import { docs, openApiDocument } from './documentHandlers.ts';
import { followUp } from './followUp.ts';
import { live, ready } from './health.ts';
import { metrics } from './metricsHandler.ts';
import { pay } from './pay.ts';
import { query } from './query.ts';
import { read, readAssessment, readAuthentication } from './read.ts';
import { deregister, extendLife, listCustomerRegistrations, readRegistration } from './registrations.ts';
import { reportAggregations, reportCsv, reportSettlement, reportSettlementPages } from './reports.ts';
import { resultCodes } from './resultCodes.ts';
import { previewSchedule } from './schedulePreview.ts';
import { deschedule, readSchedule, reschedule, schedule } from './schedules.ts';

/** The endpoints of merchants' servers, and what the gateway says about itself. */
export const apiHandlers = {
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
