import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { selfSigned } from '../test/http/certificate.ts';
import { type Config, configOf, keptMasterKey, type Machine } from './config.ts';

const HEX_KEY = 'ab'.repeat(32);
const files: Record<string, string> = { '/other.txt': 'hello' };
const machine: Machine = {
  readText: (path) => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error('no'), { code: 'ENOENT' });
    return text;
  },
  uid: 1000,
};

const folder = mkdtempSync(join(tmpdir(), 'turnpike-config-'));
for (const name of ['one', 'two']) {
  const { cert, key } = selfSigned();
  files[`/${name}.crt`] = cert;
  files[`/${name}.key`] = key;
}
after(() => rmSync(folder, { recursive: true }));

const live = { ENVIRONMENT: 'live', TLS_CERT: '/one.crt', TLS_KEY: '/one.key', MASTER_KEY: HEX_KEY };

const good: [what: string, env: Record<string, string>, expected: Partial<Config>][] = [
  [
    'nothing set',
    {},
    {
      port: 8080,
      host: '127.0.0.1',
      dataDir: './data',
      databaseUrl: null,
      environment: 'test',
      logLevel: 'warn',
      tls: null,
      trustProxy: false,
      masterKey: null,
    },
  ],
  ['empty counts as absent', { PORT: '', LOG_LEVEL: '', TLS_CERT: '' }, { port: 8080, logLevel: 'warn', tls: null }],
  ['lowest and highest port', { PORT: '1' }, { port: 1 }],
  ['highest port', { PORT: '65535' }, { port: 65_535 }],
  ['IPv6', { HOST: '::1' }, { host: '::1' }],
  ['a name', { HOST: 'pay.example' }, { host: 'pay.example' }],
  ['a database', { DATABASE_URL: 'postgres://u:p@h/db' }, { databaseUrl: 'postgres://u:p@h/db' }],
  [
    'several hosts',
    { DATABASE_URL: 'postgresql://u:p@h1:5432,h2:5433/db?ssl=true' },
    { databaseUrl: 'postgresql://u:p@h1:5432,h2:5433/db?ssl=true' },
  ],
  ['silence', { LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  ['live with TLS', live, { environment: 'live', logLevel: 'info' }],
  [
    'live behind a proxy',
    { ENVIRONMENT: 'live', MASTER_KEY: HEX_KEY, TRUST_PROXY: '10.0.0.0/8, ::1' },
    { trustProxy: ['10.0.0.0/8', '::1'] },
  ],
  ['every proxy', { TRUST_PROXY: 'true' }, { trustProxy: true }],
  ['key in hex', { MASTER_KEY: HEX_KEY }, { masterKey: Buffer.alloc(32, 0xab) }],
  ['key in base64', { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }, { masterKey: Buffer.alloc(32, 7) }],
];
for (const [what, env, expected] of good) {
  test(what, () => {
    const config = configOf(env, machine);
    assert.ok(!Array.isArray(config), String(config));
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(config[name as keyof typeof config], value, name);
  });
}

const bad: [env: Record<string, string>, faults: readonly string[]][] = [
  [{ PORT: 'abc' }, ['PORT: "abc" is not a port between 1 and 65535']],
  [{ PORT: '0' }, ['PORT: "0" is not a port between 1 and 65535']],
  [{ PORT: '65536' }, ['PORT: "65536" is not a port between 1 and 65535']],
  [{ PORT: '8080 ' }, ['PORT: "8080 " is not a port between 1 and 65535']],
  [{ PORT: '1e3' }, ['PORT: "1e3" is not a port between 1 and 65535']],
  [{ HOST: 'a b' }, ['HOST: "a b" is neither an address nor the name of a host']],
  [{ HOST: 'http://x' }, ['HOST: "http://x" is neither an address nor the name of a host']],
  [{ ENVIRONMENT: 'prod' }, ['ENVIRONMENT: "prod" is not one of test, live']],
  [{ LOG_LEVEL: 'loud' }, ['LOG_LEVEL: "loud" is not one of trace, debug, info, warn, error, fatal, silent']],
  [{ TLS_CERT: '/one.crt' }, ['TLS_KEY: is missing; certificate and key go together']],
  [{ TLS_KEY: '/one.key' }, ['TLS_CERT: is missing; certificate and key go together']],
  [{ TLS_CERT: '/none.crt', TLS_KEY: '/one.key' }, ['TLS_CERT: "/none.crt" cannot be read (ENOENT)']],
  [{ TLS_CERT: '/one.crt', TLS_KEY: '/other.txt' }, ['TLS_KEY: "/other.txt" is not a PEM file']],
  [
    { TLS_CERT: '/one.crt', TLS_KEY: '/two.key' },
    ['TLS_CERT: the certificate and the key of TLS_KEY do not belong together, or one of them is damaged'],
  ],
  [{ TRUST_PROXY: 'yes' }, ['TRUST_PROXY: "yes" is neither true, false, an address nor a network such as 10.0.0.0/8']],
  [
    { TRUST_PROXY: '10.0.0.1/33' },
    ['TRUST_PROXY: "10.0.0.1/33" is neither true, false, an address nor a network such as 10.0.0.0/8'],
  ],
  [{ MASTER_KEY: 'abcd' }, ['MASTER_KEY: must be 32 bytes, as 64 hex digits or as base64']],
  [{ PORT: 'x', ENVIRONMENT: 'y' }, ['ENVIRONMENT: "y" is not one of test, live', 'PORT: "x" is not a port between 1 and 65535']],
  [
    { ENVIRONMENT: 'live' },
    [
      'TLS_CERT: is missing; live needs TLS_CERT and TLS_KEY, or TRUST_PROXY when a proxy ends TLS',
      'MASTER_KEY: is missing; live needs a key that is kept outside the database',
    ],
  ],
  [
    { ENVIRONMENT: 'live', MASTER_KEY: HEX_KEY, TRUST_PROXY: 'false' },
    ['TLS_CERT: is missing; live needs TLS_CERT and TLS_KEY, or TRUST_PROXY when a proxy ends TLS'],
  ],
];
for (const [env, faults] of bad) {
  test(`refused: ${JSON.stringify(env)}`, () => assert.deepEqual(configOf(env, machine), faults));
}

test('live does not run as root', () => {
  assert.deepEqual(configOf(live, { ...machine, uid: 0 }), ['ENVIRONMENT: live does not run as root']);
});

for (const url of ['mysql://h/db', 'postgres://', 'postgres://u:secret@h', 'postgres://u:secret@h1,/db', 'secret']) {
  test(`a wrong database address is not repeated: ${url}`, () => {
    const faults = configOf({ DATABASE_URL: url }, machine) as readonly string[];
    assert.equal(faults.length, 1);
    assert.match(faults[0] as string, /^DATABASE_URL: must look like postgres:/);
    assert.doesNotMatch(faults[0] as string, /secret/);
  });
}

test('a test environment keeps one key of its own, for its owner alone', () => {
  const dataDir = join(folder, 'data');
  const key = keptMasterKey(dataDir);
  assert.equal(key.length, 32);
  assert.deepEqual(keptMasterKey(dataDir), key);
  assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600);
});

test('a damaged key file is not replaced', () => {
  const dataDir = join(folder, 'damaged');
  keptMasterKey(dataDir);
  writeFileSync(join(dataDir, 'master.key'), 'short');
  assert.throws(() => keptMasterKey(dataDir), /32 bytes/);
});
