import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { createSandboxLookups } from '../../src/risk/lookups/lookups.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { challenge, codeOn, goBack } from './cardholder.ts';
import { CARD, createClient, DEMO, SHOPPER } from './client.ts';
import { freshShops } from './freshShops.ts';
import { startGateway } from './gateway.ts';

/** What answers tell beyond what was sent: the merchant's account, the issuer of a card, the proof of an authentication. */

const ACCOUNT = { holder: 'Example Shop Ltd', number: 'DE23100000001234567890', bic: 'MARKDEF1100', country: 'DE' };
const { shops, rows } = freshShops(1, { bankAccount: ACCOUNT });
const gateway = await startGateway({ store: createMemoryStore(), patienceMs: 500, rows, lookups: createSandboxLookups() });
after(() => gateway.close());
const shop = createClient(gateway.url);

const BACK = { shopperResultUrl: 'https://shop.example/result' } as const;
const SLIP = { paymentBrand: 'PREPAYMENT', amount: '92.00', currency: 'EUR', paymentType: 'DB', ...BACK } as const;
const TEST_ACCOUNT = { holder: 'Turnpike Test Merchant', number: 'XX000000000000000000' };
const ISSUER = {
  issuer: { bank: 'Turnpike Test Bank', phone: '+12025550100', website: 'https://bank.example' },
  type: 'CREDIT',
  level: 'CLASSIC',
  regulatedFlag: 'false',
};

test('a prepayment names the account that the shopper pays to: that of the test environment, or that of the channel', async () => {
  const pending = await shop.send('POST', '/v1/payments', SLIP);
  assert.deepEqual([pending.code, pending.body.merchant], ['000.200.000', { bankAccount: TEST_ACCOUNT }]);
  assert.deepEqual((await shop.read(pending.id)).body.merchant, { bankAccount: TEST_ACCOUNT });
  const paid = await createClient(gateway.url, shops[0]?.channels[0]).send('POST', '/v1/payments', {
    ...SLIP,
    'merchant.name': 'Example',
  });
  assert.deepEqual(paid.body.merchant, { bankAccount: ACCOUNT, name: 'Example' });
});

test('other methods name no account', async () => {
  assert.equal((await shop.pay()).body.merchant, undefined);
  assert.equal((await shop.send('POST', '/v1/payments', { ...SLIP, paymentBrand: 'PAYPAL' })).body.merchant, undefined);
});

test('a card tells its issuer, in payments, registrations and payments with them alike', async () => {
  const { 'card.cvv': _, ...stored } = CARD;
  const paid = await shop.pay();
  assert.partialDeepStrictEqual(paid.body.card, ISSUER);
  assert.partialDeepStrictEqual((await shop.read(paid.id)).body.card, ISSUER);
  const registration = await shop.send('POST', '/v1/registrations', {
    ...stored,
    'customer.givenName': 'Ann',
    'customer.surname': 'Example',
  });
  const read = await shop.send('GET', `/v1/registrations/${registration.id}`, {});
  for (const { body } of [registration, read]) {
    assert.partialDeepStrictEqual(body.card, { ...ISSUER, bin: '420000', last4Digits: '0000', binCountry: 'US' });
    assert.deepEqual(
      [body.customer.givenName, body.risk.score, body.resultDetails.clearingInstituteName],
      ['Ann', '0', 'Turnpike Simulator'],
    );
  }
  const charged = await shop.send('POST', `/v1/registrations/${registration.id}/payments`, {
    amount: '1.00',
    currency: 'EUR',
    paymentType: 'DB',
  });
  assert.partialDeepStrictEqual(charged.body.card, ISSUER);
});

const PROOF = /^[A-Za-z0-9+/]{27}=$/;
const secure = (number: string, merchantTransactionId = 'order-10017') =>
  shop.pay({ 'card.number': number, merchantTransactionId, ...SHOPPER, ...BACK });
const REFERENCE = 'order-with-a-proof';

test('the final answer of an authenticated payment has its proof; the pending one has not', async () => {
  const frictionless = await secure('4200000000000026', REFERENCE);
  const pending = await secure('4200000000000018', REFERENCE);
  assert.equal(pending.body.threeDSecure.verificationId, undefined);
  await goBack(await challenge(pending, 'submit', codeOn), pending);
  const ends = [
    frictionless,
    await shop.read(frictionless.id),
    await shop.read(pending.id),
    await shop.send('GET', `/v1/query/${pending.id}`, {}),
  ];
  for (const { code } of ends) assert.equal(code, '000.100.110');
  const lists = [
    await shop.send('GET', `/v1/query/${pending.id}`, { includeLinkedTransactions: 'true' }),
    await shop.send('GET', '/v1/query', { merchantTransactionId: REFERENCE }),
    await shop.send('GET', `/v3/query/${pending.id}`, {}),
  ].flatMap(({ body }) => body.payments ?? body.records);
  assert.deepEqual(new Set(lists.map(({ id }) => id)), new Set([frictionless.id, pending.id]));
  for (const body of [...ends.map(({ body }) => body), ...lists]) {
    const { eci, verificationId, xid, version, dsTransactionId, acsTransactionId, authenticationStatus } = body.threeDSecure;
    assert.deepEqual([eci, authenticationStatus, version], ['05', 'Y', '2.2.0']);
    assert.match(verificationId, PROOF);
    assert.deepEqual([xid, dsTransactionId.length, acsTransactionId.length], [dsTransactionId, 36, 36]);
  }
  const refused = await secure('4200000000000018');
  await goBack(await challenge(refused, 'cancel'), refused);
  const { code, body } = await shop.read(refused.id);
  assert.deepEqual([code, body.threeDSecure.verificationId], ['100.396.101', undefined]);
});

test('the proof is stored sealed only', async () => {
  const { id, body } = await secure('4200000000000026');
  const stored = inspect(await gateway.world.store.payment(DEMO.merchantId, id), { depth: null, breakLength: 1_000 });
  assert.ok(!stored.includes(body.threeDSecure.verificationId) && /sealedProof: '/.test(stored));
});
