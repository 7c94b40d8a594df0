import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../freePort.ts';
import { challenge, codeOn, goBack } from '../http/cardholder.ts';
import { createClient, SHOPPER } from '../http/client.ts';
import { testDatabase } from '../postgres.ts';
import { createGateway } from './gatewayProcess.ts';

/** Two gateways in processes of their own on PostgreSQL: the shopper is at the issuer while the node that took the payment ends. */

const PAYMENTS = 20;
const SETTLE_MS_MAX = 120_000;

async function outcomesAfter(t: TestContext, signal: 'SIGTERM' | 'SIGKILL', threads: number): Promise<ReadonlySet<string>> {
  const database = await testDatabase();
  const peerOf = async () => ({ PEER_URL: `http://127.0.0.1:${await freePort()}`, LOG_LEVEL: 'info' });
  const second = await createGateway({ databaseUrl: database.url, env: await peerOf(), threads: [threads] });
  const env = { ...(await peerOf()), PUBLIC_URL: second.url, DRAIN_SECONDS: '1' };
  const first = await createGateway({ databaseUrl: database.url, env, threads: [threads] });
  t.after(async () => {
    await Promise.all([first.kill(), second.kill()]);
    await database.drop();
  });
  await Promise.all([first.start(), second.start()]);
  const [here, there] = [createClient(first.url), createClient(second.url)];
  const card = { ...SHOPPER, 'card.number': '4200000000000018', shopperResultUrl: 'https://shop.example/result' };
  const pending = await Promise.all(Array.from({ length: PAYMENTS }, () => here.pay(card)));
  assert.deepEqual(new Set(pending.map(({ code }) => code)), new Set(['000.200.000']));
  const { code } = await first.end(signal);
  assert.equal(code, signal === 'SIGTERM' ? 0 : null, first.said());
  for (const one of pending) await goBack(await challenge(one, 'submit', codeOn), one);
  const began = performance.now();
  for (;;) {
    const codes = new Set((await Promise.all(pending.map(({ id }) => there.read(id)))).map((read) => read.code));
    if (!codes.has('000.200.000')) return codes;
    assert.ok(performance.now() - began < SETTLE_MS_MAX, `${[...codes].join()}\n${second.said()}`);
    await pause(500);
  }
}

for (const threads of [1, 2]) {
  test(`${threads} threads: SIGTERM: the other node charges every payment that was being authenticated`, async (t) => {
    assert.deepEqual(await outcomesAfter(t, 'SIGTERM', threads), new Set(['000.100.110']));
  });
}

test('the control: after SIGKILL every one of them ends without a charge', async (t) => {
  assert.deepEqual(await outcomesAfter(t, 'SIGKILL', 1), new Set(['800.400.200']));
});
