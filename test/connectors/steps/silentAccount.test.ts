import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../../src/store/memory/memoryStore.ts';
import { attendedStepsMs } from '../../attended.ts';
import { reportFigure } from '../../figures.ts';
import { freshShops } from '../../http/freshShops.ts';
import { startGateway } from '../../http/gateway.ts';
import { percentile } from '../../percentile.ts';
import { LIVE_KEY, openStripe, stripeUnderTest } from '../stripe/server.ts';
import { ACCOUNT, kept, SECOND, sealSecrets, send, settingsFor, shopOf } from '../trialShop.ts';

/** A shop in live with two accounts at one acquirer. The first one takes connections and says nothing. */

const PAYMENTS = 24;
/** Shoppers at the same time. */
const SHOPPERS = 4;
/** The default of UNSENT_SECONDS. */
const UNSENT_MS = 4_000;
/** What the gateway itself may take for a payment, with all the rest of the machine. */
const OWN_MS = 1_000;
/** Longer than the breaker waits before it tries again. */
const PAUSE_MS = 6_000;
const PROBE = 'GET /v1/balance';

after(() => kept.destroy());

/** Listens, reads, and never answers; later it passes everything on. */
async function openSilence() {
  const sockets = new Set<Socket>();
  const heard: string[] = [];
  let target: number | null = null;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    if (target === null) return void socket.once('data', (bytes) => heard.push(String(bytes).split(' HTTP/')[0] ?? ''));
    const far = connect(target, '127.0.0.1');
    far.on('error', () => socket.destroy());
    socket.pipe(far).pipe(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** Method and path of every request that it was sent. */
    heard,
    speakFor(url: string) {
      target = Number(new URL(url).port);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

async function openShop() {
  const silence = await openSilence();
  const time = { now: Date.now };
  const [first, second] = [await openStripe(time, { isLive: true }), await openStripe(time, { isLive: true })];
  const store = createMemoryStore();
  const { shops, rows } = freshShops(1, settingsFor(stripeUnderTest, { url: silence.url, secondUrl: second.url }));
  const shop = { ...shopOf(shops[0]), isLive: true } as const;
  const secrets = { ...stripeUnderTest.secrets, secretKey: LIVE_KEY };
  for (const account of [ACCOUNT, SECOND]) await sealSecrets(store, { ownerId: shop.ownerId, account }, secrets);
  const hosts = [silence.url, second.url].map((url) => new URL(url).host);
  const gateway = await startGateway({
    environment: 'live',
    store,
    rows,
    connectorHosts: hosts,
    isClockAttended: true,
    isQuiet: true,
    unsentMs: UNSENT_MS,
    patienceMs: 60_000,
  });
  const pay = async () => {
    const begun = attendedStepsMs();
    const fields = { ...stripeUnderTest.approved, paymentType: 'DB', amount: '10.00', currency: 'EUR' };
    const { id = '', result } = await send(gateway, shop, { fields });
    return { id, code: result.code, ms: attendedStepsMs() - begun };
  };
  const payMany = async (count: number) => {
    const made: Awaited<ReturnType<typeof pay>>[] = [];
    const shopper = async () => {
      for (let left = count / SHOPPERS; left > 0; left -= 1) made.push(await pay());
    };
    await Promise.all(Array.from({ length: SHOPPERS }, shopper));
    return made;
  };
  const timesAt = async (server: typeof first, id: string): Promise<number> =>
    (await server.booked({ merchantId: shop.ownerId, id })).times;
  return {
    ...{ gateway, silence, first, second, pay, payMany, timesAt },
    isReachable: () => gateway.services.accounts.acquirers.isReachable({ ownerId: shop.ownerId, name: ACCOUNT }),
    async close() {
      await gateway.close();
      await Promise.all([silence, first, second].map((one) => one.close()));
    },
  };
}

test(`live: one of two accounts is silent, and of ${PAYMENTS} payments none is lost, none is doubled, and none waits for long`, async (t) => {
  const { gateway, silence, first, second, pay, payMany, timesAt, isReachable, close } = await openShop();
  try {
    const made = await payMany(PAYMENTS);
    assert.deepEqual([...new Set(made.map(({ code }) => code))], ['000.000.000']);
    for (const { id } of made) assert.equal(await timesAt(second, id), 1);
    const [worst, median] = [
      percentile(
        made.map(({ ms }) => ms),
        100,
      ),
      percentile(
        made.map(({ ms }) => ms),
        50,
      ),
    ];
    t.diagnostic(`${PAYMENTS} payments: the worst took ${Math.round(worst)} ms, the median ${Math.round(median)} ms`);
    assert.ok(worst <= UNSENT_MS / 2 + OWN_MS, `${worst} ms`);
    assert.deepEqual([...new Set(silence.heard)], ['POST /v1/payment_intents'], 'a request that books was sent');
    assert.equal(isReachable(), false);

    // What the breaker tries with is its own request: no payment waits for it.
    const before = silence.heard.length;
    gateway.pass(PAUSE_MS);
    const later = await payMany(SHOPPERS * 2);
    assert.deepEqual([...new Set(later.map(({ code }) => code))], ['000.000.000']);
    assert.ok(
      percentile(
        later.map(({ ms }) => ms),
        100,
      ) <= OWN_MS,
      'a payment waited for the breaker',
    );
    assert.deepEqual(silence.heard.slice(before), [PROBE]);

    // The acquirer is back: after the next probe it takes payments again.
    silence.speakFor(first.url);
    while (!isReachable()) {
      gateway.pass(PAUSE_MS);
      assert.equal((await pay()).code, '000.000.000');
      await new Promise((done) => setTimeout(done, 20));
    }
    const { id } = await pay();
    assert.deepEqual([await timesAt(first, id), await timesAt(second, id)], [1, 0]);
    assert.deepEqual([...first.faults, ...second.faults], []);
    reportFigure('R7', 'live payments beside a silent account', PAYMENTS);
  } finally {
    await close();
  }
});
