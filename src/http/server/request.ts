import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { EndpointName } from '../../spec/endpoints.ts';

/** The port of the API, or that of the back office. */
export type Side = 'gateway' | 'backOffice';

/** A request that was routed and read to its end, but for a file. */
export type Request = {
  /** At which of our ports it came in. */
  readonly side: Side;
  readonly endpoint: EndpointName;
  /** What stands for `{id}` in the path. */
  readonly id: string | null;
  readonly method: string;
  /** The path as it is meant: one slash each, none at the end, no query. */
  readonly path: string;
  /** The raw query string, without its mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** In the place of `body`, where that is a file: not read yet, and asked for only by who lets it in. */
  readonly file?: AsyncIterable<Uint8Array>;
  /** Made by the gateway itself for somebody who may: as if a token of the entity had been shown. Never taken from what came in. */
  readonly actsFor?: { readonly entityId: string; readonly who: string; readonly callId: string };
  /** The message itself, for who needs to know where it came from. */
  readonly message: IncomingMessage;
};
