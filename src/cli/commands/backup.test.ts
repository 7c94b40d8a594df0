import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import postgres from 'postgres';
import { createClient } from '../../../test/http/client.ts';
import { MASTER_KEY, startGateway, type TestGateway } from '../../../test/http/gateway.ts';
import { testDatabase } from '../../../test/postgres.ts';
import { compileCache, programWords } from '../../../test/programs.ts';
import { type S3Server, startS3 } from '../../../test/remote/s3Server.ts';
import { SFTP_PASSWORD, SFTP_USER, startSftp } from '../../../test/remote/sftpServer.ts';
import { createBackupJob, isDue, readBackupRecord } from '../../app/backup/backupJob.ts';
import { openPlace } from '../../app/backup/places.ts';
import { createIds } from '../../app/system.ts';
import { type Config, configOf } from '../../config/config.ts';
import { thisMachine } from '../../config/machine.ts';
import { HOUR_MS } from '../../spec/time.ts';
import { withAudit } from '../../store/open.ts';
import { openPostgresStore } from '../../store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../store/sqlite/sqliteStore.ts';
import type { Store } from '../../store/store.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { localMasters } from '../../vault/masterKey.ts';
import { openVault } from '../../vault/vault.ts';
import type { Context } from '../command.ts';
import { backup, prove, restore } from './backup.ts';

/** A number that no other test uses. */
const CANARY = '4929127482910388';
const S3_KEY = { accessKey: 'BACKUPS', secretKey: 'a secret of the tests', region: 'eu-central-1' };
const FEW = 20;
const folder = mkdtempSync(join(tmpdir(), 'turnpike-backup-'));
const masters = localMasters(MASTER_KEY, []);
let s3: S3Server;

before(async () => {
  s3 = await startS3(S3_KEY);
});
after(async () => {
  await s3.close();
  rmSync(folder, { recursive: true });
});

type Database = { readonly databaseUrl: string | null; readonly dataDir: string };

const openStore = ({ databaseUrl, dataDir }: Database): Promise<Store> =>
  databaseUrl === null ? openSqliteStore({ dataDir }) : openPostgresStore({ url: databaseUrl });

/** As the guides give the address of a server: a copy made for a proof must not take the database that the file names. */
const fileWith = (url: string): string => {
  const path = join(newFolder(), 'database.url');
  writeFileSync(path, url, { mode: 0o600 });
  return path;
};

const configWith = (database: Database, env: Readonly<Record<string, string>> = {}): Config => {
  const s3Settings = {
    BACKUP_S3_ENDPOINT: s3.url,
    BACKUP_S3_REGION: S3_KEY.region,
    BACKUP_S3_ACCESS_KEY: S3_KEY.accessKey,
    BACKUP_S3_SECRET_KEY: S3_KEY.secretKey,
  };
  const url = database.databaseUrl === null ? {} : { DATABASE_URL_FILE: fileWith(database.databaseUrl) };
  const config = configOf({ DATA_DIR: database.dataDir, ...url, ...s3Settings, ...env }, thisMachine);
  assert.ok(!('length' in config), JSON.stringify(config));
  return config;
};

let ticks = 0;

/** The commands as an operator runs them, in this process. The clock moves by a second with each: names have seconds. */
function operator(config: Config, its: { readonly keys?: typeof masters } = {}) {
  const keys = its.keys ?? masters;
  const run = async (command: (words: readonly string[], context: Context) => Promise<number>, line = '') => {
    ticks += 1;
    const now = Date.now() + ticks * 1_000;
    const output: string[] = [];
    let store: Promise<Store> | null = null;
    const open = () => (store ??= openStore(config));
    const context: Context = {
      config: () => config,
      masters: () => keys,
      store: open,
      vault: async () => openVault({ masters: keys, store: await open(), now: () => now }),
      signal: () => new AbortController().signal,
      sleep: async () => {},
      clock: { now: () => now },
      ids: createIds(() => now),
      readText: () => '',
      print: (text) => void output.push(text),
      write: async () => {},
      printError: (text) => void output.push(text),
      progress: ({ phase }) => void phases.add(phase),
    };
    try {
      return { code: await command(line.split(' ').filter(Boolean), context), text: output.join('\n') };
    } finally {
      await (store as Promise<Store> | null)?.then((opened) => opened.close());
    }
  };
  return {
    backup: (line?: string) => run(backup, line),
    restore: (line?: string, env: Readonly<Record<string, string>> = {}) =>
      run((words, context) => restore(words, context, env), line),
    prove: (line?: string) => run(prove, line),
  };
}
const phases = new Set<string>();

const countPayments = (database: Database): Promise<number> =>
  withAudit(
    database.databaseUrl === null ? { dataDir: database.dataDir } : { databaseUrl: database.databaseUrl },
    async (audit) => (await audit.counts(null)).payments,
  );

const newFolder = (): string => mkdtempSync(join(folder, 'data-'));

const drivers: readonly (readonly [name: string, make: () => Promise<Database & { drop(): Promise<void> }>])[] = [
  ['SQLite', async () => ({ databaseUrl: null, dataDir: newFolder(), drop: async () => {} })],
  [
    'PostgreSQL',
    async () => {
      const { url, drop } = await testDatabase();
      return { databaseUrl: url, dataDir: newFolder(), drop };
    },
  ],
];

for (const [name, make] of drivers) {
  describe(name, () => {
    const PAYMENTS = name === 'SQLite' ? 200 : 100;
    let database: Database & { drop(): Promise<void> };
    let gateway: TestGateway;
    const place = join(folder, `backups of ${name}`.replaceAll(' ', '-'));
    const fresh: { drop(): Promise<void> }[] = [];
    const empty = async (): Promise<Database> => {
      const made = await make();
      fresh.push(made);
      return made;
    };
    before(async () => {
      database = await make();
      gateway = await startGateway({ store: await openStore(database), isQuiet: true });
    });
    after(async () => {
      await gateway.close();
      for (const one of [database, ...fresh]) await one.drop();
    });

    test('a backup that is made while payments are taken is whole, and holds what was paid before', async () => {
      const shop = createClient(gateway.url);
      const pay = () => shop.pay({ 'card.number': CANARY, ...(taken % 10 === 0 && { createRegistration: 'true' }) });
      let taken = 0;
      for (; taken < PAYMENTS; taken += FEW) await Promise.all(Array.from({ length: FEW }, pay));
      await gateway.work('seal ledger blocks');
      let isMaking = true;
      const going = (async () => {
        for (let more = 0; isMaking && more < FEW; more += 1, taken += 1) assert.equal((await pay()).status, 200);
      })();
      const { code, text } = await operator(configWith(database)).backup(`--to ${place}`);
      isMaking = false;
      await going;
      assert.equal(code, 0);
      assert.match(text, /^turnpike-\d{8}T\d{6}Z\.backup: [\d.]+ [kM]B in /);
      assert.ok(phases.has('storing') && phases.has('copying'));
      const target = await empty();
      const restored = await operator(configWith(target)).restore(`--from ${place}`);
      assert.equal(restored.code, 0, restored.text);
      const count = await countPayments(target);
      assert.ok(count >= PAYMENTS && count <= taken, `${count} of ${taken}`);
      const shown = (await openStore(target)) as Store;
      const vault = await openVault({ masters, store: shown, now: Date.now });
      const entry = (await shown.auditChain((await shown.auditHead()).number - 1, 1))[0];
      assert.equal(entry?.what, 'command restore');
      const [row] = await shown.sealedAfter(null, 1);
      assert.ok(row && (await vault.open(row, row.sealed)).includes(CANARY));
      // The restored database takes payments: numbers and guards are those of the former.
      const second = await startGateway({ store: shown, isQuiet: true });
      const paid = await createClient(second.url).pay();
      const refunded = await createClient(second.url).refund(paid.id, '2.00');
      await second.work('seal ledger blocks');
      await second.close();
      assert.equal(refunded.code, '000.100.110');
    });

    test('a proof restores, verifies and opens sealed records, and leaves nothing behind', async () => {
      const config = configWith(database, { BACKUP_TO: place });
      const json = JSON.parse((await operator(config).prove('--json')).text);
      assert.equal(json.ok, true);
      assert.ok(json.payments >= PAYMENTS && json.postings >= PAYMENTS);
      assert.ok(json.drawn === 100 && json.unopened === 0 && json.bytes > 1_000, JSON.stringify(json));
      assert.deepEqual(
        readdirSync(database.dataDir).filter((file) => file.startsWith('.backup-')),
        [],
      );
      const record = await readBackupRecord(gateway.world.store as Store);
      assert.equal(record.proof?.ok, true);
      assert.ok(record.last);
    });

    test('no card number is in a backup, and another key does not open it', async () => {
      const [file] = readdirSync(place);
      const bytes = readFileSync(join(place, file ?? ''));
      assert.ok(!bytes.includes(CANARY) && !bytes.includes('ann@example.org') && !bytes.includes('SQLite format'));
      assert.equal(statSync(join(place, file ?? '')).mode & 0o007, 0);
      const config = configWith(await empty());
      const stranger = operator(config, { keys: localMasters(Buffer.alloc(32, 99), []) });
      await assert.rejects(stranger.restore(`--from ${place}`), { message: /needs the key whose id is [0-9a-f]{16}/ });
    });

    test('a database that is not empty is not overwritten unless that is asked for', async () => {
      const target = await empty();
      const store = await openStore(target);
      await (await startGateway({ store, isQuiet: true })).close();
      const commands = operator(configWith(target));
      await assert.rejects(commands.restore(`--from ${place}`), { name: 'OperatorError', message: /is not empty.*--overwrite/ });
      const { text } = await commands.restore(`--from ${place} --overwrite`);
      assert.ok((await countPayments(target)) >= PAYMENTS);
      const [, kept] = /kept as (.*)\.$/m.exec(text) ?? [];
      assert.equal(kept !== undefined && existsSync(kept), target.databaseUrl === null);
    });

    test('a damaged backup changes nothing, wherever it is damaged', async () => {
      const target = await empty();
      const commands = operator(configWith(target));
      await commands.restore(`--from ${place}`);
      const before = await countPayments(target);
      const [file = ''] = readdirSync(place);
      const whole = readFileSync(join(place, file));
      for (const cut of [whole.subarray(0, -1)]) {
        const other = newFolder();
        writeFileSync(join(other, file), cut);
        await assert.rejects(commands.restore(`--from ${join(other, file)} --overwrite`), { message: /^The backup is damaged/ });
        assert.equal(await countPayments(target), before);
      }
    });
  });
}

test('a restore names its target, and a folder that would have no effect is refused', async () => {
  const server = await testDatabase();
  const role = `restorer_${process.pid}`;
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  try {
    const database = { databaseUrl: server.url, dataDir: newFolder() };
    const place = newFolder();
    await (await openStore(database)).close();
    await operator(configWith(database)).backup(`--to ${place}`);
    const named = `the database ${new URL(server.url).pathname.slice(1)} at ${new URL(server.url).host}`;
    const before = await countPayments(database);
    await assert.rejects(operator(configWith(database)).restore(`--from ${place} --overwrite`, { DATA_DIR: './recovered' }), {
      name: 'OperatorError',
      message: new RegExp(
        `^DATA_DIR: ./recovered would have no effect: .*${named}.*Nothing was changed[^]*env -u DATABASE_URL DATA_DIR=./recovered npx turnpike restore`,
      ),
    });
    assert.equal(await countPayments(database), before);
    const { text } = await operator(configWith(database)).restore(`--from ${place} --overwrite`);
    assert.match(text, new RegExp(`^Restoring turnpike-.*backup into ${named}\\.$`, 'm'));
    assert.doesNotMatch(text, /password|:\/\//);
    const file = { databaseUrl: null, dataDir: newFolder() };
    await (await openStore(file)).close();
    const files = newFolder();
    await operator(configWith(file)).backup(`--to ${files}`);
    const fresh = { databaseUrl: null, dataDir: newFolder() };
    const said = await operator(configWith(fresh)).restore(`--from ${files}`, { DATA_DIR: fresh.dataDir });
    assert.match(said.text, /^Restoring .* into .*turnpike\.db\.$/m);
    // The proof makes a database beside it, for which this user has no right.
    await sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    const asRole = { ...database, databaseUrl: server.url.replace(/\/\/[^@]*@/, `//${role}:x@`) };
    await assert.rejects(operator(configWith(asRole)).prove(`--from ${place}`), {
      name: 'StoreOutOfOrder',
      message: `The user ${role} may not create databases, which the proof of a backup needs. As a superuser: ALTER ROLE "${role}" CREATEDB;`,
    });
  } finally {
    await sql.unsafe(`DROP OWNED BY ${role}; DROP ROLE IF EXISTS ${role}`).catch(() => {});
    await sql.end();
    await server.drop();
  }
});

test('PostgreSQL: rights of other users and default privileges outlive a restore that overwrites', async () => {
  const server = await testDatabase();
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  try {
    const database = { databaseUrl: server.url, dataDir: newFolder() };
    const place = newFolder();
    await (await openStore(database)).close();
    await operator(configWith(database)).backup(`--to ${place}`);
    await sql.unsafe(`
      GRANT SELECT ON payment TO pg_monitor WITH GRANT OPTION; GRANT SELECT (id, name) ON entity TO PUBLIC;
      GRANT USAGE ON SCHEMA public TO pg_monitor; ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO pg_signal_backend;
      CREATE TABLE "of another program" (n int); CREATE VIEW due AS SELECT id FROM payment; GRANT SELECT ON "of another program" TO PUBLIC`);
    const rights = async () =>
      (
        await sql.unsafe(`
          SELECT has_table_privilege('pg_monitor', 'payment', 'SELECT WITH GRANT OPTION') AS monitor,
            has_column_privilege('pg_monitor', 'entity', 'name', 'SELECT') AS one_column,
            has_column_privilege('pg_monitor', 'entity', 'settings', 'SELECT') AS other_column,
            has_table_privilege('pg_signal_backend', 'posting', 'SELECT') AS by_default,
            (SELECT nspacl::text FROM pg_namespace WHERE nspname = 'public') AS of_schema,
            (SELECT count(*)::int FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v')) AS tables`)
      )[0];
    const before = await rights();
    await operator(configWith(database)).restore(`--from ${place} --overwrite`);
    assert.deepEqual(
      { ...(await rights()) },
      { ...before, monitor: true, one_column: true, other_column: false, by_default: true, tables: before?.tables - 2 },
    );
  } finally {
    await sql.end();
    await server.drop();
  }
});

test('a key of its own encrypts backups, and the master key does not open them', async () => {
  const database = { databaseUrl: null, dataDir: newFolder() };
  await (await startGateway({ store: await openStore(database), isQuiet: true })).close();
  const place = newFolder();
  const key = Buffer.alloc(32, 41).toString('hex');
  await operator(configWith(database, { BACKUP_KEY: key })).backup(`--to ${place}`);
  const target = { databaseUrl: null, dataDir: newFolder() };
  await assert.rejects(operator(configWith(target)).restore(`--from ${place}`), { message: /BACKUP_KEY/ });
  assert.equal((await operator(configWith(target, { BACKUP_KEY: key })).restore(`--from ${place}`)).code, 0);
  const server = await testDatabase();
  try {
    const onServer = configWith({ databaseUrl: server.url, dataDir: newFolder() }, { BACKUP_KEY: key });
    await assert.rejects(operator(onServer).restore(`--from ${place}`), {
      message: /The backup is of SQLite, and DATABASE_URL names/,
    });
  } finally {
    await server.drop();
  }
});

test('a gateway that has the database open is not overwritten', async () => {
  const database = { databaseUrl: null, dataDir: newFolder() };
  const gateway = await startGateway({ store: await openStore(database), isQuiet: true });
  const place = newFolder();
  try {
    await operator(configWith(database)).backup(`--to ${place}`);
    await assert.rejects(operator(configWith(database)).restore(`--from ${place} --overwrite`), {
      message: /is in use: stop the gateway first/,
    });
    assert.equal((await createClient(gateway.url).pay()).status, 200);
  } finally {
    await gateway.close();
  }
});

test('SFTP and S3 keep, list, rotate and return backups; what a service refuses is said', async () => {
  const database = { databaseUrl: null, dataDir: newFolder() };
  await (await startGateway({ store: await openStore(database), isQuiet: true })).close();
  const sftp = await startSftp();
  try {
    const settings = { BACKUP_SFTP_HOST_KEY: sftp.hostKey, BACKUP_SFTP_PASSWORD: SFTP_PASSWORD, BACKUP_KEEP: '1,0,0' };
    const config = configWith(database, settings);
    s3.trouble.failures = 2;
    for (const to of [`sftp://${SFTP_USER}@127.0.0.1:${sftp.port}`, 's3://backups/shop']) {
      const commands = operator(config);
      for (let times = 0; times < 2; times += 1) assert.equal((await commands.backup(`--to ${to}`)).code, 0);
      assert.equal((await commands.backup(`--to ${to} --list`)).text.split('\n').length, 3);
      const { text } = await commands.backup(`--to ${to} --rotate`);
      assert.equal([...text.matchAll(/is removed/g)].length, 2, text);
      assert.equal((await commands.prove(`--from ${to}`)).code, 0);
      const target = { databaseUrl: null, dataDir: newFolder() };
      assert.equal((await operator(configWith(target, settings)).restore(`--from ${to}`)).code, 0);
    }
    assert.deepEqual(
      readdirSync(sftp.folder).filter((name) => name.endsWith('.part')),
      [],
    );
    const wrong = configWith(database, { BACKUP_S3_SECRET_KEY: 'wrong' });
    await assert.rejects(operator(wrong).backup('--to s3://backups/shop'), { message: /403 SignatureDoesNotMatch/ });
    await assert.rejects(operator(configWith(database)).backup('--to sftp://books@127.0.0.1'), {
      message: /BACKUP_SFTP_HOST_KEY: is missing/,
    });
    await assert.rejects(operator(config).backup('--to ftp://host/x'), { message: /must be a folder, sftp/ });
    await assert.rejects(operator(config).backup(), { name: 'UsageError' });
  } finally {
    await sftp.close();
  }
});

test('a large backup goes to S3 in parts, and one that is killed leaves nothing that looks whole', async () => {
  const { openS3 } = await import('../../outbound/s3.ts');
  const address = { ...S3_KEY, endpoint: s3.url, bucket: 'large', prefix: '' };
  const parted = openS3(address, { now: Date.now, idleMs: 5_000, partBytes: 1_000 });
  const content = Buffer.from(Array.from({ length: 3_500 }, (_, at) => at % 251));
  await parted.put(
    'big',
    (async function* () {
      for (let at = 0; at < content.length; at += 100) yield content.subarray(at, at + 100);
    })(),
  );
  assert.ok(s3.objects.get('large/big')?.equals(content));
  await assert.rejects(
    parted.put(
      'broken',
      (async function* () {
        yield content;
        throw new Error('the disk failed');
      })(),
    ),
    /the disk failed/,
  );
  assert.equal(s3.uploads.size, 0, 'the upload was aborted');
  assert.equal(s3.objects.has('large/broken'), false);
});

test('kill -9 during a backup leaves no file that looks whole, and the next backup is made', async () => {
  const database = { databaseUrl: null, dataDir: newFolder() };
  await (await startGateway({ store: await openStore(database), isQuiet: true })).close();
  const place = newFolder();
  // A process that is killed leaves what is there while it writes.
  const name = 'turnpike-20990101T000000Z.backup';
  const slow = await openPlace({ kind: 'folder', path: place }, configWith(database).backup);
  const paused = Promise.withResolvers<readonly string[]>();
  const going = Promise.withResolvers<never>();
  const storing = slow.put(
    name,
    (async function* () {
      yield Buffer.from('half of it');
      paused.resolve(readdirSync(place));
      await going.promise;
    })(),
  );
  assert.deepEqual(await paused.promise, [`${name}.part`]);
  await assert.rejects(operator(configWith(database)).restore(`--from ${place}`), {
    message: /There is no backup in this place/,
  });
  going.reject(new Error('the end'));
  await assert.rejects(storing, /the end/);
  const env = {
    ...{ PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, DATA_DIR: database.dataDir },
    ...{ MASTER_KEY: MASTER_KEY.toString('hex'), BACKUP_S3_ENDPOINT: s3.url, BACKUP_S3_REGION: S3_KEY.region },
    ...{ BACKUP_S3_ACCESS_KEY: S3_KEY.accessKey, BACKUP_S3_SECRET_KEY: S3_KEY.secretKey },
  };
  const stored = new Promise<void>((resolve) => {
    s3.trouble.onStore = resolve;
  });
  const child = spawn(process.execPath, [...programWords('src/cli/main.ts'), 'backup', '--to', 's3://killed'], {
    env,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await Promise.race([stored, ended]);
  assert.equal(child.exitCode, null);
  child.kill('SIGKILL');
  await ended;
  s3.trouble.onStore = null;
  assert.deepEqual(
    [...s3.objects.keys()].filter((key) => key.startsWith('killed/')),
    [],
  );
  assert.equal(readdirSync(database.dataDir).filter((file) => file.startsWith('.backup-')).length, 1);
  assert.equal((await operator(configWith(database)).backup(`--to ${place}`)).code, 0);
  const { code, text } = await operator(configWith(database)).prove(`--from ${place}`);
  assert.equal(code, 0);
  assert.match(
    text,
    /is good: \d+ s old, [\d.]+ kB; 0 payments, 0 postings, \d+ audit entries; (\d+) of \1 sealed records opened/,
  );
});

test('the job makes a backup when it is due, one node at a time, rotates, and shows its age', async () => {
  const database = { databaseUrl: null, dataDir: newFolder() };
  const store = await openStore(database);
  const place = newFolder();
  try {
    let now = Date.now();
    const metrics = createMetrics();
    const node = (its: typeof metrics) =>
      createBackupJob({
        store,
        masters,
        clock: { now: () => now },
        metrics: its,
        config: configWith(database, { BACKUP_TO: place, BACKUP_KEEP: '2,0,0' }),
      });
    const [one, other] = [node(metrics), node(createMetrics())];
    const signal = new AbortController().signal;
    const page = () => metrics.page({ directoryMs: 0, jobs: [] });
    assert.match(page(), /^turnpike_backup_age_seconds \+Inf$/m);
    await Promise.all([one.run(signal), other.run(signal)]);
    assert.equal(readdirSync(place).length, 1, 'one of them');
    for (let times = 0; times < 12; times += 1) {
      now += 12 * HOUR_MS;
      await other.run(signal);
    }
    now += HOUR_MS;
    await one.run(signal);
    assert.equal(readdirSync(place).length, 2, 'rotated');
    assert.match(page(), /^turnpike_backup_age_seconds \d+$/m);
    assert.match(page(), /^turnpike_backup_size_bytes [1-9]\d+$/m);
    const claimed = { last: null, failedAt: null, proof: null, claimedUntil: now + 1 };
    assert.equal(isDue(claimed, HOUR_MS, now), false);
    assert.equal(isDue({ ...claimed, claimedUntil: 0 }, HOUR_MS, now), true);
    assert.equal(isDue({ ...claimed, claimedUntil: 0, failedAt: now - 1 }, HOUR_MS, now), false);
  } finally {
    await store.close();
  }
});
