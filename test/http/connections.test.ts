import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { gatewayBounds } from '../../src/http/gateway.ts';
import { createBudget } from '../../src/http/transport/budget.ts';
import { Connection } from '../../src/http/transport/connection.ts';
import { startGateway } from './gateway.ts';
import { say } from './raw.ts';

/** Clients that send requests and do not read. Everything is measured by the gateway's own account and by what its streams hold. */

const bounds = { heldBytes: 2_000_000, readMs: 600_000 };
const gateway = await startGateway({ bounds });
after(() => gateway.close());

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
/** Some 50 kB for 45 bytes, and no token is needed. */
const LONG = ask('/v1/resultcodes');
const SENT_BYTES = 56_000;
const attack = LONG.repeat(Math.floor(SENT_BYTES / LONG.length));
const answerBytes = (await (await fetch(`${gateway.url}/v1/resultcodes`)).arrayBuffer()).byteLength;

/** The replies to as many requests as may be open, and to those of a slice that was read in advance; and the bytes of one read. */
const ONE_MAX = (gatewayBounds.requests + 2) * (answerBytes + 4_096) + 65_536;

const opened: Socket[] = [];
after(() => {
  for (const socket of opened) socket.destroy();
});

/** Sends and never reads. */
function flood(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  opened.push(socket);
  socket.on('error', () => {});
  return new Promise((resolve) => void socket.on('connect', () => socket.pause().write(bytes, () => resolve(socket))));
}

/** The most that is held while the gateway does what it can, until nothing changes any more. */
async function mostHeld(): Promise<number> {
  let [most, last, quiet] = [0, -1, 0];
  for (let turn = 0; turn < 2_000 && quiet < 20; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const { heldBytes } = gateway.budget;
    most = Math.max(most, heldBytes);
    quiet = heldBytes === last ? quiet + 1 : 0;
    last = heldBytes;
  }
  return most;
}

const figure = async (name: string): Promise<number> => {
  const page = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\d+)`, 'm').exec(page)?.[1] ?? Number.NaN);
};

const leave = async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  while (gateway.budget.heldBytes > 0) await new Promise((resolve) => setTimeout(resolve, 10));
};

test('without bounds a server holds every answer to what one read brought', async () => {
  let [held, requests] = [0, 0];
  const server = createServer((_request, response) => {
    requests += 1;
    response.end('x'.repeat(answerBytes));
    held = Math.max(held, response.socket?.writableLength ?? 0) + (response.socket ? 0 : answerBytes);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const socket = await flood((server.address() as AddressInfo).port, attack);
  while (requests < 100) await new Promise((resolve) => setTimeout(resolve, 10));
  socket.destroy();
  server.closeAllConnections();
  server.close();
  assert.ok(held > 2 * ONE_MAX, `held ${held}, which shows nothing against ${ONE_MAX}`);
});

for (const side of ['port', 'officePort'] as const) {
  test(`56 kB of requests whose replies are not read hold little (${side})`, async () => {
    // Pages of the back office need no session either.
    const bytes = side === 'port' ? attack : ask('/admin/v1/nowhere').repeat(1_200);
    const before = gateway.lines.length;
    await flood(gateway[side], bytes);
    const most = await mostHeld();
    assert.ok(most < ONE_MAX, `${most} bytes were held`);
    assert.ok(gateway.lines.length > before, 'some were answered');
    await leave();
  });
}

test('many such clients together stay below the bound of all, and the others are served', async () => {
  const cutBefore = await figure('turnpike_connections_dropped_total{reason="memory"}');
  await Promise.all(Array.from({ length: 40 }, () => flood(gateway.port, attack)));
  const most = await mostHeld();
  assert.ok(most <= bounds.heldBytes + ONE_MAX, `${most} bytes were held`);
  const { statuses } = await say(gateway.port, ask('/health/live'), 60_000, 1);
  assert.deepEqual(statuses, [200]);
  assert.ok(
    (await figure('turnpike_connections_dropped_total{reason="memory"}')) > cutBefore,
    'those who did not read made room',
  );
  assert.ok((await figure('turnpike_connections_buffered_bytes')) <= bounds.heldBytes);
  await leave();
});

test('a client that reads late gets every reply, whole and in order', async () => {
  const paths = Array.from({ length: 150 }, (_, at) =>
    at % 3 === 0 ? '/v1/resultcodes' : at % 3 === 1 ? '/nowhere' : '/health/live',
  );
  const socket = await flood(gateway.port, paths.map(ask).join(''));
  await mostHeld();
  const expected = paths.map((path) => (path === '/nowhere' ? 404 : 200));
  const heard: Buffer[] = [];
  const statuses = () =>
    [
      ...Buffer.concat(heard)
        .toString('latin1')
        .matchAll(/HTTP\/1\.1 (\d{3}) /g),
    ].map((match) => Number(match[1]));
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk);
      if (heard.length % 50 === 0 || chunk.length < 60_000) if (statuses().length === expected.length) resolve();
    });
    socket.on('close', () => resolve());
    socket.resume();
  });
  assert.deepEqual(statuses(), expected);
  await leave();
});

test('a client that asks one thing after another on one connection notices nothing', async () => {
  const before = gateway.budget.connections;
  const { statuses } = await say(
    gateway.port,
    [1, 2, 3].map(() => ask('/health/live')),
    60_000,
    3,
  );
  assert.deepEqual(statuses, [200, 200, 200]);
  for (let at = 0; at < 50; at += 1) assert.equal((await fetch(`${gateway.url}/health/live`)).status, 200);
  assert.ok(gateway.budget.connections <= before + 3, 'the connection was used again');
});

test('a short reply takes no way through a second queue', async (context) => {
  const queued = (['_write', '_writev'] as const).map((name) => context.mock.method(Connection.prototype, name));
  for (let at = 0; at < 3; at += 1) assert.equal((await fetch(`${gateway.url}/health/live`)).status, 200);
  assert.deepEqual(
    queued.map(({ mock }) => mock.callCount()),
    [0, 0],
  );
});

test('a client that does not read is cut off in time, and no other', async () => {
  const short = await startGateway({ bounds: { readMs: 200 }, limits: { sweepMs: 50 } });
  const idle = connect(short.port, '127.0.0.1');
  const slow = connect(short.port, '127.0.0.1');
  slow.on('error', () => {});
  const closed = new Promise<void>((resolve) => void slow.on('close', () => resolve()));
  // More than the operating systems at both ends buffer.
  slow.on('connect', () => slow.pause().write(LONG.repeat(1_000)));
  while (short.budget.connections < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  while (short.budget.connections > 1) await new Promise((resolve) => setTimeout(resolve, 10));
  slow.resume();
  await closed;
  assert.equal(idle.destroyed, false);
  assert.match(await (await fetch(`${short.url}/metrics`)).text(), /dropped_total\{reason="slowReader"\} 1\n/);
  idle.destroy();
  await short.close();
});

test('one request a turn: a client that sends many at once does not occupy the process', async () => {
  const before = gateway.lines.length;
  const many = flood(gateway.port, ask('/health/live').repeat(1_000));
  const one = say(gateway.port, ask('/nowhere'), 60_000, 1);
  await Promise.all([many, one]);
  const lines = gateway.lines.slice(before).map((line) => JSON.parse(line) as { readonly status: number });
  const place = lines.findIndex(({ status }) => status === 404);
  assert.ok(place >= 0 && place < 200, `the other was answered behind ${place} of the many`);
  await leave();
});

test('an address has a limited number of connections; the next one is accepted when one closes', async () => {
  const cuts: string[] = [];
  const budget = createBudget({
    onCut: (reason) => void cuts.push(reason),
    now: () => 0,
    isShared: (address) => address === '10.0.0.1',
    bounds: { ...gatewayBounds, perAddress: 2 },
  });
  const from = (remoteAddress: string) => Object.assign(new PassThrough(), { remoteAddress }) as unknown as Socket;
  const admitted = (address: string) => budget.admit(from(address));
  const first = from('192.0.2.1');
  assert.ok(budget.admit(first));
  assert.deepEqual(['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2'].map(admitted), [true, false, true]);
  assert.deepEqual(['2001:db8::1', '2001:db8::2:1', '2001:db8:0:0:9::', '2001:db8:0:1::1'].map(admitted), [
    true,
    true,
    false,
    true,
  ]);
  assert.deepEqual(
    Array.from({ length: 9 }, () => admitted('10.0.0.1')),
    Array(9).fill(true),
    'all clients of a proxy',
  );
  assert.deepEqual(cuts, ['connectionsOfAddress', 'connectionsOfAddress']);
  first.destroy();
  await new Promise((resolve) => void first.once('close', resolve));
  assert.deepEqual([admitted('192.0.2.1'), admitted('192.0.2.1')], [true, false]);
});

test('more connections than there may be are refused and counted', async () => {
  const small = await startGateway({ limits: { connectionsMax: 2 } });
  const kept = [connect(small.port, '127.0.0.1'), connect(small.port, '127.0.0.1')];
  while (small.budget.connections < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual((await say(small.port, ask('/health/live'), 60_000, 1)).statuses, []);
  kept[0]?.destroy();
  while (small.budget.connections > 1) await new Promise((resolve) => setTimeout(resolve, 10));
  const { text } = await say(small.port, ask('/metrics'), 60_000, 1);
  assert.match(text, /dropped_total\{reason="connections"\} 1\n/);
  kept[1]?.destroy();
  await small.close();
});
