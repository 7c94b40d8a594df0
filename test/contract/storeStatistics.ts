import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountText } from '../../src/money/amount.ts';
import type { Payment, Phase } from '../../src/payments/payment.ts';
import { type FoldNeeds, foldAll, foldOnce } from '../../src/reports/statistics/fold.ts';
import { countingDeliveries } from '../../src/reports/statistics/line.ts';
import { statisticsOf } from '../../src/reports/statistics/statistics.ts';
import type { StatisticsAnswer } from '../../src/spec/answers/statistics.ts';
import { DAY_MS, HOUR_MS } from '../../src/spec/time.ts';
import type { Store } from '../../src/store/store.ts';
import { child, keepWithEffects, moved, NOW, nextId, type Opened, payment } from './storeFixtures.ts';
import { answered, delivery, failed, outboxEvent, webhook } from './storeWebhookFixtures.ts';

/** The beginning of NOW's day, so that everything falls into one period of five days. */
const FIRST = NOW - (NOW % DAY_MS);
const whole = { from: FIRST, before: FIRST + 5 * DAY_MS };

const finals = ['000.100.110', '800.100.151', '800.100.153', '100.396.103'] as const;
const waiting: Phase = { at: 'acquirer', dueAt: NOW + 35_000 };

/** One payment of a sequence: channel, time, first state, last state and number of steps. */
const toldOnce = fc.record({
  channel: fc.nat(2),
  atMs: fc.nat(5 * DAY_MS - 1),
  amount: fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
  currency: fc.constantFrom('EUR', 'JPY'),
  brand: fc.constantFrom('VISA', 'MASTER', null),
  type: fc.constantFrom('DB', 'PA', 'CD', 'RG'),
  code: fc.constantFrom(...finals),
  isBlocked: fc.boolean(),
  ms: fc.nat(60_000),
  steps: fc.nat(3),
});
type StatisticsEvent = typeof toldOnce extends fc.Arbitrary<infer One> ? One : never;

/** Where the next fold ends: before it is written, right after it, or not at all. */
const deaths = ['before', 'after', 'never'] as const;
const story = fc.record({
  payments: fc.array(toldOnce, { minLength: 1, maxLength: 25 }),
  order: fc.array(fc.nat(), { maxLength: 60 }),
  folds: fc.array(fc.record({ limit: fc.integer({ min: 1, max: 9 }), dies: fc.constantFrom(...deaths) }), { maxLength: 30 }),
});

type Story = typeof story extends fc.Arbitrary<infer One> ? One : never;

type Places = { readonly psp: string; readonly merchant: string; readonly channels: readonly string[] };
const places = (): Places => ({ psp: nextId(), merchant: nextId(), channels: [nextId(), nextId(), nextId()] });

const needsOf = (store: Store, { psp, merchant, channels }: Places): FoldNeeds => ({
  store,
  pathOf: (id) => (channels.includes(id) ? [psp, merchant, id] : [id]),
  refresh: async () => {},
});

/** A fold that is killed. */
const mortal = (needs: FoldNeeds, dies: (typeof deaths)[number]): FoldNeeds => ({
  ...needs,
  store: {
    ...needs.store,
    fold: async (fold) => {
      if (dies === 'before') throw new Error('killed');
      const isKept = await needs.store.fold(fold);
      if (dies === 'after') throw new Error('killed');
      return isKept;
    },
  },
});

const risky = {
  ruleSet: 'x',
  verdict: { is: 'decline', code: '800.400.500' },
  asksReview: false,
  score: 0,
  fired: [],
  shadow: [],
};

function firstOf({ merchant, channels }: Places, one: StatisticsEvent): Payment {
  const isBlocked = one.isBlocked && one.steps === 0 && one.code !== '000.100.110';
  return payment({
    merchantId: merchant,
    entityId: channels[one.channel] as string,
    createdAt: FIRST + one.atMs,
    movedAt: FIRST + one.atMs + one.ms,
    amount: one.amount,
    currency: one.currency,
    paymentBrand: one.brand,
    paymentType: one.type,
    phase: one.steps === 0 ? { at: 'final', code: one.code } : waiting,
    risk: isBlocked ? (risky as unknown as Payment['risk']) : null,
  });
}

/** The moves of all payments, each in its own order, and mixed by the numbers. */
async function play(store: Store, where: Places, { payments, order, folds }: Story): Promise<readonly Payment[]> {
  const all = payments.map((one) => ({ one, now: null as Payment | null, left: one.steps }));
  const needs = needsOf(store, where);
  let turn = 0;
  for (;;) {
    const open = all.filter(({ now, left }) => now === null || left > 0);
    if (open.length === 0) break;
    const next = open[(order[turn] ?? 0) % open.length] as (typeof all)[number];
    if (next.now === null) next.now = firstOf(where, next.one);
    else {
      next.left -= 1;
      const phase: Phase = next.left === 0 ? { at: 'final', code: next.one.code } : { at: 'doubt', tries: next.left, dueAt: NOW };
      next.now = moved(next.now, { phase });
    }
    assert.equal(await keepWithEffects(store, next.now), 'kept');
    const fold = folds[turn];
    turn += 1;
    if (fold) await foldOnce(mortal(needs, fold.dies), fold.limit).catch(() => 0);
  }
  await foldAll(needs, async () => {});
  return all.map(({ now }) => now as Payment);
}

/** The same figures, counted directly. */
function byHand(payments: readonly Payment[]) {
  const attempts = { approved: 0, declined: 0, rejected: 0, pending: 0 };
  const sums = new Map<string, bigint>();
  const reasons = new Map<string, number>();
  let measured = 0;
  for (const { phase, paymentType, amount, currency, risk } of payments) {
    if ((paymentType !== 'DB' && paymentType !== 'PA') || phase.at !== 'final') continue;
    measured += 1;
    if (phase.code === '000.100.110') {
      attempts.approved += 1;
      sums.set(currency, (sums.get(currency) ?? 0n) + amount);
      continue;
    }
    attempts[risk ? 'rejected' : 'declined'] += 1;
    reasons.set(phase.code, (reasons.get(phase.code) ?? 0) + 1);
  }
  const volume = Object.fromEntries([...sums].sort().map(([currency, sum]) => [currency, amountText(sum)]));
  return { attempts, volume, reasons: Object.fromEntries([...reasons].sort()), measured };
}

const shown = ({ total, declines }: StatisticsAnswer) => ({
  attempts: total.attempts,
  volume: total.volume,
  reasons: Object.fromEntries(declines.map(({ code, count }) => [code, count] as const).sort()),
  measured: total.latency.count,
});

const read = (store: Store, entityId: string, timeZone = 'UTC', interval = whole) =>
  statisticsOf(store, { entityId, timeZone, now: NOW, ...interval });

export function statisticsContract(name: string, opened: () => Opened, isDatabase: boolean): void {
  test(`${name}: figures equal a plain count, in any order, and wherever a fold was killed`, async () => {
    await fc.assert(
      fc.asyncProperty(story, async (script) => {
        const { store } = opened();
        const where = places();
        const payments = await play(store, where, script);
        for (const node of [where.psp, where.merchant]) assert.deepEqual(shown(await read(store, node)), byHand(payments));
        for (const node of where.channels) {
          const own = payments.filter(({ entityId }) => entityId === node);
          assert.deepEqual(shown(await read(store, node, 'Asia/Kathmandu')), byHand(own));
        }
        const steps = (await read(store, where.psp, 'Asia/Kathmandu')).points;
        for (const { from, to, attempts } of steps) {
          const within = ({ createdAt }: Payment) => createdAt >= Date.parse(from) && createdAt < Date.parse(to);
          assert.deepEqual(attempts, byHand(payments.filter(within)).attempts);
        }
        assert.deepEqual(await store.changes(1), []);
        const subjects = payments.map(({ merchantId, id }) => ({ merchantId, subjectId: id }));
        assert.deepEqual(await store.counted(subjects), [], 'what has ended is not remembered');
      }),
      { numRuns: isDatabase ? 12 : 60 },
    );
  });

  test(`${name}: an open payment counts as pending, then as its result`, async () => {
    const { store } = opened();
    const where = places();
    const needs = needsOf(store, where);
    const open = firstOf(where, { ...plain, steps: 1 });
    await keepWithEffects(store, open);
    await foldOnce(needs, 10);
    assert.equal((await read(store, where.psp)).total.attempts.pending, 1);
    await keepWithEffects(store, moved(open, { phase: { at: 'final', code: '800.100.151' } }));
    await foldOnce(needs, 10);
    const { total, declines, before } = await read(store, where.psp);
    assert.deepEqual(total.attempts, { approved: 0, declined: 1, rejected: 0, pending: 0 });
    assert.deepEqual(
      declines.map(({ code, count }) => [code, count]),
      [['800.100.151', 1]],
    );
    assert.equal(before.attempts.declined, 0);
  });

  test(`${name}: captures and refunds are no attempts; their amounts are listed by type`, async () => {
    const { store } = opened();
    const where = places();
    const first = { ...firstOf(where, { ...plain, type: 'PA' }), amount: 9_200n };
    await keepWithEffects(store, first);
    const capture = child(first, { paymentType: 'CP', amount: 5_000n, createdAt: first.createdAt });
    await keepWithEffects(store, capture);
    await keepWithEffects(
      store,
      child(capture, { paymentType: 'RF', amount: 1_050n, createdAt: first.createdAt, familyId: first.id }),
    );
    await foldOnce(needsOf(store, where), 10);
    const { total, types } = await read(store, where.psp);
    assert.equal(total.attempts.approved, 1);
    assert.deepEqual(
      types.map(({ type, currency, count, amount }) => [type, currency, count, amount]),
      [
        ['CP', 'EUR', 1, '50.00'],
        ['PA', 'EUR', 1, '92.00'],
        ['RF', 'EUR', 1, '10.50'],
      ],
    );
  });

  test(`${name}: a delivery is counted once, by its final outcome`, async () => {
    const { store } = opened();
    const where = places();
    const needs = needsOf(store, where);
    const { saveDeliveries: settle } = countingDeliveries(store);
    const hook = webhook();
    await store.addWebhook(hook);
    const of = () => outboxEvent({ merchantId: where.merchant, entityId: where.channels[0] as string });
    const way = () => delivery(hook.id, { event: of() });
    const [good, slow, lost, unanswered] = [way(), way(), way(), way()];
    await store.saveFanOut([], [good, slow, lost, unanswered]);
    await settle([{ ...good, state: 'delivered', tries: [answered] }, { ...slow, tries: [failed] }, unanswered]);
    await foldOnce(needs, 10);
    assert.deepEqual((await read(store, where.psp)).total.webhooks, { first: 1, later: 0, waiting: 1, dead: 0 });
    await settle([
      { ...slow, state: 'delivered', tries: [failed, answered] },
      { ...lost, state: 'dead' },
      // A late answer to what has ended counts nothing.
      { ...good, state: 'dead', tries: [answered] },
    ]);
    await foldOnce(needs, 10);
    const { total } = await read(store, where.psp);
    assert.deepEqual(total.webhooks, { first: 1, later: 1, waiting: 0, dead: 1 });
    assert.equal(total.webhookLatency.count, 2);
  });

  test(`${name}: a fold on an old revision is refused`, async () => {
    const { store } = opened();
    const where = places();
    const needs = needsOf(store, where);
    const payments = [0, 1, 2].map((channel) => firstOf(where, { ...plain, channel }));
    const [first, second, third] = payments as [Payment, Payment, Payment];
    await keepWithEffects(store, first);
    const late = { ...needs.store };
    late.fold = async (fold) => {
      await keepWithEffects(store, second);
      assert.equal(await foldOnce(needs, 1), 1);
      assert.equal(await foldOnce(needs, 1), 1);
      await keepWithEffects(store, third);
      return store.fold(fold);
    };
    assert.equal(await foldOnce({ ...needs, store: late }, 1), 0);
    assert.deepEqual(shown(await read(store, where.psp)), byHand([first, second]));
    assert.equal(await foldOnce(needs, 9), 1);
    assert.deepEqual(shown(await read(store, where.psp)), byHand(payments));
  });

  if (isDatabase) nodesContract(name, opened);
}

const plain: StatisticsEvent = {
  channel: 0,
  atMs: 7 * HOUR_MS,
  amount: 9_200n,
  currency: 'EUR',
  brand: 'VISA',
  type: 'DB',
  code: '000.100.110',
  isBlocked: false,
  ms: 20,
  steps: 0,
};

function nodesContract(name: string, opened: () => Opened): void {
  test(`${name}: of nodes that fold at once, each line is counted by one`, async () => {
    const { store, database } = opened();
    const other = (await database?.again()) as Store;
    const where = places();
    const nodes = [store, other].map((one) => needsOf(one, where));
    const payments: Payment[] = [];
    for (let round = 0; round < 12; round += 1) {
      const fresh = [0, 1, 2].map((channel) =>
        firstOf(where, { ...plain, channel, code: finals[round % finals.length] as StatisticsEvent['code'] }),
      );
      for (const one of fresh) await keepWithEffects(round % 2 ? store : other, one);
      payments.push(...fresh);
      await Promise.all(nodes.map((needs) => foldOnce(needs, 2)));
    }
    for (const needs of nodes) await foldAll(needs, async () => {});
    assert.deepEqual(shown(await read(other, where.psp)), byHand(payments));
    await other.close();
  });
}
