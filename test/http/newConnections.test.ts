import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { clock, createIds } from '../../src/app/system.ts';
import { createGateway, createGatewayBudget } from '../../src/http/gateway.ts';
import { createReplies } from '../../src/http/replies.ts';
import type { Services } from '../../src/http/services.ts';
import { trustOf } from '../../src/http/transport/clientAddress.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

/** A turn of the event loop accepts one connection, and may handle many requests: new clients must not wait for all of them. */

const replies = createReplies({ clock, ids: createIds(clock.now) }, 'x');
const metrics = createMetrics();
const budget = createGatewayBudget({ metrics, trust: trustOf(false) });
let handled = 0;
const gateway = createGateway({
  replies,
  metrics,
  budget,
  log: createLog('fatal', { write: () => {} }, Date.now),
  tls: null,
  handle: async () => {
    handled += 1;
    const end = performance.now() + 0.3;
    while (performance.now() < end);
    return replies.result('200.300.404', null, { status: 400 });
  },
});
const port = await gateway.listen(0, '127.0.0.1');
gateway.open({} as Services);
after(() => gateway.stop());

const opened: Socket[] = [];
after(() => {
  for (const socket of opened) socket.destroy();
});

const REQUEST = 'POST /v1/payments HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=b';
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function open(): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  opened.push(socket);
  return socket;
}

/** Sends the next request as soon as it has the reply to the last one. */
function keepBusy(): void {
  const socket = open();
  socket.on('connect', () => void socket.write(REQUEST)).on('data', () => void socket.write(REQUEST));
}

const BUSY = 64;
const NEW = 96;
/** 16 connections are accepted for each 32 requests, and those that were accepted send requests too. */
const HANDLED_MAX = (2 * NEW + BUSY) * 2;

test('connections that come together are accepted while the gateway is busy with others', async () => {
  for (let count = 0; count < BUSY; count += 1) keepBusy();
  while (budget.connections < BUSY || handled < 20 * BUSY) await turn();
  const before = handled;
  for (let count = 0; count < NEW; count += 1) open();
  while (budget.connections < BUSY + NEW) await turn();
  const meanwhile = handled - before;
  // One for each turn would be 32 times as many requests as connections.
  assert.ok(meanwhile < HANDLED_MAX, `${meanwhile} requests were handled before ${NEW} connections were accepted`);
});
