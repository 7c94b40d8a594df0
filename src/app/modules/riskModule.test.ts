import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '../../merchants/channel.ts';
import { hierarchy } from '../../merchants/directory.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import type { SearchFound } from '../../payments/search/search.ts';
import { createRoutingModule } from './riskModule.ts';

const { channel: found } = hierarchy(sandboxRows(0).entities).get(sandbox.demoShop.channelId) ?? {};
const channel: Channel = found ?? assert.fail('the sandbox has no channel');
const trial = { channel, present: [], proposed: [], connector: () => null, issuer: () => null };
const period = { from: 0, before: 1 };

test('one back-test at a time; the next one runs when it has ended, also with an error', async () => {
  const pages: PromiseWithResolvers<SearchFound>[] = [];
  const search = () => {
    const page = Promise.withResolvers<SearchFound>();
    pages.push(page);
    return page.promise;
  };
  const { backtest } = createRoutingModule({ store: { search } });
  const first = backtest(trial, period);
  assert.equal(await backtest(trial, period), 'busy');
  pages[0]?.reject(new Error('the store is out of order'));
  await assert.rejects(first, /out of order/);
  const second = backtest(trial, period);
  pages[1]?.resolve({ payments: [], next: null });
  const outcome = await second;
  assert.equal(outcome === 'busy' ? null : outcome.payments, 0);
});
