import { type AddressInfo, createServer, isIP, type Server, type Socket } from 'node:net';
import { isPublic } from '../../src/outbound/address.ts';

/** Redirects the connections of this process: those to public addresses reach a server of the test, all others their target. */
export type Internet = {
  /** The addresses that connections were opened to, in order. */
  readonly attempts: string[];
  close(): void;
};

type Connect = (this: object, request: object, address: string, port: number) => number;
type PeerName = (this: object, out: { address?: string; port?: number }) => number;
type Handles = { connect: Connect; connect6: Connect; getpeername: PeerName };

/** Replaces the one place below all libraries that opens connections, so that a test sends no packets to other machines. */
export async function replaceInternet(serverPort: () => number): Promise<Internet> {
  const probe = await listening(createServer());
  const handles = Object.getPrototypeOf((probe as Server & { _handle: object })._handle) as Handles;
  probe.close();
  const { connect, connect6, getpeername } = handles;
  const attempts: string[] = [];
  const intended = new WeakMap<object, string>();
  const rerouted = (original: Connect): Connect =>
    function reroute(request, address, port) {
      if (isIP(address) !== 0) attempts.push(address);
      if (!isPublic(address)) return original.call(this, request, address, port);
      intended.set(this, address);
      return connect.call(this, request, '127.0.0.1', serverPort());
    };
  handles.connect = rerouted(connect);
  handles.connect6 = rerouted(connect6);
  // The peer address of a redirected connection is the original one.
  handles.getpeername = function peer(out) {
    const failed = getpeername.call(this, out);
    return Object.assign(out, { address: intended.get(this) ?? out.address }) && failed;
  };
  return { attempts, close: () => Object.assign(handles, { connect, connect6, getpeername }) };
}

export function listening<S extends Server>(server: S, port = 0, host = '127.0.0.1'): Promise<S> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(server));
  });
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A server that counts connections and sends nothing. */
export async function startCanary(port = 0, host?: string): Promise<{ readonly server: Server; connections: number }> {
  const canary = { server: createServer(), connections: 0 };
  canary.server.on('connection', (socket: Socket) => {
    canary.connections += 1;
    socket.on('error', () => {}).destroy();
  });
  await listening(canary.server, port, host);
  return canary;
}
