import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { Message, Request } from '../handler.ts';
import { transportOf } from './connection.ts';
import type { Reply } from './reply.ts';

/** A request that another thread of the process has read, as plain data. `stream`: the file that is its body. */
export type ForwardedRequest = Pick<Request, 'side' | 'endpoint' | 'id' | 'method' | 'path' | 'query' | 'headers'> & {
  readonly body: Uint8Array;
  readonly stream: number | null;
  readonly peer: Peer;
};

/** The reply to it. `stream`: the pieces that are its body. */
export type ForwardedReply = Omit<Reply, 'pieces'> & { readonly stream: number | null };

/** What is known of the client's end of the connection. */
type Peer = { readonly address: string | undefined; readonly isEncrypted: boolean; readonly certificate: Uint8Array | null };

/** Stands for the socket of a connection that another thread holds. */
export class ForwardedSocket {
  readonly remoteAddress: string | undefined;
  /** Present like in a socket of TLS. */
  declare readonly encrypted?: true;
  readonly certificate: X509Certificate | null;

  constructor({ address, isEncrypted, certificate }: Peer) {
    this.remoteAddress = address;
    if (isEncrypted) Object.assign(this, { encrypted: true });
    this.certificate = certificate && new X509Certificate(certificate);
  }
}

/** A view takes its whole memory along to another thread, with the bytes of other requests. */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

export function forwardedRequest(request: Request, stream: number | null): ForwardedRequest {
  const { side, endpoint, id, method, path, query, headers, body, message } = request;
  const socket = transportOf(message);
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
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
    peer: {
      address: message.socket.remoteAddress,
      isEncrypted: 'encrypted' in socket,
      certificate: certificate ? ownBytes(certificate.raw) : null,
    },
  };
}

export function requestFrom({ body, stream, peer, ...request }: ForwardedRequest, file: Request['file']): Request {
  const { method, headers, path, query } = request;
  const url = query === '' ? path : `${path}?${query}`;
  const message = { method, headers, url, socket: new ForwardedSocket(peer) } as unknown as Message;
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
