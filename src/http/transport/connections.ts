import type { Socket } from 'node:net';
import type { CutReason, Metrics } from '../../telemetry/metrics.ts';
import { networkOf, peerAddress } from './clientAddress.ts';
import { type Account, Connection, type ConnectionBounds, type TakePlain } from './connection.ts';
import { createNetworkCounts, type NetworkCounts } from './connectionCounts.ts';

/** See decisions/0037. */
export const connectionBounds = {
  /** Of one connection: requests that are not answered to the end, and bytes of their replies. The next ones wait, none is refused. */
  requests: 4,
  replyBytes: 262_144,
  /** Of all connections of the process: replies that are not read yet, and requests that are not parsed yet. */
  heldBytes: 67_108_864,
  /** How long a client may read nothing of a reply that waits for it. */
  readMs: 30_000,
  /** Connections of one address that is neither a trusted proxy nor this machine. */
  perAddress: 500,
};

export type Bounds = typeof connectionBounds;

/** All client connections of the process: what they hold together, and how many each address has. */
export interface Connections {
  /** The stream that the HTTP server gets in the place of the socket; plain requests go past it. */
  accept(socket: Socket, takePlain: TakePlain): Connection;
  /** Counts a socket to its address until it closes; false: it was closed, because there are too many. */
  admit(socket: Socket): boolean;
  /** Closes connections whose clients do not read. The caller runs it every second or so. */
  sweep(now: number): void;
  /** A socket was refused before it was counted here. */
  refused(reason: CutReason): void;
  readonly open: number;
  readonly heldBytes: number;
}

export type ConnectionsNeeds = {
  readonly metrics: Pick<Metrics, 'connectionCut' | 'connectionsHold'>;
  readonly now: () => number;
  /** Whether many clients share the address: that of a trusted proxy, or of this machine. */
  readonly isShared: (address: string) => boolean;
  readonly bounds?: Partial<Bounds>;
  /** The connections of each network. Default: those of this thread. */
  readonly networks?: NetworkCounts | undefined;
};

/** Counts the connections of each address. */
function createAdmission(
  metrics: ConnectionsNeeds['metrics'],
  isShared: ConnectionsNeeds['isShared'],
  { max, networks }: { readonly max: number; readonly networks: NetworkCounts },
): Connections['admit'] {
  return (socket) => {
    const address = peerAddress(socket);
    if (isShared(address)) return true;
    const network = networkOf(address);
    if (networks.add(network) > max) {
      networks.remove(network);
      metrics.connectionCut('connectionsOfAddress');
      socket.destroy();
      return false;
    }
    socket.once('close', () => networks.remove(network));
    return true;
  };
}

export function createConnections({ metrics, now, isShared, bounds: given, networks }: ConnectionsNeeds): Connections {
  const bounds: Bounds = { ...connectionBounds, ...given };
  const ofConnection: ConnectionBounds = bounds;
  /** In the order in which they began to wait for their clients. */
  const stalled = new Map<Connection, number>();
  let [open, heldBytes] = [0, 0];
  const cut = (connection: Connection, reason: CutReason) => {
    metrics.connectionCut(reason);
    connection.destroy();
  };
  const account: Account = {
    hasCapacity: () => heldBytes < bounds.heldBytes,
    held(connection, bytes) {
      heldBytes += bytes;
      if (bytes <= 0 || heldBytes <= bounds.heldBytes) return;
      // The connection that has waited longest for its client is closed first; without one, the connection that asks for more.
      for (const slow of stalled.keys()) {
        cut(slow, 'memory');
        if (heldBytes <= bounds.heldBytes) return;
      }
      if (!connection.destroyed) cut(connection, 'memory');
    },
    stalled(connection, isStalled) {
      stalled.delete(connection);
      if (isStalled) stalled.set(connection, now());
    },
  };
  metrics.connectionsHold(() => ({ open, heldBytes }));
  return {
    admit: createAdmission(metrics, isShared, { max: bounds.perAddress, networks: networks ?? createNetworkCounts() }),
    accept(socket, takePlain) {
      const connection = new Connection(socket, { account, bounds: ofConnection, takePlain });
      open += 1;
      connection.once('close', () => {
        open -= 1;
      });
      return connection;
    },
    sweep(at) {
      for (const [connection, since] of stalled) {
        if (at - since <= bounds.readMs) return;
        cut(connection, 'slowReader');
      }
    },
    refused: (reason) => metrics.connectionCut(reason),
    get open() {
      return open;
    },
    get heldBytes() {
      return heldBytes;
    },
  };
}
