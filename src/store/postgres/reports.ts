import type { PaymentName, ReportStore } from '../../settlement/ports.ts';
import { type PaymentRow, paymentOf } from '../tables/payments.ts';
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
  listCells,
  postgresHolds,
  questionCells,
  type RecordRow,
  recordCells,
  recordColumns,
  recordOf,
  reportReads,
  reportWrites,
  sumText,
} from '../tables/settlement.ts';
import { postgresReportReads } from '../tables/settlementLists.ts';
import { FORGET_PORTION } from '../tables/statements.ts';
import type { Parameter, Pool } from './pool.ts';
import { transact } from './transact.ts';
import { write } from './write.ts';

/** Settlement in PostgreSQL. */
export const postgresReports = (pool: Pool): ReportStore => ({
  ...filesIn(pool),
  ...matchingIn(pool),
  record: async (id) => {
    const [row] = await pool.read<RecordRow>(reportReads.settlementRecord, [id]);
    return row ? recordOf(row) : null;
  },
  saveRecord: async (record, at) => {
    checkRecord(record, null);
    const booking = bookingCells(record, at);
    return transact(pool, async (step) => {
      if ((await step(postgresHolds.record, [record.id, record.revision])) === 0) return false;
      await step(reportWrites.bookLeaving, booking);
      await step(reportWrites.bookComing, booking);
      return (await step(reportWrites.saveRecord, recordCells(record))) > 0;
    });
  },
  unrecorded: async (limit) => (await pool.read<RecordRow>(reportReads.unrecorded, [limit])).map(recordOf),
  records: async (asked) => {
    const statement = asked.isBackwards ? reportReads.settlementRecordsBackwards : reportReads.settlementRecords;
    return (await pool.read<RecordRow>(statement, listCells(asked))).map(recordOf);
  },
  countRecords: async (asked) => {
    const [row] = await pool.read<{ readonly count: string }>(reportReads.countRecords, questionCells(asked));
    return Number(row?.count ?? 0);
  },
  exceptions: async ({ entityIds, status, after = '', limit }) =>
    (await pool.read<RecordRow>(postgresReportReads.exceptions, [JSON.stringify(entityIds), status, after, limit])).map(recordOf),
  aggregations: async ({ currency, ...asked }) => {
    const cells = questionCells({ ...asked, ...(currency !== null && { currency }) });
    return (await pool.read<AggregationRow>(reportReads.aggregations, cells)).map(aggregationOf);
  },
});

type Files = 'beginFile' | 'addRecords' | 'keepFile' | 'dropFile' | 'abandonedFiles' | 'file' | 'files' | 'countFile';

function filesIn(pool: Pool): Pick<ReportStore, Files> {
  return {
    beginFile: async (file) => {
      checkFile(file);
      if ((await write(pool, reportWrites.beginFile, fileCells(file))) > 0) return null;
      const [row] = await pool.read<FileRow>(reportReads.fileInTheWay, [file.entityId, file.digest, file.pspId]);
      return row ? fileOf(row) : { ...file, readUntil: 0 };
    },
    addRecords: async (fileId, records, readUntil) => {
      for (const record of records) checkRecord(record, fileId);
      const rows = records.map((record) => {
        const cells = recordCells(record);
        return Object.fromEntries(recordColumns.map((name, at) => [name, cells[at]]));
      });
      // The file first: whoever drops it waits for us, and we have waited for whoever was quicker.
      return transact(pool, async (step) => {
        if ((await step(reportWrites.goOnReading, [fileId, readUntil])) === 0) return false;
        await step(postgresReportReads.addRecords, [fileId, JSON.stringify(rows)]);
        return true;
      });
    },
    keepFile: (fileId, lines) =>
      transact(
        pool,
        async (step) => {
          if ((await step(postgresHolds.file, [fileId])) === 0) return false;
          await step(reportWrites.bookFile, [fileId]);
          return (await step(reportWrites.keepFile, [fileId, lines])) > 0;
        },
        'settlement',
      ),
    dropFile: async (fileId) => {
      await write(pool, reportWrites.markDropped, [fileId]);
      while ((await write(pool, reportWrites.dropRecords, [fileId, FORGET_PORTION])) === FORGET_PORTION) {}
      await write(pool, reportWrites.dropFile, [fileId]);
    },
    abandonedFiles: async (now, limit) => (await pool.read<FileRow>(reportReads.abandonedFiles, [now, limit])).map(fileOf),
    file: async (id) => {
      const [row] = await pool.read<FileRow>(reportReads.settlementFile, [id]);
      return row ? fileOf(row) : null;
    },
    files: async (entityIds, limit) =>
      (await pool.read<FileRow>(postgresReportReads.filesOf, [JSON.stringify(entityIds), limit])).map(fileOf),
    countFile: async (fileId) => countOf(await pool.read<CountRow>(reportReads.countFile, [fileId])),
  };
}

const lookup = {
  id: postgresReportReads.paymentsById,
  merchantTransactionId: postgresReportReads.paymentsByOwnId,
  shortId: postgresReportReads.paymentsByShortId,
  connectorTxId: postgresReportReads.paymentsByReference,
} as const satisfies Record<PaymentName['kind'], string>;

function matchingIn(pool: Pool): Pick<ReportStore, 'paymentsNamed' | 'paymentsAlike' | 'recordsOfPayments'> {
  return {
    paymentsNamed: async (asked) => {
      const merchants = JSON.stringify(asked.merchantIds);
      const further: Readonly<Record<PaymentName['kind'], readonly Parameter[]>> = {
        id: [],
        merchantTransactionId: [asked.each],
        shortId: [asked.from, asked.before],
        connectorTxId: [asked.from, asked.before],
      };
      return byNames(asked, async (kind, values) => {
        const cells = [merchants, JSON.stringify(values), ...further[kind]];
        return (await pool.read<PaymentRow>(lookup[kind], cells)).map(paymentOf);
      });
    },
    paymentsAlike: async ({ merchantIds, from, before, sums, limit }) => {
      const cells = [JSON.stringify(merchantIds), JSON.stringify(sums.map(sumText)), from, before, limit];
      return (await pool.read<PaymentRow>(postgresReportReads.paymentsAlike, cells)).map(paymentOf);
    },
    recordsOfPayments: async (merchantIds, paymentIds, readingId) => {
      const cells = [JSON.stringify(merchantIds), JSON.stringify(paymentIds), readingId];
      return (await pool.read<RecordRow>(postgresReportReads.recordsOfPayments, cells)).map(recordOf);
    },
  };
}
