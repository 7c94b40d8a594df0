import { maskCardNumbers } from '../../spec/cardNumbers.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../spec/endpoints.ts';
import type { Side } from './request.ts';

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
  const own = Object.entries(table).filter(([name]) => name !== 'backOffice');
  const byPath = Map.groupBy(own, ([, endpoint]) => endpoint.path);
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

const isOf = (side: Side, endpoint: EndpointName): boolean => {
  const { access } = endpoints[endpoint] as Endpoint;
  const isShared = access === 'admin';
  const isOwn = access === 'session' || access === 'door' || endpoint === 'backOffice';
  return isShared || isOwn === (side === 'backOffice');
};

/** Which endpoint a request line means at one of our ports: that of the back office answers its pages at every other path. */
export function routeAt(side: Side, method: string, target: string): Routed {
  const isPage = side === 'backOffice' && !/^\/admin(?:\/|$)/.test(pathOf(target.replace(/\?.*$/s, '')));
  const routed = isPage ? pageAt(method, target) : route(method, target);
  return routed.is === 'found' && !isOf(side, routed.endpoint) ? nowhere : routed;
}

function pageAt(method: string, target: string): Routed {
  if (method !== 'GET' && method !== 'HEAD') return { is: 'otherMethod', allowed: ['GET', 'HEAD'] };
  const [path = '', query = ''] = target.split('?', 2);
  return { is: 'found', endpoint: 'backOffice', id: null, path: pathOf(path), query };
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
    // It may be written down as what somebody asked for.
    id: at < 0 ? null : maskCardNumbers(segments[at] ?? '', { isStrict: true }),
    path,
    query: mark < 0 ? '' : target.slice(mark + 1),
  };
}
