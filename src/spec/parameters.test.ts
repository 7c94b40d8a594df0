import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customer } from './parameters/customer.ts';
import { type ParameterName, parameters, rowNameOf, type ValueOf } from './parameters.ts';
import type { PaymentType, RecordedType, TypeAlias } from './paymentTypes.ts';
import { moved, SEALED, without } from './row.ts';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** Does not compile when a parameter's inner type is another one. */
const proofs: readonly [
  Same<ValueOf<'amount'>, bigint>,
  Same<ValueOf<'merchant.shipping.cost'>, bigint>,
  Same<ValueOf<'createRegistration'>, boolean>,
  Same<ValueOf<'shipping.customer.browser.javaEnabled'>, boolean>,
  Same<ValueOf<'paymentType'>, PaymentType | RecordedType | TypeAlias>,
  Same<ValueOf<'testMode'>, 'EXTERNAL' | 'INTERNAL'>,
  Same<ValueOf<'standingInstruction.mode'>, 'INITIAL' | 'REPEATED'>,
  Same<ValueOf<'numberOfCaptures'>, number>,
  Same<ValueOf<'card.number'>, string>,
  Same<ValueOf<'threeDSecure.v2.network5.requestorName'>, string>,
  Same<Extract<ParameterName, 'shipping.customer.app.deviceId' | 'card.nmuber'>, never>,
] = [true, true, true, true, true, true, true, true, true, true, true];

test('the inner types are proved by the compiler', () => assert.equal(proofs.length, 11));

test('a moved structure keeps formats, marks and leniency, and requires nothing', () => {
  const source = parameters['customer.identificationDocId'];
  const copy = parameters['shipping.customer.identificationDocId'];
  assert.equal(copy.format, source.format);
  assert.equal(copy.secret, SEALED);
  assert.equal(source.need, 'C');
  assert.equal(copy.need, 'O');
  assert.equal(parameters['merchant.billing.street1'].lenient, true);
});

test('moving takes only what has the prefix', () => {
  const some = { 'customer.ip': customer['customer.ip'], 'customerX.ip': customer['customer.ip'] };
  assert.deepEqual(Object.keys(moved(some, 'customer', 'payer')), ['payer.ip']);
  assert.deepEqual(Object.keys(without(some, ['customer.ip'])), ['customerX.ip']);
});

const cases: readonly (readonly [sent: string, row: string | undefined])[] = [
  ['amount', 'amount'],
  ['cart.items[0].name', 'cart.items[n].name'],
  ['cart.items[1000].recipient.city', 'cart.items[n].recipient.city'],
  ['airline.passengers[2].legs[11].fareAmount', 'airline.passengers[n].legs[n].fareAmount'],
  ['customParameters[__proto__]', 'customParameters[name]'],
  ['customParameters[name]', 'customParameters[name]'],
  ['customParameters[123]', 'customParameters[name]'],
  ['merchant.data[shop.id]', 'merchant.data[key]'],
  ['risk.parameters[name of it]', 'risk.parameters[name]'],
  ['overridePaymentType[VISA]', 'overridePaymentType[brand]'],
  ['threeDSecure.schemeData[CB-ITEMSNB]', 'threeDSecure.schemeData[XX-ITEMSNB]'],
  ['applePay.source', 'walletA.source'],
  ['authentication.entityId', 'entityId'],
  ['registrations[1].id', 'registrations[n].id'],
  ['card.nmuber', undefined],
  ['constructor', undefined],
  ['cart.items[n].name', undefined],
  ['airline.passengers[n].legs[0].fareAmount', undefined],
  ['cart.items[01].name', undefined],
  ['cart.items[-1].name', undefined],
  ['cart.items[].name', undefined],
  ['cart.items[10000].name', undefined],
  ['cart.items.name', undefined],
  ['customParameters', undefined],
  ['customParameters[a', undefined],
  ['customParameters[a].b', undefined],
  ['threeDSecure.schemeData[XX-ELSE]', undefined],
];

for (const [sent, row] of cases) {
  test(`${sent} is ${row ?? 'no row'}`, () => assert.equal(rowNameOf(sent), row));
}
