import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import postgres from 'postgres';
import { selfSigned } from '../../../../test/http/certificate.ts';
import { startPostgres, testDatabase } from '../../../../test/postgres.ts';
import { changeBackupRecord } from '../../../app/backup/backupJob.ts';
import { thisMachine } from '../../../config/machine.ts';
import type { EntityRow } from '../../../merchants/ports.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../spec/time.ts';
import type { Reader } from '../../../store/open.ts';
import { openPostgresStore } from '../../../store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../../store/sqlite/sqliteStore.ts';
import type { Store } from '../../../store/store.ts';
import { localMasters } from '../../../vault/masterKey.ts';
import { openVault } from '../../../vault/vault.ts';
import { type Check, type Env, type Exam, type Probes, thisSystem } from './check.ts';
import { checks, codeOf, doctor, examine, type Result } from './doctor.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-doctor-'));
const NOW = Date.parse('2031-10-02T09:15:31Z');
const KEY = Buffer.from('9d1c7a40e2b85f63f0a4d61b8c2e97350b6fd8412ea97c5318d40be6f72a93c5', 'hex');
const id = (end: string): string => end.padStart(32, '0');

let acquirer: Server;
let acquirerUrl = '';

/** An installation with nothing wrong: live, behind a proxy, one merchant whose acquirer accepts its credentials. */
const entities = (): readonly EntityRow[] => [
  { id: id('1'), kind: 'psp', parentId: null, name: 'P', settings: {} },
  { id: id('2'), kind: 'division', parentId: id('1'), name: 'D', settings: {} },
  {
    id: id('3'),
    kind: 'merchant',
    parentId: id('2'),
    name: 'M',
    settings: {
      connectors: { default: 'other' },
      accounts: { other: { connector: 'upstream', settings: { url: acquirerUrl, entityId: 'a'.repeat(32) } } },
    },
  },
  { id: id('4'), kind: 'channel', parentId: id('3'), name: 'Web', settings: {} },
];

async function storeToken(store: Store, token: string): Promise<void> {
  const vault = await openVault({ masters: localMasters(KEY, []), store, now: () => NOW });
  await vault.ready(id('3'));
  const field = 'accounts/other/accessToken';
  const record = { merchantId: id('3'), entityId: id('3'), recordId: id('3'), field };
  await store.storeSecret(id('3'), field, vault.seal(record, token));
}

async function fill(store: Store): Promise<void> {
  await store.insertAccounts({ entities: entities(), tokens: [] });
  await storeToken(store, 'right-token');
  const last = { name: 'turnpike-20311002T000000Z.backup', bytes: 1, tookMs: 1, at: NOW - HOUR_MS };
  const proof = { at: NOW - DAY_MS, name: last.name, ok: true };
  await changeBackupRecord(store, NOW, () => ({ last, failedAt: null, proof, claimedUntil: 0 }));
  await store.addWebhook({
    id: id('9'),
    entityId: id('3'),
    name: 'shop',
    url: 'https://shop.example/hook',
    types: ['PAYMENT'],
    fields: 'ALL',
    wrapper: 'NONE',
    state: 'active',
    why: null,
    keys: [],
    failingSince: null,
    createdAt: NOW,
    changedAt: NOW,
    revision: 1,
  });
}

const healthyFolder = join(folder, 'healthy');
const keyFile = join(folder, 'key');

before(async () => {
  acquirer = createServer((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer right-token';
    response.writeHead(isKnown ? 404 : 401, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((done) => acquirer.listen(0, '127.0.0.1', done));
  acquirerUrl = `http://127.0.0.1:${(acquirer.address() as AddressInfo).port}`;
  const store = await openSqliteStore({ dataDir: healthyFolder });
  await fill(store);
  await store.close();
  writeFileSync(keyFile, KEY.toString('hex'), { mode: 0o600 });
});
after(() => {
  acquirer.close();
  rmSync(folder, { recursive: true });
});

const env = (dataDir: string): Env => ({
  ENVIRONMENT: 'live',
  TRUST_PROXY: '10.0.0.5',
  MASTER_KEY_FILE: keyFile,
  PUBLIC_URL: 'https://pay.example',
  DATA_DIR: dataDir,
  PORT: '8443',
  CONNECTOR_PRIVATE_HOSTS: new URL(acquirerUrl).host,
});

/** The network and the disk of a healthy machine. Files are real. */
const probes: Probes = {
  ...thisSystem,
  uid: null,
  disk: () => ({ freeBytes: 50e9, bytes: 100e9, isInMemory: false }),
  syncMs: () => 1,
  addresses: async () => ['9.9.9.9'],
  tls: async () => ({ kind: 'trusted', validTo: NOW + 80 * DAY_MS }),
  tcp: async () => null,
  local: async () => ({ status: 200, body: '' }),
  isClockSynchronised: async () => true,
  timeZone: () => 'UTC',
  openFilesMax: () => 65_536,
};

type Case = { env: Record<string, string | undefined>; probes: Probes; now: number; readonly dataDir: string };

const look = (its: Readonly<Pick<Case, 'probes' | 'now'>> & { readonly env: Env }, isDeep = true): Promise<readonly Result[]> =>
  examine({ env: its.env, machine: { ...thisMachine, uid: 1_000 }, probes: its.probes, now: () => its.now, isDeep });

const foundIn = (results: readonly Result[]): readonly string[] =>
  results.filter(({ state }) => state === 'found' || state === 'failed').map((one) => one.id);

const sql =
  (text: string) =>
  ({ dataDir }: Case): void => {
    const db = new DatabaseSync(join(dataDir, 'turnpike.db'));
    db.exec(text);
    db.close();
  };
const set =
  (change: Readonly<Record<string, string | undefined>>) =>
  (its: Case): void =>
    void Object.assign(its.env, change);
const probe =
  (change: Partial<Probes>) =>
  (its: Case): void => {
    its.probes = { ...its.probes, ...change };
  };
const tls =
  (name: string, options: Parameters<typeof selfSigned>[0], url = 'https://localhost') =>
  (its: Case) => {
    const { cert, key } = selfSigned(options);
    writeFileSync(join(its.dataDir, `${name}.crt`), cert);
    writeFileSync(join(its.dataDir, `${name}.key`), key, { mode: 0o600 });
    const files = { TLS_CERT: join(its.dataDir, `${name}.crt`), TLS_KEY: join(its.dataDir, `${name}.key`) };
    Object.assign(its.env, { ...files, PUBLIC_URL: url, TRUST_PROXY: undefined });
  };
const webhook = (change: string) =>
  sql(`UPDATE webhook SET revision = 2, data = json_patch(data, '${change}') WHERE id = '${id('9')}'`);
const metrics = (job: string, seconds: number) => ({
  local: async () => ({ status: 200, body: `turnpike_job_age_seconds{job="${job}"} ${seconds}\n` }),
});
const delivery = `INSERT INTO delivery (id, webhook_id, merchant_id, event_id, entity_id, subject_id, revision, type, code, event_at, state, due_at, ready_at, tries, created_at)
  VALUES ('d', '${id('9')}', '${id('3')}', 'e', '${id('4')}', 's', 1, 'PAYMENT', '000.000.000', 1, 'due', ${NOW - HOUR_MS}, ${NOW - HOUR_MS}, '[]', 1)`;
const event = `INSERT INTO outbox (merchant_id, id, entity_id, subject_id, revision, type, code, created_at)
  VALUES ('${id('3')}', 'e', '${id('4')}', 's', 1, 'PAYMENT', '000.000.000', ${NOW - HOUR_MS})`;
const payment = `INSERT INTO payment (merchant_id, id, family_id, entity_id, payment_type, state, amount, currency, created_at, due_at, short_id, version, revision, data)
  VALUES ('${id('3')}', 'p', 'p', '${id('4')}', 'DB', 'open', 100, 'EUR', ${NOW - HOUR_MS}, ${NOW - HOUR_MS}, '1', 1, 1, '{}')`;
const posting = `INSERT INTO posting (merchant_id, subject_id, revision, at, currency, mode) VALUES ('${id('3')}', 'p', 1, ${NOW - HOUR_MS}, 'EUR', 'LIVE')`;

/** The token is sealed anew with another content. */
async function sealAnotherToken({ dataDir }: Case): Promise<void> {
  const store = await openSqliteStore({ dataDir });
  await storeToken(store, 'another-token');
  await store.close();
}

const backups = (change: string) =>
  sql(`UPDATE document SET revision = 2, body = json_patch(body, '${change}') WHERE collection = 'backups'`);

type Planted = readonly [
  fault: string,
  id: string,
  plant: (its: Case) => void | Promise<void>,
  says: RegExp,
  others?: readonly string[],
];

const planted: readonly Planted[] = [
  ['a port that is none', 'configuration.faults', set({ PORT: '99999' }), /PORT: "99999"/],
  [
    'a misspelt setting',
    'configuration.faults',
    set({ TRUST_PROXYS: '1' }),
    /TRUST_PROXYS: is no setting; the nearest is TRUST_PROXY/,
  ],
  ['a setting that never existed', 'configuration.faults', set({ TURNPIKE_MODE: 'live' }), /TURNPIKE_MODE: is no setting/],
  ['a name that begins like a setting', 'configuration.names', set({ RISK_LEVEL: 'high' }), /RISK_LEVEL: is no setting/],
  [
    'limits of an inspector that is off',
    'configuration.contradictions',
    set({ INSPECT_DAYS: '5' }),
    /INSPECT_DAYS or INSPECT_CALLS_MAX is set/,
  ],
  ['no public address', 'configuration.contradictions', set({ PUBLIC_URL: undefined }), /PUBLIC_URL is not set/],
  ['a talkative log', 'configuration.live', set({ LOG_LEVEL: 'debug' }), /LOG_LEVEL is debug/],
  ['the inspector in live', 'configuration.live', set({ INSPECT: 'on' }), /INSPECT is on/],
  ['too few open files', 'configuration.openFiles', probe({ openFilesMax: () => 1_024 }), /may open 1024 files/],
  [
    'a master key of zeros',
    'keys.weak',
    set({ MASTER_KEY_FILE: undefined, MASTER_KEY: '0'.repeat(64) }),
    /The master key is all zeros/,
    ['configuration.live', 'keys.foreign', 'secrets.damaged', 'accounts.refused'],
  ],
  [
    'a master key that was counted up',
    'keys.weak',
    set({ MASTER_KEY_FILE: undefined, MASTER_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('hex') }),
    /The master key is not random/,
    ['configuration.live', 'keys.foreign', 'secrets.damaged', 'accounts.refused'],
  ],
  ['a token that can be guessed', 'keys.weak', set({ ADMIN_TOKEN: 'changeme'.repeat(5) }), /ADMIN_TOKEN is easy to guess/],
  [
    'a token in a file that can be guessed',
    'keys.weak',
    (its) => {
      const path = join(its.dataDir, 'admin.token');
      writeFileSync(path, `${'changeme'.repeat(5)}\n`, { mode: 0o600 });
      its.env.ADMIN_TOKEN_FILE = path;
    },
    /ADMIN_TOKEN is easy to guess/,
  ],
  [
    'a password for backups that a group reads',
    'keys.readable',
    ({ env: its, dataDir }) => {
      writeFileSync(join(dataDir, 'sftp.password'), 'x'.repeat(20));
      chmodSync(join(dataDir, 'sftp.password'), 0o640);
      its.BACKUP_SFTP_PASSWORD_FILE = join(dataDir, 'sftp.password');
    },
    /BACKUP_SFTP_PASSWORD_FILE: .* can be read by other users/,
  ],
  [
    'a key file that a group reads',
    'keys.readable',
    ({ env: its, dataDir }) => {
      writeFileSync(join(dataDir, 'open.key'), KEY.toString('hex'));
      chmodSync(join(dataDir, 'open.key'), 0o640);
      its.MASTER_KEY_FILE = join(dataDir, 'open.key');
    },
    /MASTER_KEY_FILE: .*open.key can be read by other users \(mode 640\)/,
  ],
  [
    'the master key of another database',
    'keys.foreign',
    sql("UPDATE data_key SET master_id = 'feedfeedfeedfeed' WHERE owner = 'gateway'"),
    /1 key belongs to another master key, whose id is feedfeedfeedfeed/,
    ['secrets.damaged', 'accounts.refused'],
  ],
  [
    'a damaged key',
    'keys.damaged',
    sql("UPDATE data_key SET wrapped = x'00' WHERE owner = 'gateway'"),
    /The digest key 1 of gateway \(table data_key\) does not open under its master key/,
    ['secrets.damaged', 'accounts.refused'],
  ],
  [
    'a previous key that nothing needs',
    'keys.rotation',
    set({ MASTER_KEY_PREVIOUS: KEY.toString('hex').replace('9d', '8d') }),
    /no key needs it/,
  ],
  [
    'old data keys',
    'keys.age',
    (its) => {
      its.now += 400 * DAY_MS;
    },
    /1 data keys are in use for up to 400 days/,
    ['tls.served', 'backup.age', 'backup.proof'],
  ],
  ['an expired certificate', 'tls.expired', tls('expired', { until: '300101000000Z' }), /expired on 2030-01-01/, ['tls.chain']],
  ['a certificate that expires', 'tls.expires', tls('expires', { until: '311010000000Z' }), /expires in 7 days/, ['tls.chain']],
  ['a self-signed certificate', 'tls.chain', tls('own', {}), /is self-signed/],
  ['a missing intermediate', 'tls.chain', tls('alone', { issuer: 'Some CA' }), /intermediate certificates are missing/],
  ['a certificate of another host', 'tls.name', tls('other', {}, 'https://pay.example'), /is not for pay.example/, ['tls.chain']],
  [
    'a public name without an address',
    'dns.publicUrl',
    probe({
      addresses: (host) =>
        host === 'pay.example' ? Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })) : Promise.resolve(['9.9.9.9']),
    }),
    /pay.example of PUBLIC_URL does not resolve \(ENOTFOUND\)/,
  ],
  [
    'a public name inside the network',
    'dns.private',
    probe({ addresses: async (host) => [host === 'pay.example' ? '10.1.2.3' : '9.9.9.9'] }),
    /not on the internet \(10.1.2.3\)/,
  ],
  [
    'a certificate that clients refuse',
    'tls.served',
    probe({
      tls: async (host) =>
        host === 'pay.example' ? { kind: 'refused', reason: 'CERT_HAS_EXPIRED' } : { kind: 'trusted', validTo: NOW * 2 },
    }),
    /Clients refuse the certificate of pay.example: CERT_HAS_EXPIRED/,
  ],
  [
    'a closed port',
    'publicUrl.reach',
    probe({ tcp: async () => 'ECONNREFUSED' }),
    /cannot be reached from here \(ECONNREFUSED\)/,
  ],
  ['a database that was cut', 'database.open', ({ dataDir }) => truncateSync(join(dataDir, 'turnpike.db'), 40_000), /is damaged/],
  ['an older schema', 'database.schema', sql('DELETE FROM migration WHERE number = 9'), /1 migrations have not been applied/],
  [
    'the sandbox in live',
    'database.sandbox',
    sql(
      `INSERT INTO entity (id, kind, parent_id, name, settings, revision) VALUES ('5eed${'0'.repeat(26)}d0', 'psp', NULL, 'P', '{}', 1)`,
    ),
    /public credentials of the sandbox/,
  ],
  ['a rollback journal', 'sqlite.journal', sql('PRAGMA journal_mode = DELETE'), /The journal mode is delete/],
  [
    'a log that only grows',
    'sqlite.log',
    (its) =>
      probe({
        file: (path) => (path.endsWith('-wal') ? { mode: 0o600, uid: 0, bytes: 1e9, isFolder: false } : thisSystem.file(path)),
      })(its),
    /has grown to 1 GB/,
  ],
  [
    'an open data folder',
    'data.permissions',
    ({ dataDir }) => chmodSync(dataDir, 0o755),
    /can be used by other users \(mode 755\)/,
  ],
  ['a full disk', 'disk.full', probe({ disk: () => ({ freeBytes: 1e8, bytes: 1e11, isInMemory: false }) }), /has 100 MB left/],
  [
    'a disk that fills',
    'disk.space',
    probe({ disk: () => ({ freeBytes: 1e9, bytes: 1e11, isInMemory: false }) }),
    /has 1 GB left/,
  ],
  ['data in memory', 'disk.memory', probe({ disk: () => ({ freeBytes: 5e10, bytes: 1e11, isInMemory: true }) }), /is in memory/],
  ['a slow disk', 'disk.fsync', probe({ syncMs: () => 180 }), /takes 180 ms/],
  ['a clock that runs free', 'time.synchronised', probe({ isClockSynchronised: async () => false }), /is not synchronised/],
  ['an unknown time zone', 'time.zone', set({ TZ: 'Europe/Atlantis' }), /TZ is "Europe\/Atlantis"/],
  [
    'an account without its token',
    'accounts.missing',
    sql("DELETE FROM secret WHERE name = 'accounts/other/accessToken'"),
    /The account other has no accessToken: npx turnpike account/,
  ],
  [
    'credentials that the acquirer refuses',
    'accounts.refused',
    sealAnotherToken,
    /The acquirer refuses the accessToken of the account other of 0+3 \(401\)/,
  ],
  [
    'a damaged secret',
    'secrets.damaged',
    sql("UPDATE secret SET sealed = CAST(sealed || x'00' AS BLOB)"),
    /The secret accounts\/other\/accessToken of 0+3 does not open/,
  ],
  ['a receiver that fails', 'webhooks.failing', webhook(`{"failingSince":${NOW - 5 * HOUR_MS}}`), /has failed for 5 h/],
  ['a webhook without TLS', 'webhooks.http', webhook('{"url":"http://shop.example/hook"}'), /uses plain http/],
  [
    'a receiver that cannot be reached',
    'webhooks.reach',
    probe({
      tls: async (host) =>
        host === 'shop.example' ? { kind: 'unreachable', reason: 'ETIMEDOUT' } : { kind: 'trusted', validTo: NOW * 2 },
    }),
    /shop.example cannot be reached: ETIMEDOUT/,
  ],
  ['no gateway', 'gateway.running', probe({ local: async () => null }), /No gateway answers at http:\/\/127.0.0.1:8443/],
  [
    'a gateway that is not ready',
    'gateway.ready',
    probe({ local: async () => ({ status: 503, body: '{"status":"not ready","problems":["its disk is full"]}' }) }),
    /not ready: "its disk is full"/,
  ],
  ['a job that stands still', 'gateway.jobs', probe(metrics('sweep', 4_000)), /The job "sweep" has not succeeded for 67 min/],
  ['overdue payments', 'queue.payments', sql(payment), /1 payment is overdue, the oldest for 60 min/, ['database.records']],
  ['events that wait', 'queue.events', sql(event), /1 event waits to be fanned out, the oldest for 60 min/],
  ['deliveries that wait', 'queue.deliveries', sql(delivery), /1 delivery is overdue, the oldest for 60 min/],
  [
    'a ledger that is not sealed',
    'ledger.unsealed',
    sql(posting),
    /Postings of 1 merchant are not sealed, the oldest for 60 min/,
  ],
  ['no backup', 'backup.age', sql("DELETE FROM document WHERE collection = 'backups'"), /No backup was ever made/],
  ['an old backup', 'backup.age', backups(`{"last":{"at":${NOW - 5 * DAY_MS}}}`), /The last backup is 5 days old/],
  [
    'a folder for backups that is not there',
    'backup.place',
    set({ BACKUP_TO: '/nowhere/at/all' }),
    /BACKUP_TO: .* does not exist/,
  ],
  [
    'a registration that cannot be read',
    'database.records',
    ({ dataDir }) => {
      const db = new DatabaseSync(join(dataDir, 'turnpike.db'));
      db.exec('PRAGMA ignore_check_constraints = ON');
      db.exec(`UPDATE document SET revision = revision + 1, body = substr(body, 1, 10) WHERE collection = 'directory'`);
      db.exec(`INSERT INTO document (collection, id, owner_id, at, revision, body) VALUES ('x', 'y', 'z', 1, 1, '{')`);
      db.close();
    },
    /Merchant z, x\/y: this document cannot be read/,
  ],
  [
    'an index without one of its rows',
    'sqlite.integrity',
    ({ dataDir }) => {
      // The root of one index is put in the place of another: as after a lost write.
      const db = new DatabaseSync(join(dataDir, 'turnpike.db'), { defensive: false });
      db.exec(`PRAGMA writable_schema = ON; CREATE INDEX lost ON entity (name);
        UPDATE sqlite_schema SET sql = 'CREATE INDEX lost ON entity (kind)' WHERE name = 'lost'`);
      db.close();
    },
    /The table entity: row \d+ missing from index lost/,
  ],
  ['a backup that was never proved', 'backup.proof', backups('{"proof":null}'), /No backup was ever proved/],
  ['a backup that is not good', 'backup.proof', backups('{"proof":{"ok":false}}'), /The proof of turnpike-.* has failed/],
];

let cases = 0;

function newCase(): Case {
  cases += 1;
  const dataDir = join(folder, `case-${cases}`);
  cpSync(healthyFolder, dataDir, { recursive: true });
  chmodSync(dataDir, 0o700);
  return { env: { ...env(dataDir) }, probes, now: NOW, dataDir };
}

test('a healthy installation has no finding, and every check but those of PostgreSQL is made', async () => {
  const results = await look(newCase());
  assert.deepEqual(
    results.filter(({ state }) => state !== 'passed').map((one) => `${one.id} ${one.why}`),
    checks.filter(({ needs }) => needs === 'postgres').map((one) => `${one.id} the database is SQLite`),
  );
  assert.equal(codeOf(results), 0);
});

for (const [fault, its, plant, says, others = []] of planted) {
  test(`a doctor names ${fault}: ${its}`, async () => {
    const one = newCase();
    await plant(one);
    const results = await look(one);
    const result = results.find((each) => each.id === its);
    assert.match(result?.findings.map((each) => each.says).join('\n') ?? '', says, JSON.stringify(result));
    assert.ok(result?.findings.every(({ remedy }) => remedy.length > 10));
    const unexpected = foundIn(results).filter((each) => each !== its && !others.includes(each));
    assert.deepEqual(unexpected, []);
    assert.doesNotMatch(JSON.stringify(results), /right-token|9d1c7a40|changemechangeme/, 'no secret is shown');
  });
}

test('every check of the table is planted, here or on a server', () => {
  const named = new Set([...planted.map(([, its]) => its), ...plantedOnServer]);
  assert.deepEqual(
    checks.map((one) => one.id).filter((its) => !named.has(its)),
    [],
  );
  assert.equal(new Set(checks.map((one) => one.id)).size, checks.length);
});

const plantedOnServer = [
  'postgres.version',
  'postgres.durability',
  'postgres.standby',
  'postgres.synchronous',
  'postgres.replication',
  'postgres.archive',
  'postgres.clock',
  'postgres.connections',
  'postgres.vacuum',
  'postgres.archiving',
  'postgres.integrity',
  'postgres.amcheck',
  'backup.createdb',
];

test('a healthy server has no finding; settings of the database and a clock that differs are named', async () => {
  const { url, drop } = await testDatabase();
  try {
    const store = await openPostgresStore({ url });
    await fill(store);
    await store.close();
    const one = newCase();
    rmSync(join(one.dataDir, 'turnpike.db'));
    const now = Date.now();
    one.env.DATABASE_URL = url;
    one.now = now;
    const served = { ...probes, tls: async () => ({ kind: 'trusted' as const, validTo: now + 80 * DAY_MS }) };
    const well = await look({ ...one, probes: served });
    assert.deepEqual(
      // The server of the tests does not wait for its disk.
      foundIn(well).filter((its) => !['postgres.archiving', 'postgres.durability', 'postgres.amcheck'].includes(its)),
      [],
      JSON.stringify(well, null, 1),
    );
    const sqlClient = postgres(url, { max: 1, onnotice: () => {} });
    const name = new URL(url).pathname.slice(1);
    await sqlClient.unsafe(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    await sqlClient.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await sqlClient.end();
    const results = await look({ ...one, now: now + MINUTE_MS, probes: served });
    const text = JSON.stringify(results);
    for (const its of ['postgres.durability', 'postgres.standby', 'postgres.clock'])
      assert.ok(foundIn(results).includes(its), its);
    assert.doesNotMatch(JSON.stringify(well), /synchronous_commit is off/);
    assert.match(text, /synchronous_commit is off: a crash loses/);
    assert.match(text, /default_transaction_read_only is on/);
    assert.match(text, /The clocks differ by (?:5|6)\d{4} ms/);
  } finally {
    await drop();
  }
});

test('a damaged index and table of a server, a missing extension and a missing right are named', async () => {
  const { url, drop } = await testDatabase();
  const sqlClient = postgres(url, { max: 1, onnotice: () => {} });
  const role = `doctor_${process.pid}`;
  try {
    const store = await openPostgresStore({ url });
    await fill(store);
    await store.close();
    const one = newCase();
    rmSync(join(one.dataDir, 'turnpike.db'));
    one.env.DATABASE_URL = url;
    const says = async (its: string, env: Env = one.env) => {
      const result = (await look({ ...one, env })).find(({ id: each }) => each === its);
      assert.ok(result && result.state !== 'failed', result?.why ?? 'no such check');
      return result.findings.map((each) => `${each.says} ${each.remedy}`).join('\n');
    };
    assert.match(await says('postgres.amcheck'), /not installed.*CREATE EXTENSION amcheck/);
    await sqlClient`CREATE EXTENSION amcheck`;
    assert.equal(`${await says('postgres.amcheck')}${await says('postgres.integrity')}`, '');
    // As after a change of the sort order below the server: the entries of an index are no longer in its order.
    await sqlClient`CREATE FUNCTION backwards(a text, b text) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT bttextcmp(a, b)'`;
    await sqlClient`CREATE OPERATOR CLASS shifting FOR TYPE text USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =,
      OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 backwards(text, text)`;
    await sqlClient`CREATE INDEX shifted ON entity (name shifting)`;
    await sqlClient`CREATE OR REPLACE FUNCTION backwards(a text, b text) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT bttextcmp(b, a)'`;
    assert.match(await says('postgres.integrity'), /The index shifted: .*item order invariant violated.*REINDEX/s);
    await sqlClient`DROP INDEX shifted`;
    await sqlClient.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    const asRole = { ...one.env, DATABASE_URL: url.replace(/\/\/[^@]*@/, `//${role}:x@`) };
    assert.match(await says('postgres.amcheck', asRole), /may not call amcheck/);
    assert.match(
      await says('backup.createdb', asRole),
      new RegExp(`${role} may not create databases.*ALTER ROLE ${role} CREATEDB`),
    );
  } finally {
    await sqlClient.unsafe(`DROP OWNED BY ${role}; DROP ROLE IF EXISTS ${role}`).catch(() => {});
    await sqlClient.end();
    await drop();
  }
});

test('a server that may lose payments is named with every fault', async () => {
  const settings = {
    full_page_writes: 'off',
    autovacuum: 'off',
    archive_mode: 'on',
    archive_command: 'false',
    max_connections: '6',
    superuser_reserved_connections: '0',
  };
  const server = await startPostgres({ fsync: false, settings });
  const others = postgres(server.url(), { max: 5, onnotice: () => {} });
  try {
    await Promise.all(Array.from({ length: 5 }, () => others`SELECT pg_sleep(0.05)`));
    await others`SELECT pg_create_physical_replication_slot('gone', true)`;
    await others`SELECT pg_switch_wal()`;
    await others`ALTER SYSTEM SET synchronous_standby_names = 'nowhere'`;
    await others`SELECT pg_reload_conf()`;
    const failed = async () => (await others`SELECT failed_count FROM pg_stat_archiver WHERE failed_count > 0`).length > 0;
    while (!(await failed())) await others`SELECT pg_sleep(0.02)`;
    const one = newCase();
    rmSync(join(one.dataDir, 'turnpike.db'));
    one.env.DATABASE_URL = server.url();
    one.now = Date.now();
    const results = await look(one);
    const says = results.flatMap(({ findings: found }) => found.map((each) => each.says)).join('\n');
    for (const its of [
      /fsync is off/,
      /full_page_writes is off/,
      /autovacuum is off/,
      /The archive_command has failed for [0-9A-F]{24}/,
      /The replication slot gone has no standby/,
      /synchronous_standby_names is "nowhere", and no such standby is connected/,
      /6 of 6 connections are in use/,
      /The database has no schema yet/,
    ])
      assert.match(says, its);
    assert.equal(codeOf(results), 1);
  } finally {
    await others.end({ timeout: 0 });
    await server.stop('immediate');
  }
});

test('versions and settings that no server here can have are named', async () => {
  const rowsOf = (settings: Readonly<Record<string, string>>): Reader => ({
    dialect: 'postgres',
    rows: async <Row extends object>() =>
      Object.entries(settings).map(([name, setting]) => ({ name, setting })) as unknown as Row[],
    close: async () => {},
  });
  const find = (its: string, settings: Readonly<Record<string, string>>) => {
    const check = checks.find((one) => one.id === its) as Extract<Check, { needs: 'postgres' }>;
    return check.find({ database: rowsOf(settings), config: { environment: 'live' } } as unknown as Exam);
  };
  assert.match((await find('postgres.version', { server_version_num: '130011' }))[0]?.says ?? '', /PostgreSQL 13/);
  const found = await find('postgres.archiving', { archive_mode: 'off', wal_level: 'minimal' });
  assert.equal(found.length, 2);
});

test('the command prints findings with remedies, and its exit code is that of the worst', async () => {
  const output: string[] = [];
  const print = (line: string) => void output.push(line);
  const result = (severity: Result['severity'], state: Result['state'] = 'found'): Result => ({
    id: `some.${severity}`,
    severity,
    state,
    findings: state === 'found' ? [{ says: 'It is wrong.', remedy: 'make it right' }] : [],
    why: state === 'failed' ? 'no result in time' : '',
  });
  const run = (results: readonly Result[], ...words: readonly string[]) =>
    doctor(words, { print, printError: print, examine: async () => results });
  assert.equal(await run([result('note')]), 0);
  assert.equal(await run([result('warning'), result('note')]), 3);
  assert.equal(await run([result('error'), result('warning')]), 1);
  assert.equal(await run([result('error', 'failed')]), 3);
  assert.match(output.join('\n'), /^ERROR {4}some.error: It is wrong.\n {9}→ make it right$/m);
  assert.match(output.join('\n'), /the check could not be made \(no result in time\)/);
  output.length = 0;
  await run([result('error')], '--json');
  assert.equal(JSON.parse(output[0] ?? '').checks[0].findings[0].remedy, 'make it right');
  await assert.rejects(run([], '--only', 'nothing.such'), { name: 'UsageError' });
  await assert.rejects(run([], '--only', 'tls,nothing.such'), { name: 'UsageError', message: /"nothing.such"/ });
  const asked: string[] = [];
  const examineAll = async ({ only, isDeep }: { only(id: string): boolean; readonly isDeep: boolean }) => {
    asked.push(`${isDeep} ${checks.filter((one) => only(one.id)).every((one) => /tls|disk/.test(one.id))}`);
    return [];
  };
  await doctor(['--only', 'tls,disk', '--deep'], { print, printError: print, examine: examineAll });
  assert.deepEqual(asked, ['true true']);
});

test('a faulty configuration leaves out what depends on it, and a check that hangs ends in time', async () => {
  const one = newCase();
  one.env.ENVIRONMENT = 'production';
  const results = await look(one);
  assert.equal(results.find(({ id: its }) => its === 'database.open')?.why, 'the configuration is faulty');
  assert.equal(results.find(({ id: its }) => its === 'configuration.faults')?.state, 'found');
  const hanging: Probes = { ...probes, isClockSynchronised: () => new Promise(() => {}) };
  const limited = await examine({ env: newCase().env, machine: thisMachine, probes: hanging, now: () => NOW, withinMs: 20 });
  const late = limited.find(({ id: its }) => its === 'time.synchronised');
  assert.deepEqual([late?.state, late?.why], ['failed', 'no result in time']);
});

test('the real machine answers what the checks ask', async () => {
  assert.ok(thisSystem.disk(folder).freeBytes > 0);
  assert.ok(thisSystem.syncMs(folder) >= 0);
  assert.deepEqual(await thisSystem.tcp('127.0.0.1', Number(new URL(acquirerUrl).port)), null);
  assert.equal((await thisSystem.tls('127.0.0.1', Number(new URL(acquirerUrl).port))).kind, 'unreachable');
  assert.equal((await thisSystem.local(`${acquirerUrl}/health/live`))?.status, 401);
  assert.equal(thisSystem.file(join(folder, 'nothing')), null);
  await assert.rejects(thisSystem.addresses('nothing.invalid'));
});
