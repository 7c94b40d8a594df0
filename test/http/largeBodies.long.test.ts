import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { reportFigure } from '../figures.ts';
import { DEMO } from './client.ts';
import { heavyRequests } from './longestTurn.ts';

/** Twenty of the largest bodies at once: ten shops beside them are served in between, each several times (R36). */

const LARGE = 20;
const SHOPS = 10;
const EACH_MIN = 5;
/** The worst of the legal ones. */
const TITLE = 'pay: items of a cart';

const payment = new URLSearchParams({
  entityId: DEMO.entityId,
  amount: '1.00',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Ann Example',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
}).toString();
const headers = { authorization: `Bearer ${DEMO.token}`, 'content-type': 'application/x-www-form-urlencoded' };

async function send(url: string, body: string): Promise<number> {
  const reply = await fetch(`${url}/v1/payments`, { method: 'POST', headers, body });
  await reply.arrayBuffer();
  return reply.status;
}

/** How often each shop was answered between the arrival of the first large body and the reply to the last one. */
async function servedBeside(url: string, body: string): Promise<readonly number[]> {
  let isOver = false;
  const large = Array.from({ length: LARGE }, () => send(url, body));
  // The first reply shows that all bodies are in, or nearly so: until then the shops have the server for themselves.
  await Promise.race(large);
  const shops = Array.from({ length: SHOPS }, async () => {
    for (let served = 0; ; served += 1) {
      assert.equal(await send(url, payment), 200);
      if (isOver) return served;
    }
  });
  const statuses = await Promise.all(large);
  isOver = true;
  assert.deepEqual(
    statuses.filter((status) => status >= 500),
    [],
  );
  return Promise.all(shops);
}

const body = heavyRequests('pay').find(({ title }) => title === TITLE)?.body ?? assert.fail(TITLE);

test(`beside ${LARGE} of the largest bodies at once ${SHOPS} shops are served at least ${EACH_MIN} times each`, async (t) => {
  const worker = new Worker(new URL('./longestTurnThread.ts', import.meta.url));
  t.after(() => worker.terminate());
  const [url] = (await once(worker, 'message')) as [string];
  const served = await servedBeside(url, body);
  const sum = served.reduce((all, one) => all + one, 0);
  t.diagnostic(`${sum} payments beside ${LARGE} bodies of ${body.length} bytes`);
  assert.ok(Math.min(...served) >= EACH_MIN, served.join());
  reportFigure('R36', 'heavy requests', LARGE);
});

test('control: a server that reads each body in one go keeps the shops waiting, and that is found', async (t) => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      let fields = 0;
      // As much work as the gateway has with such a body.
      for (const [name] of new URLSearchParams(Buffer.concat(chunks).toString('utf8'))) {
        fields += name.split(/[.[\]]/).length + JSON.stringify({ name }).length;
      }
      response.end(String(fields));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const served = await servedBeside(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, body);
  assert.ok(Math.min(...served) < EACH_MIN, served.join());
});
