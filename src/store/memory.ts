import type { EntityRow, TokenRow } from '../merchants/needs.ts';
import type { Claim, Commit, Message, Outcome } from '../payments/needs.ts';
import type { Payment } from '../payments/payment.ts';
import { BrokenCommit, StoreOutOfOrder } from './errors.ts';
import { checkCommit, fixedFields, oldestFirst, stateOf } from './rows.ts';
import type { Store } from './store.ts';
import { isOverrun } from './sums.ts';

export type StoredMessage = Message & { readonly merchantId: string; readonly paymentId: string; readonly revision: number };

/** The reference: the same outcomes as the databases give, in one process, without a disk or a clock. */
export type MemoryStore = Store & { readonly outbox: readonly StoredMessage[] };

type Held = Claim & { readonly paymentId: string; readonly createdAt: number };

/** Neither ids nor keys hold a line break, so that two names never run into one. */
const join = (...parts: readonly string[]): string => parts.join('\n');

type Tables = {
  readonly payments: Map<string, Payment>;
  readonly sealed: Map<string, Uint8Array>;
  /** The open ones again, for the sweeper. */
  readonly open: Map<string, Payment>;
  readonly families: Map<string, { readonly version: number; readonly ids: readonly string[] }>;
  readonly claims: Map<string, Held>;
  readonly outbox: Map<string, StoredMessage>;
  readonly changes: Set<string>;
  readonly entities: Map<string, EntityRow>;
  readonly tokens: Map<string, TokenRow>;
};

export function createMemoryStore(): MemoryStore {
  const tables: Tables = {
    payments: new Map(),
    sealed: new Map(),
    open: new Map(),
    families: new Map(),
    claims: new Map(),
    outbox: new Map(),
    changes: new Set(),
    entities: new Map(),
    tokens: new Map(),
  };
  let isClosed = false;
  const whileOpen = <Arguments extends readonly unknown[], T>(step: (...given: Arguments) => T) => {
    return async (...given: Arguments): Promise<T> => {
      if (isClosed) throw new StoreOutOfOrder('the store is closed');
      return step(...given);
    };
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
    due: whileOpen((now, limit) => due(tables, now, limit)),
    forgetClaims: whileOpen((before) => forgetClaims(tables, before)),
    entities: whileOpen(() => [...tables.entities.values()].sort((one, other) => (one.id < other.id ? -1 : 1))),
    tokens: whileOpen(() => [...tables.tokens].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)),
    seed: whileOpen((rows) => seed(tables, rows)),
    ping: whileOpen(() => undefined),
    close: async () => {
      isClosed = true;
    },
    get outbox() {
      return [...tables.outbox.values()];
    },
  };
}

const membersOf = (tables: Tables, merchantId: string, ids: readonly string[]): Payment[] =>
  ids.flatMap((id) => tables.payments.get(join(merchantId, id)) ?? []);

/** The key first, because a retry must hear of its payment whatever has become of the family; then the version; then the sums. */
function commit(tables: Tables, change: Commit): Outcome {
  checkCommit(change);
  const { payment, version, claim, message } = change;
  const { merchantId, id, familyId, revision } = payment;
  const held = claim ? tables.claims.get(join(claim.entityId, claim.key)) : undefined;
  if (held && held.paymentId !== id) return { is: 'claimed', paymentId: held.paymentId, bodyHash: held.bodyHash };
  const family = tables.families.get(join(merchantId, familyId)) ?? { version: 0, ids: [] };
  const stored = tables.payments.get(join(merchantId, id));
  if (family.version !== version || (version === 0 && stored)) return { is: 'moved' };
  const isKnown = tables.outbox.has(join(merchantId, message.id)) || tables.changes.has(join(merchantId, id, String(revision)));
  if (isKnown || !continues(stored, payment)) {
    throw new BrokenCommit(`commit of payment ${id}: the stored payment is not the one that the commit continues`);
  }
  const others = membersOf(tables, merchantId, family.ids).filter((other) => other.id !== id);
  if (isOverrun([...others, payment], payment)) return { is: 'overrun' };
  write(tables, change, { version: version + 1, ids: stored ? family.ids : [...family.ids, id] });
  return { is: 'kept' };
}

/** Only an open payment moves, one revision at a time, and nothing that records money changes. */
function continues(stored: Payment | undefined, payment: Payment): boolean {
  if (!stored) return payment.revision === 1;
  const isNext = payment.revision === stored.revision + 1 && stateOf(stored) === 'open';
  return isNext && fixedFields.every((name) => stored[name] === payment[name]);
}

function write(tables: Tables, change: Commit, family: { readonly version: number; readonly ids: readonly string[] }): void {
  const { payment, sealed, claim, message } = change;
  const { merchantId, id, familyId, revision, movedAt } = payment;
  const at = join(merchantId, id);
  tables.payments.set(at, payment);
  tables.families.set(join(merchantId, familyId), family);
  if (stateOf(payment) === 'open') tables.open.set(at, payment);
  else tables.open.delete(at);
  if (sealed) tables.sealed.set(at, sealed);
  if (claim) tables.claims.set(join(claim.entityId, claim.key), { ...claim, paymentId: id, createdAt: movedAt });
  tables.outbox.set(join(merchantId, message.id), { ...message, merchantId, paymentId: id, revision });
  tables.changes.add(join(at, String(revision)));
}

const dueAtOf = ({ phase }: Payment): number => (phase.at === 'final' ? Number.POSITIVE_INFINITY : phase.dueAt);

function due(tables: Tables, now: number, limit: number): readonly Payment[] {
  const overdue = [...tables.open.values()].filter((payment) => dueAtOf(payment) <= now);
  return overdue.sort((one, other) => dueAtOf(one) - dueAtOf(other) || (one.id < other.id ? -1 : 1)).slice(0, limit);
}

function forgetClaims(tables: Tables, before: number): number {
  const old = [...tables.claims].filter(([, { createdAt }]) => createdAt < before);
  for (const [key] of old) tables.claims.delete(key);
  return old.length;
}

function seed(tables: Tables, rows: { readonly entities: readonly EntityRow[]; readonly tokens: readonly TokenRow[] }): number {
  const entities = new Map(rows.entities.map((row) => [row.id, row]));
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
