import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls, type PeerCertificate } from 'node:tls';

/** The certificate that a server shows to a client that verifies it as a browser does. */
export type Handshake =
  | { readonly kind: 'trusted'; readonly validTo: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Opens a TLS connection, verifies the certificate and closes it. Nothing is sent. */
export const probeTls = (host: string, port: number, withinMs: number): Promise<Handshake> =>
  new Promise((resolve) => {
    const socket = connectTls({
      host,
      port,
      timeout: withinMs,
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: false,
    });
    const end = (result: Handshake): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('timeout', () => end({ kind: 'unreachable', reason: 'no answer in time' }));
    socket.once('error', (error: NodeJS.ErrnoException) => end({ kind: 'unreachable', reason: error.code ?? 'unknown error' }));
    socket.once('secureConnect', () => {
      const { valid_to: validTo }: PeerCertificate = socket.getPeerCertificate();
      const problem = socket.authorizationError as Error | string | null;
      if (!socket.authorized)
        end({ kind: 'refused', reason: typeof problem === 'string' ? problem : (problem?.message ?? 'not trusted') });
      else end({ kind: 'trusted', validTo: Date.parse(validTo) });
    });
  });

/** Opens a TCP connection and closes it: null, or why it could not be opened. */
export const probeTcp = (host: string, port: number, withinMs: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connectPlain({ host, port, timeout: withinMs });
    const end = (reason: string | null): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('timeout', () => end('no answer in time'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'unknown error'));
    socket.once('connect', () => end(null));
  });

export type LocalAnswer = { readonly status: number; readonly body: string };

const ANSWER_BYTES_MAX = 4_194_304;

/** Asks the gateway of this machine. Its certificate bears its public name and is not verified here. Null: it does not answer. */
export const askLocal = (url: string, withinMs: number): Promise<LocalAnswer | null> =>
  new Promise((resolve) => {
    const start = url.startsWith('https:') ? secureRequest : plainRequest;
    const request = start(url, {
      timeout: withinMs,
      agent: false,
      ...(url.startsWith('https:') && { rejectUnauthorized: false }),
    });
    const end = (answer: LocalAnswer | null): void => {
      request.destroy();
      resolve(answer);
    };
    request.once('timeout', () => end(null));
    request.on('error', () => resolve(null));
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > ANSWER_BYTES_MAX) end(null);
        else chunks.push(chunk);
      });
      response.once('end', () => end({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }));
      response.once('error', () => end(null));
    });
    request.end();
  });
