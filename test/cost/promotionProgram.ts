import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { number, payTemplate } from '../../bench/request.ts';
import { timers } from '../../src/app/system.ts';
import { boundedStore } from '../../src/store/bounded.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { collect, promotedDuring } from './promoted.ts';

/**
 * Prints how many bytes of a payment outlive the young generation, in a process of its own: the runner of tests notes every promise of its
 * process, and these notes are old objects too.
 */
const CONNECTIONS = 64;
const WARM_UP = 500;
const PAYMENTS = 4_000;

const folder = mkdtempSync(join(tmpdir(), 'turnpike-promotion-'));
let gateway: TestGateway;
let sockets: readonly Socket[];

async function setUp(): Promise<void> {
  // As the gateway is started (scripts/supervise.mjs).
  setFlagsFromString('--no-allocation-site-pretenuring');
  gateway = await startGateway({ store: boundedStore(await openSqliteStore({ dataDir: folder }), timers) });
  sockets = Array.from({ length: CONNECTIONS }, () => connect({ port: gateway.port, host: '127.0.0.1', noDelay: true }));
}

async function tearDown(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await gateway.close();
  rmSync(folder, { recursive: true });
}

const template = payTemplate('DB');
let order = 0;

const pay = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('data', (bytes: Buffer) => {
      const reply = bytes.toString('latin1');
      if (reply.includes('"code":"000.100.110"')) resolve();
      else reject(new Error(reply));
    });
    order += 1;
    number(template, order);
    socket.write(Buffer.from(template.bytes));
  });

async function payMany(count: number): Promise<void> {
  let left = count;
  const work = async (socket: Socket): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await pay(socket);
    }
  };
  await Promise.all(sockets.map(work));
}

await setUp();
const warming = payMany(WARM_UP);
// In the midst of payments: objects in use now are old from here on, and keep alive what they point to.
setTimeout(collect, 200);
await warming;
const { bytes, collections } = await promotedDuring(() => payMany(PAYMENTS));
console.log(JSON.stringify({ bytes: Math.round(bytes / PAYMENTS), collections }));
await tearDown();
