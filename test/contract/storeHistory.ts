import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import type { Payment } from '../../src/payments/payment.ts';
import type { HistoryQuery, PaymentHistory } from '../../src/payments/ports.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openHistory } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { sized } from '../long.ts';
import { APPROVED, child, commit, DECLINED, keep, moved, NOW, nextId, OPEN, type Open, payment } from './storeFixtures.ts';

const LATER = NOW + 1_000;
const all = (changes: Partial<HistoryQuery> = {}): HistoryQuery => ({
  after: null,
  before: LATER,
  merchantId: null,
  limit: 1_000,
  ...changes,
});

const placeOf = ({ createdAt, merchantId, id }: Payment): string => [createdAt, merchantId, id].join(' ');
const inOrder = (payments: readonly Payment[]): Payment[] =>
  payments.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));

/** More than any of these stores holds: pages that stand still are found out. */
const FOUND_MAX = 1_000;

/** Page after page, each from the last payment of the one before. */
async function throughPages(store: PaymentHistory, asked: HistoryQuery): Promise<Payment[]> {
  const found: Payment[] = [];
  for (let { after } = asked; ; ) {
    const page = await store.history({ ...asked, after });
    assert.ok(page.length <= asked.limit);
    found.push(...page);
    assert.ok(found.length <= FOUND_MAX, 'the pages do not come to an end');
    const last = page.at(-1);
    if (!last || page.length < asked.limit) return found;
    after = { createdAt: last.createdAt, merchantId: last.merchantId, id: last.id };
  }
}

/** Three merchants, and many payments of one instant: the order of their ids is not that of their commits. */
async function filled(store: Store): Promise<Payment[]> {
  const made = Array.from({ length: 60 }, (_, index) =>
    payment({ merchantId: `merchant ${index % 3}`, createdAt: NOW + Math.floor(index / 20), phase: index % 4 ? APPROVED : OPEN }),
  );
  const shuffled = made.toSorted((one, other) => (one.id.slice(12) < other.id.slice(12) ? -1 : 1));
  for (const change of shuffled) assert.equal(await keep(store, change), 'kept');
  return inOrder(made);
}

/** These look at everything there is, so each has a store of its own. */
export function historyContract(name: string, open: Open): void {
  test(`${name}: payments are read from the oldest on, of all merchants and of one`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    assert.deepEqual(await store.history(all()), []);
    const made = await filled(store);
    assert.deepEqual(await store.history(all()), made);
    const own = made.filter(({ merchantId }) => merchantId === 'merchant 1');
    assert.equal(own.length, 20);
    assert.deepEqual(await store.history(all({ merchantId: 'merchant 1' })), own);
    assert.deepEqual(await store.history(all({ merchantId: 'merchant' })), []);
  });

  test(`${name}: pages of any length lose nothing and repeat nothing`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const made = await filled(store);
    for (const merchantId of [null, 'merchant 0', 'merchant 2']) {
      const asked = made.filter((one) => merchantId === null || one.merchantId === merchantId);
      for (const limit of [1, 7, 20, 59, 60, 61]) {
        assert.deepEqual(await throughPages(store, all({ limit, merchantId })), asked, `${merchantId} by ${limit}`);
      }
    }
    assert.deepEqual(await store.history(all({ limit: 0 })), []);
  });

  test(`${name}: strictly after a cursor and strictly before an instant`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const made = await filled(store);
    for (const before of [NOW - 1, NOW, NOW + 1, NOW + 2, NOW + 3, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
      assert.deepEqual(
        await store.history(all({ before })),
        made.filter(({ createdAt }) => createdAt < before),
      );
    }
    // A place need not be that of a payment, and may be another merchant's than the one that is asked about.
    const places = [...made, { createdAt: NOW + 1, merchantId: 'merchant 1', id: '' }, { createdAt: 0, merchantId: '', id: '' }];
    for (const after of places.filter((_, index) => index % 7 === 0 || index >= made.length)) {
      const behind = made.filter((one) => placeOf(one) > placeOf(after as Payment));
      assert.deepEqual(await store.history(all({ after })), behind);
      assert.deepEqual(
        await store.history(all({ after, merchantId: 'merchant 1', before: NOW + 2 })),
        behind.filter(({ merchantId, createdAt }) => merchantId === 'merchant 1' && createdAt < NOW + 2),
      );
    }
  });

  test(`${name}: the history has each payment once, complete and in its present state`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const made = everyKind();
    for (const change of made) assert.equal(await keep(store, change), 'kept');
    const [asked, root] = made as [Payment, Payment];
    const declined = moved(asked, { phase: DECLINED, movedAt: NOW + 50 });
    const capture = child(root, { paymentType: 'CP', amount: 1n, createdAt: NOW + 20 });
    for (const change of [declined, capture]) assert.equal(await keep(store, change), 'kept');
    assert.deepEqual(await store.history(all()), inOrder([declined, ...made.slice(1), capture]));
  });

  test(`${name}: pages the history like the reference store`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const reference = createMemoryStore();
    for (const change of await filled(reference)) await keep(store, change);
    const instant = fc.integer({ min: NOW - 1, max: NOW + 4 });
    const merchantId = fc.constantFrom('', 'merchant', 'merchant 0', 'merchant 1', 'merchant 2', "x' OR '1' = '1");
    const question = fc.record({
      after: fc.option(fc.record({ createdAt: instant, merchantId, id: fc.constantFrom('', nextId(), 'ffff') }), { nil: null }),
      before: instant,
      merchantId: fc.option(merchantId, { nil: null }),
      limit: fc.nat(70),
    });
    const same = async (asked: HistoryQuery) => assert.deepEqual(await store.history(asked), await reference.history(asked));
    await fc.assert(fc.asyncProperty(question, same), { numRuns: sized({ quick: 40, assure: 100, reliability: 100 }) });
  });
}

/** Payments with all that may stand beside them; the first two are open and a preauthorization. */
function everyKind(): Payment[] {
  const origin = 'https://gateway.example';
  const risk: Payment['risk'] = {
    ruleSet: 'usual',
    verdict: { is: 'decline', code: '100.400.319' },
    asksReview: true,
    score: -250,
    fired: [{ rule: 'r', says: 'It is "odd".', verdict: 'decline', code: '100.400.319', score: -250, values: { a: 'é😀' } }],
    shadow: [],
  };
  return [
    payment({ phase: OPEN, createdAt: NOW + 10, risk: { ...risk, verdict: { is: 'accept' } } }),
    payment({ paymentType: 'PA', createdAt: NOW + 11, registrationId: nextId() }),
    payment({ phase: DECLINED, createdAt: NOW + 12, risk }),
    payment({
      createdAt: NOW + 13,
      threeDS: {
        origin,
        state: { threeDSServerTransID: nextId(), revision: 3 },
        sealedProof: 'x',
      } as unknown as Payment['threeDS'],
      risk: { ...risk, verdict: { is: 'challenge' } },
    }),
    payment({ createdAt: NOW + 14, amount: 999_999_999_999_999n, fingerprint: 'f', merchantTransactionId: 'order' }),
  ];
}

/** A thread that reads the whole history repeatedly while others write, and reports the number of payments each time. */
const reader = `
  import { parentPort, workerData } from 'node:worker_threads';
  import { openHistory } from '${new URL('../../src/store/open.ts', import.meta.url)}';
  const history = await openHistory(workerData);
  let isOver = false;
  parentPort.once('message', () => { isOver = true; });
  for (let round = 0; !isOver || round === 0; round += 1) {
    const found = [];
    for (let after = null; ; after = found.at(-1)) {
      const page = await history.history({ after, before: Number.MAX_SAFE_INTEGER, merchantId: null, limit: 50 });
      found.push(...page);
      if (page.length < 50 || found.length > ${FOUND_MAX}) break;
    }
    parentPort.postMessage({ found: found.length, distinct: new Set(found.map(({ id }) => id)).size });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await history.close();`;

/** The past of a database, read beside the nodes. */
export function historyReaderContract(name: string, open: Open): void {
  test(`${name}: another thread reads the history while payments are taken`, async (t) => {
    const { store, database, end } = await open();
    t.after(end);
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(reader)}`), {
      workerData: database?.place,
      execArgv: [],
    });
    const reports: { readonly found: number; readonly distinct: number }[] = [];
    const ended = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
    const begun = new Promise((resolve) => worker.once('message', resolve));
    worker.on('message', (message) => reports.push(message));
    await Promise.race([begun, ended]);
    for (let portion = 0; portion < 20; portion += 1) {
      await Promise.all(Array.from({ length: 25 }, () => store.commit(commit(payment({ createdAt: NOW + portion }), 0))));
    }
    worker.postMessage('enough');
    await ended;
    assert.deepEqual(
      reports.filter(({ found, distinct }) => found !== distinct),
      [],
    );
    assert.equal(reports[0]?.found, 0);
    assert.ok(reports.length > 1);
    assert.equal((await throughPages(store, all({ limit: 99 }))).length, 500);
  });

  test(`${name}: a reader beside the nodes reads the same history, also after they have stopped`, async (t) => {
    const { store, database, end } = await open();
    t.after(end);
    assert.ok(database);
    const beside = await openHistory(database.place);
    const made = await filled(store);
    assert.deepEqual(await throughPages(beside, all({ limit: 9 })), made);
    await beside.close();
    await assert.rejects(beside.history(all()), { name: 'StoreOutOfOrder' });
    await store.close();
    const alone = await openHistory(database.place);
    t.after(() => alone.close());
    assert.deepEqual(
      await alone.history(all({ merchantId: 'merchant 2' })),
      await throughPages(alone, all({ merchantId: 'merchant 2', limit: 3 })),
    );
    assert.deepEqual(await alone.history(all()), made);
  });

  test(`${name}: a reader does not migrate an older schema, and does not read one from which a newer program has taken`, async (t) => {
    const { database, end } = await open();
    t.after(end);
    assert.ok(database);
    await database.raw('DELETE FROM migration WHERE number = 2');
    await assert.rejects(openHistory(database.place), /start the gateway once/);
    assert.equal((await database.raw('SELECT number FROM migration WHERE number = 2')).length, 0);
    await database.raw("INSERT INTO migration VALUES (2, 'again', 'then'), (9999, 'tomorrow-needs-9998', 'then')");
    await assert.rejects(openHistory(database.place), /schema 9999.*newer version of the program/);
  });
}
