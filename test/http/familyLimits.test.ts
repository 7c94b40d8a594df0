import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fieldsMax } from '../../src/form/limits.ts';
import { examplePayment } from '../../src/payments/examples.ts';
import type { Order } from '../../src/payments/order.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { FAMILY_PAYMENTS_MAX, FEW_FIELDS, familyFault } from '../../src/payments/refusal.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createClient, type Fields } from './client.ts';
import { startGateway } from './gateway.ts';

/** Every request about a payment reads its whole family, so that a family does not grow without an end. */

const gateway = await startGateway({ store: createMemoryStore(), isQuiet: true });
after(() => gateway.close());
const shop = createClient(gateway.url);

const items = (count: number): Fields => Object.fromEntries(Array.from({ length: count }, (_, n) => [named(n), '1']));
/** A cart has a thousand items of many fields each. */
const named = (n: number): string =>
  `cart.items[${n % 1_000}].${['name', 'sku', 'description', 'merchantItemId'][Math.floor(n / 1_000)]}`;

test('captures with long carts are taken until their family is long, and short ones ever after', async () => {
  const { id } = await shop.pay({ paymentType: 'PA', amount: '92.00' });
  const cart = items(4_000);
  const capture = (fields: Fields, key: string) =>
    shop.refer(
      id,
      { paymentType: 'CP', amount: '1.00', currency: 'EUR', ...fields },
      { 'idempotency-key': key.replaceAll(' ', '-') },
    );
  const first = await capture(cart, 'first');
  assert.equal(first.code, '000.100.110');
  let taken = 1;
  for (let answer = first; answer.status === 200; taken += 1) answer = await capture(cart, `more ${taken}`);
  const most = Math.floor(fieldsMax / Object.keys(cart).length);
  assert.ok(taken - 1 <= most && taken > most - 1, `${taken - 1} captures`);
  const refused = await capture(cart, 'refused');
  assert.equal(refused.status, 400);
  const [fault] = refused.body.result.parameterErrors;
  assert.equal(fault.name, 'referenceUuid');
  assert.match(fault.message, /^must not be referenced with \d+ parameters: at most 50000 .* Send fewer items$/);
  // What was taken is answered again, and money can still be moved.
  assert.equal((await capture(cart, 'first')).id, first.id);
  assert.equal((await capture(items(FEW_FIELDS - 20), 'few')).code, '000.100.110');
  assert.equal((await shop.refund(first.id, '1.00')).code, '000.100.110');
});

const order = (fields: Fields): Order => ({ referencedId: 'a'.repeat(32), fields }) as unknown as Order;
const family = (followUps: readonly Partial<Payment>[]) => ({
  version: 1,
  payments: [examplePayment(), ...followUps.map((one) => examplePayment(one))],
});
const many = (count: number): readonly Partial<Payment>[] => Array.from({ length: count }, () => ({}));
const cases: readonly [title: string, followUps: readonly Partial<Payment>[], fields: Fields, fault: RegExp | null][] = [
  ['a first follow-up with the longest form', [], items(4_000), null],
  ['one that fills the family', [{ fields: fieldsOf(fieldsMax - 300) }], fieldsOf(300), null],
  ['one more field', [{ fields: fieldsOf(fieldsMax - 300) }], fieldsOf(301), /these would be 50001/],
  ['few fields in a family that is full', [{ fields: fieldsOf(fieldsMax) }], fieldsOf(FEW_FIELDS), null],
  ['the last of many', many(FAMILY_PAYMENTS_MAX - 2), {}, null],
  ['one too many', many(FAMILY_PAYMENTS_MAX - 1), {}, /it has 999 transactions, and at most 999 are kept/],
];
for (const [title, followUps, fields, fault] of cases) {
  test(`a family and ${title}`, () => {
    const found = familyFault(family(followUps), order(fields));
    if (fault === null) assert.equal(found, null);
    else assert.match(found?.message ?? '', fault);
  });
}

function fieldsOf(count: number): Fields {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`customParameters[${n}]`, 'x']));
}
