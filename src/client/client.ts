import { TurnpikeError } from './errors.ts';
import type { Payment, Registration } from './generated/answers.ts';
import { type AdminOperations, adminOperations, type Operations, operations } from './generated/operations.ts';
import { formatAmount } from './reconciliation.ts';
import { parseResourcePath } from './resourcePath.ts';
import { type Clock, createClock, createScenarios, type Scenarios } from './sandbox.ts';
import {
  type CallOptions,
  failureKindOf,
  type Incoming,
  type Outgoing,
  type Retries,
  type Runtime,
  send,
  sleep,
} from './send.ts';

export type ClientOptions = {
  /** The gateway, such as `https://pay.example`. */
  readonly url: string;
  /** The access token of the merchant. Keep it on the server. */
  readonly token: string;
  /** The channel or merchant of every request that names no other. */
  readonly entityId: string;
  readonly retries?: Partial<Retries>;
  readonly runtime?: Partial<Runtime>;
};

export type Client = Operations & {
  readonly admin: AdminOperations;
  /** The merchant's clock in the test environment. */
  readonly clock: Clock;
  /** What the simulators of the test environment do. */
  readonly scenarios: Scenarios;
  /**
   * Reads the result that a shopper's browser names after paying. Refuses a path that the gateway did not make; `checkoutId` is that of the
   * shopper's session, and another one is refused too.
   */
  readResult(resourcePath: string, checkoutId?: string, options?: CallOptions): Promise<Payment | Registration>;
};

type Value = string | number | boolean | bigint | null | undefined;
type Fields = Readonly<Record<string, unknown>>;
type Row = readonly [method: string, path: string, how: string];

const defaults: Retries = { attemptsMax: 4, timeoutMs: 45_000, pauseMs: 250, pauseMsMax: 20_000 };

/** Calls functions of the runtime as its methods, because some refuse another `this`. */
const ownRuntime: Runtime = {
  fetch: (...words) => fetch(...words),
  sleep,
  random: () => Math.random(),
  createKey: () => crypto.randomUUID(),
};

const wireText = (value: Value): string => (typeof value === 'bigint' ? formatAmount(value) : String(value));

function formOf(fields: Fields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) form.append(name, wireText(value as Value));
  return form;
}

const jsonOf = (fields: Fields): string =>
  JSON.stringify(fields, (_, value: unknown) => (typeof value === 'bigint' ? formatAmount(value) : value));

/** The path with its places filled; a place that could leave its segment is a fault of the caller. */
function pathOf(path: string, places: readonly unknown[]): string {
  let next = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = places[next];
    next += 1;
    if (typeof value !== 'string' || !/^[\w.-]+$/.test(value) || /^\.+$/.test(value))
      throw new TypeError(`${name} must be an id of the gateway, not ${JSON.stringify(value) ?? 'undefined'}`);
    return value;
  });
}

/** The origin and path of a gateway, without a slash at the end. */
function baseOf(url: string): string {
  if (!URL.canParse(url)) throw new TypeError(`url must be the address of a gateway, not ${JSON.stringify(url)}`);
  const { protocol, origin, pathname, username, search, hash } = new URL(url);
  if (!/^https?:$/.test(protocol) || username !== '' || search !== '' || hash !== '')
    throw new TypeError('url must be http or https, without user, query and fragment');
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** The reply, or the error that says why there is none. A transaction has an id: whatever its result, it is a reply. */
function readReply(reply: Incoming & { readonly attempts: number }, isText: boolean, idempotencyKey: string | null): unknown {
  const { status, text, attempts } = reply;
  const isDone = status >= 200 && status < 300;
  if (isDone && isText) return text;
  let body: { readonly id?: unknown; readonly result?: { readonly code?: string; readonly description?: string } } | null = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Not of the gateway, or cut off.
  }
  if (body === null || typeof body !== 'object') {
    const kind = isDone ? 'unreadable' : failureKindOf(status);
    throw new TurnpikeError(`HTTP ${status} without a readable reply`, { kind, status, attempts, idempotencyKey });
  }
  if (isDone || (status === 400 && typeof body.id === 'string')) return body;
  const { code = '', description = '' } = body.result ?? {};
  const message = `${`${code} ${description}`.trim() || 'no result'} (HTTP ${status})`;
  throw new TurnpikeError(message, { kind: failureKindOf(status), status, reply: body, attempts, idempotencyKey });
}

/** A client of one merchant. */
export function createClient(options: ClientOptions): Client {
  const base = baseOf(options.url);
  const { token, entityId } = options;
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token must be the access token of the merchant');
  const retries: Retries = { ...defaults, ...options.retries };
  const runtime: Runtime = { ...ownRuntime, ...options.runtime };

  async function call([method, path, how]: Row, words: readonly unknown[]): Promise<unknown> {
    const ways = how.split(' ');
    const places = path.split('{').length - 1;
    const rest = words.slice(places);
    const file = ways[0] === 'file' ? (rest.shift() as string | Uint8Array<ArrayBuffer>) : null;
    const [parameters = {}, callOptions = {}] = rest as [Fields?, CallOptions?];
    const fields: Fields = ways.includes('entity') ? { entityId, ...present(parameters) } : parameters;
    const key = ways.includes('keyed') ? (callOptions.idempotencyKey ?? runtime.createKey()) : null;
    const query = ways[0] === 'query' || ways[0] === 'file' ? formOf(fields).toString() : '';
    const type = { form: 'application/x-www-form-urlencoded', json: 'application/json', file: 'application/octet-stream' }[
      ways[0] as 'form' | 'json' | 'file'
    ];
    const out: Outgoing = {
      method,
      url: `${base}${pathOf(path, words)}${query === '' ? '' : `?${query}`}`,
      headers: {
        accept: ways.includes('text') ? 'text/csv, application/json' : 'application/json',
        ...(ways.includes('public') ? {} : { authorization: `Bearer ${token}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
      body: ways[0] === 'form' ? formOf(fields).toString() : ways[0] === 'json' ? jsonOf(fields) : file,
      isRepeatable: method === 'GET' || key !== null,
    };
    return readReply(await send(runtime, retries, out, callOptions), ways.includes('text'), key);
  }

  const methodsOf = <Methods>(rows: { readonly [Name in keyof Methods]: Row }): Methods =>
    Object.fromEntries(
      Object.entries<Row>(rows).map(([name, row]) => [name, (...words: readonly unknown[]) => call(row, words)]),
    ) as Methods;

  const admin = methodsOf<AdminOperations>(adminOperations);
  return {
    ...methodsOf<Operations>(operations),
    admin,
    clock: createClock(admin, runtime),
    scenarios: createScenarios(admin),
    readResult: async (resourcePath, checkoutId, callOptions) => {
      const { path } = parseResourcePath(resourcePath, checkoutId);
      return (await call(['GET', path, 'query entity'], [{}, callOptions])) as Payment | Registration;
    },
  };
}

/** A name without a value leaves the default in place. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
