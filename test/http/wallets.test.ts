import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createClient, DEMO, type Fields, OTHER, type Reply } from './client.ts';
import { startGateway } from './gateway.ts';

const store = createMemoryStore();
const gateway = await startGateway({ store, patienceMs: 200 });
after(() => gateway.close());
const shop = createClient(gateway.url);
const other = createClient(gateway.url, OTHER);
const NO_CARD = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };

const wallets = [
  ['walletA', 'applePay'],
  ['walletB', 'googlePay'],
  ['walletC', 'samsungPay'],
] as const;

/** A token of the sandbox's own issuer, fetched as a script would. */
async function token(wallet: string, fields: Fields = {}): Promise<string> {
  const order = { entityId: DEMO.entityId, wallet, amount: '92.00', currency: 'EUR', number: '4200000000000000', ...fields };
  const response = await fetch(`${gateway.url}/sandbox/wallets?format=json`, {
    method: 'POST',
    body: new URLSearchParams(order),
  });
  const body = (await response.json()) as { readonly token?: string };
  assert.ok(body.token, JSON.stringify(body));
  return body.token;
}

const pay = (parameter: string, text: string, fields: Fields = {}, headers?: Fields) =>
  shop.pay({ ...NO_CARD, [`${parameter}.paymentToken`]: text, ...fields }, headers);

const stored = (): number => store.outbox.length;

function isRefused(reply: Reply, parameter: string, says: RegExp): void {
  assert.deepEqual([reply.status, reply.code, reply.id], [400, '200.100.603', undefined], JSON.stringify(reply.body));
  const [fault] = reply.body.result.parameterErrors;
  assert.deepEqual([fault.name, fault.value], [`${parameter}.paymentToken`, null]);
  assert.match(fault.message, says);
}

for (const [wallet, alias] of wallets) {
  for (const name of [wallet, alias]) {
    test(`a token sent as ${name} pays, and the card gives the brand`, async () => {
      const text = await token(wallet);
      const paid = await pay(name, text, { paymentBrand: '' });
      assert.deepEqual([paid.status, paid.code, paid.body.paymentBrand], [200, '000.100.110', 'VISA'], JSON.stringify(paid.body));
      assert.match(paid.body.card.last4Digits, /^[0-9]{4}$/);
      assert.ok(!JSON.stringify(paid.body).includes(text.slice(20, 60)));
    });
  }

  test(`${wallet}: the brand may be the wallet's own`, async () => {
    const brand = { walletA: 'APPLEPAY', walletB: 'GOOGLEPAY', walletC: 'SAMSUNGPAY' }[wallet];
    assert.equal((await pay(alias, await token(wallet), { paymentBrand: brand })).code, '000.100.110');
  });

  test(`${wallet}: a token pays once, and a refused one leaves nothing behind`, async () => {
    const text = await token(wallet);
    assert.equal((await pay(wallet, text)).code, '000.100.110');
    const before = stored();
    isRefused(await pay(wallet, text), wallet, /has been used/);
    isRefused(await pay(alias, text), alias, /has been used/);
    assert.equal(stored(), before);
  });

  test(`${wallet}: sent many times at once it pays once`, async () => {
    const text = await token(wallet);
    const replies = await Promise.all(Array.from({ length: 12 }, () => pay(wallet, text)));
    assert.equal(replies.filter(({ code }) => code === '000.100.110').length, 1);
  });

  test(`${wallet}: a retry under its key hears of the payment, even when the token is too old by now`, async () => {
    const text = await token(wallet);
    const key = { 'idempotency-key': `pay-${wallet}` };
    const first = await pay(wallet, text, {}, key);
    assert.equal((await pay(wallet, text, {}, key)).id, first.id);
    gateway.pass(30 * 86_400_000);
    await gateway.work('delete expired wallet token uses');
    assert.equal((await pay(wallet, text, {}, key)).id, first.id);
    isRefused(await pay(wallet, text), wallet, /./);
  });

  const faults: readonly [what: string, make: () => Promise<string>][] = [
    ['malformed', async () => (await token(wallet)).slice(0, -9)],
    ['no token at all', async () => 'not-a-token'],
    ['expired', () => token(wallet, { fault: 'expired' })],
    ['tampered', () => token(wallet, { fault: 'tampered' })],
    ['for another merchant', () => token(wallet, { entityId: OTHER.entityId })],
  ];
  for (const [what, make] of faults) {
    test(`${wallet}: ${what} is refused and nothing is stored`, async () => {
      const text = await make();
      const before = stored();
      isRefused(await pay(wallet, text), wallet, /^[a-z].{8,}/);
      assert.equal(stored(), before);
    });
  }

  test(`${wallet}: a token can be stored and charged again, as a device number`, async () => {
    const first = await pay(wallet, await token(wallet), {
      createRegistration: 'true',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.source': 'CIT',
      'standingInstruction.type': 'UNSCHEDULED',
    });
    assert.equal(first.code, '000.100.110', JSON.stringify(first.body));
    const again = await shop.send('POST', `/v1/registrations/${first.body.registrationId}/payments`, {
      paymentType: 'DB',
      amount: '5.00',
      currency: 'EUR',
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.source': 'MIT',
      'standingInstruction.type': 'UNSCHEDULED',
    });
    assert.equal(again.code, '000.100.110', JSON.stringify(again.body));
  });
}

for (const wallet of ['walletA', 'walletC'] as const) {
  test(`${wallet}: what the shopper agreed to is what is charged`, async () => {
    isRefused(await pay(wallet, await token(wallet), { amount: '93.00' }), wallet, /another amount/);
    isRefused(await pay(wallet, await token(wallet), { currency: 'USD' }), wallet, /another currency/);
  });
}

for (const [wallet, alias] of wallets) {
  test(`${alias}: a merchant who decrypts tokens sends the card and its proof`, async () => {
    const paid = await shop.pay({
      'card.cvv': '',
      'card.holder': '',
      [`${alias}.source`]: 'web',
      'threeDSecure.verificationId': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
      'threeDSecure.eci': '05',
    });
    assert.equal(paid.code, '000.100.110', JSON.stringify(paid.body));
    assert.equal(paid.body[alias].source, 'web', `${wallet} is echoed by the name that was sent`);
    const faulty = await shop.pay({ 'card.cvv': '', [`${alias}.source`]: 'web' });
    assert.deepEqual([faulty.status, faulty.code], [400, '200.300.404']);
  });
}

test('a channel of another merchant cannot use the token of this one', async () => {
  const text = await token('walletA');
  const reply = await other.pay({ ...NO_CARD, 'walletA.paymentToken': text });
  isRefused(reply, 'walletA', /./);
});
