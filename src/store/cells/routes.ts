import { newestFirst } from '../../merchants/listing.ts';
import { allMerchants, type DueQuery, type MerchantFilter, onlyMerchant } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Schedule } from '../../payments/schedule.ts';
import type { ReconciliationRun } from '../../reports/reconciliation/ports.ts';
import { type SealedRow, sealedTables } from '../../vault/ports.ts';
import type { Delivery, OutboxEvent } from '../../webhooks/webhook.ts';
import { actText } from '../tables/scheduledSettlement.ts';
import { byDueAt } from '../tables/webhooks.ts';
import { callRoutes } from './calls.ts';
import { by, earliest, merged, sum, sumEach } from './merges.ts';
import { connectionsOf, directoryChangesOf, documentRoutes, mergeFound, resealIn } from './others.ts';
import { releaseRoutes } from './releases.ts';
import {
  type Answer,
  type Args,
  claims,
  control,
  everyCell,
  everywhere,
  type Merge,
  type Name,
  ofFilter,
  ofMerchant,
  ofMerchants,
  ofOwner,
  type Route,
  search,
  special,
  split,
  storesOf,
  willingCells,
} from './route.ts';
import { settlementRoutes } from './settlementFiles.ts';
import { statisticsRoutes } from './statistics.ts';
import { webhookRoutes } from './webhooks.ts';

/** How every method of the store finds its database. A method without a row does not compile. */

type ListName = 'registrationsListed' | 'checkoutsListed' | 'listSchedules' | 'reviewsWaiting';

/** A list of some merchants' objects, the newest first. */
const listed = <M extends ListName>(): Route<M> =>
  ofMerchants<M>(
    (...[asked]: Args<M>) => asked.scope.merchantIds,
    (merchantIds, ...[asked]: Args<M>) => [{ ...asked, scope: { ...asked.scope, merchantIds } }] as unknown as Args<M>,
    ((lists: readonly (readonly { readonly createdAt: number; readonly id: string }[])[], asked: { readonly limit: number }) =>
      merged(lists, newestFirst, asked.limit)) as unknown as Merge<M>,
  );

type DueName = {
  readonly [M in Name]: Args<M> extends [DueQuery] ? (Answer<M> extends readonly unknown[] ? M : never) : never;
}[Name];

/** Due work, the longest overdue first. */
const due = <M extends DueName>(...keys: readonly ((row: Answer<M>[number]) => number | string)[]): Route<M> =>
  ofFilter<M>((...[asked]: Args<M>) => (asked as DueQuery).merchants, ((
    lists: readonly (readonly Answer<M>[number][])[],
    asked: DueQuery,
  ) => merged(lists, by(...keys), asked.limit)) as unknown as Merge<M>);

const dueAtOf = ({ phase }: Payment): number => (phase.at === 'final' ? 0 : phase.dueAt);
const idOf = ({ id }: { readonly id: string }): string => id;
const filterOf = (merchantId: string | null): MerchantFilter => (merchantId === null ? allMerchants : onlyMerchant(merchantId));
const nothing = (): void => undefined;
const first = (merchantId: string): string => merchantId;
const own = ({ merchantId }: { readonly merchantId: string }): string => merchantId;

const byDueAtAndId = by<Payment>(dueAtOf, idOf);

/** Payments, idempotency keys, the past and the sweep. */
const paymentRoutes = {
  family: ofMerchant(first),
  familyVersion: ofMerchant(first),
  payment: ofMerchant(first),
  sealed: ofMerchant(first),
  idempotencyKey: ofMerchant(first),
  commit: ofMerchant(({ payment }) => payment.merchantId),
  due: due(dueAtOf, idOf),
  claimDue: claims<'claimDue', Payment>(
    ({ merchants }) => merchants,
    ({ limit }) => limit,
    (taken, asked) => [{ ...asked, limit: asked.limit - taken.length }],
    byDueAtAndId,
  ),
  releaseSwept: split(
    ({ payments }) => payments,
    own,
    (payments, release) => [{ ...release, payments }],
    nothing,
  ),
  deleteClaims: willingCells(sum),
  misdated: due(dueAtOf, idOf),
  ...releaseRoutes,
  deleteIdempotencyKeys: willingCells(sum),
  history: ofFilter(
    ({ merchantId }) => filterOf(merchantId),
    (lists, { limit }) =>
      merged(
        lists,
        by<Payment>(({ createdAt }) => createdAt, own, idOf),
        limit,
      ),
  ),
  named: ofMerchant(own),
  within: ofMerchant(own),
  families: ofMerchant(first),
  search: ofMerchants(
    ({ merchantIds }) => merchantIds,
    (merchantIds, asked) => [{ ...asked, merchantIds }],
    (found, { limit }) => mergeFound(found, limit),
  ),
  anyPayment: ofMerchants(
    (merchantIds) => merchantIds,
    (merchantIds, _, id) => [merchantIds, id],
    (found) => found.find((one) => one !== null) ?? null,
  ),
  usesOf: ofMerchant(own),
  reviewsWaiting: listed(),
  countReviews: ofMerchants(
    ({ scope }) => scope.merchantIds,
    (merchantIds, asked) => [{ ...asked, scope: { ...asked.scope, merchantIds } }],
    (counts, { limit }) => Math.min(limit, sum(counts)),
  ),
  eventsOf: ofMerchant(first),
  postingsOf: ofMerchant(first),
  deliveriesOf: ofMerchant(first),
} satisfies Rows;

/** Stored details, checkouts and schedules. */
const sessionRoutes = {
  registration: ofMerchant(first),
  touch: ofMerchant(first),
  outlived: due(({ expiresAt }) => expiresAt, idOf),
  awaitingToken: due(
    ({ registration }) => registration.tokenDueAt ?? 0,
    ({ registration }) => registration.id,
  ),
  deleteTokenUses: willingCells(sum),
  registrationsListed: listed(),
  registrationsOfCustomer: ofMerchant(first),
  addCheckout: ofOwner('checkout'),
  checkout: search((id) => id),
  saveCheckout: ofOwner('checkout'),
  saveCheckoutWithKey: ofOwner('checkout'),
  attempts: ofMerchant(first),
  callsDue: due(({ callAt }) => callAt ?? 0, idOf),
  deleteCheckouts: willingCells(sum),
  checkoutsListed: listed(),
  schedule: ofMerchant(first),
  schedulesOf: ofMerchant(first),
  claimSchedules: claims<'claimSchedules', Schedule>(
    ({ merchants }) => merchants,
    ({ limit }) => limit,
    (taken, asked) => [{ ...asked, limit: asked.limit - taken.length }],
    by<Schedule>(({ nextAt }) => nextAt ?? 0, idOf),
  ),
  misdatedSchedules: due(({ movedAt }) => movedAt, idOf),
  saveSchedule: ofMerchant(own),
  runs: ofMerchant(first),
  nextRunAt: ofMerchant(first),
  listSchedules: listed(),
} satisfies Rows;

/** Entities, tokens, limits, clocks, keys, lists of the risk engine, files of the widget: all of it is in control. */
const controlRoutes = {
  lineages: control(),
  entitiesBelow: control(),
  countBelow: control(),
  entityPage: control(),
  grantPage: control(),
  tokenPage: control(),
  tokensOfUsers: control(),
  tokensOfEntity: control(),
  directoryChanges: special(directoryChangesOf),
  lastDirectoryChange: control(),
  entities: control(),
  tokens: control(),
  deleteDirectoryChanges: control(),
  insertAccounts: control(),
  setSettings: control(),
  saveEntity: control(),
  endToken: control(),
  setTokenAddresses: control(),
  saveTokenUses: control(),
  noteNode: control(),
  drawRequests: control(),
  deleteRates: control(),
  peers: control(),
  holdLeases: control(),
  releaseLeases: control(),
  clocks: control(),
  saveClock: control(),
  nextDueAt: ofMerchant(first),
  releaseClaims: ofMerchant(first),
  makeDeliveriesDue: ofMerchant(first),
  keys: control(),
  addKey: control(),
  rewrapKey: control(),
  reserveKey: control(),
  retireKey: control(),
  sealedAfter: everywhere((lists, _, limit) =>
    merged(
      lists,
      by<SealedRow>(
        ({ table }) => sealedTables.indexOf(table),
        own,
        ({ recordId }) => recordId,
        ({ field }) => field,
      ),
      limit,
    ),
  ),
  countSealed: everywhere(sum),
  eraseCardData: willingCells((parts) => ({
    erased: sum(parts.map(({ erased }) => erased)),
    until: Math.min(...parts.map(({ until }) => until)),
  })),
  reseal: special(resealIn),
  secret: control(),
  storeSecret: control(),
  listVersion: control(),
  listEntries: control(),
  putListEntry: control(),
  removeListEntry: control(),
  deleteListEntries: control(),
  entriesListed: control(),
  putAssets: control(),
  asset: control(),
  deleteAssets: control(),
  ...documentRoutes,
  auditHead: control(),
  appendAudit: control(),
  auditEntries: control(),
  auditChain: control(),
} satisfies Rows;

/** The outbox and its deliveries. */
const deliveryRoutes = {
  ...webhookRoutes,
  pendingEvents: ofFilter(
    (merchants) => merchants,
    (lists, _, limit) => {
      const all = merged(
        lists,
        by<OutboxEvent>(
          ({ createdAt }) => createdAt,
          ({ revision }) => revision,
          idOf,
        ),
      );
      // Beyond the limit come the earlier events of the same subjects.
      const newest = new Map<string, number>();
      for (const { merchantId, subjectId, revision } of all.slice(0, limit)) {
        const subject = `${merchantId} ${subjectId}`;
        newest.set(subject, Math.max(revision, newest.get(subject) ?? 0));
      }
      return all.filter(
        ({ merchantId, subjectId, revision }, at) => at < limit || revision < (newest.get(`${merchantId} ${subjectId}`) ?? 0),
      );
    },
  ),
  saveFanOut: split<'saveFanOut', OutboxEvent | Delivery>(
    (events, deliveries) => [...events, ...deliveries],
    (row) => ('webhookId' in row ? row.event.merchantId : row.merchantId),
    (rows) => [rows.filter((row): row is OutboxEvent => !('webhookId' in row)), rows.filter((row) => 'webhookId' in row)],
    nothing,
  ),
  claimDeliveries: claims<'claimDeliveries', Delivery>(
    ({ merchants }) => merchants,
    ({ limit }) => limit,
    (taken, asked) => {
      const each = Map.groupBy(taken, ({ webhookId }) => webhookId);
      const full = [...each].filter(([, some]) => some.length >= asked.each).map(([webhookId]) => webhookId);
      return [{ ...asked, limit: asked.limit - taken.length, skip: [...asked.skip, ...full] }];
    },
    byDueAt,
  ),
  saveDeliveries: split(
    (deliveries, counted) => deliveries.map((delivery, at) => ({ delivery, line: counted?.[at] ?? null })),
    ({ delivery }) => delivery.event.merchantId,
    (rows) => [rows.map(({ delivery }) => delivery), rows.map(({ line }) => line)],
    nothing,
  ),
  delivery: search((_, id) => id),
  deliveries: everyCell((lists, { limit }) => merged(lists, newestFirst, limit)),
  countDeliveries: everyCell(sumEach),
  redeliver: everyCell(sum),
  correctMisdatedDeliveries: ofFilter(({ merchants }) => merchants, sum),
  nextDeliveryAt: ofMerchant(first),
  deleteEvents: willingCells(sum),
  queueLength: willingCells((lengths, _, { limit }) => ({
    length: Math.min(limit, sum(lengths.map(({ length }) => length))),
    oldestAt: earliest(lengths.map(({ oldestAt }) => oldestAt)),
  })),
} satisfies Rows;

/** The books, settlement, reports and recorded calls. */
const recordRoutes = {
  post: split(
    (postings) => postings,
    own,
    (postings) => [postings],
    nothing,
  ),
  unsealedMerchants: willingCells((lists) => merged(lists, by(first))),
  unsealed: ofMerchant(first),
  lastBlock: ofMerchant(first),
  seal: ofMerchant(own),
  blockThrough: ofMerchant(first),
  sumsBehind: ofMerchant(own),
  ...settlementRoutes,
  paymentsNamed: ofMerchants(
    ({ merchantIds }) => merchantIds,
    (merchantIds, query) => [{ ...query, merchantIds }],
    (found) => found.flat(),
  ),
  paymentsAlike: ofMerchants(
    ({ merchantIds }) => merchantIds,
    (merchantIds, query) => [{ ...query, merchantIds }],
    (lists, { limit }) =>
      merged(
        lists,
        by<Payment>(({ createdAt }) => createdAt, idOf),
        limit,
      ),
  ),
  recordsOfPayments: ofMerchants(
    (merchantIds) => merchantIds,
    (merchantIds, _, ...rest) => [merchantIds, ...rest],
    (lists) => merged(lists, by(idOf)),
  ),
  unrecorded: willingCells((lists, limit) => merged(lists, by(idOf), limit)),
  records: ofMerchant(own),
  countRecords: ofMerchant(own),
  exceptions: everywhere((lists, { limit }) => merged(lists, by(idOf), limit)),
  aggregations: ofMerchant(own),
  scheduledSettlementsDue: due(
    ({ dueAt }) => dueAt,
    own,
    ({ paymentId }) => paymentId,
    ({ act }) => actText(act),
  ),
  addScheduledSettlements: ofMerchant(own),
  finishScheduledSettlements: ofMerchant(([{ merchantId }]) => merchantId),
  daysDue: due(({ dueAt }) => dueAt ?? 0, own),
  daysToBegin: ofMerchants(
    ({ merchantIds }) => merchantIds,
    (merchantIds, query) => [{ ...query, merchantIds }],
    (found) => found.flat(),
  ),
  saveDay: ofMerchant(own),
  addReconciliation: ofMerchant(own),
  saveReconciliation: ofMerchant(own),
  reconciliations: ofMerchant(first),
  dueReconciliations: ofFilter(
    (_, merchantId) => filterOf(merchantId),
    (lists, _, __, limit) =>
      merged(
        lists,
        by<ReconciliationRun>(
          ({ dueAt }) => dueAt,
          own,
          ({ day }) => day,
          ({ part }) => part,
        ),
        limit,
      ),
  ),
  ...statisticsRoutes,
  ...callRoutes,
} satisfies Rows;

/** The life of the databases. A cell that is out of order is no reason to refuse the merchants of the others. */
const lifeRoutes = {
  ping: control(),
  tryWrite: control(),
  connections: special((cells) => () => connectionsOf(storesOf(cells))),
  close: special((cells) => async () => {
    await Promise.all(storesOf(cells).map((store) => store.close()));
  }),
} satisfies Rows;

type Rows = { readonly [M in Name]?: Route<M> };

export const routes: { readonly [M in Name]: Route<M> } = {
  ...paymentRoutes,
  ...sessionRoutes,
  ...controlRoutes,
  ...deliveryRoutes,
  ...recordRoutes,
  ...lifeRoutes,
};
