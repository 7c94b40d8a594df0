import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { makeBackup } from '../../src/app/backup/makeBackup.ts';
import { openPlace } from '../../src/app/backup/places.ts';
import { configOf } from '../../src/config/config.ts';
import { thisMachine } from '../../src/config/machine.ts';
import type { Dialect } from '../../src/store/migrate.ts';
import { pathOf } from '../../src/store/sqlite/file.ts';
import { createGateway } from '../../test/faults/gatewayProcess.ts';
import { startPostgres } from '../../test/postgres.ts';
import { DATABASES, type KeptDatabase, key, MASTER, schemaOf } from '../../test/upgrades/databases.ts';
import { makeHistory } from '../../test/upgrades/history.ts';

/**
 * `node scripts/release/database.ts [COMMIT]` keeps a small database of a release, on both engines, for the releases after it: the trade of a
 * shop with the program of that commit, as a backup file, and what the shop was told. Without a commit: of this program.
 */
const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The sources of a commit; null: the sources of this tree. */
async function sourcesOf(commit: string | null): Promise<string | null> {
  if (commit === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-release-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await run('sh', ['-c', `git archive ${commit} | tar -x -C "$0"`, folder], { cwd: root });
  mkdirSync(join(folder, '.cache'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'src/main.ts');
}

/** The files of the widget are most of a small database, and published again by every start. */
const SHRINK = 'DELETE FROM widget_asset';

async function shrink(databaseUrl: string | null, dataDir: string): Promise<void> {
  if (databaseUrl === null) {
    const db = new DatabaseSync(pathOf({ dataDir }));
    db.exec(`${SHRINK}; DELETE FROM write_trial; VACUUM`);
    db.close();
  } else {
    const sql = postgres(databaseUrl, { max: 1, fetch_types: false });
    await sql.unsafe(SHRINK);
    await sql.end();
  }
}

const four = (schema: number): string => String(schema).padStart(4, '0');

async function keep(dialect: Dialect, program: string | null, commit: string): Promise<void> {
  const server = dialect === 'postgres' ? await startPostgres({ fsync: false }) : null;
  const databaseUrl = server?.url() ?? null;
  const env = { MASTER_KEY: MASTER.toString('hex') };
  const gateway = await createGateway({ ...(databaseUrl !== null && { databaseUrl }), programs: [program], env });
  await gateway.start();
  const history = await makeHistory(gateway.url);
  await gateway.end('SIGTERM');
  await shrink(databaseUrl, gateway.dataDir);

  const scratch = mkdtempSync(join(tmpdir(), 'turnpike-kept-'));
  const config = configOf({ DATA_DIR: gateway.dataDir, MASTER_KEY: env.MASTER_KEY }, thisMachine);
  if (!('backup' in config)) throw new Error(JSON.stringify(config));
  const place = await openPlace({ kind: 'folder', path: scratch }, config.backup);
  await makeBackup({ database: { databaseUrl, dataDir: gateway.dataDir }, key, place, now: Date.now });
  const [made = ''] = readdirSync(scratch);
  const schema = await schemaOf(join(scratch, made));
  const name = `${four(schema)}.${dialect}`;
  mkdirSync(DATABASES, { recursive: true });
  renameSync(join(scratch, made), join(DATABASES, `${name}.backup`));
  rmSync(scratch, { recursive: true });
  const kept: KeptDatabase = { schema, dialect, commit, history };
  writeFileSync(join(DATABASES, `${name}.json`), `${JSON.stringify(kept, null, 1)}\n`);
  console.log(`${name}: ${statSync(join(DATABASES, `${name}.backup`)).size} bytes, ${history.payments.length} payments`);
  await server?.stop('immediate');
}

const [commit = null] = process.argv.slice(2);
const program = await sourcesOf(commit);
const { stdout } = await run('git', ['rev-parse', '--short=8', commit ?? 'HEAD'], { cwd: root });
for (const dialect of ['sqlite', 'postgres'] as const) await keep(dialect, program, stdout.trim());
