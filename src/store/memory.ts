import type { EntityRow, MerchantStore } from '../merchants/needs.ts';
import type { DueQuestion } from '../merchants/whose.ts';
import { isTheirs } from '../merchants/whose.ts';
import type { Payment } from '../payments/payment.ts';
import { BrokenCommit, StoreOutOfOrder } from './errors.ts';
import { cabinetMethods } from './memoryCabinet.ts';
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
    forgetClaims: whileOpen((before) => forgetClaims(tables, before)),
    ...historyMethods(tables, whileOpen),
    ...queryMethods(tables, whileOpen),
    ...riskMethods(tables, whileOpen),
    ...registrationMethods(tables, whileOpen),
    ...merchantMethods(tables, whileOpen),
    ...checkoutMethods(tables, whileOpen),
    ...assetMethods(tables, whileOpen),
    ...planMethods(tables, whileOpen),
    ...webhookMethods(tables, whileOpen),
    ...clockMethods(tables, whileOpen),
    ...cabinetMethods(tables, whileOpen),
    ...ledgerMethods(tables, whileOpen),
    ...reportMethods(tables, whileOpen),
    ...laterMethods(tables, whileOpen),
    ...reconciliationMethods(tables, whileOpen),
    ping: whileOpen(() => undefined),
    close: async () => {
      isClosed = true;
    },
    get outbox() {
      return [...tables.outbox.values()];
    },
  };
}

const dueAtOf = ({ phase }: Payment): number => (phase.at === 'final' ? Number.POSITIVE_INFINITY : phase.dueAt);

function due(tables: Tables, { now, limit, whose }: DueQuestion): readonly Payment[] {
  const isAsked = (payment: Payment) => dueAtOf(payment) <= now && isTheirs(whose, payment.merchantId);
  const overdue = [...tables.open.values()].filter(isAsked);
  return overdue.sort((one, other) => dueAtOf(one) - dueAtOf(other) || (one.id < other.id ? -1 : 1)).slice(0, limit);
}

function forgetClaims(tables: Tables, before: number): number {
  const old = [...tables.claims].filter(([, { createdAt }]) => createdAt < before);
  for (const [key] of old) tables.claims.delete(key);
  return old.length;
}

function merchantMethods(tables: Tables, whileOpen: WhileOpen): MerchantStore {
  return {
    entities: whileOpen(() => [...tables.entities.values()].sort((one, other) => (one.id < other.id ? -1 : 1))),
    tokens: whileOpen(() => [...tables.tokens].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)),
    seed: whileOpen((rows) => seed(tables, rows)),
    setSettings: whileOpen((entityId, settings) => {
      const row = tables.entities.get(entityId);
      if (row) tables.entities.set(entityId, { ...row, settings });
      return row !== undefined;
    }),
  };
}

function seed(tables: Tables, rows: Parameters<MerchantStore['seed']>[0]): number {
  const entities = new Map(rows.entities.map((row): [string, EntityRow] => [row.id, row]));
  const isThere = (id: string) => entities.has(id) || tables.entities.has(id);
  const isWhole =
    rows.entities.every(({ parentId }) => parentId === null || isThere(parentId)) &&
    rows.tokens.every(({ entityId, tokenHash }) => isThere(entityId) && /^[^A-Z]{64}$/.test(tokenHash));
  if (!isWhole) throw new BrokenCommit('an entity stands below one that is not there, or a token makes no sense');
  const before = tables.entities.size + tables.tokens.size;
  for (const row of rows.entities) if (!tables.entities.has(row.id)) tables.entities.set(row.id, row);
  for (const row of rows.tokens) {
    const at = join(row.tokenHash, row.entityId);
    if (!tables.tokens.has(at)) tables.tokens.set(at, row);
  }
  return tables.entities.size + tables.tokens.size - before;
}
