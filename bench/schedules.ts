import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { CARD, createClient, DEMO } from '../test/http/client.ts';
import { startGateway, type TestGateway } from '../test/http/gateway.ts';
import { stopOnSignals } from './children.ts';
import { foreignLoad } from './machine.ts';
import { createProgress } from './progress.ts';
import { databaseFile } from './sqliteFile.ts';

/**
 * How long it takes to charge schedules that are all due in the same minute, on SQLite, against payments of the same kind that are simply
 * asked for over HTTP in the same process.
 */
const usage = 'bench/schedules.ts [--schedules n: 100,000]';

const { values } = parseArgs({ options: { schedules: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}
stopOnSignals();
const SCHEDULES = Number(values.schedules ?? 100_000);
const ASKED = 4_000;
const ASKED_AT_ONCE = 64;
const DAY_MS = 86_400_000;

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
const progress = createProgress();
const busyBefore = await foreignLoad();
const gateway = await startGateway({ store: await openSqliteStore({ dataDir }) });
try {
  const registrationId = await stored(gateway);
  const made = await createClient(gateway.url).send('POST', '/scheduling/v1/schedules', {
    registrationId,
    paymentType: 'DB',
    amount: '17.00',
    currency: 'EUR',
    'job.expression': '0 0 6 * * ?',
  });
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  progress.step(`making ${SCHEDULES} schedules`);
  copySchedule(made.id);
  progress.step('payments that are asked for');
  const perSecondAsked = await asked(gateway, registrationId);
  progress.step('schedules that are due');
  gateway.pass(DAY_MS);
  const began = performance.now();
  await gateway.work('run due schedules');
  const seconds = (performance.now() - began) / 1000;
  const charged = count('SELECT count(*) AS number FROM schedule_run WHERE payment_id IS NOT NULL');
  progress.end();
  const rate = charged / seconds;
  console.log(`${charged} schedules charged in ${seconds.toFixed(1)} s: ${Math.round(rate)}/s`);
  console.log(
    `asked for over HTTP: ${Math.round(perSecondAsked)}/s, ratio ${(rate / perSecondAsked).toFixed(2)}; foreign load ${busyBefore}`,
  );
} finally {
  await gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

async function stored({ url }: TestGateway): Promise<string> {
  const reply = await createClient(url).send('POST', '/v1/registrations', {
    ...CARD,
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.source': 'CIT',
  });
  return reply.id;
}

/** Copies the schedule in the database: creating each over HTTP takes longer than the measurement. */
function copySchedule(id: string): void {
  const db = new DatabaseSync(databaseFile(dataDir));
  const copy = (table: string, change: Readonly<Record<string, string>>): void => {
    const columns = (db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[]).map(
      ({ name }) => name,
    );
    const values = columns.map((name) => change[name] ?? name);
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SCHEDULES - 1})
      INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table}, n WHERE id = '${id}'`);
  };
  const other = `substr(id, 1, 20) || printf('%012x', i)`;
  db.exec('BEGIN');
  copy('payment', { id: other, family_id: other });
  copy('schedule', { id: other });
  db.exec('COMMIT');
  db.close();
}

function count(sql: string): number {
  const db = new DatabaseSync(databaseFile(dataDir), { readOnly: true });
  const [row] = db.prepare(sql).all() as { number: number }[];
  db.close();
  return row?.number ?? 0;
}

/** Payments of the same kind per second, asked for one after the other on several connections. */
async function asked({ url }: TestGateway, registrationId: string): Promise<number> {
  const shop = createClient(url);
  let left = ASKED;
  const began = performance.now();
  const ask = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await shop.send('POST', `/v1/registrations/${registrationId}/payments`, {
        entityId: DEMO.entityId,
        paymentType: 'DB',
        amount: '17.00',
        currency: 'EUR',
        'standingInstruction.mode': 'REPEATED',
        'standingInstruction.type': 'RECURRING',
        'standingInstruction.source': 'MIT',
      });
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
  return ASKED / ((performance.now() - began) / 1000);
}
