import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import type { Address } from './address.ts';
import { ConnectionLost } from './errors.ts';

/**
 * TLS is begun here and not by the driver (postgres.js 3.4.9): a socket that the driver makes cannot be destroyed by its owner without an
 * error that nothing listens for, which ends the process, and its name of an IP address is `localhost`.
 */
type Ssl = Exclude<Address['ssl'], false>;

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = 'S'.charCodeAt(0);
const NO = 'N'.charCodeAt(0);

/** Resolves with the event; rejects when the socket is closed before. */
export const opened = (socket: Socket, event: 'connect' | 'secureConnect' | 'data'): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const end = (why: Error): void => reject(why);
    const close = (): void => reject(new ConnectionLost('CONNECTION_CLOSED', 'the connection was given up'));
    socket.once('error', end);
    socket.once('close', close);
    socket.once(event, (bytes: Uint8Array) => {
      socket.off('error', end);
      socket.off('close', close);
      resolve(bytes);
    });
  });

/** Asks the server for TLS. False only where it is not demanded. */
export async function offersTls(socket: Socket, ssl: Ssl): Promise<boolean> {
  socket.write(SSL_REQUEST);
  const answer = await opened(socket, 'data');
  // Further bytes would be taken for encrypted ones: an attacker in between could have put them there.
  if (answer.length === 1 && answer[0] === YES) return true;
  if (answer.length === 1 && answer[0] === NO && ssl === 'prefer') return false;
  throw new ConnectionLost('NO_TLS', 'the server does not speak TLS, which sslmode asks for');
}

/** The certificate is compared with the host of the URL, unless any name will do. */
export const identified = (ssl: ConnectionOptions, host: string): ConnectionOptions => ({
  checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
  ...ssl,
});

export function encrypt(socket: Socket, host: string, ssl: Ssl): TLSSocket {
  const demanded = ssl === 'prefer' ? { rejectUnauthorized: false } : ssl;
  return connect({ ...identified(demanded, host), socket, ...(isIP(host) === 0 && { servername: host }) });
}
