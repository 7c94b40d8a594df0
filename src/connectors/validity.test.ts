import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from '../payments/examples.ts';
import type { Order } from '../payments/order.ts';
import type { Capability } from '../payments/ports.ts';
import { refusalOfReference } from '../payments/refusal.ts';
import { planRelease, validityFor } from '../payments/validity.ts';
import { brands } from '../spec/cards/brands.ts';
import type { MethodCode } from '../spec/paymentTypes.ts';
import { DAY_MS } from '../spec/time.ts';
import { RELEASE_WAIT_MS, type Validity, validityRows } from '../spec/validity.ts';
import { connectorKinds } from './registry.ts';

/** Every method and brand of every connector: one end decides until when CP and RV are taken, and when the rest is released. */

/** A full hour, because looks at the rest are on full hours. */
const APPROVED = 1_790_006_400_000;

type Authorisable = {
  readonly connector: string;
  readonly method: MethodCode;
  readonly brand: string;
  readonly capability: Capability;
};

const all: readonly Authorisable[] = [...connectorKinds.values()].flatMap(({ name: connector, supports }) =>
  Object.entries(supports as Readonly<Record<string, Capability>>).flatMap(([method, capability]) =>
    capability.types.includes('PA')
      ? Object.entries(brands)
          .filter(([, brand]) => brand.method === method)
          .map(([brand]) => ({ connector, method: method as MethodCode, brand, capability }))
      : [],
  ),
);

const known = ['adyen', 'simulator', 'stripe', 'upstream'];

/** Said once more, without the table: the days for a payment of the shopper and for one without. */
function expected({ connector, method, brand }: Authorisable): readonly [days: number, daysMIT: number] {
  if (connector === 'adyen') return [28, 28];
  if (connector === 'stripe') return [7, 5];
  if (connector === 'upstream') return [30, 30];
  if (['VISA', 'VISADEBIT', 'VISAELECTRON', 'VPAY'].includes(brand)) return [7, 5];
  if (brand === 'MASTER' || brand === 'MASTERDEBIT') return [30, 30];
  if (brand === 'PAYPAL') return [29, 29];
  return method === 'CC' || method === 'DC' ? [7, 7] : [28, 28];
}

const order = (paymentType: 'CP' | 'RV' | 'PA', { entityId }: { readonly entityId: string }): Order =>
  ({
    entityId,
    mode: 'INTERNAL',
    practice: paymentType === 'PA' ? 'INCREMENTAL_AUTH' : null,
    paymentType,
    amount: paymentType === 'RV' ? null : 9200n,
    currency: 'EUR',
  }) as Order;

test('every connector with authorisations says how long they are valid, and every row is used', () => {
  assert.ok(all.length > 150, `${all.length} combinations`);
  const used = new Set(all.flatMap(({ capability }) => capability.validity ?? []));
  assert.deepEqual(
    validityRows.filter((row) => !used.has(row)),
    [],
  );
  const silent = all.filter(({ capability }) => (capability.validity ?? []).length === 0);
  assert.deepEqual(
    [...new Set(silent.map(({ connector }) => connector))],
    [],
    'how long its authorisations are valid is a row in src/spec/validity.ts, which its table reads by `withValidities`',
  );
  assert.ok(validityRows.every(({ source, days }) => source.length > 3 && Number.isSafeInteger(days) && days > 0));
});

for (const connector of known)
  test(`${connector}: of every method and brand, capture, reversal, increment and release follow one end`, () => {
    for (const one of all.filter((each) => each.connector === connector)) {
      const { method, brand, capability } = one;
      for (const [at, source] of ['CIT', 'MIT'].entries()) {
        const days = expected(one)[at] ?? Number.NaN;
        const says = `${connector} ${method} ${brand} ${source}`;
        const drafted = examplePayment({
          paymentType: 'PA',
          paymentBrand: brand,
          method,
          createdAt: APPROVED,
          movedAt: APPROVED,
          fields: { 'standingInstruction.source': source },
        });
        const validity: Validity = validityFor(drafted, capability, null) ?? assert.fail(says);
        assert.equal(validity.days, days, says);
        const payment = { ...drafted, validity };
        const end = APPROVED + days * DAY_MS;
        const refusal = (type: 'CP' | 'RV' | 'PA', now: number) =>
          refusalOfReference(order(type, payment), { family: [payment], payment, capability, now });
        assert.deepEqual([refusal('CP', end - 1), refusal('CP', end)], [null, '700.300.400'], says);
        assert.deepEqual([refusal('RV', end - 1), refusal('RV', end)], [null, '700.300.700'], says);
        assert.deepEqual([refusal('PA', end - 1), refusal('PA', end)], [null, '700.300.400'], says);
        const plan = (now: number) => planRelease([payment], payment, now).is;
        assert.deepEqual([plan(end), plan(end + RELEASE_WAIT_MS - 1), plan(end + RELEASE_WAIT_MS)], ['wait', 'wait', 'release']);
      }
    }
  });

const settings: readonly (readonly [what: string, days: Readonly<Record<string, number>>, brand: string, days: number])[] = [
  ['of the brand', { VISA: 3, CC: 4, default: 5 }, 'VISA', 3],
  ['of the method', { MASTER: 3, CC: 4, default: 5 }, 'VISA', 4],
  ['of everything', { MASTER: 3, VA: 4, default: 5 }, 'VISA', 5],
  ['of another brand', { MASTER: 3 }, 'VISA', 7],
];
for (const [what, authorisationDays, paymentBrand, days] of settings)
  test(`a setting ${what} comes before the table`, () => {
    const capability = connectorKinds.get('simulator')?.supports.CC ?? null;
    const payment = examplePayment({ paymentType: 'PA', paymentBrand });
    assert.equal(validityFor(payment, capability, { authorisationDays })?.days, days);
    assert.equal(validityFor({ ...payment, paymentType: 'DB' }, capability, { authorisationDays }), null);
  });

test('a setting keeps what the scheme says of increments', () => {
  const capability = connectorKinds.get('simulator')?.supports.CC ?? null;
  const payment = examplePayment({ paymentType: 'PA', paymentBrand: 'MASTER' });
  assert.deepEqual(validityFor(payment, capability, { authorisationDays: { default: 3 } }), { days: 3, isExtended: true });
});
