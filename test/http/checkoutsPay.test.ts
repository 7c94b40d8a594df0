import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ATTEMPTS_MAX } from '../../src/checkouts/checkout.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { atIssuer, codeOn, goBack, press } from './cardholder.ts';
import { type Answered, createShop, NUMBER, RESULT_URL, resultOn, SHOP } from './checkoutShopper.ts';

import { DEMO, type Fields, SHOPPER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Checkouts as a shopper's browser sees them. */

let gateway: TestGateway;
let shop: ReturnType<typeof createShop>;
let secure: ReturnType<typeof createShop>;
before(async () => {
  gateway = await startGateway({ patienceMs: 200 });
  shop = createShop(gateway.url);
  secure = createShop(gateway.url, DEMO);
});
after(() => gateway.close());

const CHALLENGE = '4200000000000018';
const resultUrlOf = (id: string, kind = 'payment') =>
  `${SHOP}/done?order=7&id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2F${kind}#end`;

/** Follows the redirect, within the gateway. */
const follow = async ({ location }: Answered): Promise<Answered> => shop.browse('GET', location ?? '');

test('in a frame: the page of the shop gets the result, and no other page', async () => {
  const { id } = await shop.create();
  const first = await shop.pay(id);
  assert.deepEqual([first.status, first.location], [303, `/v1/checkouts/${id}/return`]);
  const page = await follow(first);
  const { result, shop: origin } = resultOn(page);
  assert.equal(origin, SHOP);
  assert.deepEqual(result, {
    checkoutId: id,
    resourcePath: `/v1/checkouts/${id}/payment`,
    url: resultUrlOf(id),
    outcome: 'success',
    code: '000.100.110',
    text: 'Thank you. Your payment has gone through.',
  });
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'sha256-/);
});

test('after many tries a checkout takes no more, and says so to the shopper and to an app', async () => {
  const declined = { 'customParameters[forceResultCode]': '800.100.151' };
  const { id } = await shop.create(declined);
  for (let tries = 0; tries < ATTEMPTS_MAX; tries += 1) assert.equal((await shop.pay(id)).status, 303);
  const attempts = () => gateway.services.checkouts.store.attempts(sandbox.otherShop.merchantId, id);
  const before = await attempts();
  assert.equal(before.length, ATTEMPTS_MAX);
  const { result } = resultOn(await shop.pay(id));
  assert.deepEqual([result.outcome, result.code], ['declined', '700.500.001']);
  const app = await shop.browse('POST', `/v1/checkouts/${id}/payment`, await shop.cardForm(id), { accept: 'application/json' });
  assert.deepEqual([app.status, JSON.parse(app.text).result.code], [400, '700.500.001']);
  assert.equal((await shop.status(id)).code, '800.100.151', 'the last try stands');
  assert.deepEqual(await attempts(), before, 'and nothing more is stored');
});

test('a form has at most 2,000 fields; the first of the others is named', async () => {
  const { id } = await shop.create();
  const items = (count: number): Fields =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`cart.items[${at % 1_000}].${at < 1_000 ? 'name' : 'sku'}`, 'x']),
    );
  const known = Object.keys(await shop.cardForm(id)).length;
  const script = { accept: 'application/json' };
  const send = async (count: number) => {
    const { status, text } = await shop.browse(
      'POST',
      `/v1/checkouts/${id}/payment`,
      await shop.cardForm(id, items(count)),
      script,
    );
    return { status, result: JSON.parse(text).result };
  };
  const refused = await send(2_001 - known);
  assert.deepEqual(
    [refused.status, refused.result.parameterErrors],
    [
      400,
      [
        {
          name: `cart.items[${2_000 - known - 1_000}].sku`,
          value: null,
          message: 'must not be sent: at most 2000 fields are taken from a browser',
        },
      ],
    ],
  );
  const taken = await send(2_000 - known);
  assert.deepEqual([taken.status, taken.result.code], [200, '000.100.110']);
});

test('a form that is not read to its end is refused: a field of the payment may stand behind what was read', async () => {
  const { id } = await shop.create();
  const form = new URLSearchParams(await shop.cardForm(id)).toString();
  const send = async (repeats: number) => {
    const body = `${'cart.items[0].name=shirt&'.repeat(repeats)}${form}`;
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await fetch(`${gateway.url}/v1/checkouts/${id}/payment`, { method: 'POST', headers, body });
    return { status: reply.status, result: JSON.parse(await reply.text()).result };
  };
  const refused = await send(4_001);
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.result.parameterErrors, [
    {
      name: 'cart.items[0].name',
      value: '***',
      message: 'must not be sent: at most 4000 parameters are read, empty ones included',
    },
  ]);
  const taken = await send(3_000);
  assert.deepEqual([taken.status, taken.result.code], [200, '000.100.110']);
});

test('in a tab: on to the shop at once, its own query and fragment kept', async () => {
  const { id } = await shop.create();
  const page = await follow(await shop.pay(id, { widgetFlow: 'tab' }));
  assert.deepEqual([page.status, page.location], [303, resultUrlOf(id)]);
});

test('the merchant’s result page counts, not the form’s', async () => {
  const { id } = await shop.create({ shopperResultUrl: 'https://own.example/back' });
  const page = await follow(await shop.pay(id, { widgetFlow: 'tab' }));
  assert.ok(page.location?.startsWith('https://own.example/back?id='), page.location ?? '');
});

const declines: readonly (readonly [code: string, outcome: string, text: RegExp])[] = [
  ['800.100.151', 'declined', /^This card could not be used/],
  ['800.100.155', 'declined', /balance/],
  ['800.100.152', 'declined', /^Your payment was not accepted\. Use another card or/],
  ['800.100.158', 'declined', /^Your payment was not accepted\. Use another card or/],
  ['100.396.101', 'cancelled', /cancelled/],
];
for (const [code, outcome, text] of declines) {
  test(`${code} is ${outcome} to the shopper, without its code`, async () => {
    const { id } = await shop.create();
    const { result } = resultOn(await follow(await shop.pay(id, { 'card.holder': code })));
    assert.deepEqual([result.outcome, result.code], [outcome, code]);
    assert.match(result.text, text);
  });
}

test('the page is in the language of the widget, or in one that the browser accepts', async () => {
  const { id } = await shop.create();
  await shop.pay(id, { widgetLanguage: 'de' });
  assert.match((await shop.browse('GET', `/v1/checkouts/${id}/return`)).text, /<html lang="de"/);
  const other = await shop.create();
  await shop.pay(other.id, { widgetLanguage: 'xx' });
  assert.match(
    (await shop.browse('GET', `/v1/checkouts/${other.id}/return`, {}, { 'accept-language': 'xx, fr-CA;q=0.8' })).text,
    /<html lang="fr"/,
  );
});

test('an app gets the payment itself', async () => {
  const { id } = await shop.create();
  const { status, code, body } = await shop.payAsApp(id, await shop.cardForm(id));
  assert.deepEqual([status, code, body.ndc, body.amount], [200, '000.100.110', id, '92.00']);
});

test('what a browser says of amount, currency, type or mode is not heard; nor are foreign fields', async () => {
  const { id } = await shop.create({
    'customParameters[own.one]': 'merchant',
    'customer.givenName': 'Ann',
    'customer.surname': 'Example',
  });
  const form = await shop.cardForm(id, {
    amount: '0.01',
    currency: 'JPY',
    paymentType: 'CD',
    testMode: 'EXTERNAL',
    entityId: DEMO.entityId,
    merchantTransactionId: 'evil-order-1',
    'customParameters[own.one]': 'shopper',
    'customParameters[other.one]': 'shopper',
    'customParameters[SHOPPER_colour]': 'green',
    'customer.givenName': 'Eve',
    'customer.ip': '198.51.100.1',
    'customer.merchantCustomerId': 'admin',
    'threeDSecure.disable': 'true',
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.source': 'MIT',
    'card.number': '5200000000000007',
    csrf_token: 'abc',
    __proto__: 'x',
    constructor: 'x',
  });
  const { code, body } = await shop.paid(id, form);
  assert.equal(code, '000.100.110', JSON.stringify(body));
  assert.deepEqual([body.amount, body.currency, body.paymentType, body.merchantTransactionId], ['92.00', 'EUR', 'DB', undefined]);
  assert.deepEqual(body.customParameters, { 'own.one': 'merchant', SHOPPER_colour: 'green' });
  assert.deepEqual(
    [body.customer.givenName, body.customer.ip, body.customer.merchantCustomerId],
    ['Ann', '127.0.0.1', undefined],
  );
  assert.deepEqual([body.threeDSecure, body.standingInstruction, body.card.last4Digits], [undefined, undefined, '0000']);
});

test('the address is that of the connection, or what a trusted proxy says', async () => {
  const proxied = await startGateway({ trustProxy: true });
  try {
    const behind = createShop(proxied.url);
    const { id } = await behind.create();
    const form = await behind.cardForm(id);
    const headers = { accept: 'application/json', 'x-forwarded-for': '198.51.100.9' };
    await behind.browse('POST', `/v1/checkouts/${id}/payment`, form, headers);
    assert.equal((await behind.status(id)).body.customer.ip, '198.51.100.9');
  } finally {
    await proxied.close();
  }
});

test('a brand has the payment type of its own', async () => {
  const { id } = await shop.create({ 'overridePaymentType[VISA]': 'PA', 'overridePaymentType[PAYPAL]': 'DB' });
  const { body } = await shop.payAsApp(id, await shop.cardForm(id));
  assert.equal(body.paymentType, 'PA');
  const detected = await shop.create({ 'overridePaymentType[MASTER]': 'PA' });
  const form = await shop.cardForm(detected.id, { paymentBrand: '' }, { 'card.number': '5200000000000007', 'card.cvv': '123' });
  assert.equal((await shop.payAsApp(detected.id, form)).body.paymentType, 'PA');
});

const sealedWrong: readonly (readonly [says: string, sealed: (id: string) => Promise<string>])[] = [
  ['for another checkout', async () => shop.seal((await shop.create()).id)],
  ['by nobody', async () => 'AQAAAAAAAAAA'],
  ['and damaged', async (id) => `${(await shop.seal(id)).slice(0, -6)}AAAAAA`],
  ['by somebody who sends other signs', async () => '../../etc'],
];
for (const [says, sealed] of sealedWrong) {
  test(`fields that were sealed ${says} are refused`, async () => {
    const { id } = await shop.create();
    const sealedFields = await sealed(id);
    assert.equal((await shop.payAsApp(id, await shop.cardForm(id, { sealedFields }))).code, '200.300.404');
    const { result } = resultOn(await shop.pay(id, { sealedFields }));
    assert.deepEqual([result.outcome, result.code], ['declined', '200.300.404']);
    assert.match(result.text, /technical problem/);
    assert.equal((await shop.status(id)).body.id, undefined, 'nothing was tried');
  });
}

test('fields that were sealed more than ten minutes ago are refused', async () => {
  const own = await startGateway();
  try {
    const late = createShop(own.url);
    const { id } = await late.create();
    const form = await late.cardForm(id);
    own.pass(10 * 60_000);
    assert.equal((await late.payAsApp(id, form)).code, '200.300.404');
    assert.equal((await late.payAsApp(id, await late.cardForm(id))).code, '000.100.110');
  } finally {
    await own.close();
  }
});

test('only our own frames have fields sealed, and only well-formed ones', async () => {
  const { id } = await shop.create();
  const path = `/v1/checkouts/${id}/fields`;
  for (const site of ['cross-site', 'same-site', 'none']) {
    assert.equal((await shop.browse('POST', path, { 'card.number': NUMBER }, { 'sec-fetch-site': site })).status, 403);
  }
  const bad = await shop.browse('POST', path, { 'card.number': '4200-0000', 'card.cvv': '12' });
  assert.equal(bad.status, 400);
  assert.doesNotMatch(bad.text, /4200-0000/);
  const good = await shop.browse('POST', path, { 'card.number': NUMBER });
  assert.equal(good.headers.get('access-control-allow-origin'), null);
});

test('a frame that was opened for the checkout before seals for the next one of the same channel', async () => {
  const [first, second] = [await shop.create(), await shop.create()];
  const foreign = await secure.create();
  const seal = (openedFor: string) =>
    shop.browse('POST', `/v1/checkouts/${second.id}/fields`, { 'card.number': NUMBER, openedFor });
  assert.equal((await seal(first.id)).status, 200);
  assert.match((await seal(foreign.id)).text, /No payment session found/);
});

test('details are stored and nothing is charged', async () => {
  const { id } = await shop.create({ amount: '', currency: '', paymentType: '', createRegistration: 'true' });
  const form = await shop.cardForm(id);
  const page = await follow(await shop.browse('POST', `/v1/checkouts/${id}/registration`, form));
  const { result } = resultOn(page);
  assert.deepEqual(
    [result.outcome, result.url, result.text],
    ['success', resultUrlOf(id, 'registration'), 'Your details have been saved.'],
  );
  const { status, code, body } = await shop.status(id, 'registration');
  assert.deepEqual([status, code, body.ndc, body.amount, body.paymentType], [200, '000.100.110', id, undefined, undefined]);
  const charged = await shop.merchant.send('POST', `/v1/registrations/${body.id}/payments`, {
    amount: '5.00',
    currency: 'EUR',
    paymentType: 'DB',
  });
  assert.equal(charged.code, '000.100.110');
});

test('the check box of the shopper stores the card with the payment', async () => {
  const { id } = await shop.create();
  const { body } = await shop.payAsApp(id, await shop.cardForm(id, { createRegistration: 'on' }));
  assert.match(body.registrationId, /^[0-9a-f]{32}$/);
});

async function stored(): Promise<string> {
  const { id } = await shop.create({ amount: '', currency: '', paymentType: '', createRegistration: 'true' });
  return (await shop.payAsApp(id, await shop.cardForm(id), 'registration')).id;
}

test('one click: stored details pay with their security code, and only those that the checkout offers', async () => {
  const [own, other] = [await stored(), await stored()];
  const { id } = await shop.create({ 'registrations[0].id': own });
  const form = { registrationId: own, sealedFields: await shop.seal(id, { 'card.cvv': '123' }), ...FLOW };
  const foreign = await shop.payAsApp(id, { ...form, registrationId: other });
  assert.equal(foreign.code, '200.300.404');
  assert.equal(foreign.body.result.parameterErrors[0].name, 'registrationId');
  const { code, body } = await shop.paid(id, { ...form, 'card.expiryMonth': '01', paymentBrand: 'MASTER' });
  assert.deepEqual([code, body.registrationId, body.paymentBrand, body.result.cvvResponse], ['000.100.110', own, 'VISA', 'M']);
});

const FLOW: Fields = { shopperResultUrl: RESULT_URL, shopOrigin: SHOP, widgetFlow: 'frame', widgetLanguage: 'en' };

test('the shopper deletes registrations that the checkout offers, and no others', async () => {
  const [own, other] = [await stored(), await stored()];
  const { id } = await shop.create({ 'registrations[0].id': own });
  assert.deepEqual((await shop.session(id)).registrations, [
    { id: own, brand: 'VISA', kind: 'card', ends: '0000', holder: 'Ann Example', expiryMonth: '05', expiryYear: '2034' },
  ]);
  const path = `/v1/checkouts/${id}/forget`;
  assert.equal((await shop.browse('POST', path, { registrationId: other })).status, 400);
  const gone = await shop.browse('POST', path, { registrationId: own });
  assert.deepEqual([gone.status, gone.headers.get('access-control-allow-origin')], [204, '*']);
  assert.equal((await shop.browse('POST', path, { registrationId: own })).status, 204, 'gone is gone');
  assert.deepEqual((await shop.session(id)).registrations, []);
  assert.equal((await shop.payAsApp(id, { registrationId: own, ...FLOW })).code, '100.150.202');
});

test('a bank: there, back, and the shop gets the result', async () => {
  const { id } = await shop.create();
  const away = await shop.browse('POST', `/v1/checkouts/${id}/payment`, {
    paymentBrand: 'EPS',
    'bankAccount.country': 'AT',
    ...FLOW,
    widgetFlow: 'tab',
  });
  assert.equal(away.status, 303);
  const chosen = await shop.browse('POST', away.location ?? '', { choice: 'pay' });
  assert.match(chosen.location ?? '', /\/v1\/return\//);
  const back = await follow(chosen);
  assert.equal(back.location, `/v1/checkouts/${id}/return`);
  assert.equal((await follow(back)).location, resultUrlOf(id));
  assert.equal((await shop.status(id)).code, '000.100.110');
});

const browser = { ...SHOPPER, 'customer.browser.acceptHeader': '', 'customer.ip': '' };

test('3D Secure: the challenge ends at the same address, and what it must know of the browser is seen', async () => {
  const { id } = await secure.create();
  const form = await secure.cardForm(id, browser, { 'card.number': CHALLENGE, 'card.cvv': '123' });
  const first = await secure.browse('POST', `/v1/checkouts/${id}/payment`, form);
  assert.deepEqual([first.status, /\/v1\/3ds\//.test(first.location ?? '')], [303, true], first.text);
  const pending = await secure.status(id);
  assert.equal(pending.code, '000.200.000');
  const host = await secure.browse('GET', first.location ?? '');
  assert.match(host.headers.get('content-security-policy') ?? '', /frame-ancestors \*$/, 'the shop shows it in a frame');
  const issuer = await atIssuer(pending);
  const back = await goBack(await press(issuer, 'submit', codeOn(issuer.html)), pending);
  assert.equal(back.refresh, `0; url=/v1/checkouts/${id}/return`);
  assert.equal(resultOn(await shop.browse('GET', `/v1/checkouts/${id}/return`)).result.outcome, 'success');
  assert.deepEqual([(await secure.status(id)).code, (await secure.status(id)).body.threeDSecure.eci], ['000.100.110', '05']);
});

test('3D Secure asks for an address that the merchant has not sent', async () => {
  const { id } = await secure.create();
  const { brands, threeDSecure } = await secure.session(id);
  assert.equal(threeDSecure, true);
  const visa = brands.find(({ name }: { name: string }) => name === 'VISA');
  assert.deepEqual(visa.asks, ['billing.street1', 'billing.city', 'billing.postcode', 'billing.country']);
  assert.deepEqual((await secure.payAsApp(id, await secure.cardForm(id, {}, { 'card.number': CHALLENGE }))).code, '200.300.404');
});

test('no card in the log, in the store, in an answer', async () => {
  const own = await startGateway();
  try {
    const careful = createShop(own.url);
    const { id } = await careful.create();
    const [number, cvv] = ['4929127482910388', '8642'];
    const bad = await careful.browse('POST', `/v1/checkouts/${id}/fields`, { 'card.number': `${number}X`, 'card.cvv': cvv });
    const form = await careful.cardForm(
      id,
      { 'card.number': number, 'card.cvv': cvv },
      { 'card.number': number, 'card.cvv': cvv },
    );
    const paid = await careful.payAsApp(id, form);
    const declined = await careful.browse('POST', `/v1/checkouts/${id}/payment`, { ...form, paymentBrand: 'NONE' });
    const store = JSON.stringify(
      [await own.services.checkouts.store.checkout(id), await own.services.checkouts.store.attempts(OTHER_MERCHANT, id)],
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    );
    assert.match(store, /"checkoutId":"/);
    const said = [bad.text, JSON.stringify(paid.body), declined.text].join();
    // Ids and times may have the same four digits within them.
    for (const text of [own.lines.join(), store, said])
      assert.doesNotMatch(text, new RegExp(`${number}|(?<![0-9a-f])${cvv}(?![0-9a-f])|${form.sealedFields}`, 'i'));
    assert.ok(own.lines.length >= 4);
  } finally {
    await own.close();
  }
});
const OTHER_MERCHANT = '5eed00000000000000000000000000f2';

test('whatever fails, a shopper reads a page and an app gets JSON', async () => {
  const own = await startGateway();
  try {
    const unlucky = createShop(own.url);
    const { id } = await unlucky.create();
    const form = await unlucky.cardForm(id);
    const { store } = own.services.checkouts;
    Object.assign(own.services.checkouts, {
      store: Object.assign(Object.create(store), { saveCheckout: () => Promise.reject(new Error('4200000000000000')) }),
    });
    const page = await unlucky.browse('POST', `/v1/checkouts/${id}/payment`, form, { 'accept-language': 'de' });
    assert.deepEqual(
      [page.status, page.text.startsWith('<!doctype html>'), /<html lang="de"/.test(page.text)],
      [500, true, true],
    );
    assert.equal((await unlucky.payAsApp(id, form)).code, '600.100.100');
    assert.doesNotMatch(page.text + own.lines.join(), /4200000000000000/);
  } finally {
    await own.close();
  }
});

test('an unknown id gets a page that says so', async () => {
  for (const id of ['x', `${'AB'.repeat(16)}-test-1`, '__proto__', '%00']) {
    const page = await shop.browse('POST', `/v1/checkouts/${id}/payment`, FLOW);
    assert.deepEqual([page.status, /<html/.test(page.text)], [410, true]);
    assert.equal((await shop.browse('GET', `/v1/checkouts/${id}/return`)).status, 410);
  }
});
