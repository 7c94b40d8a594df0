import { NO_ENTRIES } from '../../audit/entry.ts';
import { type AppliedMigration, appliedMigrations, checkSchema } from '../migrate.ts';
import type { Audited } from '../openAudit.ts';
import { type AuditRow, auditColumns, auditEntryOf, auditHeadOf, auditHeadText, type HeadRow } from '../tables/auditLog.ts';
import { type BlockRow, blockOf } from '../tables/ledger.ts';
import { type ListedRow, lookThrough, type Whole } from '../tables/listedPayments.ts';
import type { PaymentRow } from '../tables/payments.ts';
import { readPage } from '../tables/readPage.ts';
import { keyOf, type StoredKey, type StoredSealed } from '../tables/registrations.ts';
import { forPostgres, reads } from '../tables/statements.ts';
import {
  auditReads,
  type ContentRow,
  familyReads,
  memberName,
  paymentReading,
  recordReads,
  type SettlementRow,
  type SumsRow,
  sealedPages,
  settlementReading,
  storedSums,
  unreadableIn,
} from '../tables/verification.ts';
import { workError } from './errors.ts';
import { openPool } from './pool.ts';
import type { Transaction } from './transaction.ts';

const PAGE = 1_000;
/** Whole contents may be long. */
const CONTENTS = 50;

/** Reads a database as it is at one moment, while others may write to it; nothing of it is changed. */
export async function auditPostgres<T>(url: string, work: (audit: Audited) => Promise<T>): Promise<T> {
  const pool = openPool({ url, poolMax: 1, work: 'audit' });
  try {
    return await pool.transaction(async (tx) => {
      await tx.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      // Whole tables are read here, not single rows by their keys.
      await tx.run('SET LOCAL enable_seqscan = on');
      const applied = await tx.run<AppliedMigration>(appliedMigrations);
      checkSchema('postgres', applied);
      return work(auditOf(tx));
    });
  } catch (error) {
    throw workError(error);
  } finally {
    await pool.close();
  }
}

const merchants = (merchantId: string | null): string[] => (merchantId === null ? [] : [merchantId]);

export const postgresFamilyReads = familyReads(
  '(SELECT n.owner, n.root FROM json_to_recordset(?1::text::json) AS n (owner text, root text)) AS names',
);

function auditOf(tx: Transaction): Audited {
  const { members, sums } = postgresFamilyReads;
  const number = async (text: string, merchantId: string | null): Promise<number> => {
    const [row] = await tx.run<{ count: string }>(forPostgres(text), merchants(merchantId));
    return Number(row?.count ?? 0);
  };
  const whole: Whole = async (merchantId, id) => (await tx.run<PaymentRow>(forPostgres(reads.payment), [merchantId, id]))[0];
  const named = (rows: readonly (readonly [owner: string, root: string])[]): string =>
    JSON.stringify(rows.map(([owner, root]) => ({ owner, root })));
  return {
    counts: async (merchantId) => {
      const isOne = merchantId !== null;
      return {
        postings: await number(auditReads.countPostings(isOne), merchantId),
        payments: await number(auditReads.countPayments(isOne), merchantId),
      };
    },
    postings: (merchantId) => pages(tx, auditReads.postingsInBlocks(merchantId !== null), { merchantId, read: storedOf }),
    blocks: (merchantId) =>
      pages(tx, auditReads.blocks(merchantId !== null), { merchantId, read: (row: BlockRow) => blockOf(row) }),
    payments: async function* (merchantId) {
      const all = pages(tx, auditReads.payments(merchantId !== null), { merchantId, read: (row: ListedRow) => row });
      const reading = paymentReading((rows: readonly ListedRow[]) => lookThrough(rows, whole), memberName);
      for await (const page of all) yield await readPage(page, reading);
    },
    settlements: async function* (merchantId) {
      const all = pages(tx, auditReads.settlements(merchantId !== null), {
        merchantId,
        read: (row: SettlementRow) => row,
      });
      for await (const page of all) yield await readPage(page, settlementReading);
    },
    unreadable: async function* (merchantId) {
      for (const { noun, text } of recordReads(merchantId !== null)) {
        const read = (row: ContentRow) => unreadableIn(row, noun);
        const all = pages(tx, text, { merchantId, read, size: CONTENTS });
        for await (const page of all) yield page.filter((one) => one !== null);
      }
    },
    sealed: (merchantId) => sealedPages(merchantId, (text, cells) => tx.run<StoredSealed>(forPostgres(text), cells)),
    keys: async (owner) => {
      const text = forPostgres(owner === null ? reads.keys : reads.keysOf);
      return (await tx.run<StoredKey>(text, merchants(owner))).map(keyOf);
    },
    logHead: async () => {
      const [row] = await tx.run<HeadRow>(auditHeadText);
      return row ? auditHeadOf(row) : NO_ENTRIES;
    },
    log: (after) =>
      pages(tx, `SELECT ${auditColumns} FROM audit_entry WHERE number > ${after} ORDER BY number`, {
        merchantId: null,
        read: (row: AuditRow) => auditEntryOf(row),
      }),
    families: async (names) => {
      const roots = named(names.map(({ merchantId, familyId }) => [merchantId, familyId]));
      const found = await tx.run<ListedRow>(forPostgres(members), [roots]);
      const page = await readPage(
        found,
        paymentReading((rows: readonly ListedRow[]) => lookThrough(rows, whole), memberName),
      );
      const ids = named(page.records.map(({ merchantId, id }) => [merchantId, id]));
      return { ...page, sums: (await tx.run<SumsRow>(forPostgres(sums), [ids])).map(storedSums) };
    },
  };
}

type StoredRow = { readonly merchant_id: string; readonly block: string; readonly line: string };
const storedOf = ({ merchant_id, block, line }: StoredRow) => ({ merchantId: merchant_id, block: Number(block), line });

type Reading<Row, Thing> = {
  readonly merchantId: string | null;
  readonly read: (row: Row) => Thing;
  readonly size?: number;
};

let cursors = 0;

/** Along a cursor: several can be read by turns in one transaction. */
async function* pages<Row extends object, Thing>(
  tx: Transaction,
  text: string,
  { merchantId, read, size = PAGE }: Reading<Row, Thing>,
): AsyncGenerator<Thing[]> {
  cursors += 1;
  const name = `audit_${cursors}`;
  await tx.run(`DECLARE ${name} NO SCROLL CURSOR FOR ${forPostgres(text)}`, merchants(merchantId));
  for (;;) {
    const rows = await tx.run<Row>(`FETCH ${size} FROM ${name}`);
    if (rows.length > 0) yield rows.map(read);
    if (rows.length < size) break;
  }
  await tx.run(`CLOSE ${name}`);
}
