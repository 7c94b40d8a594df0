import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environments, serviceLinks, servicesLikeOurs } from '../../test/environments.ts';
import { withParameter } from '../store/postgres/address.ts';
import { type Config, configOf } from './config.ts';
import type { Machine } from './machine.ts';
import { doubtfulNames, knownNames, nameFault, secretNames, secretPathNames, settings } from './settings.ts';

/** One valid value of every secret. */
const VALUES: Readonly<Record<(typeof secretNames)[number], string>> = {
  BACKUP_KEY: 'ef'.repeat(32),
  BACKUP_S3_SECRET_KEY: 'hidden',
  BACKUP_SFTP_PASSWORD: 'hidden',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=hidden',
  ADMIN_TOKEN: 'operator-of-this-gateway.0123456789=',
  DATABASE_URL: 'postgres://gateway:hidden@db.internal/turnpike',
  DATABASE_REPLICA_URL: 'postgres://gateway:hidden@standby.internal/turnpike',
  MASTER_KEY: 'ab'.repeat(32),
  MASTER_KEY_PREVIOUS: 'cd'.repeat(32),
};

/** Secrets of other systems, which may be any text. */
const FREE: readonly string[] = ['BACKUP_S3_SECRET_KEY', 'BACKUP_SFTP_PASSWORD', 'OTEL_EXPORTER_OTLP_HEADERS'];

const machineWith = (files: Readonly<Record<string, string>>, mode = 0o100600): Machine => ({
  readText: (path) => files[path] ?? assert.fail(Object.assign(new Error('no'), { code: 'ENOENT' })),
  printed: () => assert.fail('no program'),
  uid: 1_000,
  modeOf: () => mode,
  cores: 4,
  sharesPorts: true,
});

for (const name of secretNames) {
  const value = VALUES[name];
  const read = (text: string) => configOf({ [`${name}_FILE`]: '/secret' }, machineWith({ '/secret': text }));

  test(`${name} may stand in a file`, () => {
    const expected = configOf({ [name]: value }, machineWith({})) as Config;
    for (const text of [value, `${value}\n`, `  ${value}\r\n\n`]) {
      const { lookups: _, databaseUrl, ...config } = read(text) as Config;
      const { lookups: __, databaseUrl: url, ...same } = expected;
      assert.deepEqual(config, same);
      // The file is read again for each connection.
      assert.equal(databaseUrl, url && name === 'DATABASE_URL' ? withParameter(url, 'urlfile', '/secret') : url);
    }
  });

  test(`a file of ${name} with something else is refused, and not repeated`, () => {
    for (const text of FREE.includes(name) ? ['', 'x'.repeat(1_025)] : ['', 'something else', `${value} and more`]) {
      const [fault = '', ...others] = read(text) as readonly string[];
      assert.ok(fault.startsWith(`${name}_FILE: what it gives must `), fault);
      assert.deepEqual(others, []);
      assert.doesNotMatch(fault, /something|and more|hidden/);
    }
    assert.deepEqual(configOf({ [`${name}_FILE`]: '/none' }, machineWith({})), [`${name}_FILE: "/none" cannot be read (ENOENT)`]);
  });

  test(`${name} comes from one place`, () => {
    const found = configOf({ [name]: value, [`${name}_FILE`]: '/secret' }, machineWith({ '/secret': value }));
    // Previous keys are several.
    if (name === 'MASTER_KEY_PREVIOUS') assert.equal((found as Config).previousMasterKeys.length, 2);
    else assert.match(String(found), new RegExp(`^${name}_FILE: ${name} is set too; .+ comes from one place$`));
  });
}

test('live refuses files with secrets that every user can read', () => {
  assert.ok(secretPathNames.includes('TLS_KEY') && secretPathNames.length === secretNames.length + 3);
  for (const name of secretPathNames) {
    const env = { ENVIRONMENT: 'live', [name]: '/secret' };
    const says = (mode: number) => String(configOf(env, machineWith({}, mode)));
    const open = `${name}: "/secret" can be read by every user of this machine (mode 644); use chmod 600 or 640`;
    assert.ok(says(0o100644).includes(open), says(0o100644));
    for (const mode of [0o100600, 0o100640, 0o100400]) assert.doesNotMatch(says(mode), /can be read/);
    assert.doesNotMatch(String(configOf({ [name]: '/secret' }, machineWith({}, 0o100644))), /can be read/, 'in test');
  }
});

test('the configuration reads every setting of the table, and no other', () => {
  const read = new Set<string>();
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        read.add(String(name));
        return name === 'INSPECT' ? 'on' : undefined;
      },
    },
  );
  configOf(env, machineWith({}));
  const expected = [...knownNames].filter((name) => name !== 'TURNPIKE_CALLED_FROM');
  assert.deepEqual([...read].toSorted(), expected.toSorted());
});

test('a setting that is no secret cannot stand in a file, and says so', () => {
  const others = Object.keys(settings).filter((name) => !knownNames.has(`${name}_FILE`));
  assert.ok(others.length > 20);
  for (const name of others)
    assert.deepEqual(configOf({ [`${name}_FILE`]: '/x' }, machineWith({})), [
      `${name}_FILE: is no setting; ${name} is one, and cannot stand in a file`,
    ]);
});

/** A name with one slip of the fingers. */
const slips = (name: string): readonly string[] => [
  name.slice(0, -1),
  `${name}S`,
  name.replaceAll('_', ''),
  name.slice(0, 3) + name.slice(4),
  name.slice(0, 2) + name[3] + name[2] + name.slice(4),
];

test('a misspelt setting is refused with its right name, whatever the slip', () => {
  const long = [...knownNames].filter((name) => name.length >= 8 && name !== 'TURNPIKE_CALLED_FROM');
  for (const name of long)
    for (const slip of slips(name)) {
      if (knownNames.has(slip)) continue;
      assert.match(nameFault(slip, '1') ?? 'accepted', new RegExp(`^is no setting; .*${name}`), slip);
      assert.ok(!Array.isArray(configOf({ [slip]: '' }, machineWith({}))), 'empty counts as absent');
    }
});

const refused = (
  'TURNPIKE_PORTS TURNPIKE_MODE TURNPIKE_LOG_LEVEL MASTER_KEYFILE MASTER_KEY_OLD THREEDS_FILE PORT_FILE HOST_FILE ' +
  'DATABSE_URL LOGLEVEL BACKOFICE_PORT CONECTIONS_PER_ADRESS_MAX PEER_URLS TLS_CERTS OTEL_SERVICENAME DATABASE_URL_FILES'
).split(' ');

test('names that were meant as settings are refused, with the nearest one', () => {
  for (const name of refused) assert.match(nameFault(name, '1') ?? 'accepted', /^is no setting; [A-Za-z_ ;,]+$/, name);
  assert.equal(nameFault('TURNPIKE_PORT', 'tcp://10.0.0.1:80'), null, 'the link of a service');
  assert.notEqual(nameFault('TURNPIKE_PORT', '8080'), null);
});

for (const [where, env] of Object.entries(environments))
  test(`an environment as of ${where} does not stop a start, and no name in it has a fault`, () => {
    for (const [name, text] of Object.entries(env)) assert.equal(nameFault(name, text), null, name);
    assert.ok('port' in configOf(env, machineWith({})), String(configOf(env, machineWith({}))));
  });

test('links to services that are named like our settings neither stop a start nor set anything', () => {
  assert.ok(servicesLikeOurs.length > 60 && servicesLikeOurs.includes('tls') && servicesLikeOurs.includes('backoffice'));
  const plain = configOf({}, machineWith({}));
  for (const service of servicesLikeOurs) {
    const { lookups: _, ...config } = configOf(serviceLinks(service), machineWith({})) as Config;
    const { lookups: __, ...expected } = plain as Config;
    assert.deepEqual(config, expected, service);
  }
});

test('a name that only begins like settings is told, and names of every environment are not', () => {
  const told = (env: Readonly<Record<string, string>>) => doubtfulNames(env).map((line) => line.split(':', 1)[0]);
  assert.deepEqual(doubtfulNames({ RISK_LEVEL: 'high' }), ['RISK_LEVEL: is no setting; the nearest is RISK_BINS_FILE']);
  assert.deepEqual(
    told({ TLS_PORT: '8443', BACKUP_DIR: '/x', WEBHOOK_URL: 'x', TURNPIKE_MODE: '1', LOG_LEVEL: 'x', BACKUP_CRON: '' }),
    ['TLS_PORT', 'BACKUP_DIR', 'WEBHOOK_URL'],
  );
  const { 'Docker compose and what stands beside': _, 'GitLab CI and Jenkins': __, ...usual } = environments;
  for (const [where, env] of Object.entries(usual)) assert.deepEqual(told(env), [], where);
});
