import { allowSkew, type DueQuery, matchesMerchant } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { oldestFirst } from '../areas/payments.ts';
import { createRateBuckets, createSweepClaims } from '../oneProcess.ts';
import type { Store } from '../store.ts';
import { accountMethods } from './accounts.ts';
import { callMethods } from './calls.ts';
import { assetMethods, checkoutMethods } from './checkouts.ts';
import { clockMethods, queueMethods } from './clocks.ts';
import { commit, membersOf } from './commit.ts';
import { ledgerMethods } from './ledger.ts';
import { listMethods } from './lists.ts';
import { queryMethods, releaseMethods, searchMethods } from './queries.ts';
import { registrationMethods } from './registrations.ts';
import { reconciliationMethods, statisticsMethods } from './reports.ts';
import { historyMethods, riskMethods } from './risk.ts';
import { scheduleMethods } from './schedules.ts';
import { scheduledSettlementMethods, settlementMethods } from './settlement.ts';
import { emptyTables, join, type StoredEvent, type Tables, type WhileOpen } from './tables.ts';
import { auditLogMethods, documentMethods } from './users.ts';
import { webhookMethods } from './webhooks.ts';

/** The reference: the same outcomes as the databases give, in one process, without a disk or a clock. */
export type MemoryStore = Store & { readonly outbox: readonly StoredEvent[] };

export function createMemoryStore(): MemoryStore {
  const tables = emptyTables();
  const claims = createSweepClaims();
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
    familyVersion: whileOpen((merchantId, familyId) => tables.families.get(join(merchantId, familyId))?.version ?? null),
    payment: whileOpen((merchantId, paymentId) => tables.payments.get(join(merchantId, paymentId)) ?? null),
    sealed: whileOpen((merchantId, paymentId) => tables.sealed.get(join(merchantId, paymentId)) ?? null),
    idempotencyKey: whileOpen((merchantId, entityId, key) => {
      const held = tables.idempotencyKeys.get(join(merchantId, entityId, key));
      return held ? { paymentId: held.paymentId, bodyHash: held.bodyHash } : null;
    }),
    commit: whileOpen((change) => commit(tables, change)),
    due: whileOpen((query) => due(tables, query)),
    ...createRateBuckets(),
    claimDue: whileOpen((query) => claims.claim(due(tables, { ...query, limit: Number.POSITIVE_INFINITY }), query)),
    releaseSwept: whileOpen((release) => claims.release(release)),
    deleteClaims: whileOpen((before) => claims.forget(before)),
    misdated: whileOpen((query) => misdated(tables, query)),
    ...releaseMethods(tables, whileOpen),
    deleteIdempotencyKeys: whileOpen((before) => deleteIdempotencyKeys(tables, before)),
    ...historyMethods(tables, whileOpen),
    ...queryMethods(tables, whileOpen),
    ...searchMethods(tables, whileOpen),
    ...riskMethods(tables, whileOpen),
    ...registrationMethods(tables, whileOpen),
    ...accountMethods(tables, whileOpen),
    ...checkoutMethods(tables, whileOpen),
    ...assetMethods(tables, whileOpen),
    ...scheduleMethods(tables, whileOpen),
    ...webhookMethods(tables, whileOpen),
    ...clockMethods(tables, whileOpen),
    ...documentMethods(tables, whileOpen),
    ...auditLogMethods(tables, whileOpen),
    ...listMethods(tables, whileOpen),
    ...callMethods(tables, whileOpen),
    ...ledgerMethods(tables, whileOpen),
    ...settlementMethods(tables, whileOpen),
    ...scheduledSettlementMethods(tables, whileOpen),
    ...reconciliationMethods(tables, whileOpen),
    ...statisticsMethods(tables, whileOpen),
    ...queueMethods(tables, whileOpen),
    ping: whileOpen(() => undefined),
    tryWrite: whileOpen(() => undefined),
    connections: () => null,
    close: async () => {
      isClosed = true;
    },
    get outbox() {
      return [...tables.outbox.values()];
    },
  };
}

const dueAtOf = ({ phase }: Payment): number => (phase.at === 'final' ? Number.POSITIVE_INFINITY : phase.dueAt);

const due = (tables: Tables, query: DueQuery): readonly Payment[] =>
  openOf(tables, query, (payment) => dueAtOf(payment) <= query.now);

function misdated(tables: Tables, query: DueQuery): readonly Payment[] {
  const { now } = allowSkew(query);
  return openOf(tables, query, (payment) => dueAtOf(payment) > now && payment.movedAt > now);
}

function openOf(tables: Tables, { limit, merchants }: DueQuery, isAsked: (payment: Payment) => boolean): readonly Payment[] {
  const found = [...tables.open.values()].filter((payment) => matchesMerchant(merchants, payment.merchantId) && isAsked(payment));
  return found.sort((one, other) => dueAtOf(one) - dueAtOf(other) || (one.id < other.id ? -1 : 1)).slice(0, limit);
}

function deleteIdempotencyKeys(tables: Tables, before: number): number {
  const old = [...tables.idempotencyKeys].filter(([, { createdAt }]) => createdAt < before);
  for (const [key] of old) tables.idempotencyKeys.delete(key);
  return old.length;
}
