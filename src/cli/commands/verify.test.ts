import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { createAdministrator } from '../../../test/http/administrator.ts';
import { createClient, DEMO } from '../../../test/http/client.ts';
import { startGateway, type TestGateway } from '../../../test/http/gateway.ts';
import { openSqliteStore } from '../../store/sqlite/sqliteStore.ts';
import type { Store } from '../../store/store.ts';
import type { Progress } from '../output.ts';
import { balances } from './balances.ts';
import { proof } from './verify.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-books-'));
const file = join(dataDir, 'turnpike.db');
after(() => rmSync(dataDir, { recursive: true }));

async function prove(line = '') {
  const [output, bars]: [string[], Progress[]] = [[], []];
  const code = await proof(line.split(' ').filter(Boolean), {
    config: () => ({ databaseUrl: null, dataDir }) as never,
    signal: () => new AbortController().signal,
    clock: { now: () => 0 },
    print: (text) => output.push(text),
    printError: (text) => output.push(text),
    progress: (at) => bars.push(at),
  });
  return { code, text: output.join('\n'), bars };
}

async function read(store: Store, line: string): Promise<string> {
  const output: string[] = [];
  const code = await balances(line.split(' '), {
    store: async () => store,
    clock: { now: () => Date.now() + 60_000 },
    print: (text) => output.push(text),
  });
  assert.equal(code, 0);
  return output.join('\n');
}

/** Payments and refunds of a shop, then their verification by the API and by the command. */
before(async () => {
  const store = await openSqliteStore({ dataDir });
  const gateway = await startGateway({ store });
  try {
    await sell(gateway, store);
  } finally {
    await gateway.close();
  }
});

async function sell(gateway: TestGateway, store: Store): Promise<void> {
  const shop = createClient(gateway.url);
  const { id } = await shop.pay();
  await shop.pay({ paymentType: 'PA', amount: '50.00' });
  const between = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await gateway.work('seal ledger blocks');
  await shop.refer(id ?? '', { paymentType: 'RF', amount: '2.00', currency: 'EUR' });
  const administrator = createAdministrator(gateway.url);
  const now = await administrator.ask('GET', `/balances?entityId=${DEMO.merchantId}`);
  const zero = { shopper: '0.00', reserve: '50.00', contra: '-50.00', fees: '0.00', chargebacks: '0.00' };
  const body = now.body as unknown as { balances: readonly object[] };
  assert.deepEqual(body.balances, [
    { mode: 'INTERNAL', currency: 'EUR', accounts: { ...zero, merchant: '90.00', acquirer: '-90.00' } },
  ]);
  const at = encodeURIComponent(new Date(between).toISOString());
  const past = await administrator.ask('GET', `/balances?entityId=${DEMO.merchantId}&at=${at}`);
  assert.match(JSON.stringify(past.body), /"merchant":"92.00"/);
  const channel = await administrator.ask('GET', `/balances?entityId=${DEMO.entityId}`);
  assert.equal(channel.status, 400);
  assert.equal((await createAdministrator(gateway.url, 'x').ask('GET', `/balances?entityId=${DEMO.merchantId}`)).status, 403);
  assert.match(await read(store, `--entity ${DEMO.merchantId}`), /INTERNAL {2}EUR +0\.00 +50\.00 +-50\.00 +90\.00 +-90\.00/);
  const json = await read(store, `--entity ${DEMO.merchantId} --json --at ${new Date(between).toISOString()}`);
  assert.match(json, /"merchant": "92.00"/);
  await assert.rejects(read(store, `--entity ${DEMO.merchantId} --at yesterday`), { name: 'OperatorError' });
}

test('books that nobody has touched are in order', async () => {
  const { code, text, bars } = await prove();
  assert.match(text, /^The books are in order: 3 postings with 6 entries of 1 merchant in 1 block, 1 not sealed yet; 3 payments/);
  assert.equal(code, 0);
  assert.deepEqual([...new Set(bars.map(({ phase }) => phase))], ['chaining', 'comparing']);
  const { text: json } = await prove(`--json --database ${file} --merchant ${DEMO.merchantId}`);
  const output = JSON.parse(json) as { ok: boolean; heads: readonly object[] };
  assert.deepEqual([output.ok, output.heads.length], [true, 1]);
});

test('findings are printed, with the exit code of a failure', async () => {
  const db = new DatabaseSync(file);
  db.exec(
    'DROP TRIGGER posting_fixed; PRAGMA ignore_check_constraints = ON; UPDATE posting SET merchant = merchant + 8 WHERE n = 1',
  );
  db.close();
  const { code, text } = await prove();
  assert.equal(code, 1);
  assert.match(text, new RegExp(`^merchant ${DEMO.merchantId}, block 1, [0-9a-f]{32}: its entries add up to 8 instead of 0\n`));
  assert.match(text, /things are wrong in the books/);
});
