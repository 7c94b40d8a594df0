import type { Replies } from './replies.ts';
import type { Reply } from './reply.ts';

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
