import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { balancesAt } from '../../src/ledger/chain.ts';
import { type Verdict, verify } from '../../src/ledger/verify.ts';
import { HOUR_MS } from '../../src/spec/time.ts';
import { withAudit } from '../../src/store/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { localMasters } from '../../src/vault/masterKey.ts';
import { rotateData, rotateMaster } from '../../src/vault/rotation.ts';
import { openVault } from '../../src/vault/vault.ts';
import { createAdministrator } from '../http/administrator.ts';
import { createClient, DEMO, type Fields } from '../http/client.ts';
import { createClockClient } from '../http/clockFixture.ts';
import { MASTER_KEY, startGateway, type TestGateway } from '../http/gateway.ts';
import { type Chance, createChance } from '../simulation/chance.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import type { Books, SettledLine } from './compareBooks.ts';
import { type OwnPayment, ownBooks } from './ownBooks.ts';
import { drawSubscribers, type Subscriber } from './subscribers.ts';

const BEGINS = '2028-01-10T08:00:00Z';
/** How much is lived. */
export type YearSize = { readonly seed: number; readonly subscribers: number; readonly months: number };
/** After this month the gateway is stopped, all keys are rotated, and the next release starts. */
const upgradeIn = ({ months }: YearSize): number => Math.floor(months / 2);
/** In this month the merchant's server answers nothing but errors for a day. */
const deafIn = ({ months }: YearSize): number => months - 2;
const SCHEDULES = '/scheduling/v1/schedules';
const INITIAL = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.source': 'CIT',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
} as const;
const EMPTY: Fields = { 'customParameters[forceResultCode]': '800.100.155' };
const FULL: Fields = { 'customParameters[forceResultCode]': '000.100.110' };
const WORKERS = 16;

type Subscription = Subscriber & { readonly scheduleId: string };
type Shop = ReturnType<typeof createClient>;

/** Does the work for each item, some at a time. */
async function forAll<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const open = items.values();
  const one = async () => {
    for (const item of open) await work(item);
  };
  await Promise.all(Array.from({ length: WORKERS }, one));
}

async function accepted(reply: ReturnType<Shop['send']>): Promise<string> {
  const { status, id, body } = await reply;
  assert.equal(status, 200, JSON.stringify(body));
  return id;
}

async function subscribe(shop: Shop, subscriber: Subscriber): Promise<Subscription> {
  const { amount, dayOfMonth, card, scenario } = subscriber;
  const registrationId = await accepted(shop.send('POST', '/v1/registrations', { ...card, ...INITIAL }));
  const job = { 'job.month': '*', 'job.dayOfMonth': String(dayOfMonth) };
  const order = { registrationId, paymentType: 'DB', amount, currency: 'EUR', ...job, ...scenario };
  return { ...subscriber, scheduleId: await accepted(shop.send('POST', SCHEDULES, order)) };
}

/** What the merchant does with his subscriptions at the start of a month. */
async function tendSubscription(shop: Shop, { scheduleId, amount, isPoor, cancelsIn }: Subscription, month: number) {
  const reschedule = (fields: Fields) =>
    accepted(shop.send('POST', `${SCHEDULES}/${scheduleId}/reschedule`, { amount, currency: 'EUR', ...fields }));
  if (isPoor?.[0] === month) await reschedule(EMPTY);
  if (isPoor?.[1] === month) await reschedule(FULL);
  if (cancelsIn === month) await accepted(shop.send('POST', `${SCHEDULES}/${scheduleId}/deschedule`, { paymentType: 'DS' }));
}

const textOf = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

/** Single sales: one is refunded in part, one is captured in part and reversed for the rest, one is declined. */
async function sell(shop: Shop, chance: Chance): Promise<void> {
  const price = BigInt(chance.between(1_000, 90_000));
  const part = price / BigInt(chance.between(2, 9));
  const sold = await accepted(shop.pay({ amount: textOf(price) }));
  await accepted(shop.refund(sold, textOf(part)));
  const authorised = await accepted(shop.pay({ paymentType: 'PA', amount: textOf(price) }));
  await accepted(shop.capture(authorised, textOf(part)));
  await accepted(shop.reverse(authorised));
  assert.equal((await shop.pay({ amount: textOf(part), ...EMPTY })).code, '800.100.155');
}

/** Refunds a part of some charges of the last month, as far as the merchant's own books have them. */
async function refundSome(shop: Shop, chance: Chance, own: Iterable<OwnPayment>, since: number): Promise<number> {
  const charges = [...own].filter(({ type, isApproved, at }) => type === 'DB' && isApproved && at > since);
  charges.sort((one, other) => (one.cents === other.cents ? one.at - other.at : one.cents < other.cents ? -1 : 1));
  let refunded = 0;
  for (const { id, cents } of charges.filter(() => chance.hits(0.1))) {
    const { code } = await shop.refund(id, textOf(1n + cents / 3n));
    // A charge that was disputed meanwhile has nothing left to refund.
    if (code === '000.100.110') refunded += 1;
  }
  return refunded;
}

/** Rotates the data keys and the master key while nothing runs. */
async function rotateKeys(path: string, later: Uint8Array): Promise<void> {
  const store = await openSqliteStore({ path });
  const patience = { leaseMs: 0, settleMs: 0, shortLivedMs: 0, sleep: async () => {}, progress: () => {} };
  const before = await openVault({ masters: localMasters(MASTER_KEY, []), store, now: Date.now });
  const { broken, renewed } = await rotateData({ store, vault: before, now: Date.now, ...patience }, null);
  const both = await openVault({ masters: localMasters(later, [MASTER_KEY]), store, now: Date.now });
  const { left } = await rotateMaster({ store, vault: both, now: Date.now, ...patience });
  assert.deepEqual([broken, left, renewed > 0], [[], 0, true]);
  await store.close();
}

async function linesOf(store: Store): Promise<readonly SettledLine[]> {
  const lines: SettledLine[] = [];
  for (let after = {}; ; ) {
    const page = await store.records({ merchantId: DEMO.merchantId, limit: 1_000, ...after });
    for (const { match, ...line } of page) lines.push({ ...line, isMatched: match.status === 'MATCHED' });
    const last = page.at(-1);
    if (!last) return lines;
    after = { after: { settledOn: last.settledOn, id: last.id } };
  }
}

/** Every due day of every subscription has a charge, as long as it was not cancelled. */
async function missedRuns(store: Store, subscriptions: readonly Subscription[], endsAt: number): Promise<readonly string[]> {
  const missed: string[] = [];
  for (const { scheduleId, dayOfMonth, cancelsIn } of subscriptions) {
    const runs = await store.runs(DEMO.merchantId, scheduleId, 1_000);
    const days = new Set(runs.map(({ dueAt }) => new Date(dueAt).toISOString().slice(0, 10)));
    for (let month = 0; Date.UTC(2028, month) <= endsAt; month += 1) {
      const due = Date.UTC(2028, month, dayOfMonth);
      const isCancelled = cancelsIn !== null && due >= Date.UTC(2028, cancelsIn, 10);
      if (due < Date.parse(BEGINS) || due > endsAt || isCancelled) continue;
      const day = new Date(due).toISOString().slice(0, 10);
      if (!days.has(day)) missed.push(`${scheduleId} on ${day}`);
    }
  }
  return missed;
}

export type Year = {
  readonly books: Books;
  readonly verdict: Verdict;
  readonly missedRuns: readonly string[];
  /** Payments whose last webhook is not what the gateway answers. */
  readonly toldOtherwise: readonly string[];
  readonly refunded: number;
  readonly repeatedDeliveries: number;
};

type Clock = ReturnType<typeof createClockClient>;

/** Moves the clock, however long the work of that time takes. */
async function arrive(clock: Clock, by: string): Promise<void> {
  const { status, body } = await clock.set({ by });
  assert.equal(status, 200, JSON.stringify(body));
  for (let isMoving = body.isMoving; isMoving; ) isMoving = (await clock.read()).body.isMoving;
}

type Stage = { store: Store; gateway: TestGateway; readonly receiver: Receiver };

async function openStage(path: string): Promise<Stage> {
  const store = await openSqliteStore({ path });
  const gateway = await startGateway({ store, isQuiet: true });
  const receiver = await startReceiver(() => stage.gateway.services.forMerchant(null).world.clock.now());
  const stage: Stage = { store, gateway, receiver };
  const administrator = createAdministrator(gateway.url);
  const { body: hook } = await administrator.create({ url: receiver.url });
  receiver.keys = [Buffer.from(hook.key, 'hex')];
  assert.equal((await administrator.test(hook.id)).body.state, 'active');
  const clock = createClockClient(gateway.url);
  await clock.freeze();
  await clock.move({ to: BEGINS });
  return stage;
}

/** The gateway ends, all keys are rotated, and the next one starts with the new master key alone. */
async function upgrade(stage: Stage, path: string): Promise<void> {
  await stage.gateway.close();
  const masterKey = randomBytes(32);
  await rotateKeys(path, masterKey);
  stage.store = await openSqliteStore({ path });
  stage.gateway = await startGateway({ store: stage.store, isQuiet: true, masterKey });
}

const booksBy = ({ receiver }: Stage): Books['own'] =>
  ownBooks(receiver.accepted.map(({ id, text }) => ({ deliveryId: id, text: text ?? '' })));

type Month = { readonly number: number; readonly isDeaf: boolean; readonly chance: Chance };

/** One month; returns how many charges were refunded. */
async function liveMonth(stage: Stage, subscriptions: readonly Subscription[], month: Month): Promise<number> {
  const { gateway, receiver } = stage;
  const [shop, clock] = [createClient(gateway.url), createClockClient(gateway.url)];
  const since = await clock.now();
  await forAll(subscriptions, (one) => tendSubscription(shop, one, month.number));
  await sell(shop, month.chance);
  if (month.isDeaf) {
    receiver.manner = 'error';
    await arrive(clock, '26h');
    receiver.manner = 'ok';
    await arrive(clock, '70h');
  }
  const hours = (Date.UTC(2028, month.number + 1, 10, 8) - (await clock.now())) / HOUR_MS;
  await arrive(clock, `${hours}h`);
  return refundSome(shop, month.chance, booksBy(stage).values(), since);
}

async function toldOtherwise({ gateway }: Stage, own: Books['own']): Promise<readonly string[]> {
  const shop = createClient(gateway.url);
  const differing: string[] = [];
  await forAll([...own.values()], async ({ id, code, cents, isApproved }) => {
    const { code: answered, body } = await shop.read(id);
    if (answered !== code || (isApproved && BigInt(body.amount.replace('.', '')) !== cents)) differing.push(id);
  });
  return differing;
}

/** A year of a merchant: subscriptions, single sales, refunds, disputes, settlements; keys, release and webhooks change meanwhile. */
export async function liveMerchantYear(folder: string, size: YearSize): Promise<Year> {
  const path = join(folder, 'year.db');
  const chance = createChance(size.seed);
  const stage = await openStage(path);
  const { receiver } = stage;
  let hasEnded = false;
  try {
    const subscriptions: Subscription[] = [];
    await forAll(drawSubscribers(chance, size.subscribers), async (one) => {
      subscriptions.push(await subscribe(createClient(stage.gateway.url), one));
    });
    let refunded = 0;
    for (let number = 0; number < size.months; number += 1) {
      refunded += await liveMonth(stage, subscriptions, { number, isDeaf: number === deafIn(size), chance });
      if (number === upgradeIn(size)) await upgrade(stage, path);
    }
    const clock = createClockClient(stage.gateway.url);
    // The last refunds are settled.
    await arrive(clock, '9d');
    const endsAt = await clock.now();
    const own = booksBy(stage);
    const [ledger] = await balancesAt(stage.store, DEMO.merchantId, endsAt);
    assert.ok(ledger);
    const year = {
      books: { own, ledger: ledger.accounts, settlement: await linesOf(stage.store), endsAt },
      missedRuns: await missedRuns(stage.store, subscriptions, endsAt),
      toldOtherwise: await toldOtherwise(stage, own),
      refunded,
      repeatedDeliveries: receiver.heard.length - new Set(receiver.heard.map(({ id }) => id)).size,
    };
    hasEnded = true;
    await stage.gateway.close();
    const signal = new AbortController().signal;
    return {
      ...year,
      verdict: await withAudit({ path }, (audit) => verify(audit, { merchantId: null, onStep: () => {}, signal })),
    };
  } finally {
    // A gateway that is left open would keep the process of a failed test alive.
    if (!hasEnded) await stage.gateway.close();
    receiver.close();
  }
}
