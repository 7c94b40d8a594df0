import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from './check.ts';
import type { Checked, Context, Fault } from './checked.ts';
import { decode } from './decode.ts';

const CHANNEL = '8ac7a4c9d0e1b2f38ac7a4c9d0e1b2f3';
const PAY =
  `entityId=${CHANNEL}&paymentType=PA&amount=92.00&currency=EUR` +
  '&card.number=4200000000000000&card.expiryMonth=05&card.expiryYear=2034';
const pay: Context = { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' };
const lenient: Context = { ...pay, isLenient: true };

function accepted(body: string, context: Context = pay): Checked {
  const outcome = check(decode(body), context);
  if (outcome.is === 'faulty') assert.fail(`refused: ${JSON.stringify(outcome.faults)}`);
  return outcome;
}

function faultsOf(body: string | Uint8Array, context: Context = pay): readonly Fault[] {
  const outcome = check(decode(body), context);
  return outcome.is === 'faulty' ? outcome.faults : [];
}

test('a checked request gives inner values by name', () => {
  const request = accepted(
    `${PAY}&createRegistration=true&numberOfCaptures=3&customParameters[shop.id]=7&cart.items[3].name=pen`,
  );
  assert.equal(request.get('amount'), 9200n);
  assert.equal(request.get('createRegistration'), true);
  assert.equal(request.get('numberOfCaptures'), 3);
  assert.equal(request.get('card.cvv'), undefined);
  assert.equal(request.text('cart.items[3].name'), 'pen');
  assert.equal(request.text('customParameters[shop.id]'), '7');
  assert.equal(request.text('cart.items[0].name'), undefined);
  assert.equal(request.rowOf('cart.items[3].name'), 'cart.items[n].name');
  assert.equal(request.rowOf('customParameters[shop.id]'), 'customParameters[name]');
  assert.throws(() => request.rowOf('nobody.knows'));
});

test('empty values, unknown names and sections of other endpoints are gone', () => {
  const request = accepted(`${PAY}&descriptor=&plugin.version=7&limit=20&date.from=x&cart.items[0].colour=red&foo[0][1]=2`);
  assert.deepEqual(
    [...request.fields.keys()],
    PAY.split('&').map((field) => field.split('=')[0]),
  );
  const read = accepted(`entityId=${CHANNEL}&amount=nonsense&amount[0]=1`, { ...pay, endpoint: 'read' });
  assert.deepEqual([...read.fields.keys()], ['entityId']);
});

test('an empty value of a map is kept', () => {
  const sent = 'customParameters[shop.id]=&risk.parameters[abc]=&merchant.data[abc]=';
  const request = accepted(`${PAY}&${sent}&customParameters[x]=&cart.items[0].name=`);
  assert.deepEqual(
    [...request.fields].filter(([, text]) => text === '').map(([name]) => name),
    ['customParameters[shop.id]', 'risk.parameters[abc]', 'merchant.data[abc]'],
  );
});

test('names that the documents exclude are refused on a strict channel and dropped on a lenient one', () => {
  const names = [
    'shipping.customer.browserFingerprint.id',
    'shipping.customer.browserFingerprint.value',
    'shipping.customer.browser.deviceId',
    'shipping.customer.app.deviceId',
    'merchant.shipping.customer.givenName',
    'merchant.shipping.customer.browser.language',
  ];
  for (const name of names) {
    assert.deepEqual(faultsOf(`${PAY}&${name}=x`), [{ name, value: '***', message: 'is not an allowed parameter' }]);
    assert.equal(accepted(`${PAY}&${name}=x`, lenient).fields.has(name), false);
    assert.deepEqual(faultsOf(`${PAY}&${name}=`), []);
  }
  assert.deepEqual(faultsOf(`entityId=${CHANNEL}&${names[0]}=x`, { ...pay, endpoint: 'read' }), []);
});

test('aliases are read as what they stand for, and kept as they were sent', () => {
  const legacy = PAY.replace('entityId', 'authentication.entityId');
  const request = accepted(
    `${legacy}&applePay.source=web&threeDSecure.verificationId=x&threeDSecure.eci=05&threeDSecure.v2.visa.requestorId=1`,
  );
  assert.equal(request.get('entityId'), CHANNEL);
  assert.equal(request.get('walletA.source'), 'web');
  assert.equal(request.fields.get('applePay.source'), 'web');
  assert.equal(request.fields.has('walletA.source'), false);
  assert.equal(request.rowOf('applePay.source'), 'walletA.source');
  assert.equal(request.rowOf('threeDSecure.v2.visa.requestorId'), 'threeDSecure.v2.network1.requestorId');
  assert.equal(accepted(`${PAY}&threeDSecure.schemeData[CB-USECASE]=01`).text('threeDSecure.schemeData[XX-USECASE]'), '01');
});

test('one thing by two names is refused; the entity may be repeated', () => {
  const both = 'walletA.paymentToken=x&applePay.paymentToken=x';
  const order = `entityId=${CHANNEL}&paymentType=PA&amount=92.00&currency=EUR`;
  assert.deepEqual(faultsOf(`${order}&${both}`), [
    { name: 'applePay.paymentToken', value: '***', message: 'must not be sent with walletA.paymentToken' },
  ]);
  assert.deepEqual(
    faultsOf(`${order}&applePay.paymentToken=x&walletA.paymentToken=y`).map(({ name }) => name),
    ['applePay.paymentToken'],
  );
  accepted(`${PAY}&authentication.entityId=${CHANNEL}`);
  accepted(`authentication.entityId=${CHANNEL}&${PAY}`);
  assert.deepEqual(faultsOf(`${PAY}&authentication.entityId=${CHANNEL.replace('8', '9')}`), [
    { name: 'authentication.entityId', value: CHANNEL.replace('8', '9'), message: 'must not be sent with entityId' },
  ]);
});

const misnamed: [field: string, name: string][] = [
  ['cart.items[1001].name=pen', 'cart.items[1001].name'],
  ['cart.items[01].name=pen', 'cart.items[01].name'],
  ['cart.items[-1].name=pen', 'cart.items[-1].name'],
  ['cart.items[].name=pen', 'cart.items[].name'],
  ['cart.items[n].name=pen', 'cart.items[n].name'],
  ['cart.items[1e2].name=pen', 'cart.items[1e2].name'],
  ['cart.items[%EF%BC%91].name=pen', 'cart.items[１].name'],
  ['cart.items.name=pen', 'cart.items.name'],
  ['cart.items[0].name[1]=pen', 'cart.items[0].name[1]'],
  ['airline.passengers[0].legs[1001].fareAmount=1.00', 'airline.passengers[0].legs[1001].fareAmount'],
  ['airline.passengers[x].legs[0].fareAmount=1.00', 'airline.passengers[x].legs[0].fareAmount'],
  ['taxAmount[0]=1.00', 'taxAmount[0]'],
  ['taxAmount[key]=1.00', 'taxAmount[key]'],
  ['taxAmount[0][1]=1.00', 'taxAmount[0][1]'],
  ['taxAmount[]=1.00', 'taxAmount[]'],
  ['customParameters=1', 'customParameters'],
  ['customParameters[]=1', 'customParameters[]'],
  ['customParameters[ab]=1', 'customParameters[ab]'],
  ['customParameters[a-b-c]=1', 'customParameters[a-b-c]'],
  ['customParameters[abc][def]=1', 'customParameters[abc][def]'],
  ['customParameters[abc].def=1', 'customParameters[abc].def'],
  ['customParameters[abc=1', 'customParameters[abc'],
  [`customParameters[${'a'.repeat(65)}]=1`, `customParameters[${'a'.repeat(65)}]`],
  ['customParameters[a%0Ab]=1', 'customParameters[a?b]'],
];

for (const [field, name] of misnamed) {
  test(`${field} is refused by its name`, () => {
    const [fault, ...others] = faultsOf(`${PAY}&${field}`);
    assert.equal(fault?.name, name);
    assert.deepEqual(others, []);
    assert.deepEqual(faultsOf(`${PAY}&${field.replace(/=.*/, '=')}`), [], 'an empty value is absent');
  });
}

test('indexes from 0 to 1000 and keys of any name pass', () => {
  const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a.b_c'];
  const fields = keys.map((key) => `customParameters[${key}]=x&merchant.data[${key}]=y&risk.parameters[${key}]=z`).join('&');
  const request = accepted(
    `${PAY}&${fields}&cart.items[0].name=a&cart.items[1000].name=b&airline.passengers[999].legs[1000].fareBasis=c`,
  );
  for (const key of keys) {
    assert.equal(request.text(`customParameters[${key}]`), 'x');
    assert.equal(request.fields.get(`merchant.data[${key}]`), 'y');
    assert.equal(request.rowOf(`risk.parameters[${key}]`), 'risk.parameters[name]');
  }
  assert.equal(request.rowOf('airline.passengers[999].legs[1000].fareBasis'), 'airline.passengers[n].legs[n].fareBasis');
});

test('the same name twice is refused, known or not, however it is written', () => {
  const twice = (name: string, value: string): Fault => ({ name, value, message: 'must not be sent twice' });
  assert.deepEqual(faultsOf(`${PAY}&amount=900.00`), [twice('amount', '900.00')]);
  assert.deepEqual(faultsOf(`${PAY}&amount=`), [twice('amount', '')]);
  assert.deepEqual(faultsOf(`${PAY}&card%2Enumber=4111111111111111`), [twice('card.number', '411111***1111')]);
  assert.deepEqual(faultsOf(`${PAY}&crad.number=4111111111111111&crad.number=1`), [twice('crad.number', '***')]);
  assert.deepEqual(faultsOf(`${PAY}&customParameters[abc]=1&customParameters%5Babc%5D=2`), [twice('customParameters[abc]', '2')]);
});

test('what is not read is not checked, but cannot be sent twice either', () => {
  const street = 'billing.street1=High+Street&billing.houseNumber1=3&billing.street2=';
  assert.deepEqual([...accepted(`${PAY}&${street}${'x'.repeat(200)}`).fields.keys()].slice(-2), [
    'billing.street1',
    'billing.houseNumber1',
  ]);
  assert.deepEqual(
    faultsOf(`${PAY}&${street}a&billing.street2=b`).map(({ name }) => name),
    ['billing.street2'],
  );
});

test('on a lenient channel the last of a repeated map entry wins, and of nothing else', () => {
  const request = accepted(`${PAY}&customParameters[abc]=1&customParameters%5Babc%5D=2`, lenient);
  assert.equal(request.text('customParameters[abc]'), '2');
  assert.deepEqual(
    faultsOf(`${PAY}&amount=1.00&cart.items[0].name=a&cart.items[0].name=b`, lenient).map(({ name }) => name),
    ['amount', 'cart.items[0].name'],
  );
});

test('a lenient channel takes descriptive fields as they come, and nothing else', () => {
  const named = '&customer.givenName=Ann&customer.surname=Example';
  for (const field of [
    'billing.postcode=SW1A+1AA',
    'customer.phone=call+me',
    'merchantTransactionId=7',
    `billing.city=${'x'.repeat(2048)}`,
  ]) {
    assert.equal(faultsOf(`${PAY}${named}&${field}`).length, 1, field);
    accepted(`${PAY}${named}&${field}`, lenient);
  }
  const never = [
    'taxAmount=1,5',
    'discountAmount=1',
    'customer.birthDate=31.12.1999',
    'billing.country=de',
    'customer.sex=X',
    `billing.city=${'x'.repeat(2049)}`,
  ];
  for (const field of [...never, 'billing.city=a%00b', 'billing.city=a%E2%80%AEb', 'billing.city=a%0Ab']) {
    assert.equal(faultsOf(`${PAY}${named}&${field}`, lenient).length, 1, field);
  }
});

test('every fault is reported at once: in the order of the request, then what is missing, each name once', () => {
  const body =
    'card.number=4111&plugin=%zz&amount=-20.20&amount=1.00&paymentBrand=VISA&paymentType=RF&taxAmount=%ff&cart.items[x].name=pen';
  assert.deepEqual(faultsOf(body), [
    { name: 'card.number', value: '***', message: 'must be 8 to 32 digits' },
    { name: 'plugin', value: '***', message: 'must be percent-encoded UTF-8' },
    { name: 'amount', value: '1.00', message: 'must not be sent twice' },
    { name: 'paymentType', value: 'RF', message: 'must be one of PA, DB, CD, PA.CP' },
    { name: 'taxAmount', value: '***', message: 'must be percent-encoded UTF-8' },
    { name: 'cart.items[x].name', value: 'pen', message: 'must have an index from 0 to 1000' },
    { name: 'entityId', value: null, message: 'may not be empty' },
    { name: 'currency', value: null, message: 'may not be empty' },
    { name: 'card.expiryMonth', value: null, message: 'is required when paymentBrand is VISA' },
    { name: 'card.expiryYear', value: null, message: 'is required when paymentBrand is VISA' },
  ]);
});

test('an empty reference is answered as clients have seen it', () => {
  assert.deepEqual(faultsOf(`entityId=${CHANNEL}&paymentType=RF`), [
    { name: 'paymentType', value: 'RF', message: 'must be one of PA, DB, CD, PA.CP' },
    { name: 'amount', value: null, message: 'may not be empty' },
    { name: 'currency', value: null, message: 'may not be empty' },
    { name: 'paymentBrand', value: null, message: 'is required when no card, wallet or token is sent' },
  ]);
});

test('a parameter that could not be read is not called missing', () => {
  assert.deepEqual(
    faultsOf(PAY.replace('92.00', '%C0%80')).map(({ name, message }) => [name, message]),
    [['amount', 'must be percent-encoded UTF-8']],
  );
});

test('a body beyond the limits is answered with that alone', () => {
  const names = (body: string): readonly string[] => faultsOf(body).map(({ name }) => name);
  assert.deepEqual(names('&'.repeat(9_000_000)), ['body']);
  assert.deepEqual(names(Array.from({ length: 50_001 }, (_, index) => `f${index}=1`).join('&')), ['f50000']);
});

const secrets: [field: string, shown: string][] = [
  ['card.number=4111 1111 1111 1111', '***'],
  ['card.number=411111111111111112345678901234567', '411111***4567'],
  ['card.number=4111111111111x', '***'],
  ['card.cvv=12345', '***'],
  ['tokenAccount.number=12345678901', '***'],
  ['tokenAccount.cryptogram=short', '***'],
  ['bankAccount.iban=DE23 1000 0000 1234 5678 90', '***'],
  ['bankAccount.number=12-34', '***'],
  ['customer.identificationDocId=C01', '***'],
  ['threeDSecure.verificationId=AAACAgSRBklmQCFgMpEGAAAAAAAAA', '***'],
  ['card.holder=4111111111111111', '***'],
  ['card.holder=Ann 4111-1111-1111-1111', 'Ann ***'],
  ['taxAmount=12,50', '12,50'],
  [`descriptor=${'x'.repeat(300)}`, 'x'.repeat(255)],
  [`descriptor=${'x'.repeat(250)}4111111111111111`, `${'x'.repeat(250)}***`],
];

for (const [field, shown] of secrets) {
  test(`of ${field.slice(0, 40)} the answer shows ${shown.slice(0, 20)}`, () => {
    const name = field.slice(0, field.indexOf('='));
    const body = `${PAY.replace(/&card.number=[0-9]*/, name === 'card.number' ? '' : '$&')}&${field.replaceAll(' ', '+')}`;
    assert.equal(faultsOf(body).find((fault) => fault.name === name)?.value, shown);
  });
}

test('a body of thousands of faults is answered with a limited number of them', () => {
  const items = Array.from({ length: 1001 }, (_, index) =>
    ['price', 'taxAmount', 'discount', 'totalAmount', 'tax', 'type'].map((field) => `cart.items[${index}].${field}=x`).join('&'),
  );
  assert.equal(faultsOf(`${PAY}&${items.join('&')}`).length, 5000);
});
