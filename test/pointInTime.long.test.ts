import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import postgres from 'postgres';
import { verify } from '../src/ledger/verify.ts';
import { withAudit } from '../src/store/open.ts';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import { createClient } from './http/client.ts';
import { startGateway } from './http/gateway.ts';
import { startPostgres } from './postgres.ts';

/** Point-in-time recovery as docs/backup.md describes it, with a base backup by the functions of the server. */
const folder = mkdtempSync(join(tmpdir(), 'turnpike-pitr-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const [archive, base] = [join(folder, 'archive'), join(folder, 'base')];
mkdirSync(archive);
// The server runs as another user.
for (const path of [folder, archive]) chmodSync(path, 0o777);

test('a base backup and the archived WAL restore the payments before a moment, and no other', async () => {
  const archiving = `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`;
  const server = await startPostgres({ settings: { wal_level: 'replica', archive_mode: 'on', archive_command: archiving } });
  const sql = postgres(server.url(), { max: 1, fetch_types: false, onnotice: () => {} });
  const gateway = await startGateway({ store: await openPostgresStore({ url: server.url() }), isQuiet: true });
  const shop = createClient(gateway.url);
  const pay = async (count: number) => {
    for (let paid = 0; paid < count; paid += 1) assert.equal((await shop.pay()).status, 200);
  };
  await pay(3);
  await sql`SELECT pg_backup_start('base', true)`;
  execFileSync('cp', ['-a', server.dataDir, base]);
  const [stopped] = await sql`SELECT labelfile FROM pg_backup_stop()`;
  await pay(4);
  await gateway.work('seal ledger blocks');
  const [moment] = await sql`SELECT clock_timestamp()::text AS at`;
  // A transaction that begins after the moment ends after it.
  await pay(5);
  const [last] = await sql`SELECT pg_walfile_name(pg_switch_wal()) AS file`;
  while ((await sql`SELECT 1 FROM pg_stat_archiver WHERE last_archived_wal >= ${last?.file}`).length === 0)
    await sql`SELECT pg_sleep(0.1)`;
  await gateway.close();
  await sql.end();
  await server.kill();

  const { uid, gid } = statSync(join(base, 'PG_VERSION'));
  for (const [name, text] of Object.entries({ backup_label: String(stopped?.labelfile), 'recovery.signal': '' })) {
    writeFileSync(join(base, name), text);
    chownSync(join(base, name), uid, gid);
  }
  rmSync(join(base, 'postmaster.pid'), { force: true });
  const recovered = await startPostgres({
    files: base,
    settings: {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: String(moment?.at),
      recovery_target_action: 'promote',
    },
  });
  try {
    const needs = { merchantId: null, onStep: () => {}, signal: new AbortController().signal };
    const verdict = await withAudit({ databaseUrl: recovered.url() }, (audit) => verify(audit, needs));
    assert.deepEqual([verdict.found, verdict.payments], [0, 7]);
    // It takes payments again.
    const again = await startGateway({ store: await openPostgresStore({ url: recovered.url() }), isQuiet: true });
    assert.equal((await createClient(again.url).pay()).status, 200);
    await again.close();
  } finally {
    await recovered.stop('immediate');
  }
});
