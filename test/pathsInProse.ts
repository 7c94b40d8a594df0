/** Paths of the API as texts mention them, and whether the table of endpoints has them. */

export type Route = { readonly method: string; readonly path: string };
/** `method` is null where the text names none. */
export type Mention = { readonly method: string | null; readonly path: string; readonly line: number };

const METHOD = '(?:GET|POST|PUT|PATCH|DELETE|HEAD)';
/** What may stand in a path, placeholders in any style among it. */
const SEGMENTS = String.raw`(?:\/(?:\{[^}\s]*\}|\$\{[^}\n]*\}|<[\w ]+>|[\w.:$*…-])*)`;
const BASE = String.raw`\/(?:v[1-9]|admin\/v1|scheduling\/v1|reports\/v[1-9]|health)(?![\w.])`;
const HOST = String.raw`(?:https?:\/\/[\w.:<>-]+|\$\{?\w+\}?|)`;

/** A path below a base, with or without a method and a host; and whatever stands behind a method. */
const MENTION = new RegExp(
  String.raw`(?:\b(?<method>${METHOD}) +)?(?<![\w/}.)])(?<host>${HOST})(?<path>${BASE}${SEGMENTS}*)|\b(?<verb>${METHOD}) (?<other>${SEGMENTS}+)`,
  'g',
);
/** A table whose paths begin with that of its head: `| Path (`/admin/v1/webhooks…`) |`. */
const TABLE = /^\| Path \(`([^`…]+)…`\).*\n(?:\|.*\n)+/gm;
const COMMAND = /\bcurl\b(?:[^\n\\`]|\\\n|\\.)*/g;

/** Every path of our API that a text names: behind a method, in an address, in a command, or alone. */
export function mentionsIn(text: string): readonly Mention[] {
  const commands = [...text.matchAll(COMMAND)];
  const tables = [...text.matchAll(TABLE)];
  return [...text.matchAll(MENTION)].flatMap(({ index, groups }) => {
    const { method, host = '', path, verb, other } = groups ?? {};
    if (isForeign(host)) return [];
    const command = commands.find((one) => one.index <= index && index < one.index + one[0].length);
    const table = other === undefined ? undefined : tables.find((one) => one.index <= index && index < one.index + one[0].length);
    return {
      method: method ?? verb ?? (command ? methodOfCommand(command[0]) : null),
      path: `${table?.[1] ?? ''}${path ?? other ?? ''}`.replace(/[.:]+$/, ''),
      line: text.slice(0, index).split('\n').length,
    };
  });
}

/** The hosts of our pages; any other host is somebody else's API. */
const OUR_HOSTS = /^https?:\/\/(?:127\.0\.0\.1|localhost|pay\.|gateway|turnpike|test\.|<)/;
const isForeign = (host: string): boolean => host.startsWith('http') && !OUR_HOSTS.test(host);

/** What curl sends with its options. */
function methodOfCommand(command: string): string {
  const explicit = /\s(?:-X|--request)\s*(\w+)/.exec(command)?.[1];
  if (explicit !== undefined) return explicit;
  if (/\s-\w*G\b|\s--get\b/.test(command)) return 'GET';
  return /\s(?:-\w*d|--data(?:-\w+)?|-F|--form)\b/.test(command) ? 'POST' : 'GET';
}

const isPlaceholder = (segment: string): boolean => /[{}<>$…*]|^:\w/.test(segment) || /^[0-9a-f]{8,}$/.test(segment);

/** A base, or a path that ends in a slash, `…`, `*` or `$1`: everything below it is meant. */
const BELOW = new RegExp(String.raw`^(?:${BASE})$|(?:\/|…|\*|\$[0-9])$`);

/** Whether a route of the table is meant. */
export function isRoute({ method, path }: Mention, routes: readonly Route[]): boolean {
  const segments = path
    .replace(/\/?(?:…|\*+|\$[0-9])?$/, '')
    .split('/')
    .slice(1);
  const part = (all: readonly string[]): readonly string[] => (BELOW.test(path) ? all.slice(0, segments.length) : all);
  return routes.some(
    (route) => (method ?? route.method) === route.method && isSame(segments, part(route.path.split('/').slice(1))),
  );
}

const isSame = (segments: readonly string[], row: readonly string[]): boolean =>
  segments.length === row.length && segments.every((segment, at) => isSameSegment(segment, row[at] ?? ''));

/** An example may have a value where the table has a name: `/v1/connectors/stripe/…`. */
const isSameSegment = (segment: string, row: string): boolean =>
  row.startsWith('{') ? isPlaceholder(segment) || /^[\w-]+$/.test(segment) : segment === row;
