import type { Fault } from '../form/checked.ts';
import type { Ids } from '../payments/ports.ts';
import type { Base } from '../payments/reply/project.ts';
import { instantText } from '../spec/formats/dates.ts';
import { type ResultCode, resultCodes } from '../spec/resultCodes.ts';
import type { Clock } from '../spec/time.ts';
import { jsonHeaders, type Reply } from './transport/reply.ts';

/** The parts of a reply that its code does not determine. */
export type Remarks = {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly faults?: readonly Fault[];
  /** Added to the text of the code, after a dash. */
  readonly remark?: string;
  /** The name of the request, when it has one already. */
  readonly ndc?: string;
  /** For the log only. */
  readonly why?: string;
};

export interface Replies {
  /** A name for this request, for the log: `{entityId}-{32 hex}`, or only the hex when the entity is not known. */
  ndc(entityId: string | null): string;
  /** The fields at the end of every JSON reply. */
  base(ndc: string): Base;
  /** The current time as a header. */
  date(): string;
  /** A reply that is nothing but a result: nothing was stored. */
  result(code: ResultCode, entityId: string | null, remarks?: Remarks): Reply;
  /** A reply with a body of its own. */
  json(status: number, body: object, about?: Partial<Pick<Reply, 'code' | 'ndc' | 'entityId'>>): Reply;
  /** The same with a body that is JSON already. */
  text(status: number, json: string, about?: Partial<Pick<Reply, 'code' | 'ndc' | 'entityId'>>): Reply;
}

/** The current time as text, formatted once a second. */
function createTimestamps(clock: Clock, format: (ms: number) => string): () => string {
  let second = -1;
  let text = '';
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      text = format(now * 1000);
    }
    return text;
  };
}

export function createReplies(world: { readonly clock: Clock; readonly ids: Ids }, buildNumber: string): Replies {
  const timestamp = createTimestamps(world.clock, instantText);
  const date = createTimestamps(world.clock, (ms) => new Date(ms).toUTCString());
  const ndc = (entityId: string | null): string => (entityId === null ? world.ids.random() : `${entityId}-${world.ids.random()}`);
  const text: Replies['text'] = (status, body, { code = null, ndc: name = null, entityId = null } = {}) => ({
    status,
    headers: jsonHeaders,
    body,
    code,
    ndc: name,
    entityId,
  });
  const base = (name: string): Base => ({ buildNumber, timestamp: timestamp(), ndc: name });
  return {
    ndc,
    base,
    date,
    result(code, entityId, { status, headers, faults, remark, ...about } = {}) {
      const { text, http } = resultCodes[code];
      const name = about.ndc ?? ndc(entityId);
      const description = remark === undefined ? text : `${text} - ${remark}`;
      const body = JSON.stringify({ result: { code, description, parameterErrors: faults?.map(shown) }, ...base(name) });
      const all = headers === undefined ? jsonHeaders : [...jsonHeaders, ...headers];
      return { status: status ?? http, headers: all, body, code, ndc: name, entityId, why: about.why };
    },
    json: (status, body, about) => text(status, JSON.stringify(body), about),
    text,
  };
}

/** The members of a fault that a reply shows. */
const shown = ({ name, value, message }: Fault): Fault => ({ name, value, message });

/** No such path. The code is that of an unknown payment, so that a client which reads codes needs no other for a 404. */
export const notFound = (replies: Replies): Reply =>
  replies.result('700.400.580', null, { status: 404, remark: 'there is nothing at this path; /docs lists what there is' });

export const methodNotAllowed = (replies: Replies, allowed: readonly string[]): Reply =>
  replies.result('200.300.403', null, { status: 405, headers: ['Allow', allowed.join(', ')] });

/** The reply to the preflight request of a browser (CORS). */
export const preflight = (allowed: readonly string[]): Reply => ({
  status: 204,
  headers: [
    'Allow',
    allowed.join(', '),
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Allow-Methods',
    allowed.join(', '),
    'Access-Control-Allow-Headers',
    'authorization, content-type, idempotency-key',
    'Access-Control-Max-Age',
    '600',
  ],
  body: '',
  code: null,
  ndc: null,
  entityId: null,
});

/** A head that two readers may read in two ways is refused. */
export const ambiguous = (replies: Replies): Reply => ({
  ...replies.result('200.300.404', null, { status: 400, remark: 'a header was sent twice, or Host is missing' }),
  isLast: true,
});

/** Live accepts nothing that was sent in clear. */
export const insecure = (replies: Replies): Reply => ({
  ...replies.result('200.300.404', null, {
    status: 400,
    remark: 'send this over TLS; a proxy that ends TLS must be named in TRUST_PROXY and send X-Forwarded-Proto: https',
  }),
  isLast: true,
});

/** The only expectation of `Expect` that the gateway fulfils is 100-continue. */
export const unexpected = (replies: Replies): Reply => ({
  ...replies.result('200.300.404', null, { status: 417, remark: 'only 100-continue may be expected' }),
  isLast: true,
});

export const bodyTooLong = (replies: Replies, bytesMax: number): Reply =>
  replies.result('200.300.404', null, {
    faults: [{ name: 'body', value: null, message: `must not be longer than ${bytesMax} bytes` }],
  });

export const bodyInCrumbs = (replies: Replies): Reply =>
  replies.result('200.300.404', null, {
    faults: [{ name: 'body', value: null, message: 'must not be sent in thousands of tiny pieces' }],
  });

/** The gateway cannot work now. The client may repeat the request. */
export const unavailable = (replies: Replies, remarks: { readonly ndc?: string; readonly remark?: string } = {}): Reply =>
  replies.result('800.800.800', null, { ...remarks, status: 503, headers: ['Retry-After', '1'] });

/** An unexpected error: the reply says nothing about it, the log line with the same ndc does. */
export const internalError = (replies: Replies, ndc: string): Reply => replies.result('600.100.100', null, { status: 500, ndc });
