import type { IncomingHttpHeaders } from 'node:http';
import type { Decoded } from '../form/decode.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import type { Message } from './transport/message.ts';

/** The port of the API, or that of the back office. */
export type Side = 'gateway' | 'backOffice';

/** A request that was routed and read to its end, but for a file. */
export type Request = {
  /** The port that it arrived at. */
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
  /** The fields of the query or the body, once decoded. */
  decoded?: Decoded;
  /** Instead of `body`, if that is a file: the handler reads it after authorisation. */
  readonly file?: AsyncIterable<Uint8Array>;
  /**
   * Set by the gateway when it makes a request for an authorised user, as if a token of the entity had been sent. Never read from the
   * wire.
   */
  readonly actsFor?: { readonly entityId: string; readonly who: string; readonly callId: string };
  /** The request as it arrived, with the client that sent it. */
  readonly message: Message;
};

/** A longer form is decoded and checked in slices, and other requests come in between. */
export const LONG_FORM_BYTES = 32_768;

/** Parameters come in the body of a POST, and in the query of a GET; some clients send a body with it, and both are one form. */
export function formOf({ method, query, body }: Request): Buffer {
  if (method === 'POST') return body;
  const queryBytes = Buffer.from(query, 'latin1');
  return body.length === 0 ? queryBytes : Buffer.concat([queryBytes, Buffer.from('&'), body]);
}
