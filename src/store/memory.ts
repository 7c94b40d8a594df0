import type { DueQuestion } from '../merchants/whose.ts';
import { ahead, isTheirs } from '../merchants/whose.ts';
import type { Payment } from '../payments/payment.ts';
import { StoreOutOfOrder } from './errors.ts';
import { accountMethods } from './memoryAccounts.ts';
import { auditLogMethods } from './memoryAuditLog.ts';
import { cabinetMethods } from './memoryCabinet.ts';
import { callMethods } from './memoryCalls.ts';
import { assetMethods, checkoutMethods } from './memoryCheckouts.ts';
import { clockMethods } from './memoryClocks.ts';
import { commit, membersOf } from './memoryCommit.ts';
import { laterMethods } from './memoryLater.ts';
import { ledgerMethods } from './memoryLedger.ts';
import { planMethods } from './memoryPlans.ts';
import { queryMethods } from './memoryQueries.ts';
import { reconciliationMethods } from './memoryReconciliation.ts';
import { registrationMethods } from './memoryRegistrations.ts';
import { reportMethods } from './memoryReports.ts';
import { historyMethods, riskMethods } from './memoryRisk.ts';
import { searchMethods } from './memorySearch.ts';
import { statisticsMethods } from './memoryStatistics.ts';
import { storedMethods } from './memoryStored.ts';
import { emptyTables, join, type StoredMessage, type Tables, type WhileOpen } from './memoryTables.ts';
import { webhookMethods } from './memoryWebhooks.ts';
import { oldestFirst } from './rows.ts';
import type { Store } from './store.ts';

/** The reference: the same outcomes as the databases give, in one process, without a disk or a clock. */
export type MemoryStore = Store & { readonly outbox: readonly StoredMessage[] };

export function createMemoryStore(): MemoryStore {
  const tables = emptyTables();
  let isClosed = false;
  const whileOpen: WhileOpen =
    (step) =>
    async (...given) => {
      if (isClosed) throw new StoreOutOfOrder('the store is closed');
      return step(...given);
    };
  return {
    family: whileOpen((merchantId, paymentId) => {
      const familyId = tables.payments.get(join(merchantId, paymentId))?.familyId;
      const family = familyId === undefined ? undefined : tables.families.get(join(merchantId, familyId));
      return family ? { version: family.version, payments: membersOf(tables, merchantId, family.ids).sort(oldestFirst) } : null;
    }),
    payment: whileOpen((merchantId, paymentId) => tables.payments.get(join(merchantId, paymentId)) ?? null),
    sealed: whileOpen((merchantId, paymentId) => tables.sealed.get(join(merchantId, paymentId)) ?? null),
    claim: whileOpen((entityId, key) => {
      const held = tables.claims.get(join(entityId, key));
      return held ? { paymentId: held.paymentId, bodyHash: held.bodyHash } : null;
    }),
    commit: whileOpen((change) => commit(tables, change)),
    due: whileOpen((asked) => due(tables, asked)),
    misdated: whileOpen((asked) => misdated(tables, asked)),
    forgetClaims: whileOpen((before) => forgetClaims(tables, before)),
    ...historyMethods(tables, whileOpen),
    ...queryMethods(tables, whileOpen),
    ...searchMethods(tables, whileOpen),
    ...riskMethods(tables, whileOpen),
    ...registrationMethods(tables, whileOpen),
    ...accountMethods(tables, whileOpen),
    ...checkoutMethods(tables, whileOpen),
    ...assetMethods(tables, whileOpen),
    ...planMethods(tables, whileOpen),
    ...webhookMethods(tables, whileOpen),
    ...clockMethods(tables, whileOpen),
    ...cabinetMethods(tables, whileOpen),
    ...auditLogMethods(tables, whileOpen),
    ...storedMethods(tables, whileOpen),
    ...callMethods(tables, whileOpen),
    ...ledgerMethods(tables, whileOpen),
    ...reportMethods(tables, whileOpen),
    ...laterMethods(tables, whileOpen),
    ...reconciliationMethods(tables, whileOpen),
    ...statisticsMethods(tables, whileOpen),
    ping: whileOpen(() => undefined),
    tryWrite: whileOpen(() => undefined),
    close: async () => {
      isClosed = true;
    },
    get outbox() {
      return [...tables.outbox.values()];
    },
  };
}

const dueAtOf = ({ phase }: Payment): number => (phase.at === 'final' ? Number.POSITIVE_INFINITY : phase.dueAt);

const due = (tables: Tables, asked: DueQuestion): readonly Payment[] =>
  openOf(tables, asked, (payment) => dueAtOf(payment) <= asked.now);

function misdated(tables: Tables, asked: DueQuestion): readonly Payment[] {
  const { now } = ahead(asked);
  return openOf(tables, asked, (payment) => dueAtOf(payment) > now && payment.movedAt > now);
}

function openOf(tables: Tables, { limit, whose }: DueQuestion, isAsked: (payment: Payment) => boolean): readonly Payment[] {
  const found = [...tables.open.values()].filter((payment) => isTheirs(whose, payment.merchantId) && isAsked(payment));
  return found.sort((one, other) => dueAtOf(one) - dueAtOf(other) || (one.id < other.id ? -1 : 1)).slice(0, limit);
}

function forgetClaims(tables: Tables, before: number): number {
  const old = [...tables.claims].filter(([, { createdAt }]) => createdAt < before);
  for (const [key] of old) tables.claims.delete(key);
  return old.length;
}
