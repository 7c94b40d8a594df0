import type { Socket } from 'node:net';
import { networkOf, peerAddress } from './clientAddress.ts';

/** Connections of unknown senders, and how long one may stay so. A body of 1 MiB takes a fraction of that in one network. */
export const strangerBounds = { connections: 32, ms: 1_200 };

export interface Strangers {
  /** A connection begins. When there are too many, the oldest of the network that has most of them is closed. */
  add(socket: Socket): void;
  /** The sender is known now, and has so much time from here on. */
  remove(socket: Socket, ms: number): void;
  close(): void;
}

type Stranger = { readonly socket: Socket; readonly network: string; timer: NodeJS.Timeout };

/** The two ends name a connection, whether its socket is the plain one or that of TLS. */
const nameOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`;

export function createStrangers({ connections, ms: ownMs } = strangerBounds): Strangers {
  /** In the order in which they began. */
  const strangers = new Map<string, Stranger>();
  const open = new Set<Socket>();
  const endAfter = (socket: Socket, ms: number): NodeJS.Timeout => setTimeout(() => socket.destroy(), ms).unref();
  const makeRoom = (): void => {
    const counts = new Map<string, number>();
    for (const { network } of strangers.values()) counts.set(network, (counts.get(network) ?? 0) + 1);
    const most = Math.max(...counts.values());
    for (const [name, { socket, network }] of strangers) {
      if (counts.get(network) !== most) continue;
      strangers.delete(name);
      socket.destroy();
      return;
    }
  };
  return {
    add(socket) {
      const name = nameOf(socket);
      const stranger: Stranger = { socket, network: networkOf(peerAddress(socket)), timer: endAfter(socket, ownMs) };
      open.add(socket);
      strangers.set(name, stranger);
      socket.once('close', () => {
        clearTimeout(stranger.timer);
        open.delete(socket);
        if (strangers.get(name) === stranger) strangers.delete(name);
      });
      if (strangers.size > connections) makeRoom();
    },
    remove(socket, ms) {
      const name = nameOf(socket);
      const stranger = strangers.get(name);
      if (!stranger) return;
      strangers.delete(name);
      clearTimeout(stranger.timer);
      stranger.timer = endAfter(stranger.socket, ms);
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}
