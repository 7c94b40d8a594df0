import { defaultRetention, retention } from '../spec/retention.ts';
import { UNSENT_SECONDS, UNSENT_SECONDS_MAX } from '../spec/routing.ts';

/** Every setting as a row, for reading the environment and for docs/settings.md. */

/**
 * `secret`: may also be read from a file, which `NAME_FILE` names. `secretPath`: names a file that holds a secret. Live refuses such files when
 * every user of the machine can read them.
 */
export type Setting = {
  readonly kind?: 'secret' | 'secretPath';
  /** The default, in words for the page. */
  readonly otherwise: string;
  readonly means: string;
};

export const settings = {
  PORT: { otherwise: '8080', means: 'port to listen on; 0 is any free one, and the start prints which' },
  HOST: { otherwise: '127.0.0.1', means: 'address to listen on' },
  BACKOFFICE_PORT: { otherwise: '8081', means: 'port of the back office; `off`: none' },
  THREADS: {
    otherwise: 'cores − 1, at least 1, at most 16',
    means: 'threads that answer requests, 1 to 64; they share the port: [docs/operations.md](operations.md)',
  },
  PUBLIC_URL: {
    otherwise: 'from each request',
    means:
      'the public address, such as `https://pay.example`, if a proxy passes on another host name: origin of widget, redirects and 3D Secure',
  },
  NODE_NAME: { otherwise: 'node1', means: "part of the ids of this node's checkouts" },
  PEER_URL: {
    otherwise: '–',
    means:
      'address with a port at which other nodes reach this one, such as `http://10.0.0.11:8090`: it listens there and takes over open 3D Secure authentications of nodes that end: [docs/scale.md](scale.md)',
  },
  DATA_DIR: { otherwise: './data', means: 'the SQLite database, and in test the master key' },
  DATABASE_URL: {
    kind: 'secret',
    otherwise: '–',
    means:
      '`postgres://…` for PostgreSQL instead; several hosts for failover, TLS and poolers: [docs/scale.md](scale.md). The file is read again for each connection',
  },
  DATABASE_REPLICA_URL: {
    kind: 'secret',
    otherwise: '–',
    means:
      'a standby of `DATABASE_URL`: searches, lists, statistics and exports of the back office are read there: [docs/scale.md](scale.md#reads-from-a-replica)',
  },
  REPLICA_LAG_SECONDS: { otherwise: '10', means: 'a replica that is further behind is not read, 1 to 3600' },
  PGPASSFILE: {
    kind: 'secretPath',
    otherwise: '–',
    means: 'file with the password of the database, as `.pgpass`; read again for each connection',
  },
  ENVIRONMENT: { otherwise: 'test', means: '`test` or `live`' },
  LOG_LEVEL: { otherwise: 'warn in test, info in live', means: 'trace, debug, info, warn, error, fatal, silent' },
  TLS_CERT: { otherwise: '–', means: 'PEM file with the certificate and its chain; together with `TLS_KEY`' },
  TLS_KEY: { kind: 'secretPath', otherwise: '–', means: 'PEM file with the private key' },
  TRUST_PROXY: {
    otherwise: 'false',
    means:
      'comma-separated addresses and networks of TLS-terminating proxies; `true` (only in test): trust the connecting address. `live` needs the list',
  },
  CONNECTIONS_MAX: { otherwise: '10000', means: 'client connections per port' },
  CONNECTIONS_PER_ADDRESS_MAX: {
    otherwise: '500',
    means: 'client connections per address (IPv6: per /64), except listed proxies and this machine',
  },
  DRAIN_SECONDS: {
    otherwise: '0',
    means:
      'after SIGTERM: seconds in which `/health/ready` answers 503 and requests are still served, so that a load balancer notices, 0 to 300: [docs/scale.md](scale.md)',
  },
  MASTER_KEY: {
    kind: 'secret',
    otherwise: 'generated in test',
    means: '32 bytes as 64 hex digits or base64; never stored in the database',
  },
  MASTER_KEY_COMMAND: { otherwise: '–', means: 'a command that prints the master key, instead of `MASTER_KEY`' },
  MASTER_KEY_PREVIOUS: { kind: 'secret', otherwise: '–', means: 'the previous key, during a rotation' },
  RISK_BINS_FILE: {
    otherwise: 'examples in test',
    means: 'CSV file with the countries of cards (`from,to,country,type,bank,level,regulated,phone,website`)',
  },
  RISK_NETWORKS_FILE: { otherwise: 'examples in test', means: 'CSV file with the countries of IP addresses (`cidr,country`)' },
  THREEDS_DIRECTORY_FILE: {
    otherwise: '–',
    means: "JSON file with the connections to the schemes' directory servers, for live",
  },
  BRAND_IMAGES_DIR: {
    otherwise: '–',
    means: 'folder with your own images of payment brands for the widget, such as `VISA.svg` or `MASTER.png`',
  },
  SETTLEMENT_DIR: { otherwise: '–', means: "folder for acquirers' files, with one subfolder per entity" },
  SETTLEMENT_BYTES_MAX: {
    otherwise: '536870912',
    means: 'maximum size in bytes of a file sent to `POST /admin/v1/settlements`',
  },
  DELIVERY_DIR: {
    otherwise: '–',
    means:
      'folder in which accounts put files for banks, with one subfolder per account, `<entityId>.<account>`: [docs/connectors/sepa.md](connectors/sepa.md)',
  },
  CONNECTOR_PRIVATE_HOSTS: {
    otherwise: '–',
    means:
      'comma-separated hosts inside your network that connectors may call, such as `pay.internal` or `10.0.0.7:8443`; without it only public addresses',
  },
  UNSENT_SECONDS: {
    otherwise: String(UNSENT_SECONDS),
    means: `how long a payment may wait, over all its accounts, until a request that can book it has left, 1 to ${UNSENT_SECONDS_MAX}; then the next account is asked, or the payment is declined: [docs/connectors/routing.md](connectors/routing.md#how-long-a-shopper-waits)`,
  },
  ADMIN_TOKEN: {
    kind: 'secret',
    otherwise: '–',
    means: "the operator's token for `/admin/v1`, at least 32 characters; in live the only one that works there",
  },
  INSPECT: { otherwise: 'on in test', means: 'record masked API calls for the inspector: `on` or `off`' },
  INSPECT_DAYS: { otherwise: String(retention.calls.days), means: 'retention of recorded calls in days' },
  INSPECT_CALLS_MAX: { otherwise: '100000', means: 'maximum of recorded calls per merchant' },
  RETENTION_DAYS: {
    otherwise: Object.entries(defaultRetention)
      .map((pair) => pair.join('='))
      .join(','),
    means: 'how long data are kept, in days; what is not named keeps its default: [docs/retention.md](retention.md)',
  },
  BREACHED_PASSWORDS_FILE: {
    otherwise: '–',
    means: 'list of breached passwords that users may not choose: SHA-1 in hexadecimal, sorted, one per line',
  },
  BACKUP_TO: {
    otherwise: '–',
    means:
      'where the gateway puts backups: a folder, `sftp://user@host/folder` or `s3://bucket/prefix`: [docs/backup.md](backup.md)',
  },
  BACKUP_EVERY_HOURS: { otherwise: '24', means: 'time between two backups, 1 to 168' },
  BACKUP_KEEP: { otherwise: '7,4,12', means: 'how many days, weeks and months keep their last backup' },
  BACKUP_KEY: { kind: 'secret', otherwise: 'the master key', means: '32 bytes that encrypt backups instead' },
  BACKUP_S3_ENDPOINT: { otherwise: 'https://s3.REGION.amazonaws.com', means: 'an S3-compatible service' },
  BACKUP_S3_REGION: { otherwise: 'us-east-1', means: 'its region' },
  BACKUP_S3_ACCESS_KEY: { otherwise: '–', means: 'the access key for `s3://`' },
  BACKUP_S3_SECRET_KEY: { kind: 'secret', otherwise: '–', means: 'the secret key for `s3://`' },
  BACKUP_SFTP_HOST_KEY: { otherwise: '–', means: 'the fingerprint of the host for `sftp://`, such as `SHA256:…`' },
  BACKUP_SFTP_KEY_FILE: { kind: 'secretPath', otherwise: '–', means: 'PEM file with the private key for `sftp://`' },
  BACKUP_SFTP_PASSWORD: { kind: 'secret', otherwise: '–', means: 'the password for `sftp://`, instead of a key' },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    otherwise: '–',
    means:
      'collector of traces, such as `http://127.0.0.1:4318`; without it there are none: [docs/monitoring.md](monitoring.md#traces)',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { otherwise: 'the one above and `/v1/traces`', means: 'its whole address' },
  OTEL_EXPORTER_OTLP_PROTOCOL: { otherwise: 'http/json', means: '`http/json` is the only one' },
  OTEL_EXPORTER_OTLP_HEADERS: {
    kind: 'secret',
    otherwise: '–',
    means: 'headers for the collector, such as `x-api-key=…`, separated by commas',
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: { otherwise: '10000', means: 'milliseconds to wait for the collector' },
  OTEL_SERVICE_NAME: { otherwise: 'turnpike', means: 'name of the gateway in traces' },
  OTEL_RESOURCE_ATTRIBUTES: { otherwise: '–', means: 'further attributes of it, such as `region=eu,service.namespace=shop`' },
  OTEL_TRACES_SAMPLER: {
    otherwise: 'parentbased_always_on',
    means:
      '`always_on`, `always_off`, `traceidratio`, or one of them after `parentbased_`: the flag in a `traceparent` then decides first',
  },
  OTEL_TRACES_SAMPLER_ARG: { otherwise: '1', means: 'part of the traces that `traceidratio` records, 0 to 1' },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    otherwise: '2048',
    means: 'spans that may wait in each thread; more of them are dropped and counted',
  },
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: { otherwise: '512', means: 'spans of one request' },
  OTEL_BSP_SCHEDULE_DELAY: { otherwise: '5000', means: 'milliseconds between two requests' },
  OTEL_SDK_DISABLED: { otherwise: 'false', means: '`true`: no traces, whatever else is set' },
  WEBHOOK_REACH: {
    otherwise: 'loopback in test, public in live',
    means: '`loopback` allows webhooks and file servers on this machine; `live` refuses it',
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Table = typeof settings;
export type SettingName = keyof Table;
export type SecretName = { [N in SettingName]: Table[N] extends { readonly kind: 'secret' } ? N : never }[SettingName];

const rows = Object.entries<Setting>(settings);
export const secretNames = rows.flatMap(([name, { kind }]) => (kind === 'secret' ? [name as SecretName] : []));

/** The settings that name a file with a secret. */
export const secretPathNames: readonly string[] = rows.flatMap(([name, { kind }]) =>
  kind === 'secret' ? [`${name}_FILE`] : kind === 'secretPath' ? [name] : [],
);

/** The start script sets it. */
const INTERNAL = 'TURNPIKE_CALLED_FROM';

/** Every name that the environment may hold. */
export const knownNames: ReadonlySet<string> = new Set([
  ...Object.keys(settings),
  ...secretNames.map((name) => `${name}_FILE`),
  INTERNAL,
]);

/** A name of fewer letters is too near to too many others. */
const LENGTH_MIN = 7;
/** From this length on two slips make no other word. */
const LENGTH_OF_TWO = 16;
/** Prefixes that no other program uses. */
const OWN = /^(?:TURNPIKE|MASTER_KEY|THREEDS)_/;
/** Kubernetes sets these for every service of a namespace, whatever its name; `NAME_PORT` has an address as its value. */
const SERVICE = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;
/** Names of other programs that are two letters away from ours: the log records of OpenTelemetry, where ours are spans. */
const NEIGHBOURS = /^OTEL_BLRP_/;
/** First words that nearly every environment has. */
const COMMON: ReadonlySet<string> = new Set(['NODE', 'OTEL', 'LOG', 'DATA', 'PUBLIC', 'ADMIN', 'HOST', 'PORT', 'DATABASE']);

const firstWord = (name: string): string => name.split('_', 1)[0] ?? '';
const ownNames = [...knownNames].filter((name) => name !== INTERNAL);
/** Names of several words, by the first. */
const families: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  ownNames.filter((name) => name.includes('_')),
  firstWord,
);

/** Whether Kubernetes made the variable for a service. It may even have the name of a setting, as that of a service `backoffice` has. */
export const isServiceLink = (name: string, text: string): boolean =>
  SERVICE.test(name) || (name.endsWith('_PORT') && SERVICE_ADDRESS.test(text));

const isForeign = (name: string, text: string): boolean =>
  knownNames.has(name) || !/^[A-Z][A-Z0-9_]*$/.test(name) || isServiceLink(name, text) || NEIGHBOURS.test(name);

/**
 * The fault of a name that was meant as a setting, with the nearest one; null when it is one, or may be another program's. A misspelt name
 * would otherwise be a setting that has no effect. To begin like a setting is no fault: see decisions/0090.
 */
export function nameFault(name: string, text: string): string | null {
  if (isForeign(name, text)) return null;
  const plain = name.replace(/_FILE$/, '');
  if (plain !== name && knownNames.has(plain)) return `is no setting; ${plain} is one, and cannot stand in a file`;
  const [nearest, slips] = nearestOf(name, ownNames);
  const isNear = nearest.length >= LENGTH_MIN && slips <= (nearest.length >= LENGTH_OF_TWO ? 2 : 1);
  return isNear || OWN.test(name) ? `is no setting; the nearest is ${nearest}` : null;
}

/** A warning about a name that a start accepts although it looks like a setting and is none; null: no warning. */
function nameDoubt(name: string, text: string): string | null {
  if (isForeign(name, text) || nameFault(name, text) !== null) return null;
  const first = firstWord(name);
  const family = families.get(first);
  return name.includes('_') && family && !COMMON.has(first)
    ? `is no setting; the nearest is ${nearestOf(name, family)[0]}`
    : null;
}

function nearestOf(name: string, among: Iterable<string>): readonly [string, number] {
  let best: readonly [string, number] = ['', Number.POSITIVE_INFINITY];
  for (const known of among) {
    const slips = known.replaceAll('_', '') === name.replaceAll('_', '') ? 0 : slipsBetween(known, name);
    if (slips < best[1]) best = [known, slips];
  }
  return best;
}

/** Letters to insert, delete or exchange, and neighbours to swap. */
function slipsBetween(one: string, other: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const exchanged = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      const isSwapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const swapped = isSwapped ? (before[to - 2] ?? 0) + 1 : exchanged;
      next.push(Math.min(exchanged, swapped, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Names that look like settings and are none. An empty value counts as absent. */
export const nameFaults = (env: Env): readonly string[] => linesOf(env, nameFault);

/** Names that begin like settings and are none: perhaps another program's, perhaps a setting that was meant. */
export const doubtfulNames = (env: Env): readonly string[] => linesOf(env, nameDoubt);

const linesOf = (env: Env, says: (name: string, text: string) => string | null): readonly string[] =>
  Object.entries(env).flatMap(([name, text]) => {
    const line = text ? says(name, text) : null;
    return line === null ? [] : [`${name}: ${line}`];
  });
