import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import { test } from 'node:test';
import { card, isApproved, pay } from './client.ts';
import { createGateway, type GatewayProcess } from './gatewayProcess.ts';

/** The gateway takes payments and shuts down in order although its log cannot be written. */
async function assertWorksUnheard(gateway: GatewayProcess): Promise<void> {
  const fields = { paymentType: 'DB', amount: '7.00', currency: 'EUR', ...card };
  for (let batch = 0; batch < 3; batch += 1) {
    const replies = await Promise.all(Array.from({ length: 30 }, () => pay(gateway.url, { fields })));
    assert.deepEqual(
      replies.filter((reply) => !isApproved(reply)),
      [],
    );
  }
  assert.ok(gateway.isRunning());
  const hang = setTimeout(() => void gateway.kill(), 15_000);
  const { code, ms } = await gateway.end('SIGTERM');
  clearTimeout(hang);
  assert.equal(code, 0, `it did not end by itself (${ms} ms)`);
}

const noDevFull = process.platform === 'linux' ? false : 'needs /dev/full';

test('a full disk behind the log does not stop payments', { skip: noDevFull, timeout: 60_000 }, async (t) => {
  const gateway = await createGateway({ stdout: openSync('/dev/full', 'w'), env: { LOG_LEVEL: 'info' } });
  t.after(() => gateway.kill());
  await gateway.start();
  await assertWorksUnheard(gateway);
});

test('a reader of the log that goes away does not stop payments', { timeout: 60_000 }, async (t) => {
  const gateway = await createGateway({ env: { LOG_LEVEL: 'info' } });
  t.after(() => gateway.kill());
  await gateway.start();
  gateway.deafen();
  await assertWorksUnheard(gateway);
});
