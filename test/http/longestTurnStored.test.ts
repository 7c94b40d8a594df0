import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { sized } from '../long.ts';
import { CARD, createClient, DEMO } from './client.ts';
import { OPERATOR } from './longestTurn.ts';
import type { ThreadMessage } from './longestTurnThread.ts';

/**
 * Requests over what is stored: uploads, imports, exports, lists and reports. See longestTurn.test.ts for the measure. A gateway evaluates
 * back-tests of risk rules in threads of their own.
 */
const TURN_MS_MAX = 35;
const TRIES = 6;
const ENOUGH_MS = 20;
const PAYMENTS = sized({ quick: 1_000, assure: 1_500, reliability: 1_500 });
const UNKNOWN_LINES = sized({ quick: 10_000, assure: 20_000, reliability: 20_000 });

let worker: Worker;
let url = '';
let file = '';
const folder = mkdtempSync(join(tmpdir(), 'turns-'));

async function ask<Answer>(message: ThreadMessage): Promise<Answer> {
  const answer = once(worker, 'message');
  worker.postMessage(message);
  const [value] = (await answer) as [Answer];
  return value;
}

before(async () => {
  worker = new Worker(new URL('./longestTurnThread.ts', import.meta.url), { workerData: { dataDir: folder } });
  [url] = (await once(worker, 'message')) as [string];
  const shop = createClient(url, { entityId: DEMO.lenientId, token: DEMO.token });
  const ids: string[] = [];
  const order = { currency: 'EUR', paymentType: 'DB', ...CARD };
  const pay = async (first: number) => {
    for (let n = first; n < PAYMENTS; n += 16) {
      const { id } = await shop.send('POST', '/v1/payments', {
        ...order,
        amount: `${10 + (n % 90)}.00`,
        merchantTransactionId: `t${n}`,
      });
      ids.push(id);
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, at) => pay(at)));
  file = await ask<string>({ ids, unknown: UNKNOWN_LINES });
});
after(async () => {
  await worker.terminate();
  rmSync(folder, { recursive: true, force: true });
});

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const json = (fields: object): string => JSON.stringify(fields);
/** Lines of a list, as many as a request may hold. */
const riskLines = (lineOf: (n: number) => string): string => Array.from({ length: 2_000 }, (_, n) => lineOf(n)).join('\n');
const span = `date.from=${day(-30)}&date.to=${day(2)}`;
const frame = `date.from=${day(-1)}%2000:00:00&date.to=${day(1)}%2000:00:00`;

type Case = {
  readonly endpoint: EndpointName;
  readonly query?: string;
  readonly body?: () => string;
  readonly type?: string;
  readonly refused?: true;
};

const cases: readonly Case[] = [
  { endpoint: 'bringSettlement', query: `entityId=${DEMO.merchantId}&name=day.csv`, body: () => file, type: 'text/csv' },
  { endpoint: 'listSettlements', query: `entityId=${DEMO.merchantId}` },
  { endpoint: 'listExceptions', query: `entityId=${DEMO.merchantId}` },
  { endpoint: 'listUnsettled', query: `entityId=${DEMO.merchantId}` },
  { endpoint: 'listSettled', query: `entityId=${DEMO.merchantId}&from=${day(-1)}&to=${day(2)}` },
  { endpoint: 'exportSettled', query: `entityId=${DEMO.merchantId}&from=${day(-1)}&to=${day(2)}` },
  { endpoint: 'reportAggregations', query: `entityId=${DEMO.merchantId}&${span}` },
  { endpoint: 'reportSettlement', query: `entityId=${DEMO.merchantId}` },
  { endpoint: 'reportSettlementPages', query: `entityId=${DEMO.merchantId}&pageNo=20` },
  { endpoint: 'reportCsv', query: `entityId=${DEMO.merchantId}&${span}` },
  { endpoint: 'query', query: `entityId=${DEMO.lenientId}&${frame}` },
  { endpoint: 'queryRecords', query: `entityId=${DEMO.lenientId}&${frame}&limit=500&includeLinkedTransactions=true` },
  { endpoint: 'searchPayments', query: `entityId=${DEMO.merchantId}&limit=100` },
  { endpoint: 'exportPayments', query: `entityId=${DEMO.merchantId}` },
  { endpoint: 'exportAudit', query: `entityId=${DEMO.merchantId}` },
  { endpoint: 'verifyAudit', body: () => json({ entityId: DEMO.merchantId }) },
  { endpoint: 'readStatistics', query: `entityId=${DEMO.merchantId}` },
  { endpoint: 'readBalances', query: `entityId=${DEMO.merchantId}` },
  { endpoint: 'readBacktest', query: `entityId=${DEMO.lenientId}` },
  { endpoint: 'tryRouting', body: () => json({ entityId: DEMO.lenientId }) },
  {
    endpoint: 'importRiskEntries',
    body: () => json({ entityId: DEMO.merchantId, list: 'block', lines: riskLines((n) => `email,a${n}@old.example`) }),
  },
  {
    endpoint: 'importRiskEntries',
    body: () => json({ entityId: DEMO.merchantId, list: 'block', lines: riskLines(() => 'x') }),
    refused: true,
  },
  { endpoint: 'listRiskEntries', query: `entityId=${DEMO.merchantId}&limit=200&search=old` },
];

const tokenOf = (access: string): string => (access === 'token' ? DEMO.token : OPERATOR);

/** The settlement of the day, from the list of them. */
async function settlement(): Promise<{ readonly id: string; readonly count: string }> {
  const { path } = endpoints.reportAggregations;
  const reply = await fetch(`${url}${path}?entityId=${DEMO.merchantId}&${span}`, {
    headers: { authorization: `Bearer ${DEMO.token}` },
  });
  const { records } = (await reply.json()) as { readonly records: readonly { readonly id: string; readonly count: string }[] };
  return records[0] as { readonly id: string; readonly count: string };
}

for (const { endpoint, query = '', body, type = 'application/json', refused = false } of cases)
  test(`${endpoint}: no request over stored data keeps the event loop for long`, async (context) => {
    const { method, path, access } = endpoints[endpoint];
    const headers = { authorization: `Bearer ${tokenOf(access)}`, ...(body && { 'content-type': type }) };
    const id = path.includes('{id}') ? (await settlement()).id : '';
    const target = `${url}${path.replace('{id}', id)}?${query}`;
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && least > ENOUGH_MS; tries += 1) {
      await ask<number>('begin');
      const reply = await fetch(target, { method, headers, ...(body && { body: body() }) });
      const text = await reply.text();
      const longest = await ask<number>('end');
      least = Math.min(least, longest);
      assert.equal(reply.status, refused ? 400 : 200, text.slice(0, 500));
    }
    context.diagnostic(`${endpoint}: ${least.toFixed(1)} ms`);
    assert.ok(least <= TURN_MS_MAX, `${least} ms`);
  });

test('records that are added up in portions are all counted', async () => {
  assert.equal((await settlement()).count, String(PAYMENTS + UNKNOWN_LINES));
});
