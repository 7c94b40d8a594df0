import { type Endpoint, type EndpointName, endpoints } from '../spec/endpoints.ts';

export type Routed =
  | {
      readonly is: 'found';
      readonly endpoint: EndpointName;
      readonly id: string | null;
      readonly path: string;
      readonly query: string;
    }
  | { readonly is: 'otherMethod'; readonly allowed: readonly string[] }
  | { readonly is: 'nowhere' };

type Way = { readonly segments: readonly string[]; readonly methods: ReadonlyMap<string, EndpointName> };

/** The table of endpoints by path; what is asked with HEAD is answered as GET, without the body. */
function waysOf(table: Readonly<Record<string, Endpoint>>): readonly Way[] {
  const byPath = Map.groupBy(Object.entries(table), ([, endpoint]) => endpoint.path);
  return [...byPath].map(([path, entries]) => {
    const methods = new Map(entries.map(([name, { method }]) => [method as string, name as EndpointName]));
    const read = methods.get('GET');
    if (read) methods.set('HEAD', read);
    return { segments: path.split('/'), methods };
  });
}

const ways = waysOf(endpoints);
const nowhere: Routed = { is: 'nowhere' };

/** Without scheme and host, which a proxy may send along; one slash each and none at the end. */
function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '');
  const plain = path.includes('//') || path.endsWith('/') ? path.replace(/\/{2,}/g, '/').replace(/\/$/, '') : path;
  // The prose of this API spells its reports otherwise than its samples do.
  if (plain.startsWith('/reports/')) return plain.replace('/reconiliations/aggregrations', '/reconciliations/aggregations');
  // Document 1 writes the paths of checkouts without a version.
  return /^\/checkouts(?:\/|$)/.test(plain) ? `/v1${plain}` : plain;
}

function matches(way: Way, segments: readonly string[]): boolean {
  if (way.segments.length !== segments.length) return false;
  return way.segments.every((segment, at) => segment === segments[at] || segment.startsWith('{'));
}

/** Which endpoint a request line means. An empty id is no id: `POST /v1/payments/` is `POST /v1/payments`. */
export function route(method: string, target: string): Routed {
  const mark = target.indexOf('?');
  const path = pathOf(mark < 0 ? target : target.slice(0, mark));
  const segments = path.split('/');
  const way = ways.find((other) => matches(other, segments));
  if (!way) return nowhere;
  const endpoint = way.methods.get(method);
  if (!endpoint) return { is: 'otherMethod', allowed: [...way.methods.keys()] };
  const at = way.segments.indexOf('{id}');
  return {
    is: 'found',
    endpoint,
    id: at < 0 ? null : (segments[at] ?? null),
    path,
    query: mark < 0 ? '' : target.slice(mark + 1),
  };
}
