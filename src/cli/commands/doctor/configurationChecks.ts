import { doubtfulNames } from '../../../config/settings.ts';
import { bytesText, type Check, type Exam, findings } from './check.ts';

const isLoopbackHost = (host: string): boolean => /^(?:localhost|127\.|\[?::1)/.test(host);

/** The hosts of a database URL, without its password. */
const databaseHosts = (url: string): readonly string[] =>
  (/^[a-z]+:\/\/(?:[^@/]*@)?([^/]+)/.exec(url)?.[1] ?? '').split(',').map((host) => host.replace(/:\d+$/, ''));

/** Settings that are valid by themselves and do not go together. */
function contradictionsIn({ config, env, probes }: Omit<Exam, 'database'>): readonly (string | false)[] {
  const { publicUrl, tls, trustProxy, databaseUrl, dataDir, environment, backOfficePort, port } = config;
  return [
    Boolean(publicUrl?.startsWith('https:')) &&
      tls === null &&
      trustProxy === false &&
      'PUBLIC_URL is https, and neither TLS_CERT nor TRUST_PROXY is set: shoppers cannot reach it.',
    Boolean(publicUrl?.startsWith('http:')) && tls !== null && 'PUBLIC_URL is http although TLS_CERT is set.',
    environment === 'live' && publicUrl === null && 'PUBLIC_URL is not set: links follow the Host header of each request.',
    databaseUrl !== null &&
      (probes.file(`${dataDir}/turnpike.db`)?.bytes ?? 0) > 0 &&
      `DATABASE_URL is set and ${dataDir}/turnpike.db has data: the gateway ignores that file.`,
    port !== 0 && port === backOfficePort && 'PORT and BACKOFFICE_PORT are the same.',
    Boolean(env.INSPECT_DAYS || env.INSPECT_CALLS_MAX) &&
      config.inspect === null &&
      'INSPECT_DAYS or INSPECT_CALLS_MAX is set, and INSPECT is off.',
  ];
}

/** An authority without a mode means the strictest one. */
function isEncrypted(url: string): boolean {
  const mode = /[?&]sslmode=([\w-]+)/.exec(url)?.[1];
  return mode === undefined ? /[?&]sslrootcert=/.test(url) : ['require', 'verify-ca', 'verify-full'].includes(mode);
}

/** Settings that are allowed in live and seldom meant. */
function liveDoubtsIn({ config, env }: Omit<Exam, 'database'>): readonly (string | false)[] {
  if (config.environment !== 'live') return [];
  return [
    ['trace', 'debug'].includes(config.logLevel) && `LOG_LEVEL is ${config.logLevel}: the log grows with every request.`,
    config.inspect !== null && 'INSPECT is on: masked requests of shoppers are stored.',
    config.databaseUrl !== null &&
      databaseHosts(config.databaseUrl).some((host) => !isLoopbackHost(host)) &&
      !isEncrypted(config.databaseUrl) &&
      'DATABASE_URL names another host without sslmode=require: payments cross the network in clear.',
    Boolean(env.MASTER_KEY) && 'MASTER_KEY is in the environment, which other processes of this user can read.',
  ];
}

export const configurationChecks: readonly Check[] = [
  {
    id: 'configuration.faults',
    looksAt: 'every setting, as a start reads it, and names that look like settings and are none',
    severity: 'error',
    remedy: 'correct the setting that the line names; the gateway does not start before',
    needs: 'environment',
    find: async ({ faults }) => findings(...faults),
  },
  {
    id: 'configuration.names',
    looksAt: 'environment variables that begin like settings and are none',
    severity: 'note',
    remedy: 'correct the name; if the variable is of another program, all is well',
    needs: 'environment',
    find: async ({ env }) => findings(...doubtfulNames(env)),
  },
  {
    id: 'configuration.contradictions',
    looksAt: 'settings that do not go together',
    severity: 'warning',
    remedy: 'set both as they are meant, or unset one',
    needs: 'configuration',
    find: async (exam) => findings(...contradictionsIn(exam)),
  },
  {
    id: 'configuration.live',
    looksAt:
      'settings that are seldom meant in live: log level, inspector, unencrypted database connection, key in the environment',
    severity: 'warning',
    remedy: 'unset LOG_LEVEL and INSPECT, add sslmode=require to DATABASE_URL, use MASTER_KEY_FILE',
    needs: 'configuration',
    find: async (exam) => findings(...liveDoubtsIn(exam)),
  },
  {
    id: 'configuration.openFiles',
    looksAt: 'whether the limit of open files allows CONNECTIONS_MAX connections',
    severity: 'warning',
    remedy: 'LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536',
    needs: 'configuration',
    find: async ({ config, probes }) => {
      const most = probes.openFilesMax();
      const isFew = most !== null && most < config.connectionsMax + 200;
      return findings(isFew && `This user may open ${most} files, CONNECTIONS_MAX is ${config.connectionsMax}.`);
    },
  },
];

const [SPACE_MIN, SPACE_LOW] = [512e6, 2e9];
const SYNC_SLOW_MS = 25;

/** The folder on the disk of the data; null while it does not exist. */
const dataFolder = ({ config, probes }: Omit<Exam, 'database'>): string | null =>
  probes.file(config.dataDir)?.isFolder ? config.dataDir : null;

export const diskChecks: readonly Check[] = [
  {
    id: 'data.permissions',
    looksAt: 'owner and mode of DATA_DIR and of the database files in it',
    severity: 'error',
    remedy: 'chmod -R go= "$DATA_DIR" && chown -R turnpike "$DATA_DIR"',
    needs: 'configuration',
    find: async ({ config: { dataDir }, probes }) =>
      ['', '/turnpike.db', '/turnpike.db-wal', '/master.key'].flatMap((name) => {
        const path = `${dataDir}${name}`;
        const file = probes.file(path);
        if (file === null) return [];
        const mode = file.mode.toString(8).padStart(3, '0');
        return findings(
          (file.mode & 0o077) !== 0 && `${path} can be used by other users (mode ${mode}).`,
          probes.uid !== null && probes.uid !== 0 && file.uid !== probes.uid && `${path} belongs to another user (${file.uid}).`,
        );
      }),
  },
  {
    id: 'disk.full',
    looksAt: 'free space for the data: less than 512 MB',
    severity: 'error',
    remedy: 'free space, or enlarge the disk: without it payments are answered with 503',
    needs: 'configuration',
    find: async (exam) => {
      const folder = dataFolder(exam);
      if (folder === null) return [];
      const { freeBytes } = exam.probes.disk(folder);
      return findings(freeBytes < SPACE_MIN && `The disk of ${folder} has ${bytesText(freeBytes)} left.`);
    },
  },
  {
    id: 'disk.space',
    looksAt: 'free space for the data: less than 2 GB, or than the size of the database',
    severity: 'warning',
    remedy: 'enlarge the disk before it is full: df -h "$DATA_DIR"',
    needs: 'configuration',
    find: async (exam) => {
      const folder = dataFolder(exam);
      if (folder === null) return [];
      const { freeBytes } = exam.probes.disk(folder);
      const used = exam.probes.file(`${folder}/turnpike.db`)?.bytes ?? 0;
      const isLow = freeBytes >= SPACE_MIN && freeBytes < Math.max(SPACE_LOW, used);
      return findings(isLow && `The disk of ${folder} has ${bytesText(freeBytes)} left; the database has ${bytesText(used)}.`);
    },
  },
  {
    id: 'disk.memory',
    looksAt: 'whether DATA_DIR is on a file system in memory',
    severity: 'error',
    remedy: 'DATA_DIR=/var/lib/turnpike, or any folder on a disk',
    needs: 'configuration',
    find: async (exam) => {
      const folder = dataFolder(exam);
      const isLost = folder !== null && exam.config.databaseUrl === null && exam.probes.disk(folder).isInMemory;
      return findings(isLost && `${folder} is in memory: a restart of the machine loses every payment.`);
    },
  },
  {
    id: 'disk.fsync',
    looksAt: 'the median time of a write of 4 KiB that reaches the disk of DATA_DIR: more than 25 ms',
    severity: 'warning',
    remedy: 'move DATA_DIR to a disk with a write cache that survives a power cut, or to local NVMe',
    needs: 'configuration',
    find: async (exam) => {
      const folder = exam.config.databaseUrl === null ? dataFolder(exam) : null;
      if (folder === null) return [];
      const ms = exam.probes.syncMs(folder);
      return findings(ms > SYNC_SLOW_MS && `A write to the disk of ${folder} takes ${Math.round(ms)} ms.`);
    },
  },
];

export const timeChecks: readonly Check[] = [
  {
    id: 'time.synchronised',
    looksAt: 'whether the system keeps its clock by NTP (timedatectl)',
    severity: 'warning',
    remedy: 'timedatectl set-ntp true',
    needs: 'environment',
    find: async ({ probes }) =>
      findings((await probes.isClockSynchronised()) === false && 'The clock of this machine is not synchronised.'),
  },
  {
    id: 'time.zone',
    looksAt: 'a time zone in TZ that the runtime does not know: times would silently be UTC',
    severity: 'note',
    remedy: 'TZ=UTC, or a name such as Europe/Berlin',
    needs: 'environment',
    find: async ({ env, probes }) => {
      const zone = env.TZ?.replace(/^:/, '') ?? '';
      const isUnknown = zone !== '' && !/^(?:UTC|GMT|Etc\/.*)$/i.test(zone) && /^(?:UTC|Etc\/Unknown)$/.test(probes.timeZone());
      return findings(isUnknown && `TZ is ${JSON.stringify(zone)}, which this system does not know.`);
    },
  },
];
