import type { Handle } from '../handler.ts';
import { accountHandlers } from './account/account.ts';
import { exportAudit, listAudit, verifyAudit } from './audit.ts';
import { readBalances } from './balances.ts';
import { moveClock, readClock } from './clock.ts';
import { listDeliveries, readDelivery, resendDeliveries } from './deliveries.ts';
import { createDeveloper } from './developer/developer.ts';
import { listingHandlers } from './listings/handlers.ts';
import { backOffice } from './pages.ts';
import { paymentHandlers } from './payments/handlers.ts';
import { riskHandlers } from './risk/rules.ts';
import { tryRouting } from './routing.ts';
import {
  attachScenario,
  detachScenario,
  listScenarios,
  putScenario,
  readPlayed,
  readScenario,
  readScenarioLog,
  removeScenario,
} from './scenarios.ts';
import { exportSettled, listReconciliations, listSettled } from './settledRecords.ts';
import {
  bringSettlement,
  listExceptions,
  listSettlements,
  listUnsettled,
  readSettlement,
  resolveException,
  resolveExceptions,
} from './settlement.ts';
import { readStatistics } from './statistics.ts';
import { signInHandlers } from './users/signIn.ts';
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
  rotateWebhookKey,
  switchOffWebhook,
  testWebhook,
} from './webhooks.ts';

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
