import { setImmediate as breathe } from 'node:timers/promises';
import type { Entity } from '../../merchants/directory.ts';
import type { Payment } from '../../payments/payment.ts';
import type { RecordQuery, SettlementStore } from '../../settlement/ports.ts';
import type { SettlementRecord } from '../../settlement/record.ts';
import { type ChannelPath, needsPayment, type ReportRow } from './columns.ts';

export type ReportRowNeeds = {
  readonly store: Pick<SettlementStore, 'records' | 'paymentsNamed'>;
  readonly entity: (id: string) => Pick<Entity, 'name' | 'path' | 'kind'> | null;
};

/** Records in one read. Larger batches double the memory for short-lived objects. */
const PORTION = 125;

/** All records of a query, in batches, with the data of their payments and of the hierarchy. */
export async function* reportRows(
  needs: ReportRowNeeds,
  asked: Omit<RecordQuery, 'after' | 'limit'>,
  isWanted: ((record: SettlementRecord) => boolean) | null = null,
): AsyncGenerator<readonly ReportRow[]> {
  const placeOf = channelPathsIn(needs.entity);
  let after: SettlementRecord | undefined;
  for (;;) {
    const records = await needs.store.records({ ...asked, limit: PORTION, ...(after && { after }) });
    const wanted = isWanted === null ? records : records.filter(isWanted);
    if (wanted.length > 0) yield await withPayments(needs, wanted, placeOf);
    after = records.at(-1);
    if (records.length < PORTION) return;
    // A store that answers immediately would block other tasks until the last record.
    await breathe();
  }
}

/** One page of report rows. */
export async function reportRowPage(needs: ReportRowNeeds, asked: RecordQuery): Promise<readonly ReportRow[]> {
  return withPayments(needs, await needs.store.records(asked), channelPathsIn(needs.entity));
}

export async function withPayments(
  { store }: Pick<ReportRowNeeds, 'store'>,
  records: readonly SettlementRecord[],
  placeOf: (record: SettlementRecord) => ChannelPath,
): Promise<readonly ReportRow[]> {
  const wanted = records.filter((record) => record.match.status === 'MATCHED' && needsPayment(record));
  const names = wanted.flatMap(({ match }) => match.paymentIds.map((value) => ({ kind: 'id', value }) as const));
  const merchantIds = [...new Set(wanted.flatMap(({ merchantId }) => merchantId ?? []))];
  const found =
    names.length === 0
      ? []
      : await store.paymentsNamed({ merchantIds, names, from: 0, before: Number.MAX_SAFE_INTEGER, each: 1 });
  const payments = new Map(found.map(({ payment }): [string, Payment] => [payment.id, payment]));
  const payers = await payersOf(store, [...payments.values()]);
  const paymentFor = payments.size === 0 ? () => null : (record: SettlementRecord) => paymentOf(record, payments);
  return records.map((record) => {
    const payment = paymentFor(record);
    return { record, payment, payer: payment && (payers.get(payment.familyId) ?? null), channelPath: placeOf(record) };
  });
}

/** Captures and refunds have no instrument of their own: the first payment of the family has it. */
async function payersOf(store: ReportRowNeeds['store'], payments: readonly Payment[]): Promise<ReadonlyMap<string, Payment>> {
  const bare = payments.filter(({ instrument, id, familyId }) => instrument === null && id !== familyId);
  if (bare.length === 0) return new Map();
  const names = [...new Set(bare.map(({ familyId }) => familyId))].map((value) => ({ kind: 'id', value }) as const);
  const merchantIds = [...new Set(bare.map(({ merchantId }) => merchantId))];
  const found = await store.paymentsNamed({ merchantIds, names, from: 0, before: Number.MAX_SAFE_INTEGER, each: 1 });
  return new Map(found.map(({ payment }): [string, Payment] => [payment.id, payment]));
}

/** The payment of a record, only if it belongs to the record's merchant. */
function paymentOf({ match, merchantId }: SettlementRecord, payments: ReadonlyMap<string, Payment>): Payment | null {
  const [id] = match.status === 'MATCHED' ? match.paymentIds : [];
  const payment = id === undefined ? undefined : payments.get(id);
  return payment !== undefined && payment.merchantId === merchantId ? payment : null;
}

/** The path of each channel, looked up once. */
export function channelPathsIn(entity: ReportRowNeeds['entity']): (record: SettlementRecord) => ChannelPath {
  const places = new Map<string, ChannelPath>();
  return ({ entityId, merchantId }) => {
    const id = entityId ?? merchantId ?? '';
    const known = places.get(id);
    if (known !== undefined) return known;
    const place = placeOf(entity, id);
    places.set(id, place);
    return place;
  };
}

function placeOf(entity: ReportRowNeeds['entity'], id: string): ChannelPath {
  const own = entity(id);
  const above = (own?.path ?? []).map((one) => entity(one) ?? null);
  const idOf = (kind: Entity['kind']): string | null => own?.path[above.findIndex((one) => one?.kind === kind)] ?? null;
  return { pspId: idOf('psp'), divisionId: idOf('division'), channelName: own?.kind === 'channel' ? own.name : null };
}
