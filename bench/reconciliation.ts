import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { csvChunks } from '../src/reports/reconciliation/csv.ts';
import { reportRows } from '../src/reports/reconciliation/reportRows.ts';
import { settledExample } from '../src/settlement/examples.ts';
import { recordIdOf, type SettlementFile, type SettlementRecord } from '../src/settlement/record.ts';
import { defaultColumns } from '../src/spec/reconciliation.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { stopOnSignals } from './children.ts';
import { foreignLoad } from './machine.ts';
import { createProgress } from './progress.ts';

/**
 * How long the reconciliation file of many records takes from SQLite to the disk, and how much memory, in a process of its own; against
 * copying a file of the same length in the same run.
 */
const usage = 'bench/reconciliation.ts [--records n: 1,000,000]';

const options = { records: { type: 'string' }, help: { type: 'boolean' }, write: { type: 'string' } } as const;
const { values } = parseArgs({ options });
if (values.help) {
  console.log(usage);
  process.exit(0);
}
stopOnSignals();
const RECORDS = Number(values.records ?? 1_000_000);
const PORTION = 5_000;
const [MERCHANT, CHANNEL] = [settledExample.merchantId ?? '', settledExample.entityId ?? ''];

if (values.write !== undefined) await write(values.write);
else await measure();
process.exit(0);

async function measure(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  const progress = createProgress();
  try {
    const busyBefore = await foreignLoad();
    progress.step(`making ${RECORDS} records`);
    await fill(dataDir);
    progress.step('writing the file');
    const { stdout, status, stderr } = spawnSync(process.execPath, [import.meta.filename, '--write', dataDir], {
      encoding: 'utf8',
    });
    progress.end();
    if (status !== 0) throw new Error(stderr);
    console.log(`${stdout.trim()}; foreign load ${busyBefore}`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fill(dataDir: string): Promise<void> {
  const store = await openSqliteStore({ dataDir });
  const file: SettlementFile = {
    id: settledExample.fileId,
    entityId: MERCHANT,
    pspId: 'psp',
    name: 'bench',
    format: settledExample.format,
    digest: '0'.repeat(64),
    lines: 0,
    state: 'reading',
    readUntil: Number.MAX_SAFE_INTEGER,
    createdAt: 0,
    faults: [],
    faultCount: 0,
  };
  await store.beginFile(file);
  for (let from = 1; from <= RECORDS; from += PORTION) {
    const count = Math.min(PORTION, RECORDS - from + 1);
    await store.addRecords(
      file.id,
      Array.from({ length: count }, (_, at) => recordAt(from + at)),
      file.readUntil,
    );
  }
  await store.keepFile({ ...file, lines: RECORDS });
  await store.close();
}

function recordAt(line: number): SettlementRecord {
  return {
    ...settledExample,
    line,
    id: recordIdOf(settledExample.fileId, line),
    amount: BigInt(line),
    merchantTransactionId: `order-${line}`,
    holder: line % 50 === 0 ? `O"Neil; =${line}` : 'Jane Jones',
  };
}

/** In a process that did nothing else before, so that its memory says something. */
async function write(dataDir: string): Promise<void> {
  const store = await openSqliteStore({ dataDir });
  const path = join(dataDir, 'file.csv');
  const began = performance.now();
  const out = openSync(path, 'w');
  const entity = (id: string) => (id === CHANNEL ? { name: 'Shop', kind: 'channel' as const, path: [CHANNEL, MERCHANT] } : null);
  const records = reportRows(
    { store, entity },
    { merchantId: MERCHANT, from: settledExample.settledOn, to: settledExample.settledOn },
  );
  for await (const piece of csvChunks(defaultColumns, records)) writeSync(out, piece);
  fsyncSync(out);
  closeSync(out);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage();
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  const { size } = statSync(path);
  const copied = performance.now();
  copyFileSync(path, `${path}.copy`);
  const copy = openSync(`${path}.copy`, 'r+');
  fsyncSync(copy);
  closeSync(copy);
  const copySeconds = (performance.now() - copied) / 1000;
  await store.close();
  console.log(
    `${(size / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s (processor ${((user + system) / 1e6).toFixed(1)} s), peak ${(peakBytes / 1e6).toFixed(0)} MB; ` +
      `copying them ${copySeconds.toFixed(2)} s, ratio ${(seconds / copySeconds).toFixed(1)}`,
  );
}
