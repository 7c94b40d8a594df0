import assert from 'node:assert/strict';
import { chownSync, mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { reportFigure } from '../figures.ts';
import { startPostgres } from '../postgres.ts';
import { card, isApproved, pay, type Reply, read } from './client.ts';
import { openRawDatabase } from './database.ts';
import { createGateway, createLooseGateway, type GatewayProcess, isReady, readiness } from './gatewayProcess.ts';
import { overload } from './overload.ts';
import { obstacle, type SmallDisk, smallDisk } from './smallDisk.ts';

/** A full disk of PostgreSQL (R16): first of a tablespace, which the server survives, then of its write-ahead log, which it does not. */

const MIB = 1024 * 1024;
const REFUSED_MIN = 100;
const BATCHES_MAX = 400;
const RECOVERY_MS_MAX = 30_000;
const timeout = 300_000;
const skip = obstacle();

/** Small segments reach the end of the disk soon, and no unused ones are kept. */
const SMALL_WAL = { max_wal_size: '32MB', min_wal_size: '32MB', shared_buffers: '16MB' };

const order = (at: number) => ({ fields: { paymentType: 'DB', amount: `${10 + (at % 5_000)}.00`, currency: 'EUR', ...card } });

/** A shop that pays in batches and keeps every reply; a broken connection is no reply. */
function createPayer(gateway: GatewayProcess) {
  const replies: Reply[] = [];
  let sent = 0;
  const batch = async (count: number): Promise<readonly Reply[]> => {
    const ended = await Promise.allSettled(Array.from({ length: count }, () => pay(gateway.url, order(sent++))));
    const heard = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    replies.push(...heard);
    return heard;
  };
  const untilFull = async () => {
    let refused = 0;
    for (let at = 0; at < BATCHES_MAX && refused < REFUSED_MIN; at += 1)
      refused += (await batch(20)).filter((reply) => !isApproved(reply)).length;
    assert.ok(refused > 0, 'the disk was never full');
  };
  /** A reply that names a payment promises it, whatever its result is. */
  const lost = async () => {
    const named = replies.filter(({ body }) => body?.id !== undefined);
    const back = await Promise.all(named.map(({ body }) => read(gateway.url, body?.id ?? '')));
    return named.filter(({ body }, at) => back[at]?.body?.id !== body?.id || back[at]?.body?.amount !== body?.amount);
  };
  return { replies, batch, untilFull, lost };
}

const refusals = (replies: readonly Reply[]) => replies.filter(({ body }) => body?.id === undefined);

function assertClean(replies: readonly Reply[]): void {
  for (const { status, body, text } of replies) {
    assert.equal(status, 503, text);
    assert.ok(body?.result?.code, text);
  }
}

async function untilTrue(what: string, is: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await is())) {
    assert.ok(performance.now() - began < RECOVERY_MS_MAX * overload(), `${what}: not after ${RECOVERY_MS_MAX} ms`);
    await pause(50);
  }
  return Math.round(performance.now() - began);
}

const isPaid = (gateway: GatewayProcess) => async () => {
  const [reply] = await Promise.allSettled([pay(gateway.url, order(1))]);
  return reply?.status === 'fulfilled' && isApproved(reply.value);
};

test('PostgreSQL on a full tablespace: nothing is acknowledged that is not stored, and the gateway recovers without a restart', {
  skip,
  timeout,
}, async (t) => {
  let disk: SmallDisk | null = null;
  let space = '';
  const server = await startPostgres({
    through: async (dataDir, user) => {
      space = `${dataDir}-space`;
      mkdirSync(space);
      chownSync(space, user.uid, user.gid);
      disk = await smallDisk(space, 64 * MIB, user);
      return disk.through;
    },
  });
  const small = disk as SmallDisk | null;
  assert.ok(small);
  const raw = openRawDatabase(server.url(), '');
  await raw.rows(`CREATE TABLESPACE small LOCATION '${space}'`);
  await raw.rows('CREATE DATABASE full_disk TABLESPACE small').finally(() => raw.close());
  const gateway = await createGateway({ databaseUrl: server.url('full_disk') });
  t.after(async () => {
    await gateway.kill();
    await server.kill();
    small.close();
  });
  await gateway.start();
  const pid = gateway.pid();
  const payer = createPayer(gateway);
  assert.deepEqual(refusals(await payer.batch(50)), []);
  small.fill(64 * 1024);
  await payer.untilFull();
  assertClean(refusals(payer.replies));
  await untilTrue('readiness names the disk', async () => {
    const found = await readiness(gateway.url);
    if (found?.status === 200) await payer.batch(5);
    return found?.status === 503 && found.text.includes('its disk is full');
  });
  small.free();
  const recoveryMs = await untilTrue('a payment after space was made', isPaid(gateway));
  await untilTrue('ready again', () => isReady(gateway.url));
  assert.equal(gateway.pid(), pid);
  assert.deepEqual(refusals(await payer.batch(50)), []);
  assert.deepEqual(await payer.lost(), []);
  const refused = refusals(payer.replies).length;
  t.diagnostic(
    `full tablespace: ${payer.replies.length - refused} acknowledged, ${refused} refused, paid again after ${recoveryMs} ms`,
  );
  reportFigure('R16', 'acknowledged', payer.replies.length - refused);
  reportFigure('R16', 'refused', refused);
});

/** A server with all of its files on a small disk, whose write-ahead log fills it. */
async function startSmallServer(settings: Readonly<Record<string, string>> = {}) {
  let disk: SmallDisk | null = null;
  const server = await startPostgres({
    settings: { ...SMALL_WAL, ...settings },
    through: async (dataDir, user) => {
      disk = await smallDisk(dataDir, 192 * MIB, user);
      return disk.through;
    },
  });
  const small = disk as SmallDisk | null;
  assert.ok(small);
  return { server, small };
}

/** Pays until the server is gone, makes space, starts the server as its supervisor would, and waits until payments are taken. */
async function fillAndRecover(gateway: GatewayProcess, { server, small }: Awaited<ReturnType<typeof startSmallServer>>) {
  await gateway.start();
  const pid = gateway.pid();
  const payer = createPayer(gateway);
  await payer.batch(50);
  small.fill(64 * 1024);
  await payer.untilFull();
  await untilTrue('readiness', async () => (await readiness(gateway.url))?.status === 503);
  small.free();
  await server.kill();
  await server.start();
  const recoveryMs = await untilTrue('a payment after the server is back', isPaid(gateway));
  assert.equal(gateway.pid(), pid, 'the gateway was restarted');
  return { payer, recoveryMs };
}

test('PostgreSQL whose write-ahead log has no space ends: nothing is acknowledged that is not stored, and the gateway waits for it', {
  skip,
  timeout,
}, async (t) => {
  const database = await startSmallServer();
  const gateway = await createGateway({ databaseUrl: database.server.url() });
  t.after(async () => {
    await gateway.kill();
    await database.server.kill();
    database.small.close();
  });
  const { payer, recoveryMs } = await fillAndRecover(gateway, database);
  assertClean(refusals(payer.replies));
  assert.deepEqual(await payer.lost(), []);
  const refused = refusals(payer.replies).length;
  t.diagnostic(`full log: ${payer.replies.length - refused} acknowledged, ${refused} refused, paid again after ${recoveryMs} ms`);
  reportFigure('R16', 'acknowledged', payer.replies.length - refused);
  reportFigure('R16', 'refused', refused);
});

test('control: commits that do not wait for the disk are lost when the log has no space, and that is found', {
  skip,
  timeout,
}, async (t) => {
  // What is not flushed on demand stays in memory as long as the server may keep it there.
  const database = await startSmallServer({ wal_writer_delay: '10s', wal_buffers: '16MB' });
  const gateway = await createLooseGateway({ databaseUrl: database.server.url() });
  t.after(async () => {
    await gateway.kill();
    await database.server.kill();
    database.small.close();
  });
  const { payer } = await fillAndRecover(gateway, database);
  assert.ok((await payer.lost()).length > 0, 'nothing was lost although nothing was made durable');
});
