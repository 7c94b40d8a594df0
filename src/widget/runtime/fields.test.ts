import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanData, isSent } from './fields.ts';

const sent = [
  'paymentBrand',
  'card.holder',
  'card.expiryMonth',
  'sealedFields',
  'shopOrigin',
  'widgetFlow',
  'registrationId',
  'createRegistration',
  'customer.givenName',
  'customer.browser.language',
  'billing.city',
  'shipping.customer.surname',
  'cart.items[0].name',
  'recurring.numberOfInstallments',
  'standingInstruction.mode',
  'customParameters[SHOPPER_savedCard]',
  'bankAccount.iban',
  'virtualAccount.accountId',
  'giftCard.number',
  'applePay.paymentToken',
];
const dropped = [
  'form_key',
  '__csrf_token',
  'authenticity_token',
  'amount',
  'currency',
  'entityId',
  'paymentType',
  'card.number',
  'card.cvv',
  'customParameters[x]',
  'customParameters[xSHOPPER_a]',
  'customers.name',
  'merchant.name',
  'testMode',
  'pay',
  '',
];

test('what a page may add to a form is sent, and nothing else of it', () => {
  assert.deepEqual([sent.filter((name) => !isSent(name)), dropped.filter((name) => isSent(name))], [[], []]);
});

test('the data of a form keep only that, every value of it', () => {
  const data = new FormData();
  for (const name of ['form_key', 'billing.city', 'billing.city', 'card.cvv']) data.append(name, 'x');
  cleanData(data, []);
  assert.deepEqual([...data.keys()], ['billing.city', 'billing.city']);
});

test('what the brand asks for is sent under the name it asks by, and no other of its kind', () => {
  const asked = ['customer.givenName', 'customParameters[BRADESCO_cpfsacado]'];
  assert.ok(isSent('customParameters[BRADESCO_cpfsacado]', asked));
  for (const name of ['customParameters[BRADESCO_other]', 'customParameters[BRADESCO_cpfsacado]x', 'amount', 'card.number'])
    assert.ok(!isSent(name, asked), name);
});
