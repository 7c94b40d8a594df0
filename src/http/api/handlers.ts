import type { PaymentType } from '../../spec/paymentTypes.ts';
import type { Handler } from '../handler.ts';
import { receiveNotification } from './acquirerNotifications.ts';
import { authenticated, authorized } from './authenticate.ts';
import { createCheckout, readCheckout, updateCheckout } from './checkouts.ts';
import { docs, openApiDocument } from './documents.ts';
import { live, metrics, ready } from './health.ts';
import { pay } from './pay.ts';
import { query } from './query.ts';
import { read, readAssessment, readAuthentication } from './read.ts';
import { deregister, extendLife, listCustomerRegistrations, readRegistration } from './registrations.ts';
import { reportAggregations, reportCsv, reportSettlement, reportSettlementPages } from './reports.ts';
import { listBrands, resultCodes } from './resultCodes.ts';
import { deschedule, previewSchedule, readSchedule, reschedule, schedule } from './schedules.ts';

const refer = authenticated(pay);

/** A follow-up of a payment whose type is in the path: the request of `refer` with that paymentType. */
const followUp = (type: PaymentType): Handler => {
  const suffix = Buffer.from(`&paymentType=${type}`);
  return (services, request) => refer(services, { ...request, endpoint: 'refer', body: Buffer.concat([request.body, suffix]) });
};

/** The endpoints of merchants' servers, and those about the gateway itself. */
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
