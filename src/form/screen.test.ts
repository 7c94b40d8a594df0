import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_CARD_NUMBER } from '../spec/cards/cardNumbers.ts';
import { parameters } from '../spec/parameters.ts';
import type { Row } from '../spec/row.ts';
import { check } from './check.ts';
import { checkAdmin } from './checkAdmin.ts';
import { decode } from './decode.ts';

const PAN = '4929127482910388';
const PAYMENT = {
  entityId: '8ac7a4c9d0e1b2f38ac7a4c9d0e1b2f3',
  amount: '92.00',
  currency: 'EUR',
  paymentType: 'DB',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2034',
  'card.holder': 'Ann Example',
};

type More = { readonly cardNumbers?: 'mask' | 'refuse'; readonly isLenient?: boolean };
const checked = (fields: Readonly<Record<string, string>>, { cardNumbers, isLenient = true }: More = {}) =>
  check(decode(new URLSearchParams({ ...PAYMENT, ...fields }).toString()), {
    endpoint: 'pay',
    isLenient,
    source: 'server',
    environment: 'test',
    ...(cardNumbers && { cardNumbers }),
  });
const fieldsOf = (outcome: ReturnType<typeof checked>) =>
  outcome.is === 'faulty' ? assert.fail(JSON.stringify(outcome.faults)) : outcome.fields;
const faultsOf = (outcome: ReturnType<typeof checked>) => (outcome.is === 'faulty' ? outcome.faults : []);

const masked: readonly [name: string, sent: string, kept: string][] = [
  ['merchantMemo', `card ${PAN} of Ann`, 'card 492912***0388 of Ann'],
  ['merchantTransactionId', PAN, '492912***0388'],
  ['merchantTransactionId', '4222222222222', '*********2222'],
  ['customParameters[shop_note]', '4929.1274.8291.0388', '492912***0388'],
  ['customer.givenName', '4929 1274 8291 0388', '492912***0388'],
  ['shopperResultUrl', `https://shop.example/?card=${PAN}`, 'https://shop.example/?card=492912***0388'],
  ['customer.phone', '+4915100000004', '+4915100000004'],
  ['cart.items[0].sku', '4915100000004', '4915100000004'],
  ['customer.ip', '2600:1700:4530:6331:0:0:0:1', '2600:1700:4530:6331:0:0:0:1'],
  ['merchant.geographicCoordinates', '49.291274,82.910388', '49.291274,82.910388'],
];
for (const [name, sent, kept] of masked) {
  test(`${name}: ${sent} is kept as ${kept}`, () => {
    const fields = fieldsOf(checked({ [name]: sent }));
    assert.equal(fields.get(name), kept);
    assert.equal(fields.get('card.number'), PAYMENT['card.number'], 'what belongs there is left');
  });
}

test('a text of letters and digits alone has letters in the place of the hidden digits', () => {
  assert.equal(fieldsOf(checked({ 'billing.postcode': PAN }, { isLenient: false })).get('billing.postcode'), '492912xxx0388');
});

test('a parameter of digits alone cannot hold what is left, and is refused', () => {
  const [fault] = faultsOf(checked({ 'corporate.phone': PAN }, { isLenient: false }));
  assert.deepEqual([fault?.name, fault?.message], ['corporate.phone', NO_CARD_NUMBER]);
  assert.doesNotMatch(fault?.value ?? '', /127482/);
});

/** Rows whose value is used as it is sent: as an id, a bank's reference or a time. */
const used =
  /^(?:entityId|registration(?:Id|s\[n\]\.id)|.*mandate\.id|.*initialTransactionId|job\.(?:expression|hour|day.*|month|year))$/;
const usedRows = Object.entries(parameters as Readonly<Record<string, Row<unknown>>>).filter(([name]) => used.test(name));

test('a value that is used is never shortened: it arrives as it was sent, or is refused', () => {
  let count = 0;
  for (const [name, { format }] of usedRows) {
    for (const value of [PAN, PAN.padStart(32, '0'), `https://shop.example/order/${PAN}`, `order-${PAN}`]) {
      if (!format.pattern.test(value) || format.parse(value) === undefined) continue;
      const [sent, outcome] = [name.replace('[n]', '[0]'), checked({ [name.replace('[n]', '[0]')]: value })];
      const fault = faultsOf(outcome).find((one) => one.name === sent);
      count += 1;
      if (fault) assert.equal(fault.message, NO_CARD_NUMBER, name);
      else assert.equal(fieldsOf(outcome).get(sent), value, name);
    }
  }
  assert.ok(count >= 6, String(count));
});

test('the key of a map is masked as well', () => {
  const fields = fieldsOf(checked({ [`customParameters[n.${PAN}]`]: 'x', [`merchant.data[${PAN}]`]: PAN }));
  assert.equal(fields.get('customParameters[n.492912xxx0388]'), 'x');
  assert.equal(fields.get('merchant.data[492912xxx0388]'), '492912***0388');
  assert.ok(![...fields.keys()].some((name) => name.includes(PAN)));
});

test('two keys that become one are a parameter that was sent twice', () => {
  const twice = { [`customParameters[n_${PAN}]`]: 'a', 'customParameters[n_4929128472910388]': 'b' };
  assert.deepEqual(
    faultsOf(checked(twice, { isLenient: false })).map(({ message }) => message),
    ['must not be sent twice'],
  );
  assert.equal(fieldsOf(checked(twice)).get('customParameters[n_492912xxx0388]'), 'b');
});

test('an entity that refuses them is told which parameter it was, and no number', () => {
  const outcome = checked({ merchantMemo: `card ${PAN}`, [`customParameters[n_${PAN}]`]: 'x' }, { cardNumbers: 'refuse' });
  const faults = faultsOf(outcome);
  assert.deepEqual(
    faults.map(({ name, message }) => [name, message]),
    [
      ['merchantMemo', NO_CARD_NUMBER],
      ['customParameters[n_492912***0388]', NO_CARD_NUMBER],
    ],
  );
  assert.doesNotMatch(JSON.stringify(faults), /127482/);
  assert.equal(faultsOf(checked({ merchantMemo: 'order 17, due soon' }, { cardNumbers: 'refuse' })).length, 0);
});

test('a JSON body is searched to its last member, and secrets in it are left', () => {
  const body = (values: object) =>
    checkAdmin('addEntity', { query: '', body: Buffer.from(JSON.stringify(values)), contentType: 'application/json' });
  const outcome = body({ entityId: PAYMENT.entityId, name: `Shop ${PAN}` });
  assert.ok(outcome.is === 'checked', JSON.stringify(outcome));
  assert.equal((outcome.values as { name?: string }).name, 'Shop 492912***0388');
  assert.deepEqual(
    outcome.cardNumbers.map(({ name, message }) => [name, message]),
    [['name', NO_CARD_NUMBER]],
  );
});
