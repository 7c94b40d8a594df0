import { verifyAudit } from '../../audit/verify.ts';
import { sealOf } from '../../audit/writer.ts';
import { type VerifyNeeds, verify } from '../../ledger/verify.ts';
import { type StoredSealed, sealedReads, sealedRowOf } from '../../store/areas/vault.ts';
import { openReader, type Reader, withAudit } from '../../store/open.ts';
import { openPostgresStore } from '../../store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../store/sqlite/sqliteStore.ts';
import type { Masters } from '../../vault/masterKey.ts';
import type { KeyRow, SealedRow } from '../../vault/ports.ts';
import { systemRandom } from '../../vault/randomBytes.ts';
import { type OpenedVault, openVault } from '../../vault/vault.ts';
import { randomFraction } from '../system.ts';
import type { BackupKeys } from './format.ts';
import type { BackedUp } from './makeBackup.ts';
import { withRestored } from './restoreBackup.ts';

/** The result of proving a backup. It is good when nothing is found and everything opens. */
export type BackupProof = {
  readonly ok: boolean;
  readonly createdAt: number;
  readonly payments: number;
  readonly postings: number;
  readonly auditEntries: number;
  /** The number of sealed records that were drawn, and of records that did not open. */
  readonly drawn: number;
  readonly unopened: number;
  /** The first things that are wrong, as sentences. */
  readonly faults: readonly string[];
};

export type ProveNeeds = {
  /** The scratch database is made beside this one, and removed afterwards. */
  readonly database: BackedUp;
  readonly keys: BackupKeys;
  readonly masters: Masters;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onStep: VerifyNeeds['onStep'];
};

const DRAWN = 100;
const FAULTS_MAX = 10;

/** Restores a backup into a scratch database, verifies its books and its audit log, and opens sealed records drawn at random. */
export function proveBackup(bytes: AsyncIterable<Uint8Array>, needs: ProveNeeds): Promise<BackupProof> {
  const mark = Buffer.alloc(6);
  systemRandom(mark);
  const scratchName = `turnpike_prove_${mark.toString('hex')}`;
  return withRestored(bytes, { ...needs, scratchName }, (scratch, createdAt) => prove(scratch, createdAt, needs));
}

const openStore = ({ databaseUrl, dataDir }: BackedUp) =>
  databaseUrl === null ? openSqliteStore({ dataDir }) : openPostgresStore({ url: databaseUrl });

async function prove(scratch: BackedUp, createdAt: number, { masters, now, signal, onStep }: ProveNeeds): Promise<BackupProof> {
  // Brings an older schema up to date.
  const store = await openStore(scratch);
  try {
    const vault = await openVault({ masters, store, now });
    const place = scratch.databaseUrl === null ? { dataDir: scratch.dataDir } : { databaseUrl: scratch.databaseUrl };
    const { books, log } = await withAudit(place, async (audit) => ({
      books: await verify(audit, { merchantId: null, onStep, signal }),
      log: await verifyAudit({ head: audit.logHead, pages: audit.log, sealOf: async (head) => sealOf(vault.digest, head) }),
    }));
    const records = await drawRecords(scratch, await store.keys(null), createdAt);
    const unopened = await countUnopened(vault, records);
    const faults = [
      ...books.findings.map(({ says, merchantId }) => `merchant ${merchantId}: ${says}`),
      ...log.findings.map(({ says }) => `audit log: ${says}`),
      ...(unopened > 0 ? [`${unopened} of ${records.length} sealed records do not open`] : []),
    ];
    const { payments, postings } = books;
    const ok = books.found === 0 && log.found === 0 && unopened === 0;
    const counts = { payments, postings, auditEntries: log.entries, drawn: records.length, unopened };
    return { ok, createdAt, ...counts, faults: faults.slice(0, FAULTS_MAX) };
  } finally {
    await store.close();
  }
}

async function countUnopened(vault: OpenedVault, records: readonly SealedRow[]): Promise<number> {
  let unopened = 0;
  for (const { sealed, ...record } of records) await vault.open(record, sealed).catch(() => (unopened += 1));
  return unopened;
}

/** Ids begin with the time in so many hex digits: a random time is a random place among the records of an owner. */
const TIME_DIGITS = 12;

/** Up to a hundred different records, of random owners and times. A small database may have fewer. */
async function drawRecords(scratch: BackedUp, keys: readonly KeyRow[], until: number): Promise<readonly SealedRow[]> {
  const owners = keys.filter(({ purpose }) => purpose === 'data');
  const reader = await openReader(scratch);
  if (!reader || owners.length === 0) return [];
  try {
    const drawn = new Map<string, SealedRow>();
    const draw = async (place: DrawPlace): Promise<void> => {
      for (const row of await recordsAfter(reader, place)) drawn.set(`${row.table} ${row.recordId} ${row.field}`, row);
    };
    for (let turn = 0; turn < 2 * DRAWN && drawn.size < DRAWN; turn += 1) {
      const { owner, createdAt } = owners[Math.floor(randomFraction() * owners.length)] as KeyRow;
      const time = Math.floor(createdAt + randomFraction() * Math.max(0, until - createdAt));
      const table = drawnTables[turn % drawnTables.length] as DrawPlace['table'];
      await draw({ table, owner, id: time.toString(16).padStart(TIME_DIGITS, '0'), limit: AT_ONCE });
    }
    // Chance meets few of the records of a small database.
    for (const { owner } of owners)
      for (const table of drawnTables.slice(0, 3)) if (drawn.size < DRAWN) await draw({ table, owner, id: '', limit: DRAWN });
    return [...drawn.values()].slice(0, DRAWN);
  } finally {
    await reader.close();
  }
}

const drawnTables = ['payment', 'registration', 'secret', 'payment'] as const;
/** Neighbours are drawn together. */
const AT_ONCE = 4;

type DrawPlace = {
  readonly table: (typeof drawnTables)[number];
  readonly owner: string;
  readonly id: string;
  readonly limit: number;
};

async function recordsAfter(reader: Reader, { table, owner, id, limit }: DrawPlace): Promise<readonly SealedRow[]> {
  const rows = await reader.rows<StoredSealed>(sealedReads[table], [owner, table === 'secret' ? '' : id, limit]);
  return rows.map(sealedRowOf(table));
}
