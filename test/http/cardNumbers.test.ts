import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAdministrator } from './administrator.ts';
import { createClient, type Fields } from './client.ts';
import { freshShops } from './freshShops.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Card numbers in free text, by the setting of the merchant, which its channels inherit. */
const PAN = '5441122339784652';
const MEMO = `paid before with ${PAN}`;
const SAYS = 'must not contain a card number';
const OPERATOR = 'operator-of-this-gateway.0123456789';

let gateway: TestGateway;
const { shops, rows } = freshShops(2);
const [masking, refusing] = shops;
assert.ok(masking && refusing);
const settingsOf = (id: string) => (id === refusing.merchant.entityId ? { cardNumbersInText: 'refuse' } : {});

before(async () => {
  const entities = rows.entities.map((row) => ({ ...row, settings: settingsOf(row.id) }));
  gateway = await startGateway({ rows: { ...rows, entities }, operatorToken: OPERATOR });
});
after(() => gateway.close());

const at = (shop: typeof masking) => createClient(gateway.url, shop.channels[0]);

test('mask: the payment is taken, and says the same text everywhere', async () => {
  const shop = at(masking);
  const paid = await shop.pay({ paymentType: 'PA', merchantMemo: MEMO, merchantTransactionId: PAN });
  assert.equal(paid.code, '000.100.110', JSON.stringify(paid.body));
  const captured = await shop.capture(paid.id, '10.00', { merchantMemo: MEMO });
  assert.equal((await shop.read(paid.id)).body.merchantTransactionId, '544112***4652');
  const found = await shop.send('GET', '/v1/query', { merchantTransactionId: PAN });
  const memo = 'paid before with 544112***4652';
  assert.deepEqual(
    found.body.payments.map((one: Fields) => [one.id, one.merchantMemo]),
    [
      [paid.id, memo],
      [captured.id, memo],
    ],
    'they are still found by the number that was sent',
  );
});

test('mask: the same request again is the same payment', async () => {
  const key = { 'idempotency-key': PAN };
  const [first, again] = [await at(masking).pay({ merchantMemo: MEMO }, key), await at(masking).pay({ merchantMemo: MEMO }, key)];
  assert.equal(first.id, again.id);
  const other = await at(masking).pay({ merchantMemo: MEMO.replace(PAN, '4929127482910388') }, key);
  assert.equal(other.code, '200.200.107', 'what was sent is compared, not what is left of it');
});

test('refuse: every request with a number in a text is refused with the field and without the number', async () => {
  const shop = at(refusing);
  const clean = await shop.pay({ paymentType: 'PA' });
  assert.equal(clean.code, '000.100.110');
  const key = `customParameters[n_${PAN}]`;
  const replies = [
    await shop.pay({ merchantMemo: MEMO, [key]: 'x' }),
    await shop.capture(clean.id, '10.00', { merchantMemo: MEMO, [key]: 'x' }),
    await shop.send('POST', '/v1/checkouts', {
      amount: '1.00',
      currency: 'EUR',
      paymentType: 'DB',
      merchantMemo: MEMO,
      [key]: 'x',
    }),
  ];
  for (const { status, code, body } of replies) {
    assert.deepEqual([status, code], [400, '200.300.404'], JSON.stringify(body));
    assert.deepEqual(
      body.result.parameterErrors.map(({ name, message }: { name: string; message: string }) => [name, message]),
      [
        ['merchantMemo', SAYS],
        ['customParameters[n_544112***4652]', SAYS],
      ],
    );
    assert.doesNotMatch(JSON.stringify(body), /22339784/);
  }
});

test('the setting holds for what is administered, too', async () => {
  const admin = createAdministrator(gateway.url, OPERATOR);
  const hook = (entityId: string, query = '') =>
    admin.create({ entityId, name: `Orders ${PAN}`, url: `https://shop.example/${query}` });
  const masked = await hook(masking.merchant.entityId);
  assert.deepEqual([masked.status, masked.body.name], [200, 'Orders 544112***4652'], JSON.stringify(masked.body));
  // Shortened, it would be another address: it is refused whatever the setting says.
  const elsewhere = await hook(masking.merchant.entityId, `?c=${PAN}`);
  assert.deepEqual(
    elsewhere.body.result.parameterErrors.map(({ name, message }: Record<string, string>) => `${name} ${message}`),
    [`url ${SAYS}`],
  );
  const refused = await hook(refusing.merchant.entityId);
  assert.deepEqual(
    [
      refused.code,
      ...refused.body.result.parameterErrors.map(({ name, message }: Record<string, string>) => `${name} ${message}`),
    ],
    ['200.300.404', `name ${SAYS}`],
  );
  const set = (value: unknown) =>
    admin.ask('GET', `/entities/${masking.merchant.entityId}`).then(({ body }) =>
      admin.ask('POST', `/entities/${masking.merchant.entityId}`, {
        revision: body.revision,
        set: { cardNumbersInText: value },
      }),
    );
  assert.equal((await set('hide')).code, '200.300.404');
  assert.equal((await set('refuse')).status, 200);
});
