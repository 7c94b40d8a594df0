import { type Endpoint, type EndpointName, endpoints } from '../spec/endpoints.ts';
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

/** The endpoints of one path, by method. `order`: its place in the table. */
type Route = { readonly methods: ReadonlyMap<string, EndpointName>; readonly idAt: number; readonly order: number };

/** A node of the prefix tree: the routes that begin with the segments on the way to it. */
type RouteNode = { readonly children: Map<string, RouteNode>; wildcard: RouteNode | null; route: Route | null };

const createNode = (): RouteNode => ({ children: new Map(), wildcard: null, route: null });

/** The prefix tree of a table of endpoints: `find` walks one path of it, however many endpoints there are. HEAD is routed as GET. */
export function createRouteTree(table: Readonly<Record<string, Pick<Endpoint, 'method' | 'path'>>>) {
  const root = createNode();
  const byPath = Map.groupBy(Object.entries(table), ([, endpoint]) => endpoint.path);
  for (const [order, [path, entries]] of [...byPath].entries()) {
    const methods = new Map(entries.map(([name, { method }]) => [method as string, name as EndpointName]));
    const read = methods.get('GET');
    if (read) methods.set('HEAD', read);
    const segments = path.split('/');
    segments.reduce(childFor, root).route = { methods, idAt: segments.indexOf('{id}'), order };
  }
  return { find: (segments: readonly string[]): Route | null => find(root, segments, 0) };
}

function childFor(node: RouteNode, segment: string): RouteNode {
  if (segment.startsWith('{')) {
    node.wildcard ??= createNode();
    return node.wildcard;
  }
  const child = node.children.get(segment) ?? createNode();
  node.children.set(segment, child);
  return child;
}

/** Where two routes fit, the first of the table holds. */
function find(node: RouteNode, segments: readonly string[], at: number): Route | null {
  const segment = segments[at];
  if (segment === undefined) return node.route;
  const child = node.children.get(segment);
  const named = child ? find(child, segments, at + 1) : null;
  const wild = node.wildcard && find(node.wildcard, segments, at + 1);
  return named && wild ? (named.order < wild.order ? named : wild) : (named ?? wild);
}

const { backOffice: _, ...ownEndpoints } = endpoints;
const routes = createRouteTree(ownEndpoints);
const nowhere: Routed = { is: 'nowhere' };

/**
 * Where a doubled slash is one: in front of a version and behind it. Clients of this API join a base address that ends with a slash, with
 * or without the version, and a path that begins with one.
 */
const BEFORE_API = /^\/\/(?=(?:v[0-9]|checkouts|reports|scheduling)\/)/;
const BEHIND_VERSION = /^(\/v[0-9])\/\/(?!\/)/;
const ORIGIN = /^https?:\/\/[^/?#\\]+/i;

/**
 * The path of a request target: without scheme and host, which a proxy may send along, and without a slash at the end. Null: it has a
 * doubled slash. Read as one it would pass by a proxy's rule on `/admin`. Nothing else is put right either, so a path has one spelling.
 */
function pathOf(target: string): string | null {
  const path = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const joined = path.includes('//') ? path.replace(BEFORE_API, '/').replace(BEHIND_VERSION, '$1/') : path;
  if (joined.includes('//')) return null;
  const plain = joined.endsWith('/') ? joined.slice(0, -1) : joined;
  // The specification spells the paths of reports in two ways.
  if (plain.startsWith('/reports/')) return plain.replace('/reconiliations/aggregrations', '/reconciliations/aggregations');
  // Document 1 writes the paths of checkouts without a version.
  return plain.startsWith('/checkouts') && /^\/checkouts(?:\/|$)/.test(plain) ? `/v1${plain}` : plain;
}

/** Whether an endpoint is served at a port: the administration API at both, sign-in and sessions at the back office alone. */
const isServedAt = (side: Side, endpoint: EndpointName): boolean => {
  const { access } = endpoints[endpoint] as Endpoint;
  const isOfBackOffice = access === 'session' || access === 'signIn' || endpoint === 'backOffice';
  return access === 'admin' || isOfBackOffice === (side === 'backOffice');
};

/** The endpoint of a request line at one of the two ports. The back office serves its pages at every path outside `/admin`. */
export function routeAt(side: Side, method: string, target: string): Routed {
  const known = side === 'gateway' ? fixed[method]?.get(target) : undefined;
  if (known !== undefined) return known;
  if (side === 'gateway') return servedAt(side, route(method, target));
  const path = pathOf(withoutQuery(target));
  if (path === null) return nowhere;
  return servedAt(side, /^\/admin(?:\/|$)/.test(path) ? route(method, target) : pageAt(method, target, path));
}

const withoutQuery = (target: string): string => {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
};

const servedAt = (side: Side, routed: Routed): Routed =>
  routed.is === 'found' && !isServedAt(side, routed.endpoint) ? nowhere : routed;

function pageAt(method: string, target: string, path: string): Routed {
  if (method !== 'GET' && method !== 'HEAD') return { is: 'otherMethod', allowed: ['GET', 'HEAD'] };
  const [, query = ''] = target.split('?', 2);
  return { is: 'found', endpoint: 'backOffice', id: null, path, query };
}

/** The endpoints of the gateway whose paths have no variable part, by request line. */
const fixed: Readonly<Record<string, ReadonlyMap<string, Routed>>> = Object.fromEntries(
  ['GET', 'POST'].map((method) => {
    const paths = Object.values(ownEndpoints)
      .filter((endpoint) => endpoint.method === method && !endpoint.path.includes('{'))
      .map(({ path }) => [path, servedAt('gateway', route(method, path))] as const);
    return [method, new Map(paths)];
  }),
);

/** The endpoint of a request line. An empty id is no id: `POST /v1/payments/` is `POST /v1/payments`. */
export function route(method: string, target: string): Routed {
  const mark = target.indexOf('?');
  const path = pathOf(withoutQuery(target));
  if (path === null) return nowhere;
  const segments = path.split('/');
  const found = routes.find(segments);
  if (!found) return nowhere;
  const endpoint = found.methods.get(method);
  if (!endpoint) return { is: 'otherMethod', allowed: [...found.methods.keys()] };
  return {
    is: 'found',
    endpoint,
    // As it was sent: objects are looked up by it. Whatever writes it down masks it first.
    id: found.idAt < 0 ? null : (segments[found.idAt] ?? ''),
    path,
    query: mark < 0 ? '' : target.slice(mark + 1),
  };
}
