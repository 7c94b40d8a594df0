import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Decoded } from '../../form/decode.ts';
import type { EndpointName } from '../../spec/endpoints.ts';

/** The port of the API, or that of the back office. */
export type Side = 'gateway' | 'backOffice';

/** A request that was routed and read to its end, but for a file. */
export type Request = {
  /** The port that it came in at. */
  readonly side: Side;
  readonly endpoint: EndpointName;
  /** The segment in the place of `{id}`. */
  readonly id: string | null;
  readonly method: string;
  /** The normalised path: single slashes, none at the end, no query. */
  readonly path: string;
  /** The raw query string, without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The fields of the query or the body, once they were decoded. */
  decoded?: Decoded;
  /** Instead of `body`, where that is a file: not read yet; the handler reads it after authorisation. */
  readonly file?: AsyncIterable<Uint8Array>;
  /**
   * Set by the gateway when it makes a request for an authorised user, as if a token of the entity had been sent. Never read from the
   * wire.
   */
  readonly actsFor?: { readonly entityId: string; readonly who: string; readonly callId: string };
  /** The HTTP message, with the socket that it came by. */
  readonly message: Message;
};

/** What is known of a request beside its content. */
export type Message = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>;
