import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectorKind } from '../../src/connectors/kind.ts';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { amountText } from '../../src/money/amount.ts';
import { isApproved } from '../../src/payments/balance.ts';
import { acquirerKey, isOpen, type Payment } from '../../src/payments/payment.ts';
import { sweep } from '../../src/payments/sweep.ts';
import { isApproval, isNegative, isResultCode } from '../../src/spec/resultCodes.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { reportFigure } from '../figures.ts';
import { freshShops } from '../http/freshShops.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Chance, createChance } from '../simulation/chance.ts';
import type { Handle } from './acquirerHttp.ts';
import { type Mishap, startFaultyProxy } from './faultyProxy.ts';
import { ACCOUNT, kept, SECOND, sealSecrets, send, settingsFor, shopOf } from './trialShop.ts';

/** What the acquirer's own book says of a payment and everything that followed it, in hundredths. */
export type Booked = {
  /** How often the payment itself was booked. */
  readonly times: number;
  readonly authorised: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
  /** The authorisation was taken back. */
  readonly isCancelled: boolean;
};

/** An acquirer's server for tests: real HTTP on loopback, with a book. */
export type AcquirerServer = {
  readonly url: string;
  /** Answers a request of the proxy without a second socket. */
  readonly handle?: Handle;
  /** `key`: the reference under which the payment was sent, where it is not the id. */
  booked(payment: { readonly merchantId: string; readonly id: string; readonly key?: string }): Booked | Promise<Booked>;
  /** The notifications that are due, taken from the queue, as the acquirer would post them. */
  takeNotifications():
    | readonly { readonly headers: Readonly<Record<string, string>>; readonly body: string }[]
    | Promise<readonly { readonly headers: Readonly<Record<string, string>>; readonly body: string }[]>;
  /** Requests that did not fit the acquirer's contract. */
  readonly faults: readonly string[];
  close(): Promise<void>;
};

export type ConnectorUnderTest = {
  readonly kind: ConnectorKind;
  /** Settings of an account that point at this address. */
  settings(url: string): Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  open(time: { now(): number }): Promise<AcquirerServer>;
  /** Fields of a request that the acquirer approves, and of one that it declines. */
  readonly approved: Readonly<Record<string, string>>;
  readonly declined: Readonly<Record<string, string>>;
  /** Requests whose shopper has something to do on a page of the gateway, and a shopper who does it, well or badly. */
  readonly shopper?: {
    readonly requests: readonly Readonly<Record<string, string>>[];
    act(page: string, chance: Chance | null): Promise<void>;
  };
  /** How long after it was sent a request may still arrive. It must not be more than the connector has declared. */
  readonly lateMs: number;
  /** The types that are tried; default: all of these. */
  readonly types?: readonly ('PA' | 'DB')[];
  readonly currency?: string;
  /** Changes something that the signature covers; default: the first digit. */
  tamper?(body: string): string;
  /** A request that never arrived may stay open for ever, because nothing proves that. */
  readonly mayStayOpen?: true;
  /** The acquirer decides later: no answer to a payment is its outcome. */
  readonly decidesLater?: true;
};

/** A kind that is broken on purpose. */
export type Planted = (kind: ConnectorKind) => ConnectorKind;

export type Trial = {
  readonly payments: number;
  readonly seed: number;
  readonly planted?: Planted;
  /** No notification arrives: the connector learns everything by asking. */
  readonly isDeaf?: true;
  /** Of a thousand requests so many have a mishap. */
  readonly perMille?: number;
  readonly mishaps?: readonly Mishap[];
  /** Payments at the same time. */
  readonly atOnce?: number;
  /** Another account, with an acquirer and a perfect network of its own, takes what the first one could not be sent. */
  readonly hasSecond?: true;
  /** The part of the answers that a notification overtakes. */
  readonly overtaken?: number;
  /** The part of the notifications that a stranger posts before the acquirer does. */
  readonly forged?: number;
};

const changeFirstDigit = (body: string): string => body.replace(/[0-9a-f]/, (digit) => (digit === '1' ? '2' : '1'));

const AT_ONCE = 40;
const PER_MILLE = 120;
const OVERTAKEN = 0.2;
const FORGED = 0.05;
/** The part of the payments whose shopper has something to do, where the connector has such. */
const SHOPPERS = 0.05;
const ROUNDS_MAX = 400;
/** The code of a request that the acquirer cannot read. */
const MALFORMED = '200.300.404';

type Posted = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Runs the contract in the size of the quick tests. */
export function liveContract(underTest: ConnectorUnderTest, { payments, seed }: Omit<Trial, 'planted'>): void {
  const { name } = underTest.kind;
  const { tamper = changeFirstDigit } = underTest;

  test(`${name}: ${payments} payments through a faulty network agree with the acquirer's book (seed ${seed})`, async () => {
    const { differences, faults, mishaps } = await tryConnector(underTest, { payments, seed });
    assert.deepEqual(faults.slice(0, 5), []);
    assert.deepEqual(differences.slice(0, 10), []);
    assert.ok(mishaps > payments / 20, `only ${mishaps} mishaps`);
    reportFigure('R7', 'payments', payments);
    reportFigure('R7', 'mishaps', mishaps);
  });

  test(`${name}: a notification with a changed body or without a signature is refused`, async () => {
    const { gateway, server, post, deliver, close } = await openTrial(underTest, { payments: 0, seed });
    try {
      await post({ ...underTest.approved, paymentType: 'DB', amount: '12.00' });
      const notifications = await server.takeNotifications();
      for (const { headers, body } of notifications) {
        assert.equal(await deliver({ headers: {}, body }), 401);
        assert.equal(await deliver({ headers, body: tamper(body) }), 401);
        assert.equal(await deliver({ headers, body }), 200);
        assert.equal(await deliver({ headers, body }), 200);
      }
      assert.equal((await sweep(gateway.world, { limit: 10, merchants: allMerchants })).failed, 0);
    } finally {
      await close();
    }
  });
}

/** Runs payments and what follows them through a faulty network, and returns every difference from the acquirer's book. */
export async function tryConnector(underTest: ConnectorUnderTest, trial: Trial) {
  const opened = await openTrial(underTest, trial);
  const { chance, gateway, server, proxy, post, close } = opened;
  try {
    const { perMille = PER_MILLE, atOnce = AT_ONCE, isDeaf = false, overtaken = OVERTAKEN } = trial;
    const { begun, differences } = await tryWithoutMishaps(underTest, opened);
    const inbox = createInbox(underTest, opened, trial);
    proxy.perMille = perMille;
    // The acquirer's notification is often faster than its answer.
    if (!isDeaf) proxy.beforeAnswer = async () => void (chance.hits(overtaken) && (await inbox.deliver()));
    for (let made = 0; made < trial.payments; made += atOnce) {
      const count = Math.min(atOnce, trial.payments - made);
      const ids = await Promise.all(Array.from({ length: count }, () => begin(underTest, chance, post)));
      begun.push(...ids.flatMap((id) => id ?? []));
      if (!isDeaf) await inbox.deliver();
      gateway.pass(chance.below(5_000));
      await proxy.release(gateway.world.clock.now());
      await sweep(gateway.world, { limit: 1_000, merchants: allMerchants });
      await Promise.all(ids.flatMap((id) => (id ? [followUp(opened, id)] : [])));
    }
    await settle(opened, isDeaf ? null : inbox);
    differences.push(...inbox.faults());
    for (const id of begun) differences.push(...(await differencesOf(underTest, opened, id)));
    const mishaps = [...proxy.mishaps.values()].reduce((sum, count) => sum + count, 0);
    const { store } = gateway.world;
    const taken = await Promise.all(begun.map((id) => store.payment(opened.shop.ownerId, id)));
    return { differences, faults: server.faults, mishaps, begun: begun.length, taken };
  } finally {
    await close();
  }
}

/** Where nothing goes wrong, the answer to a payment is its outcome. */
async function tryWithoutMishaps(
  { types = ['PA', 'DB'], currency = 'EUR', ...underTest }: ConnectorUnderTest,
  { post, gateway, shop }: Opened,
) {
  const begun: string[] = [];
  const differences: string[] = [];
  for (const paymentType of types)
    for (const word of ['approved', 'declined'] as const) {
      const { id, result } = await post({ currency, ...underTest[word], paymentType, amount: '12.00' });
      if (id !== undefined) begun.push(id);
      const isAsExpected = isResultCode(result.code) && (word === 'approved' ? isApproval : isNegative)(result.code);
      if (!underTest.decidesLater && !isAsExpected)
        differences.push(`${paymentType} ${id}: answered ${result.code} where the acquirer has ${word} it`);
    }
  for (const fields of underTest.shopper?.requests ?? []) {
    const { id = '', redirect } = await post({ currency, ...fields, paymentType: 'PA', amount: '12.00' });
    if (redirect) await underTest.shopper?.act(redirect.url, null);
    const payment = await gateway.world.store.payment(shop.ownerId, id);
    if (payment) begun.push(id);
    if (!payment || !isApproved(payment)) differences.push(`PA ${id}: not approved after the shopper has done all there was`);
  }
  return { begun, differences };
}

type Opened = Awaited<ReturnType<typeof openTrial>>;

export async function openTrial(underTest: ConnectorUnderTest, { seed, planted, mishaps, hasSecond }: Trial) {
  const chance = createChance(seed);
  const time = { now: (): number => gateway?.world.clock.now() ?? Date.now() };
  let gateway: TestGateway | null = null;
  const server = await underTest.open(time);
  const proxy = await startFaultyProxy(() => server, {
    chance,
    now: time.now,
    lateMsMax: Math.max(1, underTest.lateMs),
    ...(mishaps && { kinds: mishaps }),
  });
  const second = hasSecond ? await underTest.open(time) : undefined;
  const { shops, rows } = freshShops(1, settingsFor(underTest, { url: proxy.url, secondUrl: second?.url }));
  const shop = shopOf(shops[0]);
  const store = createMemoryStore();
  for (const account of [ACCOUNT, SECOND]) await sealSecrets(store, { ownerId: shop.ownerId, account }, underTest.secrets);
  const kind = planted ? planted(underTest.kind) : underTest.kind;
  const started = await startGateway({
    store,
    rows,
    isClockHeld: true,
    isQuiet: true,
    patienceMs: 5_000,
    sleep: () => new Promise((done) => setImmediate(done)),
    connectorKinds: new Map([[kind.name, kind]]),
  }).catch(async (error: unknown) => {
    await Promise.all([proxy.close(), server.close(), second?.close()]);
    throw error;
  });
  gateway = started;
  const path = `/v1/connectors/${kind.name}/${shop.ownerId}.${ACCOUNT}/notifications`;
  return {
    chance,
    gateway: started,
    server,
    second,
    proxy,
    shop,
    post: (fields: Readonly<Record<string, string>>, id?: string) =>
      send(started, shop, { fields, ...(id !== undefined && { id }) }),
    /** The status of the answer. */
    async deliver({ headers, body }: Posted) {
      const reply = await fetch(`${started.url}${path}`, { method: 'POST', headers, body });
      await reply.arrayBuffer();
      return reply.status;
    },
    /** The same without a socket: the contract posts thousands. Whether it was acknowledged. */
    async hand({ headers, body }: Posted, name = ACCOUNT) {
      const named = { kind: kind.name, ownerId: shop.ownerId, name };
      // As the server reads them.
      const read = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]));
      const receipt = await started.services.notifications(named, { headers: read, body: Buffer.from(body) }).catch(() => null);
      return receipt?.is === 'accepted';
    },
    async close() {
      kept.destroy();
      await started.close();
      await proxy.close();
      await server.close();
      await second?.close();
    },
  };
}

/** One payment; the id when the gateway has kept it. */
async function begin(underTest: ConnectorUnderTest, chance: Chance, post: Opened['post']): Promise<string | undefined> {
  const { types = ['PA', 'DB'], currency = 'EUR' } = underTest;
  const { shopper } = underTest;
  const plain = chance.hits(0.2) ? underTest.declined : underTest.approved;
  const fields = shopper && chance.hits(SHOPPERS) ? chance.pick(shopper.requests) : plain;
  const amount = amountText(BigInt(chance.between(100, 90_000)));
  const { id, redirect } = await post({ currency, ...fields, paymentType: chance.pick(types), amount });
  if (redirect && shopper) await shopper.act(redirect.url, chance);
  return id;
}

/** A capture, a refund, a reversal, or nothing, as a shop would send them. */
async function followUp({ chance, gateway, shop, post }: Opened, id: string): Promise<void> {
  const payment = await gateway.world.store.payment(shop.ownerId, id);
  if (!payment || !isApproved(payment) || chance.hits(0.3)) return;
  const { currency } = payment;
  if (payment.paymentType === 'PA') {
    if (chance.hits(0.25)) return void (await post({ paymentType: 'RV' }, id));
    const captured = chance.hits(0.5) ? payment.amount : payment.amount / 2n + 1n;
    const { id: captureId } = await post({ paymentType: 'CP', amount: amountText(captured), currency }, id);
    if (captureId && chance.hits(0.3))
      await post({ paymentType: 'RF', amount: amountText(captured / 2n + 1n), currency }, captureId);
    return;
  }
  const refunded = chance.hits(0.5) ? payment.amount : payment.amount / 3n + 1n;
  await post({ paymentType: 'RF', amount: amountText(refunded), currency }, id);
}

type Inbox = ReturnType<typeof createInbox>;

/**
 * Notifications arrive late, twice and in any order, and some before the answer that they are about. One that is not acknowledged comes
 * again. Strangers post changed ones.
 */
function createInbox(
  { tamper = changeFirstDigit }: ConnectorUnderTest,
  { chance, server, second, hand }: Opened,
  { forged: part = FORGED }: Trial,
) {
  const waiting: Posted[] = [];
  const forged: string[] = [];

  async function forge({ headers, body }: Posted): Promise<void> {
    const isChanged = chance.hits(0.5);
    const isBelieved = await hand(isChanged ? { headers, body: tamper(body) } : { headers: {}, body });
    if (isBelieved) forged.push(`a notification ${isChanged ? 'with a changed body' : 'without a signature'} was accepted`);
  }

  return {
    /** How many were delivered. */
    async deliver(): Promise<number> {
      for (const one of (await second?.takeNotifications()) ?? [])
        if (!(await hand(one, SECOND)) && !(await hand(one, SECOND))) forged.push('the second account was not heard');
      waiting.push(...(await server.takeNotifications()));
      const due = waiting.splice(0);
      const count = due.length;
      while (due.length > 0) {
        const [one] = due.splice(chance.below(due.length), 1);
        if (!one) break;
        if (chance.hits(part)) await forge(one);
        if (!(await hand(one))) waiting.push(one);
        else if (chance.hits(0.1)) await hand(one);
      }
      return count - waiting.length;
    },
    faults: (): readonly string[] => [...forged, ...waiting.map(() => 'a notification was never acknowledged')],
  };
}

/** Time passes until every payment is at rest, or nothing changes any more. */
async function settle(opened: Opened, inbox: Inbox | null): Promise<void> {
  const { gateway, proxy } = opened;
  proxy.perMille /= 4;
  for (let round = 0, quiet = 0; round < ROUNDS_MAX && quiet < 30; round += 1) {
    gateway.pass(60_000);
    await proxy.release(gateway.world.clock.now());
    const delivered = (await inbox?.deliver()) ?? 0;
    const { looked } = await sweep(gateway.world, { limit: 1_000, merchants: allMerchants });
    quiet = looked === 0 && delivered === 0 ? quiet + 1 : 0;
    if (round > ROUNDS_MAX / 2) proxy.perMille = 0;
  }
}

const sum = (payments: readonly Payment[], type: string): bigint =>
  payments.filter((one) => one.paymentType === type && isApproved(one)).reduce((total, { amount }) => total + amount, 0n);

/** The differences between the gateway's record of a family and the acquirer's book. */
async function differencesOf(
  underTest: ConnectorUnderTest,
  { gateway, shop, server, second }: Opened,
  id: string,
): Promise<readonly string[]> {
  const family = await gateway.world.store.family(shop.ownerId, id);
  const first = family?.payments.find((one) => one.id === id);
  if (!family || !first) return [`${id} is not in the store`];
  const [own, other] = second && first.connector === SECOND ? [second, server] : [server, second];
  const booked = await own.booked({ merchantId: shop.ownerId, id, key: acquirerKey(first) });
  const open = family.payments.filter(isOpen);
  const says = (what: string): string =>
    `${first.paymentType} ${id}: ${what}; ours ${family.payments.map((one) => `${one.paymentType} ${one.amount} ${one.phase.at === 'final' ? one.phase.code : one.phase.at}`).join(', ')}; book ${booked.times}× ${booked.authorised}/${booked.captured}/${booked.refunded}${booked.isCancelled ? ' cancelled' : ''}`;
  if (open.length > 0)
    return underTest.mayStayOpen && open.every((one) => one.phase.at !== 'acquirer') && booked.times === 0
      ? []
      : [says('still open')];
  const found: string[] = [];
  if (family.payments.some(({ phase }) => phase.at === 'final' && phase.code === MALFORMED)) found.push(says('malformed'));
  if (booked.times > 1) found.push(says('booked twice'));
  const twin = await other?.booked({ merchantId: shop.ownerId, id });
  const isHeld = twin && twin.authorised > 0n && !twin.isCancelled && twin.captured === 0n;
  if (twin && (twin.captured !== twin.refunded || isHeld)) found.push(says('booked by another account too'));
  const isReversed = family.payments.some((one) => one.paymentType === 'RV' && isApproved(one));
  const net = booked.captured - booked.refunded;
  if (!isApproved(first) || isReversed) {
    const isOpenThere = booked.authorised > 0n && !booked.isCancelled && booked.captured === 0n;
    if (net !== 0n || isOpenThere) found.push(says(isReversed ? 'reversed, and booked there' : 'failed, and booked there'));
    return found;
  }
  if (booked.times === 0) return [says('approved, and not booked there')];
  const captured = first.paymentType === 'DB' ? first.amount : sum(family.payments, 'CP');
  if (booked.captured !== captured) found.push(says(`captured ${captured} here`));
  const refunded = sum(family.payments, 'RF');
  if (booked.refunded !== refunded) found.push(says(`refunded ${refunded} here`));
  if (booked.authorised !== first.amount) found.push(says('another amount'));
  return found;
}
