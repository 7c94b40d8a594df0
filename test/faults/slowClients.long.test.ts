import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sized } from '../long.ts';
import { card, isApproved, pay } from './client.ts';
import { createGateway } from './gatewayProcess.ts';

/** Thousands of clients that send a byte a second, stay idle or read nothing (R19). Each that is cut off comes again. */

const SOCKETS = sized({ quick: 200, assure: 5_000, reliability: 5_000 });
const LAST_MS = sized({ quick: 20_000, assure: 60_000, reliability: 600_000 });
const MIB = 1024 * 1024;
const GROWTH_MAX = 200 * MIB;
const DESCRIPTORS_LEFT = 50;

const HEAD = 'POST /v1/payments HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n';
type Kind = { readonly first: string; readonly drip: string | null; readonly isReading: boolean };
/** By weight: those that do not read keep the most of both kernels. */
const kinds: readonly Kind[] = [
  { first: HEAD, drip: 'X: 1\r\n', isReading: true },
  { first: `${HEAD}Content-Length: 5000\r\n\r\n`, drip: 'a', isReading: true },
  { first: '', drip: null, isReading: true },
];
const DEAF: Kind = { first: 'GET /v1/resultcodes HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10), drip: null, isReading: false };

/** Keeps so many slow clients at a server until it is closed. `cut` counts those that the server ended. */
function besiege(port: number, count: number) {
  const open = new Map<Socket, Kind>();
  let [cut, isOver, made] = [0, false, 0];
  const begin = () => {
    made += 1;
    const kind = made % 50 === 0 ? DEAF : (kinds[made % kinds.length] as Kind);
    const socket = connect(port, '127.0.0.1', () => socket.write(kind.first));
    open.set(socket, kind);
    if (kind.isReading) socket.resume();
    else socket.pause();
    socket.on('error', () => {});
    socket.once('close', () => {
      open.delete(socket);
      if (isOver) return;
      cut += 1;
      // Not at once: the server would be busy with nothing but the next ones.
      setTimeout(() => !isOver && begin(), 1_000);
    });
  };
  const dripping = setInterval(() => {
    for (const [socket, { drip }] of open) if (drip !== null && socket.writable) socket.write(drip);
  }, 1_000);
  for (let at = 0; at < count; at += 1) begin();
  return {
    cut: () => cut,
    open: () => open.size,
    close() {
      isOver = true;
      clearInterval(dripping);
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

const rssOf = (pid: number): number => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const order = { fields: { paymentType: 'DB', amount: '10.00', currency: 'EUR', ...card } };

test(`${SOCKETS} slow clients are cut off and come again: payments are taken meanwhile, and memory and descriptors return`, {
  skip: process.platform !== 'linux' && 'needs Linux',
  timeout: LAST_MS + 240_000,
}, async (t) => {
  const env = { CONNECTIONS_MAX: '10000', CONNECTIONS_PER_ADDRESS_MAX: '10000' };
  const gateway = await createGateway({ env });
  t.after(() => gateway.kill());
  await gateway.start();
  for (let at = 0; at < 200; at += 1) assert.ok(isApproved(await pay(gateway.url, order)));
  const before = { rss: rssOf(gateway.pid()), descriptors: descriptorsOf(gateway.pid()) };
  const siege = besiege(Number(new URL(gateway.url).port), SOCKETS);
  t.after(() => siege.close());
  const ends = performance.now() + LAST_MS;
  let [paid, most] = [0, 0];
  while (performance.now() < ends || siege.cut() < SOCKETS / 3) {
    assert.ok(isApproved(await pay(gateway.url, order)), 'a payment beside the slow clients');
    paid += 1;
    most = Math.max(most, rssOf(gateway.pid()));
    await pause(20);
  }
  siege.close();
  while (descriptorsOf(gateway.pid()) > before.descriptors + DESCRIPTORS_LEFT) await pause(100);
  t.diagnostic(`${siege.cut()} cut off, ${paid} payments beside them, memory +${Math.round((most - before.rss) / MIB)} MiB`);
  assert.ok(most - before.rss <= GROWTH_MAX, `memory grew by ${Math.round((most - before.rss) / MIB)} MiB`);
});

test('control: a server without limits of time cuts off none of them, and that is found', async (t) => {
  const server = createServer((socket) => void socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const siege = besiege((server.address() as AddressInfo).port, 50);
  t.after(() => {
    siege.close();
    server.close();
  });
  await pause(20_000);
  assert.equal(siege.cut(), 0);
});
