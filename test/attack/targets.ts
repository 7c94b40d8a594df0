import { type Endpoint, type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { CARD, DEMO } from '../http/client.ts';

/** Where an attack goes. The table of endpoints makes it: a new endpoint is attacked without being named here. */
export type Target = {
  readonly title: string;
  readonly endpoint: EndpointName;
  readonly sender: Sender;
  readonly side: 'gateway' | 'backOffice';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What stands before the shape, so that it is read as deep as a stranger can get it read. */
  readonly prefix: string;
};

export type Sender = 'known' | 'unknown';

/** What is there for paths to name: ids by the beginning of a path, and a user of the back office. */
export type Objects = {
  readonly ids: Readonly<Record<string, string>>;
  readonly session: { readonly cookie: string; readonly csrf: string };
};

const FORM = 'application/x-www-form-urlencoded';
const NO_ID = 'a'.repeat(32);

const begun: Readonly<Record<string, string>> = { entityId: DEMO.entityId, amount: '92.00', currency: 'EUR', ...CARD };
const PREFIX = `${new URLSearchParams(begun)}&`;

/** The longest beginning that is known names the object; others name one that there is not. */
function idFor(path: string, { ids }: Objects): string {
  const [known] = Object.keys(ids)
    .filter((beginning) => path.startsWith(beginning))
    .sort((one, other) => other.length - one.length);
  return known === undefined ? NO_ID : (ids[known] as string);
}

const pathOf = (path: string, objects: Objects): string =>
  path
    .replace('{id}', idFor(path, objects))
    .replace('{name}', 'adyen')
    .replace(/\{\w+\}/g, 'a'.repeat(12));

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Headers of a sender; what an endpoint that anyone may call needs is no secret. */
function headersOf({ access }: Endpoint, sender: Sender, { session: { cookie, csrf } }: Objects): Record<string, string> {
  if (access === 'session') {
    const sent: Record<string, string> =
      sender === 'known' ? { Cookie: cookie, 'X-Turnpike-Csrf': csrf } : { Cookie: 'turnpike=none' };
    return { ...sent, 'Sec-Fetch-Site': 'same-origin' };
  }
  if (access === 'signIn') return { 'Sec-Fetch-Site': 'same-origin' };
  if (access === 'none') return {};
  return bearer(sender === 'known' ? DEMO.token : 'x'.repeat(60));
}

export function targetOf(endpoint: EndpointName, sender: Sender, objects: Objects): Target {
  const row: Endpoint = endpoints[endpoint];
  const isAdmin = row.path.startsWith('/admin');
  return {
    title: `${endpoint}, ${sender} sender`,
    endpoint,
    sender,
    side: row.access === 'session' || row.access === 'signIn' || endpoint === 'backOffice' ? 'backOffice' : 'gateway',
    method: row.method,
    path: pathOf(row.path, objects) + (isAdmin ? `?entityId=${DEMO.merchantId}` : ''),
    headers: {
      'Content-Type': row.takes === 'file' ? 'text/plain' : isAdmin ? 'application/json' : FORM,
      ...headersOf(row, sender, objects),
    },
    prefix: row.access === 'token' || /checkouts/.test(row.path) ? PREFIX : '',
  };
}

export const endpointNames = Object.keys(endpoints) as readonly EndpointName[];

/** Whether it is to be known matters where there is something to know. */
export const sendersOf = (endpoint: EndpointName): readonly Sender[] =>
  ['none', 'signIn'].includes(endpoints[endpoint].access) ? ['unknown'] : ['known', 'unknown'];
