import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { defineConnector } from '../../src/connectors/kind.ts';
import type { Capability } from '../../src/payments/ports.ts';
import { freshShops } from './freshShops.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const card: Capability = {
  types: ['DB', 'RF'],
  partialCapture: false,
  multipleCaptures: false,
  redirects: false,
  reversal: null,
};

/** A connector that approves everything; its account says which methods it takes, or that it is not set up. */
const yes = defineConnector<{ readonly methods: string }>({
  name: 'yes',
  title: 'Yes',
  modes: ['EXTERNAL'],
  supports: { CC: card, DD: card },
  steps: {},
  accounts: {
    settings: { methods: { control: 'text', help: '', says: 'a text', fits: () => true, fallback: 'CC' } },
    secrets: {},
  },
  create: (_needs, { name, settings }) => ({
    name,
    modes: ['EXTERNAL'],
    supports: settings.methods === 'DD' ? { DD: card } : { CC: card },
    answerMsMax: 1_000,
    uncertainty: { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true },
    send: async () =>
      settings.methods === 'refuses' ? { is: 'declined', code: '800.100.190', details: {} } : { is: 'approved', details: {} },
    inquire: async () => ({ is: 'absent' }),
    cancel: async () => ({ is: 'cancelled' }),
  }),
});

const account = (given: object = {}) => ({ connector: 'yes', settings: {}, ...given });
const accounts = {
  base: account(),
  large: account(),
  yen: account(),
  debit: account({ settings: { methods: 'DD' } }),
  closed: account({ state: 'off' }),
  refusing: account({ settings: { methods: 'refuses' } }),
};
const rules = [
  { when: { amountFrom: '1000.00' }, to: ['debit', 'closed', 'large'] },
  { when: { currencies: ['JPY'] }, to: ['yen'] },
  { when: { brands: ['MASTER'], currencies: ['CHF'] }, to: ['closed', 'debit'], otherwise: 'refuse' },
  { when: { brands: ['MASTER'], currencies: ['GBP'] }, to: ['refusing', 'large'], otherwise: 'refuse' },
  { when: { brands: ['MASTER'], currencies: ['SEK'] }, to: ['refusing'], otherwise: 'refuse' },
  { when: { brands: ['MASTER'], currencies: ['NOK'] }, to: ['refusing'] },
  { when: { brands: ['MASTER'] }, to: ['closed'] },
  { when: { currencies: ['USD'] }, share: 50, to: ['large'] },
];
const { shops, rows } = freshShops(1, { connectors: { default: 'base' }, accounts, routing: { rules } });
const shop = shops[0] ?? assert.fail('no shop');
const merchantId = shop.merchant.entityId;
const OPERATOR = 'operator-of-the-routing-0123456789abcdef';
let gateway: TestGateway;

before(async () => {
  gateway = await startGateway({ rows, connectorKinds: new Map([['yes', yes]]), operatorToken: OPERATOR });
});
after(() => gateway.close());

type Answer = { readonly id: string; readonly result: { readonly code: string; readonly description: string } };

async function post(fields: Readonly<Record<string, string>>, id = ''): Promise<Answer> {
  const reply = await fetch(`${gateway.url}/v1/payments${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.merchant.token}` },
    body: new URLSearchParams({ entityId: shop.channels[0]?.entityId ?? '', testMode: 'EXTERNAL', ...fields }),
  });
  return (await reply.json()) as Answer;
}

const pay = (fields: Readonly<Record<string, string>>): Promise<Answer> =>
  post({
    paymentType: 'DB',
    paymentBrand: 'VISA',
    amount: '12.00',
    currency: 'EUR',
    'card.number': fields.paymentBrand === 'MASTER' ? '5454545454545454' : '4200000000000000',
    'card.holder': 'Ann Example',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    ...fields,
  });

const accountOf = async (id: string) => (await gateway.world.store.payment(merchantId, id))?.connector;

const cases: readonly (readonly [what: string, fields: Readonly<Record<string, string>>, account: string])[] = [
  ['no rule matches', {}, 'base'],
  ['the first account that is on and can take it', { amount: '1000.00' }, 'large'],
  ['a currency', { currency: 'JPY', amount: '900.00' }, 'yen'],
];

for (const [what, fields, expected] of cases) {
  test(`${what}: ${expected}`, async () => {
    const { id, result } = await pay(fields);
    assert.equal(result.code, '000.100.112');
    assert.equal(await accountOf(id), expected);
  });
}

test('a rule that refuses asks no account beside its own', async () => {
  const refused = await pay({ paymentBrand: 'MASTER', currency: 'CHF' });
  assert.equal(refused.result.code, '500.100.401');
  assert.match(refused.result.description, /no account of the routing rule that matches is on and takes this payment/);
  const master = { paymentBrand: 'MASTER' };
  const second = await pay({ ...master, currency: 'GBP' });
  assert.deepEqual([second.result.code, await accountOf(second.id)], ['000.100.112', 'large']);
  const declined = await pay({ ...master, currency: 'SEK' });
  assert.deepEqual([declined.result.code, await accountOf(declined.id)], ['800.100.190', 'refusing']);
  const open = await pay({ ...master, currency: 'NOK' });
  assert.deepEqual([open.result.code, await accountOf(open.id)], ['000.100.112', 'base']);
});

test('an account that is off takes no payment, but a refund of one that it took', async () => {
  const master = await pay({ paymentBrand: 'MASTER' });
  assert.equal(await accountOf(master.id), 'base', 'the account of the channel follows that of the rule');
  const { id } = await pay({ currency: 'JPY', amount: '900.00' });
  const read = await fetch(`${gateway.url}/admin/v1/entities/${merchantId}`, {
    headers: { authorization: `Bearer ${OPERATOR}` },
  });
  const { revision } = (await read.json()) as { readonly revision: number };
  const changed = await fetch(`${gateway.url}/admin/v1/entities/${merchantId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
    body: JSON.stringify({ revision, set: { 'routing.rules': [] } }),
  });
  assert.equal(changed.status, 200, await changed.text());
  const after = await pay({ currency: 'JPY', amount: '900.00' });
  assert.equal(await accountOf(after.id), 'base');
  const refund = await post({ paymentType: 'RF', amount: '900.00', currency: 'JPY' }, `/${id}`);
  assert.equal(refund.result.code, '000.100.112');
  assert.equal(await accountOf(refund.id), 'yen');
});

test('rules with a share send the rest on to the next rule', async () => {
  const restarted = await startGateway({ rows: { ...rows }, connectorKinds: new Map([['yes', yes]]) });
  try {
    const taken = new Map<string, number>();
    for (let count = 0; count < 60; count += 1) {
      const reply = await fetch(`${restarted.url}/v1/payments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.merchant.token}` },
        body: new URLSearchParams({
          entityId: shop.channels[0]?.entityId ?? '',
          testMode: 'EXTERNAL',
          paymentType: 'DB',
          paymentBrand: 'VISA',
          amount: '12.00',
          currency: 'USD',
          'card.number': '4200000000000000',
          'card.holder': 'Ann Example',
          'card.expiryMonth': '05',
          'card.expiryYear': '2034',
        }),
      });
      const { id } = (await reply.json()) as Answer;
      const name = (await restarted.world.store.payment(merchantId, id))?.connector ?? '';
      taken.set(name, (taken.get(name) ?? 0) + 1);
    }
    // Outside 10 to 50 of 60 lies one run in ten million.
    assert.ok((taken.get('large') ?? 0) >= 10 && (taken.get('base') ?? 0) >= 10, JSON.stringify([...taken]));
  } finally {
    await restarted.close();
  }
});

test('a rule that names an account that does not exist is refused', async () => {
  const read = await fetch(`${gateway.url}/admin/v1/entities/${merchantId}`, {
    headers: { authorization: `Bearer ${OPERATOR}` },
  });
  const { revision } = (await read.json()) as { readonly revision: number };
  const refused = await fetch(`${gateway.url}/admin/v1/entities/${merchantId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
    body: JSON.stringify({ revision, set: { 'routing.rules': [{ to: ['none'] }] } }),
  });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /must name accounts or connectors that there are; none is none/);
});
