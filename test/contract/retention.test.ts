import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createCardDataJob } from '../../src/app/modules/coreJobs.ts';
import type { AuditAction } from '../../src/audit/entry.ts';
import { verify } from '../../src/ledger/verify.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { DAY_MS } from '../../src/spec/time.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { withAudit } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { createClient } from '../http/client.ts';
import { startGateway } from '../http/gateway.ts';
import { type Driver, onEveryStore } from './everyStore.ts';
import { dropUnused } from './freshDatabases.ts';
import { commit, NOW, payment } from './storeFixtures.ts';

/** Card data is forgotten when its time is over, not before and not after; the books do not change. */

after(dropUnused);

const DAYS = 400;
/** In days before now. */
const ages = [2_000, 402, 401, 400, 399, 1, 0] as const;
const signal = new AbortController().signal;

async function storeAges(store: Store): Promise<readonly Payment[]> {
  const payments = ages.map((age) => payment({ createdAt: NOW - age * DAY_MS, movedAt: NOW - age * DAY_MS }));
  for (const one of payments) await store.commit(commit(one, 0, { sealed: Uint8Array.of(1, 2, 3) }));
  return payments;
}

/** The payments that have their number too long, or no longer. */
async function faults(store: Store, payments: readonly Payment[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [at, { merchantId, id }] of payments.entries()) {
    const hasNumber = (await store.sealed(merchantId, id)) !== null;
    if (hasNumber !== (ages[at] as number) <= DAYS) found.push(`${hasNumber ? 'too late' : 'too early'}: ${ages[at]}`);
  }
  return found;
}

const jobFor = (store: Store, days: number, entries: AuditAction[], now = () => NOW) => {
  const audit = { write: async (entry: AuditAction) => void entries.push(entry) };
  return createCardDataJob({ store, retention: { cardData: days, events: 35, idempotencyKeys: 35 } }, audit, now);
};

function contract({ name, open, isDatabase }: Driver): void {
  test(`${name}: numbers are erased in time, once, and the payments stay`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const payments = await storeAges(store);
    const entries: AuditAction[] = [];
    const job = jobFor(store, DAYS, entries);
    await job.run(signal);
    assert.deepEqual(await faults(store, payments), []);
    assert.deepEqual(
      entries.map(({ what, note }) => [what, note]),
      [['eraseCardData', `3 numbers of payments before ${new Date(NOW - DAYS * DAY_MS).toISOString().slice(0, 10)}`]],
    );
    await job.run(signal);
    assert.equal(entries.length, 1);
    for (const one of payments) assert.deepEqual(await store.payment(one.merchantId, one.id), one);
  });

  test(`${name}: many payments go portion by portion, those of one instant together`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const payments = Array.from({ length: 1_100 }, (_, at) => payment({ createdAt: at < 1_050 ? NOW : NOW + at, movedAt: NOW }));
    await Promise.all(payments.map((one) => store.commit(commit(one, 0, { sealed: Uint8Array.of(9) }))));
    let [erased, until, portions] = [0, 0, 0];
    for (; until < NOW + 10_000; portions += 1) {
      const done = await store.eraseCardData(until, NOW + 10_000);
      assert.ok(done.until > until);
      [erased, until] = [erased + done.erased, done.until];
    }
    assert.deepEqual([erased, until, isDatabase ? portions > 1 : portions], [1_100, NOW + 10_000, isDatabase || 1]);
  });

  test(`${name}: after numbers were erased, ledger and audit log verify, and a refund goes through`, async (t) => {
    const { store, database, end } = await open();
    t.after(end);
    const gateway = await startGateway({ store, isClockHeld: true, isQuiet: true });
    const shop = createClient(gateway.url);
    const paid = await shop.pay();
    await gateway.work('seal ledger blocks');
    gateway.pass((DAYS + 1) * DAY_MS);
    const [{ merchantId } = { merchantId: '' }] = await store.history({
      after: null,
      before: Infinity,
      merchantId: null,
      limit: 1,
    });
    assert.notEqual(await store.sealed(merchantId, paid.id), null);
    await gateway.work('erase old card data');
    assert.equal(await store.sealed(merchantId, paid.id), null);
    assert.equal((await shop.refund(paid.id, '92.00')).code, '000.100.110');
    await gateway.work('seal ledger blocks');
    assert.deepEqual((await gateway.services.auditLog.verify()).findings, []);
    if (database) {
      const { databaseUrl, dataDir } = database.place;
      const { found, payments } = await withAudit(databaseUrl === null ? { dataDir } : { databaseUrl }, (audit) =>
        verify(audit, { merchantId: null, onStep: () => {}, signal }),
      );
      assert.deepEqual([found, payments], [0, 2]);
    }
    await gateway.close();
  });
}

test('a payment dated before what is erased already is found within a month', async () => {
  const store = createMemoryStore();
  let at = NOW;
  const job = jobFor(store, DAYS, [], () => at);
  await job.run(signal);
  const payments = await storeAges(store);
  await job.run(signal);
  assert.notDeepEqual(await faults(store, payments), []);
  at += 30 * DAY_MS;
  await job.run(signal);
  const oldest = payments[0] as Payment;
  assert.equal(await store.sealed(oldest.merchantId, oldest.id), null);
});

for (const [what, days] of [
  ['too early', 1],
  ['too late', 500],
] as const) {
  test(`control: a row that erases ${what} is found`, async () => {
    const store = createMemoryStore();
    const payments = await storeAges(store);
    await jobFor(store, days, []).run(signal);
    const found = await faults(store, payments);
    assert.ok(found.length > 0 && found.every((fault) => fault.startsWith(what)), found.join());
  });
}

onEveryStore(contract);
