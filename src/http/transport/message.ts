import type { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The client's end of a connection. */
export type Peer = {
  /** Undefined when the client has left. */
  readonly address: string | undefined;
  /** The client came by TLS. */
  readonly isEncrypted: boolean;
  /** The certificate that the client has shown, and whose key it holds. */
  certificate(): X509Certificate | null;
};

/** A request without its body. */
export type Message = {
  readonly method: string;
  /** The target of the request line, as it was sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly peer: Peer;
};

export const peerOf = (socket: Socket): Peer => ({
  get address() {
    return socket.remoteAddress;
  },
  isEncrypted: 'encrypted' in socket,
  certificate: () => (socket instanceof TLSSocket ? (socket.getPeerX509Certificate() ?? null) : null),
});

/** Headers that decide which client gets which reply. Of two such headers a proxy in front of the gateway may have read the other. */
const once: readonly string[] = ['host', 'authorization', 'content-type', 'idempotency-key'];
const lengths: ReadonlySet<number> = new Set(once.map((name) => name.length));

/**
 * Whether one of these headers was sent twice, the host is missing that HTTP/1.1 demands, or the version is neither 1.1 nor 1.0: a line
 * without one is HTTP/0.9, which has no headers, but the parser reads some. Names and values alternate, as the parser leaves them.
 */
export function hasAmbiguousHead({ rawHeaders, httpVersion, headers }: IncomingMessage): boolean {
  if (httpVersion === '1.1' ? headers.host === undefined : httpVersion !== '1.0') return true;
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const index = lengths.has(name.length) ? once.indexOf(name.toLowerCase()) : -1;
    if (index < 0) continue;
    if ((seen & (1 << index)) !== 0) return true;
    seen |= 1 << index;
  }
  return false;
}
