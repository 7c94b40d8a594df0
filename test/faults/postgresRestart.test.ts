import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { card, isApproved, pay, read } from './client.ts';
import { createGateway, type GatewayProcess } from './gatewayProcess.ts';
import { assertNothingWentWrong, overload, SETTLE_MS_MAX } from './killRun.ts';
import { startLoad } from './load.ts';
import { reconcile } from './reconcile.ts';

const ROUNDS = sized({ quick: 2, assure: 4, reliability: 20 });
const PAYMENTS_MIN = sized({ quick: 120, assure: 200, reliability: 200 });
const RECOVERY_MS_MAX = 10_000;

let postgres: PostgresServer;
let gateway: GatewayProcess;
before(async () => {
  postgres = await startPostgres();
  gateway = await createGateway({ databaseUrl: postgres.url() });
  await gateway.start();
});
after(async () => {
  await gateway.kill();
  await postgres.stop();
});

/** The time from the server's return to the first payment that is approved. */
async function untilFirstPayment(url: string): Promise<number> {
  const began = performance.now();
  const fields = { paymentType: 'DB', amount: '1.00', currency: 'EUR', ...card };
  while (performance.now() - began < 30_000) {
    const reply = await pay(url, { fields }).catch(() => null);
    if (reply && isApproved(reply)) return Math.round(performance.now() - began);
    await pause(20);
  }
  throw new Error('no payment was approved within 30 s after PostgreSQL was back');
}

/** A pool may hold connections that the restart broke: enough concurrent requests to use each of them. */
async function slowestMs(url: string): Promise<number> {
  const fields = { paymentType: 'DB', amount: '1.00', currency: 'EUR', ...card };
  const paid = await Promise.all(Array.from({ length: 100 }, () => pay(url, { fields })));
  const back = await Promise.all(paid.map(({ body }) => read(url, body?.id ?? '')));
  assert.ok([...paid, ...back].every(isApproved), 'not every payment is approved although PostgreSQL is back');
  return Math.round(Math.max(...[...paid, ...back].map(({ ms }) => ms)));
}

test('the gateway outlives restarts of PostgreSQL under load', {
  timeout: sized({ quick: 120_000, assure: 120_000, reliability: 1_200_000 }),
}, async (t) => {
  const pid = gateway.pid();
  const load = startLoad({
    urls: [gateway.url],
    perSecond: sized({ quick: 150, assure: 250, reliability: 250 }),
    seed: 16,
    strangeMs: 1_000,
  });
  t.after(() => load.abandon());
  const recoveries: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await pause(800);
    await postgres.stop('immediate');
    // While nothing can be stored, nothing is acknowledged, and no request is kept waiting.
    await pause(round % 2 === 0 ? 0 : 1_000);
    await postgres.start();
    recoveries.push(await untilFirstPayment(gateway.url));
  }
  await pause(500);
  await load.stop();
  const slowest = await slowestMs(gateway.url);
  const { journal } = load;
  const found = await reconcile(gateway.url, journal, { settleMsMax: SETTLE_MS_MAX });
  const statuses = [...journal.statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  t.diagnostic(
    `${ROUNDS} restarts, recovered after ${recoveries.join(', ')} ms; ${found.checked} payments acknowledged, ` +
      `${found.lost.length} lost; slowest of 200 requests afterwards ${slowest} ms; ${statuses}; ${journal.broken} connections broken, ${journal.hangs.length} hangs`,
  );
  assert.ok(gateway.isRunning() && gateway.pid() === pid, 'the gateway ended');
  assert.ok(Math.max(...recoveries) <= RECOVERY_MS_MAX * overload(), `recovered only after ${Math.max(...recoveries)} ms`);
  assertNothingWentWrong(journal, found);
  assert.ok(slowest < 3_000 * overload(), `a request took ${slowest} ms although PostgreSQL is back`);
  assert.equal(journal.broken, 0, 'a healthy gateway answers; it does not break connections');
  assert.ok((journal.statuses.get(503) ?? 0) > 0, 'no request met the server while it was away');
  assert.ok(found.checked >= PAYMENTS_MIN, `only ${found.checked} payments were acknowledged`);
  reportFigure('R14', 'restarts', ROUNDS);
  reportFigure('R14', 'acknowledged', found.checked);
});
