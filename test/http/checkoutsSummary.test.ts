import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { challenge, codeOn } from './cardholder.ts';
import { createShop, NUMBER, RESULT_URL, SHOP } from './checkoutShopper.ts';
import { createClient, DEMO, type Fields, OTHER, type Reply, SHOPPER } from './client.ts';
import { startGateway } from './gateway.ts';

/** Pages with a summary of their own: the widget saves, the merchant's server carries out. */

const PAID = '000.100.110';
const SAVED = '000.200.101';
const store = createMemoryStore();
const gateway = await startGateway({ store, patienceMs: 500 });
const other = await startGateway({ store, patienceMs: 500, nodeName: 'test-2' });
after(() => Promise.all([gateway.close(), other.close()]));
const shop = createShop(gateway.url);

type Shop = ReturnType<typeof createShop>;
const save = (by: Shop, id: string, form: Fields): Promise<Reply> => by.payAsApp(id, { ...form, widgetSummary: '1' });
const saveCard = async (by: Shop, id: string, fields: Fields = {}, card?: Fields): Promise<Reply> =>
  save(by, id, await by.cardForm(id, { widgetFlow: 'tab', ...fields }, card));
const handle = ({ merchant }: Shop, id: string, fields: Fields = {}): Promise<Reply> =>
  merchant.send('POST', `/v1/checkouts/${id}/payment`, fields);

test('saved, nothing is paid; carried out, it is, once', async () => {
  const { id } = await shop.create();
  const saved = await saveCard(shop, id);
  assert.deepEqual([saved.status, saved.code, saved.id], [200, SAVED, undefined]);
  const before = await shop.status(id);
  assert.deepEqual([before.code, before.id], ['000.200.000', undefined]);
  const paid = await handle(shop, id);
  assert.deepEqual([paid.status, paid.code, paid.body.ndc], [200, PAID, id]);
  assert.deepEqual([paid.body.card.last4Digits, paid.body.card.holder, paid.body.amount], ['0000', 'Ann Example', '92.00']);
  assert.equal(paid.body.result.cvvResponse, 'M', 'the security code went along');
  assert.equal(paid.body.customer.ip, '127.0.0.1', 'the shopper is the one who pays');
  const again = await handle(shop, id);
  assert.deepEqual([again.code, again.id], [PAID, paid.id]);
  assert.equal((await shop.status(id)).id, paid.id);
});

test('what was changed meanwhile counts', async () => {
  const { id } = await shop.create();
  await saveCard(shop, id);
  assert.equal((await shop.update(id, { amount: '99.50', 'cart.items[0].name': 'Pen' })).code, SAVED);
  assert.equal((await handle(shop, id)).body.amount, '99.50');
});

test('saved twice, the last one counts; declined, it has to be entered again', async () => {
  const { id } = await shop.create();
  await saveCard(shop, id, { 'card.holder': 'Bob Example' });
  await saveCard(shop, id, { 'card.holder': '800.100.152' });
  const declined = await handle(shop, id);
  assert.equal(declined.code, '800.100.152');
  assert.deepEqual([(await handle(shop, id)).id, (await handle(shop, id)).code], [declined.id, '800.100.152']);
  await saveCard(shop, id);
  assert.equal((await handle(shop, id)).code, PAID);
});

test('two of the merchant’s servers at once make one payment', async () => {
  const { id } = await shop.create();
  await saveCard(shop, id);
  const replies = await Promise.all([1, 2, 3].map(() => handle(shop, id)));
  assert.deepEqual(new Set(replies.map(({ code }) => code)), new Set([PAID]));
  assert.equal(new Set(replies.map((reply) => reply.id)).size, 1);
  assert.equal((await store.attempts(OTHER_MERCHANT, id)).length, 1);
});
const OTHER_MERCHANT = gateway.directory.entity(OTHER.entityId)?.merchantId ?? '';

test('only the merchant’s own token carries out; a browser’s other credentials are none', async () => {
  const { id } = await shop.create();
  await saveCard(shop, id);
  const path = `/v1/checkouts/${id}/payment`;
  assert.equal((await createClient(gateway.url, DEMO).send('POST', path, {})).code, '200.300.404');
  assert.equal((await createClient(gateway.url, { ...OTHER, token: 'x' }).send('POST', path, {})).status, 403);
  const basic = await shop.browse('POST', path, await shop.cardForm(id), {
    authorization: 'Basic c3RhZ2luZzp4',
    accept: 'application/json',
  });
  assert.equal(JSON.parse(basic.text).result.code, PAID, 'it is the shopper who has paid');
});

test('nothing saved, nothing carried out; over, it cannot be', async () => {
  const { id } = await shop.create();
  const nothing = await handle(shop, id);
  assert.deepEqual([nothing.status, nothing.code, nothing.body.result.parameterErrors[0].name], [400, '200.300.404', 'id']);
  await saveCard(shop, id);
  gateway.pass(31 * 60_000);
  assert.match((await handle(shop, id)).body.result.description, /No payment session found/);
});

test('what cannot be paid is not saved', async () => {
  const { id } = await shop.create();
  const faulty = await saveCard(shop, id, { 'card.expiryMonth': '13' });
  assert.deepEqual([faulty.code, faulty.body.result.parameterErrors[0].name], ['200.300.404', 'card.expiryMonth']);
  const unsealed = await save(shop, id, { paymentBrand: 'VISA', sealedFields: 'abc' });
  assert.deepEqual(unsealed.body.result.parameterErrors[0].name, 'sealedFields');
  assert.equal((await handle(shop, id)).code, '200.300.404');
});

test('a page that sends the form itself lands at the shop’s summary', async () => {
  const { id } = await shop.create();
  const { status, location } = await shop.pay(id, { widgetSummary: '1', widgetFlow: 'tab' });
  assert.equal(status, 303);
  assert.equal(new URL(location ?? '').origin, SHOP);
  const framed = await shop.pay(id, { widgetSummary: '1', widgetFlow: 'frame' });
  assert.match(framed.text, /data-shop="https:\/\/shop\.example"/);
  assert.equal((await shop.status(id)).id, undefined);
});

test('the security code is in no row, and another node pays without it, or with what the page was handed', async () => {
  const far = createShop(other.url);
  for (const isBrought of [false, true]) {
    const { id } = await shop.create();
    const sealedFields = await shop.seal(id, { 'card.number': NUMBER, 'card.cvv': '917' });
    await save(shop, id, await shop.cardForm(id, { sealedFields }));
    const row = await store.checkout(id);
    assert.ok(row?.savedForm);
    const place = { merchantId: row.merchantId, entityId: row.entityId, recordId: id, field: 'savedForm' };
    const kept = await gateway.world.vault.open(place, Buffer.from(row.savedForm, 'base64'));
    assert.ok(kept.includes(NUMBER));
    // The port of the gateway may have these digits in it.
    assert.ok(!kept.replaceAll(gateway.url, '').includes('917'));
    assert.ok(!JSON.stringify(row).includes(NUMBER));
    const paid = await handle(far, id, isBrought ? { sealedFields } : {});
    assert.deepEqual([paid.code, paid.body.result.cvvResponse], [PAID, isBrought ? 'M' : undefined]);
    assert.equal((await store.checkout(id))?.savedForm, null);
  }
});

test('a gift card’s PIN goes the same way', async () => {
  const { id } = await shop.create();
  const gift = { paymentBrand: 'GIFTCARD', 'giftCard.number': '6035710000000150', shopperResultUrl: RESULT_URL };
  await save(shop, id, { ...gift, 'giftCard.pin': '0000' });
  assert.ok(!JSON.stringify(await store.checkout(id)).includes('0000"'));
  assert.equal((await handle(shop, id)).code, '800.100.166', 'the PIN went along');
});

test('the challenge comes after the merchant has confirmed, and the shopper arrives at the shop', async () => {
  const secure = createShop(gateway.url, DEMO);
  const { id } = await secure.create({
    'billing.street1': 'A 1',
    'billing.city': 'B',
    'billing.postcode': '1',
    'billing.country': 'DE',
  });
  const browser = Object.fromEntries(Object.entries(SHOPPER).filter(([name]) => /browser\.(?!accept|userAgent)/.test(name)));
  const card = { 'card.number': '4200000000000018', 'card.cvv': '123' };
  assert.equal((await saveCard(secure, id, browser, card)).code, SAVED);
  const pending = await handle(secure, id);
  assert.deepEqual([pending.code, typeof pending.body.redirect.url], ['000.200.000', 'string'], JSON.stringify(pending.body));
  await challenge(pending, 'submit', codeOn);
  const end = await secure.browse('GET', `/v1/checkouts/${id}/return`);
  assert.equal(new URL(end.location ?? '').origin, SHOP);
  assert.equal((await secure.status(id)).code, PAID);
});

test('an online transfer is carried out with a redirect; details are stored without a charge', async () => {
  const { id } = await shop.create();
  await save(shop, id, { paymentBrand: 'EPS', 'bankAccount.country': 'AT', shopperResultUrl: RESULT_URL });
  const pending = await handle(shop, id);
  assert.match(pending.body.redirect.url, /\/sandbox\/bank\//);
  const storing = await shop.create({ amount: '', currency: '', paymentType: '', createRegistration: 'true' });
  await shop.payAsApp(storing.id, { ...(await shop.cardForm(storing.id)), widgetSummary: '1' }, 'registration');
  const stored = await shop.merchant.send('POST', `/v1/checkouts/${storing.id}/registration`, {});
  assert.equal(stored.code, PAID);
});

test('an error is a page for a shopper, wherever it happens, and JSON for a merchant', async () => {
  const fails = (): Promise<never> => Promise.reject(new Error('planted'));
  const broken = await startGateway({ store: { ...createMemoryStore(), checkout: fails, payment: fails } });
  const far = createShop(broken.url);
  const id = `${'A'.repeat(32)}-test-1`;
  const name = `${'a'.repeat(32)}.${'b'.repeat(32)}`;
  try {
    for (const [method, path] of [
      ['POST', `/v1/checkouts/${id}/payment`],
      ['GET', `/v1/checkouts/${id}/return`],
      ['GET', `/v1/3ds/${name}`],
    ] as const) {
      const { status, text } = await far.browse(method, path);
      assert.deepEqual([status, text.includes('<h1>')], [500, true], path);
    }
    const reply = await handle(far, id);
    assert.deepEqual([reply.status, reply.code], [500, '600.100.100']);
  } finally {
    await broken.close();
  }
});
