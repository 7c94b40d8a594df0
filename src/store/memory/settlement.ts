import { matchesMerchant } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { RecordQuery, SandboxSettlementStore, ScheduledSettlement, SettlementStore } from '../../settlement/ports.ts';
import { incomingPosting, isBookedAlike, outgoingPosting } from '../../settlement/postings.ts';
import type { SettlementFile, SettlementRecord } from '../../settlement/record.ts';
import { actText, checkDay, checkScheduledSettlements } from '../areas/sandboxDays.ts';
import { aggregationOf, checkFile, checkRecord, countOf, namesOf, signed } from '../areas/settlement.ts';
import { stateOf } from '../commit/cells.ts';
import { post } from './ledger.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

type Of<Names extends keyof SettlementStore> = Pick<SettlementStore, Names>;

/** Settlement in memory. */
export const settlementMethods = (tables: Tables, whileOpen: WhileOpen): SettlementStore => ({
  ...filesIn(tables, whileOpen),
  ...paymentsIn(tables, whileOpen),
  ...recordsIn(tables, whileOpen),
  ...listsIn(tables, whileOpen),
});

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => (one.id < other.id ? -1 : 1);
const byAge = (one: SettlementFile, other: SettlementFile): number => one.createdAt - other.createdAt || byId(one, other);

type Files = 'beginFile' | 'addRecords' | 'keepFile' | 'dropFile' | 'abandonedFiles' | 'file' | 'files' | 'countFile';

/** Posts what a record does, or the contrary, where its payment is there. */
function book(tables: Tables, record: SettlementRecord, booking: { readonly at: number; readonly isLeaving?: boolean }): void {
  const payment = tables.payments.get(join(record.merchantId ?? '', record.match.paymentIds[0] ?? ''));
  const posting = payment && (booking.isLeaving ? outgoingPosting : incomingPosting)({ record, payment, at: booking.at });
  if (posting) post(tables, posting);
}

function filesIn(tables: Tables, whileOpen: WhileOpen): Of<Files> {
  const { settlementFiles: files, settlementRecords: records } = tables;
  const isReading = (id: string) => files.get(id)?.state === 'reading';
  return {
    beginFile: whileOpen((file) => {
      checkFile(file);
      const all = [...files.values()];
      const inTheWay =
        all.find((one) => one.entityId === file.entityId && one.digest === file.digest) ??
        all.find((one) => file.state === 'reading' && one.state === 'reading' && one.pspId === file.pspId);
      if (inTheWay) return inTheWay;
      if (files.has(file.id)) throw new BrokenCommit('this file exists');
      files.set(file.id, file);
      return null;
    }),
    addRecords: whileOpen((fileId, added, readUntil) => {
      for (const record of added) checkRecord(record, fileId);
      const file = files.get(fileId);
      if (file?.state !== 'reading') return false;
      const isNew = new Set(added.map(({ id }) => id)).size === added.length && added.every(({ id }) => !records.has(id));
      if (!isNew || added.some((record) => record.fileId !== fileId))
        throw new BrokenCommit('this record exists, or of another file');
      files.set(fileId, { ...file, readUntil });
      for (const record of added) records.set(record.id, record);
      return true;
    }),
    keepFile: whileOpen((kept) => {
      const { id: fileId } = kept;
      const stored = files.get(fileId);
      if (stored?.state !== 'reading') return false;
      const own = [...records.values()].filter((record) => record.fileId === fileId);
      for (const record of own) book(tables, record, { at: record.createdAt });
      files.set(fileId, { ...kept, state: 'kept', readUntil: stored.readUntil });
      return true;
    }),
    dropFile: whileOpen((fileId) => {
      if (!files.has(fileId) || files.get(fileId)?.state === 'kept') return;
      for (const [id, record] of records) if (record.fileId === fileId) records.delete(id);
      files.delete(fileId);
    }),
    abandonedFiles: whileOpen((now, limit) =>
      [...files.values()]
        .filter(({ id, readUntil }) => isReading(id) && readUntil < now)
        .sort(byAge)
        .slice(0, limit),
    ),
    file: whileOpen((id) => files.get(id) ?? null),
    files: whileOpen((entityIds, limit) =>
      [...files.values()]
        .filter(({ id, entityId }) => entityIds.includes(entityId) && !isReading(id))
        .sort((one, other) => byAge(other, one))
        .slice(0, limit),
    ),
    countFile: whileOpen((fileId) => {
      const own = [...records.values()].filter((record) => record.fileId === fileId);
      return countOf(own.map(({ match }) => ({ status: match.status, count: 1, open: match.isOpen ? 1 : 0 })));
    }),
  };
}

const oldestFirst = (one: Payment, other: Payment): number => one.createdAt - other.createdAt || byId(one, other);

function paymentsIn({ payments }: Tables, whileOpen: WhileOpen): Of<'paymentsNamed' | 'paymentsAlike'> {
  const of = (merchantIds: readonly string[]) =>
    [...payments.values()].filter(({ merchantId }) => merchantIds.includes(merchantId));
  return {
    paymentsNamed: whileOpen(({ merchantIds, names, from, before, each }) => {
      const wanted = new Set(names.map(({ kind, value }) => `${kind} ${value}`));
      const found = new Map<string, number>();
      return of(merchantIds)
        .sort(oldestFirst)
        .flatMap((payment) =>
          namesOf(payment).flatMap((name) => {
            const isTimed = name.kind === 'shortId' || name.kind === 'connectorTxId';
            if (!wanted.has(`${name.kind} ${name.value}`)) return [];
            if (isTimed && (payment.createdAt < from || payment.createdAt >= before)) return [];
            const place = `${name.kind} ${name.value} ${payment.merchantId}`;
            found.set(place, (found.get(place) ?? 0) + 1);
            return name.kind === 'merchantTransactionId' && (found.get(place) ?? 0) > each ? [] : [{ name, payment }];
          }),
        );
    }),
    paymentsAlike: whileOpen(({ merchantIds, from, before, sums, limit }) =>
      of(merchantIds)
        .filter(({ createdAt }) => createdAt >= from && createdAt < before)
        .filter((payment) => stateOf(payment) === 'approved')
        .filter((payment) => sums.some(({ amount, currency }) => amount === payment.amount && currency === payment.currency))
        .sort(oldestFirst)
        .slice(0, limit),
    ),
  };
}

const fixedInRecord = ['fileId', 'line', 'recordType', 'settledOn', 'settledCurrency', 'settledAmount', 'cashflow', 'createdAt'];

function recordsIn(tables: Tables, whileOpen: WhileOpen): Of<'record' | 'saveRecord' | 'recordsOfPayments' | 'unrecorded'> {
  const { settlementRecords: records, settlementFiles: files } = tables;
  const isKept = ({ fileId }: SettlementRecord) => files.get(fileId)?.state === 'kept';
  const matched = ({ match }: SettlementRecord) => (match.status === 'MATCHED' ? (match.paymentIds[0] ?? '') : '');
  return {
    record: whileOpen((id) => {
      const record = records.get(id);
      return record && isKept(record) ? record : null;
    }),
    saveRecord: whileOpen((record, at) => {
      checkRecord(record, null);
      const stored = records.get(record.id);
      const isSame = stored && fixedInRecord.every((name) => Reflect.get(stored, name) === Reflect.get(record, name));
      if (!stored || !isSame || stored.revision + 1 !== record.revision) return false;
      if (isKept(stored) && !isBookedAlike(stored, record)) {
        book(tables, stored, { at, isLeaving: true });
        book(tables, record, { at });
      }
      records.set(record.id, record);
      return true;
    }),
    recordsOfPayments: whileOpen((merchantIds, paymentIds, readingId) => {
      const ids = new Set(paymentIds);
      return [...records.values()]
        .filter((record) => ids.has(matched(record)) && merchantIds.includes(record.merchantId ?? ''))
        .filter((record) => record.fileId === readingId || isKept(record))
        .sort(byId);
    }),
    unrecorded: whileOpen((limit) =>
      [...records.values()]
        .filter((record) => isKept(record) && matched(record) !== '' && record.chargebackId === null)
        .filter(({ recordType }) => recordType === 'CHARGEBACK' || recordType === 'CHARGEBACK REVERSAL')
        .sort(byId)
        .slice(0, limit),
    ),
  };
}

const inOrder = (one: Pick<SettlementRecord, 'settledOn' | 'id'>, other: Pick<SettlementRecord, 'settledOn' | 'id'>): number =>
  one.settledOn === other.settledOn ? (one.id === other.id ? 0 : byId(one, other)) : one.settledOn < other.settledOn ? -1 : 1;

function listsIn(tables: Tables, whileOpen: WhileOpen): Of<'records' | 'countRecords' | 'exceptions' | 'aggregations'> {
  const { settlementRecords: records, settlementFiles: files } = tables;
  const kept = () => [...records.values()].filter(({ fileId }) => files.get(fileId)?.state === 'kept');
  const query = (question: Omit<RecordQuery, 'limit'>) =>
    kept().filter(
      (record) =>
        record.merchantId === question.merchantId &&
        (question.entityId === undefined || record.entityId === question.entityId) &&
        (question.from === undefined || record.settledOn >= question.from) &&
        (question.to === undefined || record.settledOn <= question.to) &&
        (question.currency === undefined || record.settledCurrency === question.currency) &&
        (question.recordType === undefined || record.recordType === question.recordType) &&
        record.match.exception?.kind !== 'duplicate',
    );
  return {
    records: whileOpen(({ after, isBackwards, limit, skip = 0, ...question }) => {
      const way = isBackwards ? -1 : 1;
      return query(question)
        .filter((record) => after === undefined || way * inOrder(record, after) > 0)
        .sort((one, other) => way * inOrder(one, other))
        .slice(skip, skip + limit);
    }),
    countRecords: whileOpen((question) => query(question).length),
    exceptions: whileOpen(({ entityIds, status, after = '', limit }) =>
      kept()
        .filter(({ fileId, match }) => match.isOpen && entityIds.includes(files.get(fileId)?.entityId ?? ''))
        .filter(({ id, match }) => id > after && (status === null || match.status === status))
        .sort(byId)
        .slice(0, limit),
    ),
    aggregations: whileOpen(({ currency, ...question }) => {
      const groups = Map.groupBy(
        query({ ...question, ...(currency !== null && { currency }) }),
        ({ settledOn, settledCurrency }) => `${settledOn} ${settledCurrency}`,
      );
      return [...groups.keys()].sort().map((key) => {
        const own = groups.get(key) ?? [];
        const sum = (read: (record: SettlementRecord) => bigint) => String(own.reduce((total, one) => total + read(one), 0n));
        const [settled_on = '', its = ''] = key.split(' ');
        const sums = { amount: sum(signed), fee: sum(({ fee }) => fee ?? 0n) };
        return aggregationOf({ settled_on, currency: its, count: own.length, ...sums });
      });
    }),
  };
}

const placeOf = ({ merchantId, paymentId, act }: ScheduledSettlement): string => join(merchantId, paymentId, actText(act));

/** The days of the sandbox's acquirer in memory. */
export function scheduledSettlementMethods(
  { scheduledSettlements, settlementDays, payments }: Tables,
  whileOpen: WhileOpen,
): SandboxSettlementStore {
  const add = (acts: readonly ScheduledSettlement[]): void => {
    for (const act of acts) if (!scheduledSettlements.has(placeOf(act))) scheduledSettlements.set(placeOf(act), act);
  };
  return {
    scheduledSettlementsDue: whileOpen(({ now, limit, merchants }) =>
      [...scheduledSettlements]
        .filter(([, { merchantId, dueAt }]) => dueAt <= now && matchesMerchant(merchants, merchantId))
        .sort(([onePlace, one], [otherPlace, other]) => one.dueAt - other.dueAt || (onePlace < otherPlace ? -1 : 1))
        .map(([, act]) => act)
        .slice(0, limit),
    ),
    addScheduledSettlements: whileOpen(({ merchantId, since }, acts) => {
      checkScheduledSettlements(acts, merchantId);
      if (settlementDays.get(merchantId)?.since !== since) return false;
      add(acts);
      return true;
    }),
    finishScheduledSettlements: whileOpen((done, instead) => {
      checkScheduledSettlements([...done, ...instead], done[0].merchantId);
      if (!scheduledSettlements.has(placeOf(done[0]))) return false;
      for (const act of done) scheduledSettlements.delete(placeOf(act));
      add(instead);
      return true;
    }),
    daysDue: whileOpen(({ now, limit, merchants }) =>
      [...settlementDays.values()]
        .filter(({ merchantId, dueAt }) => dueAt !== null && dueAt <= now && matchesMerchant(merchants, merchantId))
        .sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0) || (one.merchantId < other.merchantId ? -1 : 1))
        .slice(0, limit),
    ),
    daysToBegin: whileOpen(({ merchantIds, now, floor }) =>
      merchantIds.flatMap((merchantId) => {
        const day = settlementDays.get(merchantId);
        if (day && day.dueAt !== null && day.since <= now) return [];
        const from = day && day.since <= now ? day.since : floor;
        const instants = [...payments.values()]
          .filter((one) => one.merchantId === merchantId && one.createdAt >= from && one.createdAt <= now)
          .map(({ createdAt }) => createdAt);
        if (instants.length === 0) return [];
        return [{ merchantId, since: day?.since ?? null, firstAt: instants.reduce((one, other) => Math.min(one, other)) }];
      }),
    ),
    saveDay: whileOpen((day, from, acts = []) => {
      checkDay(day);
      checkScheduledSettlements(acts, day.merchantId);
      if ((settlementDays.get(day.merchantId)?.since ?? null) !== from) return false;
      settlementDays.set(day.merchantId, day);
      add(acts);
      return true;
    }),
  };
}
