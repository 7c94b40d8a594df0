import { createSecureContext } from 'node:tls';
import { createLookups, createSandboxLookups, emptyLookups, parseBins, parseNetworks } from '../risk/lookups/lookups.ts';
import { type FileFaults, isFaulty } from '../risk/lookups/ranges.ts';
import type { Lookups } from '../risk/ports.ts';
import { defaultRetention, type RetentionDays, retention } from '../spec/retention.ts';
import { UNSENT_SECONDS, UNSENT_SECONDS_MAX } from '../spec/routing.ts';
import { withParameter } from '../store/postgres/address.ts';
import {
  asksForCertificates,
  clientAuthorities,
  connectionsIn,
  type LiveConnections,
  tlsSetupFaults,
} from '../threeds/live/connection.ts';
import { type BackupSettings, backupFaults, readBackup } from './backup.ts';
import { COMMAND_MS_MAX, type Machine } from './machine.ts';
import {
  adminToken,
  bytes,
  databaseUrl,
  fault,
  host,
  isFault,
  nodeName,
  oneOf,
  peerUrl,
  port,
  portOrOff,
  privateHosts,
  publicUrl,
  quoted,
  retentionDays,
  type SettingReader,
  trustProxy,
  wholeFrom,
} from './readers.ts';
import { isServiceLink, nameFaults, type SecretName, type SettingName, secretNames, secretPathNames } from './settings.ts';
import { readTelemetry, type TelemetrySettings } from './telemetry.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Everything an operator can set, read from the environment once. */
export type Config = {
  readonly port: number;
  readonly host: string;
  /** Of the back office; null: there is none. */
  readonly backOfficePort: number | null;
  /** The threads that answer requests. */
  readonly threads: number;
  /** The origin under which browsers know the gateway; null: the one that a request came by. */
  readonly publicUrl: string | null;
  readonly dataDir: string;
  /** Stands in the ids of this node's checkouts. */
  readonly nodeName: string;
  /** The address at which other nodes reach this one; null: it hands over nothing and takes over nothing. */
  readonly peerUrl: string | null;
  readonly databaseUrl: string | null;
  /** A standby for reads of the back office, and how far behind it may be; null: there is none. */
  readonly replica: { readonly url: string; readonly lagMsMax: number } | null;
  readonly environment: 'test' | 'live';
  readonly logLevel: LogLevel;
  /** `clientCa`: clients are asked for a certificate, and these authorities are named to them; none of them needs one. */
  readonly tls: { readonly cert: string; readonly key: string; readonly clientCa?: readonly string[] } | null;
  /** The trusted sources of forwarding headers: none, the one proxy in front, or the listed addresses and networks. */
  readonly trustProxy: boolean | readonly string[];
  /** Connections of clients at one port, and of one address that is no proxy. */
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  /** How long a gateway that was asked to end reports that it is not ready, and still serves requests. */
  readonly drainSeconds: number;
  /** Null in the test environment when none is set: one is then kept beside the data. */
  readonly masterKey: Uint8Array | null;
  /** Older keys, which only open while the master key is rotated. */
  readonly previousMasterKeys: readonly Uint8Array[];
  /** Lookups of BINs and network addresses: from the operator's files, or a few examples in a test environment without any. */
  readonly lookups: Lookups;
  /** The directory servers of the schemes; null: there are none. */
  readonly threeDS: LiveConnections | null;
  /** SHA-256 of the token by which the operator administers; null: there is none. The token itself is not kept. */
  readonly operatorHash: Uint8Array | null;
  /** Whom webhooks may be: `loopback` this machine too. */
  readonly webhookReach: 'loopback' | 'public';
  /** Calls of the API are kept for developers so long, so many of each merchant; null: none. */
  readonly inspect: { readonly days: number; readonly callsMax: number } | null;
  /** How many days data are kept. */
  readonly retention: RetentionDays;
  /** A list of lost passwords beside our own; null: there is none. */
  readonly breachedPasswordsFile: string | null;
  /** Images of payment brands instead of our badges, one file for each; null: none. */
  readonly brandImagesDir: string | null;
  /** Where acquirers' files are laid down, a folder for each entity; null: nowhere. */
  readonly settlementDir: string | null;
  /** The folder in which accounts put files for banks. */
  readonly deliveryDir: string | null;
  /** The size limit of a settlement file. */
  readonly settlementBytesMax: number;
  /** Hosts inside the operator's network that connectors may reach, with or without a port. */
  readonly connectorHosts: readonly string[];
  /** How long a payment may wait, over all its accounts, until a request that can book it has left. */
  readonly unsentSeconds: number;
  readonly backup: BackupSettings;
  /** Null: no traces. */
  readonly telemetry: TelemetrySettings | null;
};

/** The supervisor (scripts/run.mjs) waits as long. */
const DRAIN_SECONDS_MAX = 300;
const THREADS_MAX = 64;
/** Each thread needs memory of its own: more than these are for an operator to decide. */
const THREADS_DEFAULT_MAX = 16;

/** One core is left to the threads that write, and to the system. */
const defaultThreads = ({ cores, sharesPorts }: Machine): number =>
  sharesPorts ? Math.min(Math.max(1, cores - 1), THREADS_DEFAULT_MAX) : 1;

type Env = Readonly<Record<string, string | undefined>>;
const KEY_FORM = 'must be 32 bytes, as 64 hex digits or as base64';

/** The value is never repeated: it is the key. */
export const masterKey: SettingReader<Uint8Array> = (text) => {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return Buffer.from(text, 'base64');
  return fault(KEY_FORM);
};

/** Several keys, separated by commas or line breaks. */
const masterKeys: SettingReader<readonly Uint8Array[]> = (text) => {
  const keys = text.split(/[\s,]+/).flatMap((part) => (part === '' ? [] : [masterKey(part)]));
  return keys.find(isFault) ?? (keys.length === 0 ? fault(KEY_FORM) : (keys as readonly Uint8Array[]));
};

/** Reads a file, then its content. */
const inFile =
  <Value>(machine: Machine, reader: (text: string, path: string) => ReturnType<SettingReader<Value>>): SettingReader<Value> =>
  (path) => {
    let text: string;
    try {
      text = machine.readText(path);
    } catch (error) {
      return fault(`${quoted(path)} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
    }
    return reader(text, path);
  };

const pem = (machine: Machine): SettingReader<string> =>
  inFile<string>(machine, (text, path) => (text.includes('-----BEGIN ') ? text : fault(`${quoted(path)} is not a PEM file`)));

/** Reads a table of ranges, or returns its faulty lines. */
const tableIn = <Table extends object>(machine: Machine, parse: (text: string) => Table | FileFaults): SettingReader<Table> =>
  inFile<Table>(machine, (text, path) => {
    const parsed = parse(text);
    return isFaulty(parsed) ? fault(`${quoted(path)} ${parsed.faults.join('; ')}`) : parsed;
  });

const connections = (machine: Machine): SettingReader<LiveConnections> =>
  inFile<LiveConnections>(machine, (text, path) => {
    const found = connectionsIn(text, machine.readText);
    return 'networks' in found ? found : fault(`${quoted(path)} ${found.join('; ')}`);
  });

/** The fault of a file or program without a valid secret never repeats its content. */
const heldSecret = <Value>(text: string, reader: SettingReader<Value>): ReturnType<SettingReader<Value>> => {
  const value = reader(text.trim());
  return isFault(value) ? fault(`what it gives ${value.fault}`) : value;
};

const fromCommand =
  (machine: Machine): SettingReader<Uint8Array> =>
  (command) => {
    const [program, ...words] = wordsOf(command) ?? [];
    if (program === undefined) return fault('is not a program with arguments; check its quotation marks');
    try {
      return heldSecret(machine.printed(program, words), masterKey);
    } catch (error) {
      const { code, status } = error as { readonly code?: string; readonly status?: number | null };
      if (code === 'ETIMEDOUT') return fault(`${quoted(program)} gave no key within ${COMMAND_MS_MAX / 1_000} seconds`);
      return fault(`${quoted(program)} ${typeof status === 'number' ? `ended with code ${status}` : `cannot be run (${code})`}`);
    }
  };

/** Words between blanks; quotation marks keep blanks together. Null when one is not closed. There is no shell and none of its signs. */
function wordsOf(command: string): readonly string[] | null {
  if (!/^(?:\s*(?:"[^"]*"|'[^']*'|[^\s"']+)(?=\s|$))+\s*$/.test(command)) return null;
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(([, one, two, three]) => one ?? two ?? three ?? '');
}

type ReadSetting = <Value, Otherwise>(name: SettingName, reader: SettingReader<Value>, otherwise: Otherwise) => Value | Otherwise;

function readReplica(url: string | null, read: ReadSetting, passfile: string | undefined): Config['replica'] {
  const lagMsMax = 1_000 * read('REPLICA_LAG_SECONDS', wholeFrom(1, 3_600), 10);
  return url === null ? null : { url: passfile ? withParameter(url, 'passfile', passfile) : url, lagMsMax };
}

function readInspection(read: ReadSetting, environment: Config['environment']): Config['inspect'] {
  const { days, range } = retention.calls;
  const kept = {
    days: read('INSPECT_DAYS', wholeFrom(...range), days),
    callsMax: read('INSPECT_CALLS_MAX', wholeFrom(1, 10_000_000), 100_000),
  };
  return read('INSPECT', oneOf(['on', 'off'] as const), environment === 'live' ? 'off' : 'on') === 'on' ? kept : null;
}

/** The configuration, or every fault in a line of its own, so that an operator can fix all of them together. */
export function configOf(env: Env, machine: Machine): Config | readonly string[] {
  const faults: string[] = [];
  const readNamed = <Value, Otherwise>(name: string, reader: SettingReader<Value>, otherwise: Otherwise): Value | Otherwise => {
    const text = env[name];
    const isUnset = text === undefined || text === '' || isServiceLink(name, text);
    const value = isUnset ? otherwise : reader(text);
    if (!isFault(value)) return value;
    faults.push(`${name}: ${value.fault}`);
    return otherwise;
  };
  const read: ReadSetting = readNamed;
  /** From the file of a secret. */
  const readHeld = <Value, Otherwise>(name: SecretName, reader: SettingReader<Value>, otherwise: Otherwise) =>
    readNamed(
      `${name}_FILE`,
      inFile<Value>(machine, (text) => heldSecret(text, reader)),
      otherwise,
    );
  /** From the environment, or from a file that it names. */
  const readSecret = <Value>(name: SecretName, reader: SettingReader<Value>): Value | null =>
    read(name, reader, null) ?? readHeld(name, reader, null);
  const environment = read('ENVIRONMENT', oneOf(['test', 'live'] as const), 'test' as const);
  const bins = read('RISK_BINS_FILE', tableIn(machine, parseBins), null);
  const networks = read('RISK_NETWORKS_FILE', tableIn(machine, parseNetworks), null);
  const threeDS = read('THREEDS_DIRECTORY_FILE', connections(machine), null);
  const nodeNamed = read('NODE_NAME', nodeName, 'node1');
  const config: Config = {
    port: read('PORT', port, 8080),
    host: read('HOST', host, '127.0.0.1'),
    backOfficePort: read('BACKOFFICE_PORT', portOrOff, 8081),
    threads: read('THREADS', wholeFrom(1, THREADS_MAX), defaultThreads(machine)),
    publicUrl: read('PUBLIC_URL', publicUrl, null),
    dataDir: read('DATA_DIR', (text) => text, './data'),
    nodeName: nodeNamed,
    peerUrl: read('PEER_URL', peerUrl, null),
    databaseUrl: withFiles(readSecret('DATABASE_URL', databaseUrl), env),
    replica: readReplica(readSecret('DATABASE_REPLICA_URL', databaseUrl), read, env.PGPASSFILE),
    environment,
    logLevel: read('LOG_LEVEL', oneOf(logLevels), environment === 'live' ? 'info' : 'warn'),
    tls: tlsOf(read('TLS_CERT', pem(machine), null), read('TLS_KEY', pem(machine), null), threeDS),
    trustProxy: read('TRUST_PROXY', trustProxy, false),
    connectionsMax: read('CONNECTIONS_MAX', wholeFrom(10, 100_000), 10_000),
    connectionsPerAddressMax: read('CONNECTIONS_PER_ADDRESS_MAX', wholeFrom(1, 100_000), 500),
    drainSeconds: read('DRAIN_SECONDS', wholeFrom(0, DRAIN_SECONDS_MAX), 0),
    masterKey: readSecret('MASTER_KEY', masterKey) ?? read('MASTER_KEY_COMMAND', fromCommand(machine), null),
    previousMasterKeys: [...read('MASTER_KEY_PREVIOUS', masterKeys, []), ...readHeld('MASTER_KEY_PREVIOUS', masterKeys, [])],
    lookups: bins || networks ? createLookups({ bins, networks }) : lookupsWithoutFiles(environment),
    threeDS,
    operatorHash: readSecret('ADMIN_TOKEN', adminToken),
    inspect: readInspection(read, environment),
    retention: read('RETENTION_DAYS', retentionDays, defaultRetention),
    breachedPasswordsFile: read('BREACHED_PASSWORDS_FILE', (text) => text, null),
    brandImagesDir: read('BRAND_IMAGES_DIR', (text) => text, null),
    settlementDir: read('SETTLEMENT_DIR', (text) => text, null),
    deliveryDir: read('DELIVERY_DIR', (text) => text, null),
    settlementBytesMax: read('SETTLEMENT_BYTES_MAX', bytes, 536_870_912),
    connectorHosts: read('CONNECTOR_PRIVATE_HOSTS', privateHosts, []),
    unsentSeconds: read('UNSENT_SECONDS', wholeFrom(1, UNSENT_SECONDS_MAX), UNSENT_SECONDS),
    backup: readBackup({ read, readSecret }, { key: masterKey, pem: pem(machine) }),
    telemetry: readTelemetry({ read, readSecret }, { environment, nodeName: nodeNamed }),
    webhookReach: read('WEBHOOK_REACH', oneOf(['loopback', 'public'] as const), environment === 'live' ? 'public' : 'loopback'),
  };
  faults.push(...joinedFaults(env, machine, config));
  if (environment === 'live') faults.push(...liveFaults(env, machine), ...openFileFaults(env, machine));
  return faults.length > 0 ? faults : config;
}

/** The faults of settings that do not fit together. */
const joinedFaults = (env: Env, machine: Machine, config: Config): readonly string[] => [
  ...nameFaults(env),
  ...twiceFaults(env),
  ...threadFaults(config, machine),
  ...tlsFaults(env, config.tls),
  ...[...keyFaults(env, config), ...threeDSFaults(env, config)],
  ...backupFaults(config.backup),
];

const lookupsWithoutFiles = (environment: Config['environment']): Lookups =>
  environment === 'test' ? createSandboxLookups() : emptyLookups;

/** Names the files that are read again for each connection: a rotated password needs no restart. */
function withFiles(url: string | null, { DATABASE_URL_FILE: source, PGPASSFILE: passfile }: Env): string | null {
  if (url === null) return null;
  const sourced = source ? withParameter(url, 'urlfile', source) : url;
  return passfile ? withParameter(sourced, 'passfile', passfile) : sourced;
}

const threadFaults = ({ threads }: Config, { sharesPorts }: Machine): readonly string[] =>
  threads > 1 && !sharesPorts ? ['THREADS: on this system threads cannot share a port; leave it out, or set it to 1'] : [];

/** Keys are added up while they are rotated, and the master key has a third source. */
const twiceFaults = (env: Env): readonly string[] =>
  secretNames
    .filter((name) => name !== 'MASTER_KEY' && name !== 'MASTER_KEY_PREVIOUS' && env[name] && env[`${name}_FILE`])
    .map((name) => `${name}_FILE: ${name} is set too; it comes from one place`);

/** Files with secrets that every user of the machine can read. */
const openFileFaults = (env: Env, machine: Machine): readonly string[] =>
  secretPathNames.flatMap((name) => {
    const path = env[name];
    const mode = path ? (machine.modeOf(path) ?? 0) & 0o777 : 0;
    const says = `${name}: ${quoted(path ?? '')} can be read by every user of this machine (mode ${mode.toString(8)}); use chmod 600 or 640`;
    return (mode & 0o004) === 0 ? [] : [says];
  });

function tlsOf(cert: string | null, key: string | null, threeDS: LiveConnections | null): Config['tls'] {
  if (cert === null || key === null) return null;
  return threeDS && asksForCertificates(threeDS) ? { cert, key, clientCa: clientAuthorities(threeDS) } : { cert, key };
}

const threeDSFaults = (env: Env, { threeDS, trustProxy: trusted }: Config): readonly string[] =>
  (threeDS ? tlsSetupFaults(threeDS, { endsTls: Boolean(env.TLS_CERT), knowsProxies: typeof trusted !== 'boolean' }) : []).map(
    (says) => `THREEDS_DIRECTORY_FILE: ${says}`,
  );

function tlsFaults(env: Env, tls: Config['tls']): readonly string[] {
  if (!env.TLS_CERT !== !env.TLS_KEY)
    return [`${env.TLS_CERT ? 'TLS_KEY' : 'TLS_CERT'}: is missing; certificate and key go together`];
  if (tls === null) return /^https:/i.test(env.PEER_URL ?? '') ? ['PEER_URL: https needs TLS_CERT and TLS_KEY'] : [];
  try {
    createSecureContext({ cert: tls.cert, key: tls.key });
    return [];
  } catch {
    return ['TLS_CERT: the certificate and the key of TLS_KEY do not belong together, or one of them is damaged'];
  }
}

const keySources = ['MASTER_KEY', 'MASTER_KEY_FILE', 'MASTER_KEY_COMMAND'] as const;

function keyFaults(env: Env, { masterKey: current, previousMasterKeys }: Config): readonly string[] {
  const given = keySources.filter((name) => env[name]);
  if (given.length > 1) return [`${given[1]}: ${given[0]} is set too; the master key comes from one place`];
  const isSame = current !== null && previousMasterKeys.some((key) => Buffer.compare(key, current) === 0);
  return isSame ? ['MASTER_KEY_PREVIOUS: is the same key as the current one'] : [];
}

/** Requirements of the live environment. Sandbox credentials are checked after the store is open. */
function liveFaults(env: Env, machine: Machine): readonly string[] {
  const isProxied = (env.TRUST_PROXY || 'false') !== 'false';
  const refusals: [isWrong: boolean, says: string][] = [
    [
      !env.TLS_CERT && !env.TLS_KEY && !isProxied,
      'TLS_CERT: is missing; live needs TLS_CERT and TLS_KEY, or TRUST_PROXY when a proxy ends TLS',
    ],
    [
      env.TRUST_PROXY === 'true' || /\/0+(?:\s*,|\s*$)/.test(env.TRUST_PROXY ?? ''),
      'TRUST_PROXY: live believes listed proxies only; set their addresses or networks, such as 10.0.0.5 or 10.0.0.0/24',
    ],
    [keySources.every((name) => !env[name]), 'MASTER_KEY: is missing; live needs a key that is kept outside the database'],
    [/^http:/i.test(env.PUBLIC_URL ?? ''), 'PUBLIC_URL: live is reached by https'],
    [env.WEBHOOK_REACH === 'loopback', 'WEBHOOK_REACH: live calls nobody on this machine'],
    [machine.uid === 0, 'ENVIRONMENT: live does not run as root'],
  ];
  return refusals.flatMap(([isWrong, says]) => (isWrong ? [says] : []));
}
