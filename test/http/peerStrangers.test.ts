import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createProofCheck, createReceiver, handOver } from '../../src/app/nodes/handover.ts';
import { timers } from '../../src/app/system.ts';
import { createPeerServer, createStrangers } from '../../src/http/transport/peerServer.ts';
import { createPeerPost } from '../../src/outbound/ownNetwork.ts';
import type { Attempt, PendingSecrets } from '../../src/payments/ports.ts';
import { localMaster, type Masters } from '../../src/vault/masterKey.ts';
import { freePort } from '../freePort.ts';

/** Strangers at the port for other nodes do whatever they like with as many connections as they like; a node that ends is served meanwhile. */

const masters: Masters = [localMaster(Buffer.alloc(32, 7))];
const clock = { now: () => 1_000_000 };
const NODES = 3;
const CONNECTIONS = 64;

/** Open authentications of one node, in the memory of the test. */
function secretsOf(
  ids: readonly string[],
): Pick<PendingSecrets, 'ids' | 'get' | 'drop' | 'put'> & { readonly held: Map<string, Attempt> } {
  const held = new Map(ids.map((id) => [id, { payment: { id }, secrets: { cvv: '123' } } as unknown as Attempt]));
  return {
    held,
    ids: () => [...held.keys()].map((paymentId) => ({ paymentId, until: 2_000_000 })) as never,
    get: (id: string) => held.get(id) ?? null,
    drop: (id: string) => void held.delete(id),
    put: (id: string, attempt: Attempt) => void held.set(id, attempt),
  } as never;
}

const opened: Socket[] = [];
const timersOfTest: NodeJS.Timeout[] = [];
after(() => {
  for (const timer of timersOfTest) clearInterval(timer);
  for (const socket of opened) socket.destroy();
});

const HEAD = 'POST /handover HTTP/1.1\r\nhost: x\r\n';
const drip = (socket: Socket, text: string) => timersOfTest.push(setInterval(() => socket.writable && socket.write(text), 100));

/** What a stranger does with a connection. */
const behaviours: Readonly<Record<string, (socket: Socket) => void>> = {
  'say nothing': () => {},
  'drip a head': (socket) => {
    socket.write(HEAD);
    drip(socket, 'x-a: b\r\n');
  },
  'drip a body': (socket) => {
    socket.write(`${HEAD}content-length: 4000000\r\n\r\n`);
    drip(socket, 'x');
  },
  'drip chunks': (socket) => {
    socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
    drip(socket, '1\r\nx\r\n');
  },
  'forge a proof': (socket) => {
    socket.write(`${HEAD}x-turnpike-node: ${'A'.repeat(300)}\r\ncontent-length: 1000000\r\n\r\n`);
    drip(socket, 'x');
  },
  'read no reply': (socket) => {
    socket.pause();
    socket.write('GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20));
  },
  'come again': (socket) => {
    socket.end(HEAD);
  },
};

function crowd(port: number, behave: (socket: Socket) => void, count = CONNECTIONS): void {
  const open = () => {
    const socket = connect(port, '127.0.0.1', () => behave(socket));
    socket.on('error', () => {});
    opened.push(socket);
  };
  for (let number = 0; number < count; number += 1) open();
  // Those that were closed are replaced.
  timersOfTest.push(
    setInterval(() => {
      const living = opened.filter(({ destroyed, remotePort }) => !destroyed && remotePort === port).length;
      for (let number = living; number < count; number += 1) open();
    }, 50),
  );
}

function quiet(): void {
  for (const timer of timersOfTest.splice(0)) clearInterval(timer);
  for (const socket of opened.splice(0)) socket.destroy();
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How many of some nodes that end, one after the other, hand their authentications over. */
async function handedOver(url: string): Promise<number> {
  let count = 0;
  for (let node = 0; node < NODES; node += 1) {
    const pendingSecrets = secretsOf([`payment-${node}`]);
    const post = createPeerPost({ timers });
    const { left } = await handOver({ pendingSecrets, master: masters[0], clock, post, peers: async () => [url] });
    if (left === 0) count += 1;
  }
  return count;
}

for (const [name, behave] of Object.entries(behaviours)) {
  test(`${CONNECTIONS} connections that ${name} do not keep a node out`, async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const pendingSecrets = secretsOf([]);
    const server = createPeerServer({
      tls: null,
      path: '/handover',
      bytesMax: 4_194_304,
      isNode: createProofCheck({ masters, clock, url }),
      receive: createReceiver({ pendingSecrets, masters, clock, url, isEnding: () => false, onTaken: () => {} }),
    });
    await server.listen(port, '127.0.0.1');
    crowd(port, behave);
    await pause(300);
    assert.equal(await handedOver(url), NODES);
    assert.equal(pendingSecrets.held.size, NODES);
    quiet();
    await server.stop();
  });
}

test('control: a server with a number of connections and time-outs keeps the node out', async () => {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (_, response) => response.writeHead(204).end());
  server.maxConnections = 32;
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  assert.equal(await handedOver(`http://127.0.0.1:${port}`), NODES);
  crowd(port, behaviours['drip a head'] ?? assert.fail());
  await pause(300);
  assert.equal(await handedOver(`http://127.0.0.1:${port}`), 0);
  quiet();
  server.closeAllConnections();
  server.close();
});

/** A connection as the account of strangers sees it. */
const socketAt = (remoteAddress: string, remotePort: number) => {
  const state = { isOpen: true };
  const socket = {
    remoteAddress,
    remotePort,
    destroy: () => {
      state.isOpen = false;
    },
    once: () => socket,
  } as unknown as Socket;
  return { socket, state };
};

test('a network with few connections loses none to one with many, and a known sender loses none at all', () => {
  const strangers = createStrangers({ connections: 8, ms: 60_000 });
  const node = socketAt('10.0.0.9', 1);
  const proven = socketAt('10.0.0.1', 1);
  strangers.add(node.socket);
  strangers.add(proven.socket);
  strangers.remove(proven.socket, 60_000);
  const many = Array.from({ length: 100 }, (_, at) => socketAt(at % 2 ? '10.0.0.1' : '::ffff:10.0.0.1', at + 2));
  for (const { socket } of many) strangers.add(socket);
  assert.ok(node.state.isOpen && proven.state.isOpen);
  assert.deepEqual(
    many.map(({ state }) => state.isOpen),
    many.map((_, at) => at >= 93),
  );
  strangers.close();
});
