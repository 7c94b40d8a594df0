import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { reportFigure } from '../figures.ts';
import { isLongRun, sized } from '../long.ts';
import { percentile } from '../percentile.ts';
import { card, isApproved, pay } from './client.ts';
import { createGateway } from './gatewayProcess.ts';
import { besiege } from './siege.ts';

/** Thousands of slow clients, and the payments of others beside them (R19). */

const SOCKETS = sized({ quick: 200, assure: 5_000, reliability: 5_000 });
const LAST_MS = sized({ quick: 6_000, assure: 60_000, reliability: 600_000 });
const MIB = 1024 * 1024;
const GROWTH_MIB_MAX = 200;
const DESCRIPTORS_LEFT = 50;
/** Rounds alternate in which the slow clients are at this gateway and at another one: the machine has the same work in both. */
const ROUNDS = sized({ quick: 1, assure: 3, reliability: 3 });
/** The part of the slow clients that is connected when a round begins. */
const MOST_OPEN = 0.9;
/** The most that p99 of payments beside them may be, in times of p99 without them. */
const RATIO_MAX = 2;
/** The least number of payments that p99 is taken of. */
const PAID_EACH_ROUND = sized({ quick: 100, assure: 300, reliability: 1_000 });

const rssOf = (pid: number): number => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const order = { fields: { paymentType: 'DB', amount: '10.00', currency: 'EUR', ...card } };

const portOf = ({ url }: { readonly url: string }): number => Number(new URL(url).port);

/** Payments of one round: p99 in milliseconds, and the most bytes that the gateway held. */
type During = { readonly p99: number; readonly most: number };

/** Takes payments one after the other until it is time, and returns p99 of what they took. */
async function payUntil(url: string, isOver: (paid: number) => boolean | Promise<boolean>): Promise<number> {
  const ms: number[] = [];
  while (!(await isOver(ms.length))) {
    const began = performance.now();
    assert.ok(isApproved(await pay(url, order)), 'a payment beside the slow clients');
    ms.push(performance.now() - began);
    await pause(20);
  }
  return percentile(ms, 99);
}

describe('slow clients', { concurrency: true }, () => {
  test(`${SOCKETS} slow clients are cut off and come again: payments are taken meanwhile, about as quickly, and memory and descriptors return`, {
    skip: process.platform !== 'linux' && 'needs Linux',
    timeout: LAST_MS + 480_000,
  }, async (t) => {
    const env = { CONNECTIONS_MAX: '10000', CONNECTIONS_PER_ADDRESS_MAX: '10000' };
    const [gateway, other] = [await createGateway({ env, isOperated: true }), await createGateway({ env, isOperated: true })];
    for (const one of [gateway, other]) {
      t.after(() => one.kill());
      await one.start();
    }
    for (let at = 0; at < 200; at += 1) assert.ok(isApproved(await pay(gateway.url, order)));
    const descriptors = descriptorsOf(gateway.pid());
    const rounds: { readonly calm: During; readonly beside: During }[] = [];
    let cut = 0;
    /** p99 of payments at the gateway and the most memory that it held, while the slow clients are at one of the two. */
    const payDuring = async (besieged: typeof gateway): Promise<During> => {
      const siege = besiege(portOf(besieged), SOCKETS);
      t.after(() => siege.close());
      while ((await siege.count()).open < SOCKETS * MOST_OPEN) await pause(100);
      const ends = performance.now() + LAST_MS / ROUNDS;
      let most = 0;
      const p99 = await payUntil(gateway.url, async (paid) => {
        most = Math.max(most, rssOf(gateway.pid()));
        return performance.now() >= ends && paid >= PAID_EACH_ROUND && (await siege.count()).cut >= SOCKETS / 3;
      });
      if (besieged === gateway) cut += (await siege.count()).cut;
      await siege.close();
      while (descriptorsOf(gateway.pid()) > descriptors + DESCRIPTORS_LEFT) await pause(100);
      return { p99, most };
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const [calm, beside] = [await payDuring(other), await payDuring(gateway)];
      rounds.push({ calm, beside });
    }
    const ratio = percentile(
      rounds.map(({ calm, beside }) => beside.p99 / calm.p99),
      50,
    );
    // What stays of the first siege is in the memory of the next calm round.
    const growth = Math.round(
      (Math.max(...rounds.map(({ beside }) => beside.most)) - (rounds[0] as (typeof rounds)[0]).calm.most) / MIB,
    );
    t.diagnostic(`${cut} cut off; p99 beside them ÷ without: ${ratio.toFixed(2)} (median of ${ROUNDS}); memory +${growth} MiB`);
    assert.ok(growth <= GROWTH_MIB_MAX, `memory grew by ${growth} MiB`);
    // Of a few payments on a machine with other work it says nothing.
    if (isLongRun()) assert.ok(ratio <= RATIO_MAX, `${ratio.toFixed(2)} times`);
    reportFigure('R19', 'slow clients', SOCKETS);
    reportFigure('R19', 'cut off', cut);
    reportFigure('R19', 'p99 beside them in percent of without', Math.round(100 * ratio));
    reportFigure('R19', 'growth of memory, MiB', growth);
  });

  test('control: a server without limits of time cuts off none of them, and that is found', async (t) => {
    const server = createServer((socket) => void socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const siege = besiege((server.address() as AddressInfo).port, 50);
    t.after(async () => {
      await siege.close();
      server.close();
    });
    await pause(20_000);
    assert.deepEqual(await siege.count(), { open: 50, cut: 0 });
  });
});
