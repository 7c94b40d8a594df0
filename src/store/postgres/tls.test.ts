import assert from 'node:assert/strict';
import { chownSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { selfSigned } from '../../../test/http/certificate.ts';
import { type PostgresServer, startPostgres, testDatabase } from '../../../test/postgres.ts';
import { userForServer } from '../../../test/postgresBinaries.ts';
import { withParameter } from './address.ts';
import { openPool, type Pool } from './pool.ts';

/** TLS to the server, and passwords that are replaced while the program runs. */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-tls-'));
const [own, other] = [selfSigned(), selfSigned()];
const authority = join(folder, 'authority.pem');
const otherAuthority = join(folder, 'other.pem');
/** The administrator of the server, by password-less TLS; everyone else needs TLS and a password. */
const HBA = 'hostssl all postgres 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n';

let server: PostgresServer;
let port = '';
let admin: Pool;
before(async () => {
  const user = await userForServer();
  const fileOf = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (user) chownSync(path, user.uid, user.gid);
    return path;
  };
  if (user) chownSync(folder, user.uid, user.gid);
  fileOf('authority.pem', own.cert);
  fileOf('other.pem', other.cert);
  server = await startPostgres({
    fsync: false,
    settings: {
      ssl: 'on',
      ssl_cert_file: fileOf('server.pem', own.cert),
      ssl_key_file: fileOf('server.key', own.key),
      hba_file: fileOf('pg_hba.conf', HBA),
    },
  });
  ({ port } = new URL(server.url()));
  admin = openPool({ url: `postgres://postgres@localhost:${port}/postgres?sslrootcert=${authority}`, poolMax: 1 });
});
after(async () => {
  await admin.close();
  await server.stop('immediate');
  rmSync(folder, { recursive: true });
});

const IS_ENCRYPTED = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

const ways: readonly (readonly [host: string, query: string, refusal: RegExp | null])[] = [
  ['localhost', `sslrootcert=${authority}`, null],
  ['localhost', `sslmode=verify-full&sslrootcert=${authority}`, null],
  ['127.0.0.1', `sslmode=verify-ca&sslrootcert=${authority}`, null],
  ['127.0.0.1', 'sslmode=require', null],
  ['127.0.0.1', 'sslmode=prefer', null],
  ['127.0.0.1', `sslmode=verify-full&sslrootcert=${authority}`, /is not in the cert's list|does not match certificate/],
  ['localhost', `sslrootcert=${otherAuthority}`, /self-signed certificate|unable to verify/],
  ['localhost', `sslmode=verify-ca&sslrootcert=${otherAuthority}`, /self-signed certificate|unable to verify/],
  ['localhost', `sslmode=require&sslrootcert=${otherAuthority}`, /self-signed certificate|unable to verify/],
  ['localhost', 'sslmode=verify-full&sslrootcert=system', /self-signed certificate|unable to verify/],
  ['127.0.0.1', 'sslmode=disable', /no pg_hba.conf entry/],
];
for (const [host, query, refusal] of ways) {
  test(`${host} with ${query.replace(folder, '')}: ${refusal === null ? 'is encrypted' : 'is refused'}`, async () => {
    const pool = openPool({ url: `postgres://postgres@${host}:${port}/postgres?${query}`, poolMax: 1 });
    try {
      if (refusal === null) assert.deepEqual([...(await pool.read(IS_ENCRYPTED))], [{ ssl: true }]);
      else await assert.rejects(pool.read(IS_ENCRYPTED), refusal);
    } finally {
      await pool.close();
    }
  });
}

test('a server without TLS: refused where TLS is demanded, used where it is preferred', async () => {
  const { url, drop } = await testDatabase();
  const [demanding, preferring] = ['require', 'prefer'].map((mode) => openPool({ url: `${url}?sslmode=${mode}`, poolMax: 1 }));
  try {
    await assert.rejects(demanding?.read(IS_ENCRYPTED) ?? Promise.resolve(), /the server does not speak TLS/);
    assert.deepEqual([...((await preferring?.read(IS_ENCRYPTED)) ?? [])], [{ ssl: false }]);
  } finally {
    await Promise.all([demanding, preferring].map((pool) => pool?.close()));
    await drop();
  }
});

test('encrypted connections that the server ends are replaced, one after the other', async () => {
  const pool = openPool({ url: `postgres://postgres@localhost:${port}/postgres?sslrootcert=${authority}`, poolMax: 1 });
  try {
    const pids = new Set<number>();
    for (let times = 0; times < 40; times += 1) {
      const pid = await pidOf(pool);
      pids.add(pid);
      await admin.read('SELECT pg_terminate_backend($1)', [pid]);
    }
    assert.ok(pids.size > 20, `${pids.size} sessions`);
  } finally {
    await pool.close();
  }
});

/** As secrets are replaced: readers see the whole old file or the whole new one. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

type Rotation = {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  readonly textFor: (password: string) => string;
};

const rotations: readonly ((role: string) => Rotation)[] = [
  (role) => {
    const path = join(folder, 'passwords');
    const url = withParameter(`postgres://${role}@localhost:${port}/postgres?sslrootcert=${authority}`, 'passfile', path);
    return { name: 'the password file', url, path, textFor: (password) => `localhost:${port}:*:${role}:${password}\n` };
  },
  (role) => {
    const path = join(folder, 'url');
    const urlFor = (password: string) => `postgres://${role}:${password}@localhost:${port}/postgres?sslrootcert=${authority}`;
    return { name: 'the file of the URL', url: withParameter(urlFor('first'), 'urlfile', path), path, textFor: urlFor };
  },
];

const PID = 'SELECT pg_backend_pid() AS pid';
const pidOf = async (pool: Pool): Promise<number> => Number((await pool.read<{ readonly pid: number }>(PID))[0]?.pid);

for (const [at, rotation] of rotations.entries()) {
  const role = `rotated${at}`;
  test(`${rotation(role).name} is replaced: open connections go on, new ones use the new password`, async () => {
    const { url, path, textFor } = rotation(role);
    await admin.read(`CREATE ROLE ${role} LOGIN PASSWORD 'first'`);
    replaceFile(path, textFor('first'));
    const pool = openPool({ url, poolMax: 1 });
    const end = (pid: number) => admin.read('SELECT pg_terminate_backend($1, 5000)', [pid]);
    try {
      const first = await pidOf(pool);
      await admin.read(`ALTER ROLE ${role} PASSWORD 'second'`);
      assert.equal(await pidOf(pool), first);
      // The control: the server has ended the old password.
      await end(first);
      await assert.rejects(pidOf(pool), /password authentication failed/);
      replaceFile(path, textFor('second'));
      await untilDialled(pool);
      const second = await pidOf(pool);
      assert.notEqual(second, first);
      await end(second);
      assert.notEqual(await pidOf(pool), second);
    } finally {
      await pool.close();
    }
  });
}

/** A failure is kept for a moment, so that a server is not hammered at. */
async function untilDialled(pool: Pool): Promise<void> {
  for (;;) {
    try {
      await pool.read('SELECT 1');
      return;
    } catch (error) {
      assert.match(String(error), /password authentication failed/);
    }
  }
}
