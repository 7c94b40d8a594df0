import type { storedEndpoints } from '../../spec/areas/stored.ts';
import type { Handle, Handler } from '../handler.ts';
import { exportAudit, listAudit, verifyAudit } from './audit.ts';
import { moveClock, readClock } from './developer/clock.ts';
import { createDeveloper } from './developer/developer.ts';
import {
  attachScenario,
  detachScenario,
  listScenarios,
  putScenario,
  readPlayed,
  readScenario,
  readScenarioLog,
  removeScenario,
} from './developer/scenarios.ts';
import { accountHandlers } from './entities/entity.ts';
import { checkoutHandlers } from './listings/checkouts.ts';
import { customerHandlers } from './listings/customers.ts';
import { mandateHandlers } from './listings/mandates.ts';
import { paymentLinkHandlers } from './listings/paymentLinks.ts';
import { registrationHandlers } from './listings/registrations.ts';
import { scheduleCommands } from './listings/scheduleCommands.ts';
import { scheduleHandlers } from './listings/schedules.ts';
import { backOffice } from './pages.ts';
import { paymentHandlers } from './payments/views.ts';
import { riskHandlers } from './risk/rules.ts';
import { tryRouting } from './routing.ts';
import { exportSettled, listReconciliations, listSettled } from './settlement/settledRecords.ts';
import {
  bringSettlement,
  listExceptions,
  listSettlements,
  listUnsettled,
  readSettlement,
  resolveException,
  resolveExceptions,
} from './settlement/settlement.ts';
import { readBalances, readStatistics } from './statistics.ts';
import { signInHandlers } from './users/signIn.ts';
import { listDeliveries, readDelivery, resendDeliveries } from './webhooks/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
  rotateWebhookKey,
  switchOffWebhook,
  testWebhook,
} from './webhooks/webhooks.ts';

/** The endpoints of the administration API and the back office. A call that a developer runs again goes through `handle`. */
export const createAdminHandlers = (handle: Handle) =>
  ({
    backOffice,
    ...signInHandlers,
    ...accountHandlers,
    ...paymentHandlers,
    ...listingHandlers,
    ...riskHandlers,
    tryRouting,
    ...createDeveloper(handle),

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
  }) as const;

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
