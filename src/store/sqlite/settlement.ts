import type { NamedPaymentsQuery, PaymentName, SettlementStore } from '../../settlement/ports.ts';
import type { SettlementRecord } from '../../settlement/record.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import {
  bookingCells,
  byNames,
  type CountRow,
  checkFile,
  checkRecord,
  countOf,
  type FileRow,
  fileCells,
  fileOf,
  keptCells,
  listCells,
  type RecordRow,
  type RecordRowCells,
  recordCells,
  recordOf,
  recordOfCells,
  sumText,
} from '../tables/settlement.ts';
import { DELETE_PORTION } from '../tables/statements.ts';
import type { WriteStep } from './jobs.ts';
import { type Reads, wholePayment } from './reads.ts';
import { totalsOf } from './recordTotals.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** Settlement in SQLite. */
export const sqliteSettlement = (read: Reads, writer: Writer): SettlementStore => ({
  ...filesIn(read, writer),
  ...matchingIn(read),
  record: async (id) => {
    const [row] = read.all<RecordRow>('settlementRecord', id);
    return row ? recordOf(row) : null;
  },
  saveRecord: async (record, at) => {
    checkRecord(record, null);
    const booking = bookingCells(record, at);
    // Nothing is posted where nothing is saved.
    const saved: WriteStep = ['saveRecord', ...recordCells(record)];
    return (await write(writer, ['bookLeaving', ...booking], ['bookComing', ...booking], saved)) > 0;
  },
  unrecorded: async (limit) => read.all<RecordRow>('unrecorded', limit).map(recordOf),
  records: async (query) => {
    const name = query.isBackwards ? 'settlementRecordsBackwards' : 'settlementRecords';
    return read.walk<RecordRowCells, SettlementRecord>(name, listCells(query), recordOfCells);
  },
  countRecords: async (query) => (await totalsOf(read, query)).reduce((sum, { count }) => sum + count, 0),
  exceptions: async ({ entityIds, status, after = '', limit }) =>
    read.all<RecordRow>('exceptions', JSON.stringify(entityIds), status, after, limit).map(recordOf),
  aggregations: ({ currency, ...query }) => totalsOf(read, { ...query, ...(currency !== null && { currency }) }),
});

type Files = 'beginFile' | 'addRecords' | 'keepFile' | 'dropFile' | 'abandonedFiles' | 'file' | 'files' | 'countFile';

function filesIn(read: Reads, writer: Writer): Pick<SettlementStore, Files> {
  return {
    beginFile: async (file) => {
      checkFile(file);
      if ((await write(writer, ['beginFile', ...fileCells(file)])) > 0) return null;
      const [row] = read.all<FileRow>('fileInTheWay', file.entityId, file.digest, file.pspId);
      // The other file has gone meanwhile: returns the caller's own file as an abandoned one, so that the caller tries again.
      return row ? fileOf(row) : { ...file, readUntil: 0 };
    },
    addRecords: async (fileId, records, readUntil) => {
      for (const record of records) checkRecord(record, fileId);
      const added = records.map((record): WriteStep => ['addRecord', ...recordCells(record)]);
      return (await write(writer, ['goOnReading', fileId, readUntil], ...added)) > records.length;
    },
    keepFile: async (file) => (await write(writer, ['bookFile', file.id], ['keepFile', ...keptCells(file)])) > 0,
    dropFile: async (fileId) => {
      await write(writer, ['markDropped', fileId]);
      while ((await write(writer, ['dropRecords', fileId, DELETE_PORTION])) === DELETE_PORTION) {}
      await write(writer, ['dropFile', fileId]);
    },
    abandonedFiles: async (now, limit) => read.all<FileRow>('abandonedFiles', now, limit).map(fileOf),
    file: async (id) => {
      const [row] = read.all<FileRow>('settlementFile', id);
      return row ? fileOf(row) : null;
    },
    files: async (entityIds, limit) => read.all<FileRow>('filesOf', JSON.stringify(entityIds), limit).map(fileOf),
    countFile: async (fileId) => countOf(read.all<CountRow>('countFile', fileId)),
  };
}

const lookup = {
  id: 'paymentsById',
  merchantTransactionId: 'paymentsByOwnId',
  shortId: 'paymentsByShortId',
  connectorTxId: 'paymentsByReference',
} as const satisfies Record<PaymentName['kind'], string>;

/** The places behind the two lists, for each kind of name. */
const furtherCells = (kind: PaymentName['kind'], { from, before, each }: NamedPaymentsQuery): readonly number[] =>
  kind === 'id' ? [] : kind === 'merchantTransactionId' ? [each] : [from, before];

function matchingIn(read: Reads): Pick<SettlementStore, 'paymentsNamed' | 'paymentsAlike' | 'recordsOfPayments'> {
  const found = (rows: readonly ListedRow[]) => lookThrough(rows, wholePayment(read));
  return {
    paymentsNamed: async (query) => {
      const merchants = JSON.stringify(query.merchantIds);
      return byNames(query, (kind, values) =>
        found(read.all<ListedRow>(lookup[kind], merchants, JSON.stringify(values), ...furtherCells(kind, query))),
      );
    },
    paymentsAlike: async ({ merchantIds, from, before, sums, limit }) =>
      found(
        read.all<ListedRow>('paymentsAlike', JSON.stringify(merchantIds), JSON.stringify(sums.map(sumText)), from, before, limit),
      ),
    recordsOfPayments: async (merchantIds, paymentIds, readingId) =>
      read.all<RecordRow>('recordsOfPayments', JSON.stringify(merchantIds), JSON.stringify(paymentIds), readingId).map(recordOf),
  };
}
