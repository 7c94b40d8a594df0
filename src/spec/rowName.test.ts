import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowNameOf } from './rowName.ts';

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
