import type { PaymentName, SettlementStore } from '../../settlement/ports.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import {
  type AggregationRow,
  aggregationOf,
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
  postgresHolds,
  questionCells,
  type RecordRow,
  recordCells,
  recordColumns,
  recordOf,
  settlementReads,
  settlementWrites,
  sumText,
} from '../tables/settlement.ts';
import { postgresSettlementReads } from '../tables/settlementLists.ts';
import { DELETE_PORTION } from '../tables/statements.ts';
import type { Parameter, Pool } from './pool.ts';
import { transact } from './transact.ts';
import { wholePayment } from './wholePayment.ts';
import { write } from './write.ts';

/** Settlement in PostgreSQL. */
export const postgresSettlement = (pool: Pool): SettlementStore => ({
  ...filesIn(pool),
  ...matchingIn(pool),
  record: async (id) => {
    const [row] = await pool.read<RecordRow>(settlementReads.settlementRecord, [id]);
    return row ? recordOf(row) : null;
  },
  saveRecord: async (record, at) => {
    checkRecord(record, null);
    const booking = bookingCells(record, at);
    return transact(pool, async (step) => {
      if ((await step(postgresHolds.record, [record.id, record.revision])) === 0) return false;
      await step(settlementWrites.bookLeaving, booking);
      await step(settlementWrites.bookComing, booking);
      return (await step(settlementWrites.saveRecord, recordCells(record))) > 0;
    });
  },
  unrecorded: async (limit) => (await pool.read<RecordRow>(settlementReads.unrecorded, [limit])).map(recordOf),
  records: async (query) => {
    const statement = query.isBackwards ? settlementReads.settlementRecordsBackwards : settlementReads.settlementRecords;
    return (await pool.read<RecordRow>(statement, listCells(query))).map(recordOf);
  },
  countRecords: async (query) => {
    const [row] = await pool.read<{ readonly count: string }>(settlementReads.countRecords, questionCells(query));
    return Number(row?.count ?? 0);
  },
  exceptions: async ({ entityIds, status, after = '', limit }) =>
    (await pool.read<RecordRow>(postgresSettlementReads.exceptions, [JSON.stringify(entityIds), status, after, limit])).map(
      recordOf,
    ),
  aggregations: async ({ currency, ...query }) => {
    const cells = questionCells({ ...query, ...(currency !== null && { currency }) });
    return (await pool.read<AggregationRow>(settlementReads.aggregations, cells)).map(aggregationOf);
  },
});

type Files = 'beginFile' | 'addRecords' | 'keepFile' | 'dropFile' | 'abandonedFiles' | 'file' | 'files' | 'countFile';

function filesIn(pool: Pool): Pick<SettlementStore, Files> {
  return {
    beginFile: async (file) => {
      checkFile(file);
      if ((await write(pool, settlementWrites.beginFile, fileCells(file))) > 0) return null;
      const [row] = await pool.read<FileRow>(settlementReads.fileInTheWay, [file.entityId, file.digest, file.pspId]);
      return row ? fileOf(row) : { ...file, readUntil: 0 };
    },
    addRecords: async (fileId, records, readUntil) => {
      for (const record of records) checkRecord(record, fileId);
      const rows = records.map((record) => {
        const cells = recordCells(record);
        return Object.fromEntries(recordColumns.map((name, at) => [name, cells[at]]));
      });
      // The file first: its row lock makes a concurrent drop wait, or makes this wait for the drop.
      return transact(pool, async (step) => {
        if ((await step(settlementWrites.goOnReading, [fileId, readUntil])) === 0) return false;
        await step(postgresSettlementReads.addRecords, [fileId, JSON.stringify(rows)]);
        return true;
      });
    },
    keepFile: (file) =>
      transact(
        pool,
        async (step) => {
          if ((await step(postgresHolds.file, [file.id])) === 0) return false;
          await step(settlementWrites.bookFile, [file.id]);
          return (await step(settlementWrites.keepFile, keptCells(file))) > 0;
        },
        'settlement',
      ),
    dropFile: async (fileId) => {
      await write(pool, settlementWrites.markDropped, [fileId]);
      while ((await write(pool, settlementWrites.dropRecords, [fileId, DELETE_PORTION])) === DELETE_PORTION) {}
      await write(pool, settlementWrites.dropFile, [fileId]);
    },
    abandonedFiles: async (now, limit) => (await pool.read<FileRow>(settlementReads.abandonedFiles, [now, limit])).map(fileOf),
    file: async (id) => {
      const [row] = await pool.read<FileRow>(settlementReads.settlementFile, [id]);
      return row ? fileOf(row) : null;
    },
    files: async (entityIds, limit) =>
      (await pool.read<FileRow>(postgresSettlementReads.filesOf, [JSON.stringify(entityIds), limit])).map(fileOf),
    countFile: async (fileId) => countOf(await pool.read<CountRow>(settlementReads.countFile, [fileId])),
  };
}

const lookup = {
  id: postgresSettlementReads.paymentsById,
  merchantTransactionId: postgresSettlementReads.paymentsByOwnId,
  shortId: postgresSettlementReads.paymentsByShortId,
  connectorTxId: postgresSettlementReads.paymentsByReference,
} as const satisfies Record<PaymentName['kind'], string>;

function matchingIn(pool: Pool): Pick<SettlementStore, 'paymentsNamed' | 'paymentsAlike' | 'recordsOfPayments'> {
  return {
    paymentsNamed: async (query) => {
      const merchants = JSON.stringify(query.merchantIds);
      const further: Readonly<Record<PaymentName['kind'], readonly Parameter[]>> = {
        id: [],
        merchantTransactionId: [query.each],
        shortId: [query.from, query.before],
        connectorTxId: [query.from, query.before],
      };
      return byNames(query, async (kind, values) => {
        const cells = [merchants, JSON.stringify(values), ...further[kind]];
        return lookThrough(await pool.read<ListedRow>(lookup[kind], cells), wholePayment(pool));
      });
    },
    paymentsAlike: async ({ merchantIds, from, before, sums, limit }) => {
      const cells = [JSON.stringify(merchantIds), JSON.stringify(sums.map(sumText)), from, before, limit];
      return lookThrough(await pool.read<ListedRow>(postgresSettlementReads.paymentsAlike, cells), wholePayment(pool));
    },
    recordsOfPayments: async (merchantIds, paymentIds, readingId) => {
      const cells = [JSON.stringify(merchantIds), JSON.stringify(paymentIds), readingId];
      return (await pool.read<RecordRow>(postgresSettlementReads.recordsOfPayments, cells)).map(recordOf);
    },
  };
}
