import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What can happen to connections on their way. `stall`: bytes are accepted and not forwarded, and neither side is closed, like a stuck
 * proxy. `halfOpen`: the far side is gone, and this side gets no signal of it, like a vanished host. `cut`: both sides are closed in good
 * order. `reset`: both sides get an RST.
 */
export type Strike = 'stall' | 'halfOpen' | 'cut' | 'reset';

/** A way to another port of this machine that a test can disturb. */
export type TcpProxy = {
  readonly port: number;
  /** The same address, by this way. */
  through(url: string): string;
  /** Strikes every connection that is open now. Returns how many. */
  strike(how: Strike): number;
  /** How new connections are treated: passed on, taken and never answered, or refused with an RST. */
  next: 'pass' | 'stall' | 'reset';
  /** How much later bytes arrive, in either direction. */
  delayMs: number;
  close(): Promise<void>;
};

type Pair = { readonly near: Socket; readonly far: Socket | null; isStruck: boolean };

/** One direction of a way: bytes arrive late, and in their order. */
function createLine(proxy: Pick<TcpProxy, 'delayMs'>): (arrive: () => void) => void {
  let arrivesAt = 0;
  return (arrive) => {
    const now = performance.now();
    arrivesAt = Math.max(arrivesAt, now + proxy.delayMs);
    if (arrivesAt <= now) arrive();
    else setTimeout(arrive, arrivesAt - now);
  };
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const server = createServer((near) => {
    near.on('error', () => {});
    if (proxy.next === 'reset') return void near.resetAndDestroy();
    const far = proxy.next === 'pass' ? connect(targetPort, '127.0.0.1') : null;
    const pair: Pair = { near, far, isStruck: far === null };
    pairs.add(pair);
    near.once('close', () => pairs.delete(pair));
    const [toFar, toNear] = [createLine(proxy), createLine(proxy)];
    near.on('data', (bytes) => toFar(() => void (pair.isStruck || far?.write(bytes))));
    // Both ends of a healthy way end together.
    near.once('close', () => far?.destroy());
    far?.on('error', () => {});
    far?.on('data', (bytes) => toNear(() => void (pair.isStruck || near.write(bytes))));
    far?.once('close', () => {
      if (!pair.isStruck) near.destroy();
    });
  });
  const strikes: Readonly<Record<Strike, (pair: Pair) => void>> = {
    stall: () => {},
    halfOpen: ({ far }) => far?.destroy(),
    cut: ({ near, far }) => {
      near.end();
      far?.end();
    },
    reset: ({ near, far }) => {
      near.resetAndDestroy();
      far?.resetAndDestroy();
    },
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const proxy: TcpProxy = {
    port,
    through: (url) => {
      const changed = new URL(url);
      changed.port = String(port);
      return changed.href;
    },
    strike: (how) => {
      const open = [...pairs].filter(({ isStruck }) => !isStruck);
      for (const pair of open) {
        pair.isStruck = true;
        strikes[how](pair);
      }
      return open.length;
    },
    next: 'pass',
    delayMs: 0,
    close: async () => {
      for (const { near, far } of pairs) {
        near.destroy();
        far?.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
