import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** One of the hosts of a URL. */
export type Server = { readonly host: string; readonly port: number };

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const targets = ['any', 'read-write', 'read-only', 'primary', 'standby'] as const;
/**
 * The pooler between the gateway and the server. `transaction`: a pooler that gives each transaction any session of the server, and keeps
 * prepared statements for its clients (PgBouncer from 1.21 on). `unprepared`: one that does not keep them.
 */
const poolers = ['none', 'transaction', 'unprepared'] as const;

export type Target = (typeof targets)[number];
export type Pooler = (typeof poolers)[number];

/** The content of a `DATABASE_URL`, and of the files that it names. */
export type Address = {
  readonly servers: readonly Server[];
  /** Empty: that of the environment, or of the system. */
  readonly user: string;
  readonly database: string;
  readonly password: (server: Server) => string;
  /** As the driver takes it. */
  readonly ssl: false | 'prefer' | ConnectionOptions;
  readonly target: Target;
  readonly pooler: Pooler;
  /** Further parameters of the session. */
  readonly session: Readonly<Record<string, string>>;
};

/** The parameters that the gateway reads itself. Every other one is sent to the server. */
const ours = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'target_session_attrs',
  'passfile',
  'pooler',
  'urlfile',
  'dbname',
] as const;
type Name = (typeof ours)[number];

const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/\s]*)(?::(?<password>[^@/\s]*))?@)?(?<hosts>[^@/\s]+)\/(?<database>[^/?\s]+)(?:\?(?<query>\S*))?$/;
const HOST = /^(?:\[(?<six>[0-9A-Fa-f:.]+)\]|(?<name>[^:[\]]+))(?::(?<port>[0-9]{1,5}))?$/;
const PORT = 5432;

/** The fault of a URL, as the end of a sentence; null: none. Its value is never repeated: it holds a password. */
export function addressFault(url: string): string | null {
  const hosts = FORM.exec(url)?.groups?.hosts?.split(',') ?? [];
  if (hosts.length === 0 || hosts.some((host) => !HOST.test(host)))
    return 'must look like postgres://user:password@host:5432/database, several hosts with commas';
  const query = queryOf(url);
  const bad = (name: Name, values: readonly string[]) => {
    const value = query.get(name);
    return value === null || values.includes(value) ? null : `${name} is not one of ${values.join(', ')}`;
  };
  const certificate = query.has('sslcert') === query.has('sslkey') ? null : 'sslcert and sslkey go together';
  const faults = [bad('sslmode', sslModes), bad('target_session_attrs', targets), bad('pooler', poolers), certificate];
  return faults.find((fault) => fault !== null) ?? null;
}

/**
 * The URL with the file that it was read from (the file is read again for every connection), or with the name of another database of the
 * server, which takes the place of the one that the URL or its file names.
 */
export const withParameter = (url: string, name: 'urlfile' | 'passfile' | 'dbname', value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

/** Reads the URL and its files as they are now: a password or certificate that was replaced is used by the next connection. */
export function addressOf(url: string): Address {
  const path = queryOf(url).get('urlfile');
  const text = path === null ? url : (newest(path) ?? url);
  const { user = '', password, hosts = '', database = '' } = FORM.exec(text)?.groups ?? {};
  const query = queryOf(text);
  const own = { user: decodeURIComponent(user), database: decodeURIComponent(database) };
  const found: Omit<Address, 'password'> = {
    ...own,
    database: queryOf(url).get('dbname') ?? own.database,
    servers: hosts.split(',').map(serverOf),
    ssl: sslOf(query),
    target: (query.get('target_session_attrs') as Target | null) ?? (hosts.includes(',') ? 'read-write' : 'any'),
    pooler: (query.get('pooler') as Pooler | null) ?? 'none',
    session: Object.fromEntries([...query].filter(([key]) => !(ours as readonly string[]).includes(key))),
  };
  const passfile = query.get('passfile') ?? queryOf(url).get('passfile');
  const fromFile = (server: Server) => (passfile === null ? '' : passwordIn(readFileSync(passfile, 'utf8'), server, own));
  return { ...found, password: (server) => (password === undefined ? fromFile(server) : decodeURIComponent(password)) };
}

const queryOf = (url: string): URLSearchParams => new URLSearchParams(FORM.exec(url)?.groups?.query ?? '');

/** Null while the file is being replaced, or holds no valid URL. */
function newest(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return addressFault(text) === null ? text : null;
  } catch {
    return null;
  }
}

function serverOf(text: string): Server {
  const { six, name, port } = HOST.exec(text)?.groups ?? {};
  return { host: six ?? decodeURIComponent(name ?? ''), port: port === undefined ? PORT : Number(port) };
}

/** As libpq reads these parameters. The authorities of the system are used where none are named. */
function sslOf(query: URLSearchParams): Address['ssl'] {
  const root = query.get('sslrootcert');
  const mode = query.get('sslmode') ?? (root === null ? 'disable' : 'verify-full');
  if (mode === 'disable' || mode === 'allow') return false;
  if (mode === 'prefer') return 'prefer';
  const [cert, key] = [query.get('sslcert'), query.get('sslkey')];
  return {
    rejectUnauthorized: mode !== 'require' || (root !== null && root !== 'system'),
    ...(root !== null && root !== 'system' && { ca: readFileSync(root, 'utf8') }),
    ...(cert !== null && key !== null && { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }),
    // Any name that the authority has signed.
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

/** The first line of a `.pgpass` file that fits: `host:port:database:user:password`, `*` fits all, `\` escapes. */
function passwordIn(text: string, { host, port }: Server, { database, user }: Pick<Address, 'database' | 'user'>): string {
  const wanted = [host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const cells = [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map(([, cell = '']) => cell.replace(/\\(.)/g, '$1'));
    const password = cells[wanted.length];
    if (password !== undefined && wanted.every((value, at) => cells[at] === '*' || cells[at] === value)) return password;
  }
  return '';
}
