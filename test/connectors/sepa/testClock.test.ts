import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClockClient } from '../../http/clockFixture.ts';
import { MONDAY } from './account.ts';
import { filesIn, openShop } from './deliveryShop.ts';

/** A merchant moves the test clock over several cut-offs at once: no job runs, and no real time passes. */
test('batches close at their cut-offs while a test clock is moved', async () => {
  const shop = await openShop({ delivery: 'folder', noticeDays: 0, cutOff: '10:00', closeMinutes: 60 }, 'unused-here', MONDAY);
  const { gateway, merchantId, token, outgoing, pay } = shop;
  try {
    const clock = createClockClient(gateway.url, merchantId, token);
    await clock.freeze();
    assert.equal((await pay('Mandate-a')).result.code, '000.200.000');
    await clock.move({ by: 'PT30M' });
    assert.deepEqual(await filesIn(outgoing), []);
    await clock.move({ by: 'P7D' });
    const [first = '', ...others] = await filesIn(outgoing);
    assert.deepEqual(others, []);
    assert.match(first, /^pain\.008-D20261116-[0-9a-f]{8}-001\.xml$/);
    const text = await readFile(join(outgoing, first), 'utf8');
    assert.match(text, /<CreDtTm>2026-11-16T08:00:/);
    assert.match(text, /<ReqdColltnDt>2026-11-17</);
  } finally {
    await shop.close();
  }
});
