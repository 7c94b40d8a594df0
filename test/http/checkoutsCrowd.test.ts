import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ATTEMPTS_MAX } from '../../src/checkouts/checkout.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { tokenHash } from '../../src/merchants/tokens.ts';
import { isApproved } from '../../src/payments/balance.ts';
import { isOpen } from '../../src/payments/payment.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { testDatabase } from '../postgres.ts';
import { atIssuer, codeOn, goBack, press } from './cardholder.ts';
import { CROWD, crowd, FLOW } from './checkoutCrowd.ts';
import { createShop, resultOn } from './checkoutShopper.ts';
import { DEMO, SHOPPER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** At most one payment of a checkout is open or has succeeded: tabs, clicks, the back button, and a crowd (reliability R6). */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-crowd-'));
const database = await testDatabase();
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const stores: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ['memory', async () => createMemoryStore()],
  ['SQLite', () => openSqliteStore({ dataDir: folder })],
  ['PostgreSQL', () => openPostgresStore({ url: database.url })],
];

const MERCHANT = '5eed00000000000000000000000000f2';
const ROUNDS = sized({ quick: 12, assure: 170, reliability: 500 });
const living = async (store: Store, id: string) =>
  (await store.attempts(MERCHANT, id)).filter((payment) => isOpen(payment) || isApproved(payment));

for (const [name, open] of stores) {
  test(`R6 on ${name}: ${CROWD} forms at once, ${ROUNDS} rounds, on two nodes`, async () => {
    const store = await open();
    const [one, two] = [
      await startGateway({ store, patienceMs: 200 }),
      await startGateway({ store, patienceMs: 200, nodeName: 'test-2' }),
    ];
    try {
      const shops = [createShop(one.url), createShop(two.url)] as const;
      for (let round = 0; round < ROUNDS; round += 1) {
        // Now and then the acquirer's reply is lost, and the payment stays open.
        const { id } = await shops[0].create(round % 4 === 3 ? { 'customParameters[SIMULATOR_answer]': 'lost' } : {});
        const forms = await crowd(shops[0], id);
        const answers = await Promise.all(forms.map((form, at) => (shops[at % 2] ?? shops[0]).payAsApp(id, form)));
        const alive = await living(store, id);
        assert.equal(alive.length, 1, `round ${round}: ${alive.map((payment) => payment.id).join()}`);
        const approvedIds = new Set(answers.filter(({ code }) => code === '000.100.110').map((answer) => answer.id));
        assert.ok(approvedIds.size <= 1, 'two different payments were told as a success');
        assert.deepEqual(
          answers.filter(({ status }) => status >= 500),
          [],
        );
        // Whatever payment won, the shopper goes on by card: a redirect is given up, a doubt is resolved.
        const later = async () => {
          for (const gateway of [one, two]) gateway.pass(60_000);
          await one.work('sweep');
        };
        await later();
        await shops[1].payAsApp(id, await shops[1].cardForm(id));
        await later();
        const approved = (await store.attempts(MERCHANT, id)).filter(isApproved);
        assert.equal(approved.length, 1, `round ${round}`);
        assert.equal((await living(store, id)).length, 1);
        assert.equal((await shops[0].status(id)).id, approved[0]?.id);
      }
      reportFigure('R6', 'rounds', ROUNDS);
      reportFigure('R6', 'forms', ROUNDS * CROWD);
      assert.deepEqual(
        [...one.lines, ...two.lines].filter((line) => line.includes('"level":50')),
        [],
      );
    } finally {
      await two.close().catch(() => {});
      await one.close().catch(() => {});
    }
  });
}

type Shop = ReturnType<typeof createShop>;

async function withGateway(work: (gateway: TestGateway, shop: Shop) => Promise<void>): Promise<void> {
  const gateway = await startGateway({ patienceMs: 200 });
  try {
    await work(gateway, createShop(gateway.url, DEMO));
  } finally {
    await gateway.close();
  }
}

const DEMO_MERCHANT = DEMO.merchantId;
const CHALLENGE = { 'card.number': '4200000000000018', 'card.cvv': '123' };

test('what ends while it is in the way is not shown as the result of the click that it kept out', async () => {
  const store = createMemoryStore();
  let afterRead: (() => Promise<void>) | null = null;
  let reads = 0;
  const attempts: Store['attempts'] = async (merchantId, id) => {
    const found = await store.attempts(merchantId, id);
    reads += 1;
    // The first read of a click counts the tries, the second looks for what is in the way.
    const work = reads === 2 ? afterRead : null;
    if (work) afterRead = null;
    await work?.();
    return found;
  };
  const gateway = await startGateway({ store: { ...store, attempts }, patienceMs: 200 });
  try {
    const shop = createShop(gateway.url, DEMO);
    const { id } = await shop.create({ 'customParameters[SIMULATOR_answer]': 'lost-request' });
    const first = await shop.payAsApp(id, await shop.cardForm(id));
    assert.match(first.code, /^000\.200|^800\.400\.5/, 'the acquirer has not answered');
    const form = await shop.cardForm(id);
    afterRead = async () => {
      gateway.pass(60_000);
      await gateway.work('sweep');
      const [payment] = await store.attempts(DEMO_MERCHANT, id);
      assert.ok(payment && !isOpen(payment) && !isApproved(payment), 'it has come to nothing');
    };
    reads = 0;
    const second = await shop.payAsApp(id, form);
    assert.equal(afterRead, null);
    assert.deepEqual([second.id, second.code], [first.id, first.code]);
  } finally {
    await gateway.close();
  }
});

test('a double click: the second one is shown what the first one began, and nothing is begun twice', () =>
  withGateway(async ({ services }, shop) => {
    const { id } = await shop.create();
    const form = await shop.cardForm(id, SHOPPER, CHALLENGE);
    const path = `/v1/checkouts/${id}/payment`;
    const [first, second] = await Promise.all([shop.browse('POST', path, form), shop.browse('POST', path, form)]);
    assert.deepEqual([first.status, second.status], [303, 303]);
    assert.equal(first.location, second.location);
    assert.equal((await services.checkouts.store.attempts(DEMO_MERCHANT, id)).length, 1);
  }));

test('the back button out of a challenge: the old one is given up, and the new one can succeed', () =>
  withGateway(async (gateway, shop) => {
    const { id } = await shop.create();
    await shop.pay(id, SHOPPER, CHALLENGE);
    const old = await shop.status(id);
    assert.deepEqual(
      gateway.world.pendingSecrets.ids().map(({ paymentId }) => paymentId),
      [old.id],
    );
    gateway.pass(4_000);
    await shop.pay(id, SHOPPER, CHALLENGE);
    const anew = await shop.status(id);
    assert.notEqual(anew.id, old.id);
    assert.equal((await shop.merchant.read(old.id)).code, '100.396.101');
    assert.deepEqual(
      gateway.world.pendingSecrets.ids().map(({ paymentId }) => paymentId),
      [anew.id],
      'the secrets of the old one are gone',
    );
    // The old tab is still open, and the shopper acts there: it has no effect.
    const issuer = await atIssuer(anew);
    await goBack(await press(issuer, 'submit', codeOn(issuer.html)), anew);
    assert.equal((await shop.status(id)).code, '000.100.110');
    const attempts = await gateway.services.checkouts.store.attempts(DEMO_MERCHANT, id);
    assert.deepEqual(attempts.map(isApproved), [true, false]);
  }));

test('an answer in the old tab, after the new one has begun, pays nothing', () =>
  withGateway(async (gateway, shop) => {
    const { id } = await shop.create();
    await shop.pay(id, SHOPPER, CHALLENGE);
    const old = await shop.status(id);
    const issuer = await atIssuer(old);
    gateway.pass(4_000);
    await shop.pay(id, SHOPPER, CHALLENGE);
    await goBack(await press(issuer, 'submit', codeOn(issuer.html)), old);
    assert.equal((await shop.merchant.read(old.id)).code, '100.396.101');
    assert.equal((await shop.status(id)).code, '000.200.000');
  }));

test('the shopper leaves the bank and pays by card: the bank is cancelled, and a late approval there counts for nothing', () =>
  withGateway(async (gateway, shop) => {
    const { id } = await shop.create();
    const away = await shop.browse('POST', `/v1/checkouts/${id}/payment`, { paymentBrand: 'PAYPAL', ...FLOW });
    const old = await shop.status(id);
    gateway.pass(4_000);
    assert.equal((await shop.payAsApp(id, await shop.cardForm(id, SHOPPER))).code, '000.100.110');
    assert.equal((await shop.merchant.read(old.id)).code, '100.396.104');
    await shop.browse('POST', away.location ?? '', { choice: 'pay' });
    await gateway.settle();
    const attempts = await gateway.services.checkouts.store.attempts(DEMO_MERCHANT, id);
    assert.deepEqual(attempts.map(isApproved), [true, false]);
  }));

test('the shopper has paid at the bank a moment ago, the gateway does not know yet, and a second click returns that result', () =>
  withGateway(async (gateway, shop) => {
    const { id } = await shop.create({ 'customParameters[SIMULATOR_confirm]': 'never' });
    const away = await shop.browse('POST', `/v1/checkouts/${id}/payment`, { paymentBrand: 'PAYPAL', ...FLOW });
    // The bank sends the shopper back, who never arrives.
    await shop.browse('POST', away.location ?? '', { choice: 'pay' });
    const old = await shop.status(id);
    assert.equal(old.code, '000.200.000');
    gateway.pass(4_000);
    const again = await shop.payAsApp(id, await shop.cardForm(id, SHOPPER));
    assert.deepEqual([again.code, again.id, again.body.paymentBrand], ['000.100.110', old.id, 'PAYPAL']);
    assert.equal((await gateway.services.checkouts.store.attempts(DEMO_MERCHANT, id)).length, 1);
  }));

test('a refresh of what is paid shows the result, and pays nothing more', () =>
  withGateway(async (gateway, shop) => {
    const { id } = await shop.create();
    const form = await shop.cardForm(id, SHOPPER);
    const path = `/v1/checkouts/${id}/payment`;
    for (let times = 0; times < 3; times += 1) {
      const page = await shop.browse('POST', path, form);
      assert.deepEqual([page.status, page.location], [303, `/v1/checkouts/${id}/return`]);
      gateway.pass(4_000);
    }
    assert.equal(resultOn(await shop.browse('GET', `/v1/checkouts/${id}/return`)).result.outcome, 'success');
    assert.equal((await gateway.services.checkouts.store.attempts(DEMO_MERCHANT, id)).length, 1);
  }));

test('a second tab while the acquirer is silent waits for the first, and learns its end', () =>
  withGateway(async (gateway, shop) => {
    const { id } = await shop.create({ 'customParameters[SIMULATOR_answer]': 'lost' });
    await shop.pay(id, SHOPPER);
    gateway.pass(5_000);
    const second = await shop.pay(id, SHOPPER);
    assert.equal(second.status, 202);
    assert.match(second.text, new RegExp(`data-next="/v1/checkouts/${id}/return\\?wait=1"`));
    const next = `/v1/checkouts/${id}/return?wait=1`;
    assert.equal((await shop.browse('GET', next)).status, 202);
    await gateway.settle();
    assert.equal(resultOn(await shop.browse('GET', next)).result.outcome, 'success');
    assert.equal((await gateway.services.checkouts.store.attempts(DEMO_MERCHANT, id)).length, 1);
  }));

test('R41: sixty cards in one checkout, and at most ten reach the acquirer', async () => {
  const [merchantId, entityId, userId] = [
    '5eed00000000000000000000000000e9',
    '5eed0000000000000000000000000e10',
    '5eed00000000000000000000000000ea',
  ];
  const token = Buffer.from(`${userId}|guard`).toString('base64');
  const gateway = await startGateway({
    rows: {
      entities: [
        { id: merchantId, kind: 'merchant', parentId: sandbox.division, name: 'Shop', settings: { risk: { mode: 'on' } } },
        { id: entityId, kind: 'channel', parentId: merchantId, name: 'Shop', settings: {} },
      ],
      tokens: [{ userId, tokenHash: tokenHash(token), entityId: merchantId, createdAt: 0 }],
    },
    trustProxy: true,
  });
  try {
    const shop = createShop(gateway.url, { entityId, token });
    const { id } = await shop.create();
    const codes: string[] = [];
    for (let at = 0; at < 60; at += 1) {
      const front = `4${String(10_000 + at * 137)}${String(at).padStart(9, '7')}`;
      const form = await shop.cardForm(
        id,
        { 'card.holder': '800.100.152' },
        { 'card.number': withLuhn(front), 'card.cvv': '123' },
      );
      const headers = { accept: 'application/json', 'x-forwarded-for': `198.51.${at}.7` };
      codes.push(JSON.parse((await shop.browse('POST', `/v1/checkouts/${id}/payment`, form, headers)).text).result.code);
      gateway.pass(1_000);
    }
    assert.equal(codes.filter((code) => code === '800.100.152').length, 10);
    assert.deepEqual([...new Set(codes.slice(10, ATTEMPTS_MAX))], ['800.120.101']);
    assert.deepEqual([...new Set(codes.slice(ATTEMPTS_MAX))], ['700.500.001']);
    const other = await shop.create();
    assert.equal((await shop.payAsApp(other.id, await shop.cardForm(other.id))).code, '000.100.110');
  } finally {
    await gateway.close();
  }
});

const withLuhn = (front: string): string => {
  const sum = [...front].reverse().reduce((all, digit, at) => {
    const twice = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return all + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return `${front}${(10 - (sum % 10)) % 10}`;
};
