import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { selfSigned } from '../../test/http/certificate.ts';
import { operatorHashOf } from '../merchants/authenticate.ts';
import { type Config, configOf } from './config.ts';
import { type Machine, thisMachine } from './machine.ts';
import { storedMasterKey } from './storedMasterKey.ts';

const HEX_KEY = 'ab'.repeat(32);
const OTHER_KEY = Buffer.alloc(32, 7);
const files: Record<string, string> = {
  '/other.txt': 'hello',
  '/master.key': `${HEX_KEY}\n`,
  '/bins.csv': 'from,to,country\n420000,420099,SE\n',
  '/networks.csv': '10.0.0.0/8,NO\n',
  '/broken.csv': '420000,420099,SE\n4200,4299,DE\n430000,420000,DE\n',
  '/old.keys': `${'cd'.repeat(32)}\n${OTHER_KEY.toString('base64')}\n`,
};
/** Permissions of files; of all others 600. */
const modes: Record<string, number> = { '/open.key': 0o100644, '/group.key': 0o100640 };
const programs: Record<string, () => string> = {
  'kms get key 1': () => `${HEX_KEY}\n`,
  'chatter ': () => 'usage: secret',
  'failing ': () => assert.fail(Object.assign(new Error('secret'), { status: 3 })),
  'slow ': () => assert.fail(Object.assign(new Error('secret'), { code: 'ETIMEDOUT', status: null })),
};
const machine: Machine = {
  readText: (path) => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error('no'), { code: 'ENOENT' });
    return text;
  },
  printed: (program, words) => {
    const run = programs[`${program} ${words.join(' ')}`];
    if (!run) throw Object.assign(new Error('no'), { code: 'ENOENT' });
    return run();
  },
  uid: 1000,
  modeOf: (path) => modes[path] ?? 0o100600,
  cores: 4,
  sharesPorts: true,
};

const folder = mkdtempSync(join(tmpdir(), 'turnpike-config-'));
for (const name of ['one', 'two']) {
  const { cert, key } = selfSigned();
  files[`/${name}.crt`] = cert;
  files[`/${name}.key`] = key;
}
after(() => rmSync(folder, { recursive: true }));

const live = { ENVIRONMENT: 'live', TLS_CERT: '/one.crt', TLS_KEY: '/one.key', MASTER_KEY: HEX_KEY };

const TOKEN = 'operator-of-this-gateway.0123456789=';

const good: [what: string, env: Record<string, string>, expected: Partial<Config>][] = [
  [
    'nothing set',
    {},
    {
      port: 8080,
      host: '127.0.0.1',
      backOfficePort: 8081,
      threads: 3,
      dataDir: './data',
      publicUrl: null,
      databaseUrl: null,
      environment: 'test',
      logLevel: 'warn',
      tls: null,
      trustProxy: false,
      connectionsMax: 10_000,
      connectionsPerAddressMax: 500,
      masterKey: null,
      previousMasterKeys: [],
      operatorHash: null,
      webhookReach: 'loopback',
      breachedPasswordsFile: null,
      brandImagesDir: null,
      settlementDir: null,
      deliveryDir: null,
      settlementBytesMax: 536_870_912,
      connectorHosts: [],
    },
  ],
  ["the operator's token", { ADMIN_TOKEN: TOKEN }, { operatorHash: operatorHashOf(TOKEN) }],
  ['a list of lost passwords', { BREACHED_PASSWORDS_FILE: '/lost' }, { breachedPasswordsFile: '/lost' }],
  ['request threads', { THREADS: '12' }, { threads: 12 }],
  ['images of brands', { BRAND_IMAGES_DIR: '/brands' }, { brandImagesDir: '/brands' }],
  ['a folder for files to banks', { DELIVERY_DIR: '/var/delivery' }, { deliveryDir: '/var/delivery' }],
  ['a folder for settlement files', { SETTLEMENT_DIR: '/var/settlement' }, { settlementDir: '/var/settlement' }],
  ['long settlement files', { SETTLEMENT_BYTES_MAX: '1073741824' }, { settlementBytesMax: 1_073_741_824 }],
  [
    'acquirers inside the network',
    { CONNECTOR_PRIVATE_HOSTS: 'Pay.internal, 10.0.0.7:8443,[fd00::7]:443' },
    { connectorHosts: ['pay.internal', '10.0.0.7:8443', '[fd00::7]:443'] },
  ],
  ['a strict reach', { WEBHOOK_REACH: 'public' }, { webhookReach: 'public' }],
  ['live reaches the public alone', live, { webhookReach: 'public' }],
  ['no inspector', { INSPECT: 'off', INSPECT_DAYS: '3' }, { inspect: null }],
  ['no inspector in live by itself', live, { inspect: null }],
  ['an inspector in live', { ...live, INSPECT: 'on', INSPECT_CALLS_MAX: '9' }, { inspect: { days: 7, callsMax: 9 } }],
  ['empty counts as absent', { PORT: '', LOG_LEVEL: '', TLS_CERT: '' }, { port: 8080, logLevel: 'warn', tls: null }],
  ['lowest and highest port', { PORT: '1' }, { port: 1 }],
  ['highest port', { PORT: '65535' }, { port: 65_535 }],
  ['any free port', { PORT: '0' }, { port: 0 }],
  ['IPv6', { HOST: '::1' }, { host: '::1' }],
  ['a name', { HOST: 'pay.example' }, { host: 'pay.example' }],
  ['a database', { DATABASE_URL: 'postgres://u:p@h/db' }, { databaseUrl: 'postgres://u:p@h/db' }],
  [
    'several hosts',
    { DATABASE_URL: 'postgresql://u:p@h1:5432,h2:5433/db?ssl=true' },
    { databaseUrl: 'postgresql://u:p@h1:5432,h2:5433/db?ssl=true' },
  ],
  ['a public address', { PUBLIC_URL: 'https://pay.example' }, { publicUrl: 'https://pay.example' }],
  ['with a port and a slash', { PUBLIC_URL: 'HTTP://Pay.example:8443/' }, { publicUrl: 'http://pay.example:8443' }],
  ['an address for other nodes', { PEER_URL: 'http://10.0.0.11:8090/' }, { peerUrl: 'http://10.0.0.11:8090' }],
  ['live with a public address', { ...live, PUBLIC_URL: 'https://pay.example' }, { publicUrl: 'https://pay.example' }],
  ['silence', { LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  ['live with TLS', live, { environment: 'live', logLevel: 'info' }],
  [
    'live behind a proxy',
    { ENVIRONMENT: 'live', MASTER_KEY: HEX_KEY, TRUST_PROXY: '10.0.0.0/8, ::1' },
    { trustProxy: ['10.0.0.0/8', '::1'] },
  ],
  ['one proxy', { TRUST_PROXY: 'true' }, { trustProxy: true }],
  [
    'fewer connections',
    { CONNECTIONS_MAX: '50', CONNECTIONS_PER_ADDRESS_MAX: '5' },
    { connectionsMax: 50, connectionsPerAddressMax: 5 },
  ],
  ['key in hex', { MASTER_KEY: HEX_KEY }, { masterKey: Buffer.alloc(32, 0xab) }],
  ['key in base64', { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }, { masterKey: Buffer.alloc(32, 7) }],
  ['key in a file', { MASTER_KEY_FILE: '/master.key' }, { masterKey: Buffer.alloc(32, 0xab) }],
  ['key of a program', { MASTER_KEY_COMMAND: `kms  get "key 1"` }, { masterKey: Buffer.alloc(32, 0xab) }],
  ['an empty source is none', { MASTER_KEY: '', MASTER_KEY_FILE: '/master.key' }, { masterKey: Buffer.alloc(32, 0xab) }],
  [
    'former keys',
    { MASTER_KEY: HEX_KEY, MASTER_KEY_PREVIOUS: 'ef'.repeat(32), MASTER_KEY_PREVIOUS_FILE: '/old.keys' },
    { previousMasterKeys: [Buffer.alloc(32, 0xef), Buffer.alloc(32, 0xcd), OTHER_KEY] },
  ],
  ['live with a key of a program', { ...live, MASTER_KEY: '', MASTER_KEY_COMMAND: `kms get 'key 1'` }, { environment: 'live' }],
];
for (const [what, env, expected] of good) {
  test(what, () => {
    const config = configOf(env, machine);
    assert.ok(!Array.isArray(config), String(config));
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(config[name as keyof typeof config], value, name);
  });
}

const bad: [env: Record<string, string>, faults: readonly string[]][] = [
  [{ PORT: 'abc' }, ['PORT: "abc" is not a port between 0 and 65535']],
  [{ PORT: '65536' }, ['PORT: "65536" is not a port between 0 and 65535']],
  [{ PORT: '8080 ' }, ['PORT: "8080 " is not a port between 0 and 65535']],
  [{ PORT: '1e3' }, ['PORT: "1e3" is not a port between 0 and 65535']],
  ...['0', '65', '2.5', 'all', '-1', '1 '].map((text): [Record<string, string>, readonly string[]] => [
    { THREADS: text },
    [`THREADS: "${text}" is not a whole number from 1 to 64`],
  ]),
  [{ HOST: 'a b' }, ['HOST: "a b" is neither an address nor the name of a host']],
  [{ HOST: 'http://x' }, ['HOST: "http://x" is neither an address nor the name of a host']],
  ...[
    'pay.example',
    'https://pay.example/v1',
    'https://u@pay.example',
    'ftp://pay.example',
    'https://pay.example?',
    'https:///',
  ].map((text): [Record<string, string>, readonly string[]] => [
    { PUBLIC_URL: text },
    [`PUBLIC_URL: "${text}" is not an address such as https://pay.example, without a path`],
  ]),
  [{ ...live, PUBLIC_URL: 'http://pay.example' }, ['PUBLIC_URL: live is reached by https']],
  ...['10.0.0.11:8090', 'http://10.0.0.11', 'http://10.0.0.11:8090/handover', 'ftp://10.0.0.11:8090'].map(
    (text): [Record<string, string>, readonly string[]] => [
      { PEER_URL: text },
      [`PEER_URL: "${text}" is not an address with a port, such as http://10.0.0.11:8090, without a path`],
    ],
  ),
  [{ PEER_URL: 'https://node1.internal:8090' }, ['PEER_URL: https needs TLS_CERT and TLS_KEY']],
  ...['x'.repeat(31), 'x'.repeat(513), `${'x'.repeat(40)} y`, `x=${'x'.repeat(40)}`].map(
    (text): [Record<string, string>, readonly string[]] => [
      { ADMIN_TOKEN: text },
      ['ADMIN_TOKEN: must be 32 to 512 letters, digits and . _ ~ + / - with = at its end alone'],
    ],
  ),
  [{ SETTLEMENT_BYTES_MAX: '512M' }, ['SETTLEMENT_BYTES_MAX: "512M" is not a number of bytes']],
  ...['https://pay.internal', '10.0.0.999', 'pay.internal:0', 'pay.internal:99999', 'a b', 'fd00::7', '[fd00]', ''].map(
    (text): [Record<string, string>, readonly string[]] => [
      { CONNECTOR_PRIVATE_HOSTS: `pay.internal,${text}` },
      [
        `CONNECTOR_PRIVATE_HOSTS: ${JSON.stringify(text)} is not a host such as pay.internal, 10.0.0.7:8443 or [fd00::7], without https://`,
      ],
    ],
  ),
  [{ SETTLEMENT_BYTES_MAX: '0' }, ['SETTLEMENT_BYTES_MAX: "0" is not a number of bytes']],
  [{ INSPECT: 'yes' }, ['INSPECT: "yes" is not one of on, off']],
  [{ INSPECT_DAYS: '0' }, ['INSPECT_DAYS: "0" is not a whole number from 1 to 90']],
  [{ WEBHOOK_REACH: 'all' }, ['WEBHOOK_REACH: "all" is not one of loopback, public']],
  [{ ...live, WEBHOOK_REACH: 'loopback' }, ['WEBHOOK_REACH: live calls nobody on this machine']],
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
  ...['true', '0.0.0.0/0', '10.0.0.1, ::/0'].map((text): [Record<string, string>, readonly string[]] => [
    { ENVIRONMENT: 'live', MASTER_KEY: HEX_KEY, TRUST_PROXY: text },
    ['TRUST_PROXY: live believes listed proxies only; set their addresses or networks, such as 10.0.0.5 or 10.0.0.0/24'],
  ]),
  [{ CONNECTIONS_MAX: '0' }, ['CONNECTIONS_MAX: "0" is not a whole number from 10 to 100000']],
  [{ MASTER_KEY: 'abcd' }, ['MASTER_KEY: must be 32 bytes, as 64 hex digits or as base64']],
  [{ MASTER_KEY_FILE: '/none.key' }, ['MASTER_KEY_FILE: "/none.key" cannot be read (ENOENT)']],
  [{ MASTER_KEY_FILE: '/other.txt' }, ['MASTER_KEY_FILE: what it gives must be 32 bytes, as 64 hex digits or as base64']],
  [{ MASTER_KEY_COMMAND: 'chatter' }, ['MASTER_KEY_COMMAND: what it gives must be 32 bytes, as 64 hex digits or as base64']],
  [{ MASTER_KEY_COMMAND: 'failing' }, ['MASTER_KEY_COMMAND: "failing" ended with code 3']],
  [{ MASTER_KEY_COMMAND: 'slow' }, ['MASTER_KEY_COMMAND: "slow" gave no key within 15 seconds']],
  [{ MASTER_KEY_COMMAND: 'nowhere x' }, ['MASTER_KEY_COMMAND: "nowhere" cannot be run (ENOENT)']],
  [{ MASTER_KEY_COMMAND: 'kms "get' }, ['MASTER_KEY_COMMAND: is not a program with arguments; check its quotation marks']],
  [
    { MASTER_KEY: HEX_KEY, MASTER_KEY_FILE: '/master.key' },
    ['MASTER_KEY_FILE: MASTER_KEY is set too; the master key comes from one place'],
  ],
  [
    { MASTER_KEY: HEX_KEY, MASTER_KEY_PREVIOUS: `${'ef'.repeat(32)},abc` },
    ['MASTER_KEY_PREVIOUS: must be 32 bytes, as 64 hex digits or as base64'],
  ],
  [{ MASTER_KEY: HEX_KEY, MASTER_KEY_PREVIOUS: HEX_KEY }, ['MASTER_KEY_PREVIOUS: is the same key as the current one']],
  [{ RISK_BINS_FILE: '/none.csv' }, ['RISK_BINS_FILE: "/none.csv" cannot be read (ENOENT)']],
  [
    { RISK_BINS_FILE: '/broken.csv' },
    [
      'RISK_BINS_FILE: "/broken.csv" line 2: "4200" is not a BIN of 6 or 8 digits; ' +
        'line 3: the range begins with 430000 and ends with 420000',
    ],
  ],
  [
    { RISK_NETWORKS_FILE: '/other.txt', RISK_BINS_FILE: '/other.txt' },
    [
      'RISK_BINS_FILE: "/other.txt" line 1: is not from,to,country,type,bank,level,regulated,phone,website',
      'RISK_NETWORKS_FILE: "/other.txt" line 1: is not cidr,country',
    ],
  ],
  [{ PORT: 'x', ENVIRONMENT: 'y' }, ['ENVIRONMENT: "y" is not one of test, live', 'PORT: "x" is not a port between 0 and 65535']],
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

const known: [what: string, env: Record<string, string>, card: string | null, line: string | null][] = [
  ['a test environment without files knows examples', {}, 'US', 'GB'],
  ['a live one without files knows nothing', live, null, null],
  ['files in test', { RISK_BINS_FILE: '/bins.csv', RISK_NETWORKS_FILE: '/networks.csv' }, 'SE', null],
  ['files in live', { ...live, RISK_BINS_FILE: '/bins.csv' }, 'SE', null],
  ['one file is not mixed with examples', { RISK_NETWORKS_FILE: '/networks.csv' }, null, null],
];
for (const [what, env, card, line] of known) {
  test(`${what}: a card of ${card}, a line in ${line}`, () => {
    const { lookups } = configOf(env, machine) as Config;
    assert.deepEqual([lookups.issuer('420000')?.country ?? null, lookups.country('203.0.113.7')], [card, line]);
    assert.equal(lookups.country('10.1.2.3'), env.RISK_NETWORKS_FILE ? 'NO' : null);
  });
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
  const key = storedMasterKey(dataDir);
  assert.equal(key.length, 32);
  assert.deepEqual(storedMasterKey(dataDir), key);
  assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600);
});

test('a damaged key file is not replaced', () => {
  const dataDir = join(folder, 'damaged');
  storedMasterKey(dataDir);
  writeFileSync(join(dataDir, 'master.key'), 'short');
  assert.throws(() => storedMasterKey(dataDir), /32 bytes/);
});

const real: [command: readonly string[], expected: RegExp | Uint8Array][] = [
  [['-e', `console.log("${HEX_KEY}")`], Buffer.alloc(32, 0xab)],
  [['-e', 'process.exit(4)'], /^MASTER_KEY_COMMAND: ".*" ended with code 4$/],
  [['-e', `process.stdout.write("x".repeat(100000))`], /^MASTER_KEY_COMMAND: ".*" cannot be run \(ENOBUFS\)$/],
];
for (const [words, expected] of real) {
  test(`a real program that runs ${words.join(' ').slice(0, 40)}`, () => {
    const command = [process.execPath, ...words].map((word) => `'${word}'`).join(' ');
    const config = configOf({ MASTER_KEY_COMMAND: command }, thisMachine);
    if (expected instanceof RegExp) assert.match(String(config), expected);
    else assert.deepEqual((config as Config).masterKey, expected);
  });
}

const cores: [cores: number, sharesPorts: boolean, threads: number][] = [
  [1, true, 1],
  [2, true, 1],
  [3, true, 2],
  [8, true, 7],
  [128, true, 16],
  [8, false, 1],
];
for (const [count, sharesPorts, threads] of cores) {
  test(`${count} cores, ports ${sharesPorts ? '' : 'not '}shared: ${threads} request threads when nothing is set`, () => {
    assert.equal((configOf({}, { ...machine, cores: count, sharesPorts }) as Config).threads, threads);
  });
}

test('several request threads need a system that shares ports; one needs nothing', () => {
  const alone = { ...machine, sharesPorts: false };
  const refusal = ['THREADS: on this system threads cannot share a port; leave it out, or set it to 1'];
  assert.deepEqual(configOf({ THREADS: '2' }, alone), refusal);
  assert.equal((configOf({ THREADS: '1' }, alone) as Config).threads, 1);
});

const OTEL: readonly [name: string, env: Record<string, string>, expected: unknown][] = [
  ['no collector', {}, null],
  ['a collector', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }, 'http://127.0.0.1:4318/v1/traces'],
  ['a whole address', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://otel.example/x' }, 'https://otel.example/x'],
  ['a disabled one', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }, null],
  ['settings of others', { OTEL_METRICS_EXPORTER: 'none', OTEL_NODE_RESOURCE_DETECTORS: 'env' }, null],
];
for (const [name, env, expected] of OTEL) {
  test(`traces: ${name}`, () => {
    const config = configOf(env, thisMachine);
    assert.ok(!('length' in config), String(config));
    assert.equal(config.telemetry?.url ?? null, expected);
  });
}

const OTEL_FAULTS: Readonly<Record<string, string>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:pass@collector',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  OTEL_EXPORTER_OTLP_HEADERS: 'no pair',
  OTEL_TRACES_SAMPLER: 'sometimes',
  OTEL_TRACES_SAMPLER_ARG: '1.5',
  OTEL_BSP_MAX_QUEUE_SIZE: '0',
  OTEL_RESOURCE_ATTRIBUTES: '=x',
};
for (const [name, text] of Object.entries(OTEL_FAULTS)) {
  test(`traces: a wrong ${name} is refused`, () => {
    const faults = configOf({ [name]: text }, thisMachine);
    assert.ok('length' in faults && faults.length === 1 && faults[0]?.startsWith(`${name}: `), String(faults));
  });
}
