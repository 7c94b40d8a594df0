import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { codeOn, formIn, goBack, press, type Seen, visit } from './cardholder.ts';
import { createClient, type Fields, type Reply } from './client.ts';
import { freshShops } from './freshShops.ts';
import { startGateway } from './gateway.ts';

/** An enrolled card without browser data: a lenient channel collects the data on a page, or continues without 3D Secure. */

const { shops, rows } = freshShops(1, { isLenient: true, threeDSecure: true });
const continuing = { threeDS: { withoutBrowserData: 'continue' } };
const entities = rows.entities.map((entity) => (entity.name === 'Fresh_2' ? { ...entity, settings: continuing } : entity));
const store = createMemoryStore();
const gateway = await startGateway({ store, patienceMs: 500, rows: { ...rows, entities } });
after(() => gateway.close());
const strict = createClient(gateway.url);
const [lenient, skipping] = (shops[0]?.channels ?? []).map((channel) => createClient(gateway.url, channel)) as [
  typeof strict,
  typeof strict,
];

const PAID = '000.100.110';
const PENDING = '000.200.000';
const BACK = { shopperResultUrl: 'https://shop.example/result' } as const;
const CHALLENGED = '4200000000000018';
const SCREEN = {
  language: 'de-AT',
  screenHeight: '1080',
  screenWidth: '1920',
  screenColorDepth: '24',
  timezone: '-60',
  javaEnabled: 'false',
};

/** The page of a pending payment, sent with these values. */
async function collect(pending: Reply, values: Fields = SCREEN): Promise<Seen> {
  const page = await visit(pending.body.redirect.url);
  const { url, fields } = formIn(page.html);
  assert.match(url, /\/browser$/);
  assert.deepEqual(Object.keys(fields).sort(), Object.keys(SCREEN).sort());
  return visit(url, { ...fields, ...values });
}

/** Through the challenge from the page that leads to it. */
async function confirm(host: Seen, pending: Reply): Promise<void> {
  const { url, fields } = formIn(host.html);
  const issuer = await visit(url, fields);
  await goBack(await press(issuer, 'submit', codeOn(issuer.html)), pending);
}

const stored = async ({ id }: Reply) => (await store.payment(shops[0]?.merchant.entityId ?? '', id))?.threeDS?.state;

const cards: readonly (readonly [says: string, number: string, values: Fields])[] = [
  ['a challenge', CHALLENGED, SCREEN],
  ['a challenge without scripts', CHALLENGED, {}],
  ['a card that elsewhere is enrolled for version 1', '4012888888881881', SCREEN],
  ['another of them', '4012001036275556', SCREEN],
];
for (const [says, number, values] of cards) {
  test(`collected and paid: ${says}`, async () => {
    const pending = await lenient.pay({ 'card.number': number, ...BACK });
    assert.deepEqual([pending.code, pending.body.redirect.preconditions], [PENDING, undefined], JSON.stringify(pending.body));
    await confirm(await collect(pending, values), pending);
    const paid = await lenient.read(pending.id);
    assert.deepEqual([paid.code, paid.body.threeDSecure.eci, paid.body.threeDSecure.flow], [PAID, '05', 'challenge']);
    assert.equal((await stored(pending))?.browser?.['customer.browser.screenHeight'], values.screenHeight);
  });
}

test('collected, then the hidden frame, then the result without a challenge', async () => {
  const pending = await lenient.pay({ 'card.number': '4200000000000091', ...BACK });
  const host = await collect(pending);
  assert.ok(host.html.includes('id="frame"'));
  const frame = formIn(host.html);
  const done = formIn((await visit(frame.url, frame.fields)).html);
  await visit(done.url, done.fields);
  await visit(`${pending.body.redirect.url}/continue`);
  const paid = await lenient.read(pending.id);
  assert.deepEqual([paid.code, paid.body.threeDSecure.flow], [PAID, 'frictionless']);
});

test('sent twice, the first counts; the shopper continues where the authentication is', async () => {
  const pending = await lenient.pay({ 'card.number': CHALLENGED, ...BACK });
  await collect(pending);
  const again = await visit(`${pending.body.redirect.url}/browser`, { ...SCREEN, screenHeight: '1' });
  assert.equal((await stored(pending))?.browser?.['customer.browser.screenHeight'], '1080');
  await confirm(again, pending);
  const late = await visit(`${pending.body.redirect.url}/browser`, SCREEN);
  assert.deepEqual([late.status, (await lenient.read(pending.id)).code], [200, PAID]);
  assert.equal((await visit(`${gateway.url}/v1/3ds/nothing/browser`, SCREEN)).status, 404);
});

test('a channel that says so continues without 3D Secure', async () => {
  const paid = await skipping.pay({ 'card.number': CHALLENGED });
  assert.deepEqual([paid.code, paid.body.threeDSecure], [PAID, undefined]);
});

test('without a way back, and on a strict channel, the request is refused', async () => {
  const names = async (reply: Promise<Reply>) =>
    (await reply).body.result.parameterErrors.map(({ name }: { readonly name: string }) => name);
  assert.deepEqual(await names(lenient.pay({ 'card.number': CHALLENGED })), ['shopperResultUrl']);
  assert.ok((await names(strict.pay({ 'card.number': CHALLENGED, ...BACK }))).includes('customer.browser.userAgent'));
});
