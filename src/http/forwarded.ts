import { X509Certificate } from 'node:crypto';
import type { EndpointName } from '../spec/endpoints.ts';
import type { Request } from './request.ts';
import type { Message, Peer } from './transport/message.ts';
import type { Reply } from './transport/reply.ts';

/** A request that another thread of the process has read, as plain data. `stream`: the file that is its body. */
export type ForwardedRequest = Pick<Request, 'side' | 'endpoint' | 'id' | 'method' | 'path' | 'query' | 'headers'> & {
  readonly body: Uint8Array;
  readonly stream: number | null;
  readonly peer: ForwardedPeer;
};

/** The reply to it. `stream`: the pieces that are its body. */
export type ForwardedReply = Omit<Reply, 'pieces'> & { readonly stream: number | null };

/** The client's end of the connection as plain data. */
type ForwardedPeer = Pick<Peer, 'address' | 'isEncrypted'> & { readonly certificate: Uint8Array | null };

/** A view takes its whole memory along to another thread, with the bytes of other requests. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

export function forwardedRequest(request: Request, stream: number | null): ForwardedRequest {
  const { side, endpoint, id, method, path, query, headers, body, message } = request;
  const { address, isEncrypted } = message.peer;
  const certificate = message.peer.certificate();
  return {
    side,
    endpoint,
    id,
    method,
    path,
    query,
    headers: { ...headers },
    body: ownBytes(body),
    stream,
    peer: { address, isEncrypted, certificate: certificate && ownBytes(certificate.raw) },
  };
}

export function requestFrom({ body, stream, peer, ...request }: ForwardedRequest, file: Request['file']): Request {
  const { method, headers, path, query } = request;
  const url = query === '' ? path : `${path}?${query}`;
  const certificate = peer.certificate && new X509Certificate(peer.certificate);
  const message: Message = { method, headers, url, peer: { ...peer, certificate: () => certificate } };
  return {
    ...request,
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    message,
    ...(stream !== null && file && { file }),
  };
}

export function forwardedReply({ pieces: _, bytes, ...reply }: Reply, stream: number | null): ForwardedReply {
  return { ...reply, stream, ...(bytes && { bytes: ownBytes(bytes) }) };
}

export const replyFrom = ({ stream, ...reply }: ForwardedReply, pieces: Reply['pieces']): Reply =>
  stream !== null && pieces ? { ...reply, pieces } : reply;

/**
 * The endpoints that every request thread answers by itself: they need the store, the directory and the vault, and of the state of the
 * main thread only answers to messages. Requests of all other endpoints are passed on to the main thread, which has their state.
 */
export const anyThread: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'pay',
  'refer',
  'capture',
  'refund',
  'reverse',
  'register',
  'payRegistered',
  'assess',
  'screen',
  'screenAgain',
  'read',
  'readAssessment',
  'query',
  'queryOne',
  'findPayments',
  'queryRecords',
  'queryRecord',
  'listCustomerRegistrations',
  'readRegistration',
  'createCheckout',
]);
