import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Choices, choicesOf, priceText, queryOf, totalOf } from './choices.ts';
import { curlOf, type Exchange } from './developer.ts';
import type { Shop } from './page.ts';
import { checkoutPage, productPage, resultPage } from './pages.ts';

const words = {
  chooseMethod: 'Choose how to pay',
  tryAgain: 'Try again',
  resultSuccess: 'It has gone through',
  resultPending: 'It is on its way',
  resultDeclined: 'It was not accepted',
  resultError: 'Trouble',
  expired: 'It is over',
  expiredHint: 'Start again',
  testMode: 'Test',
  storedCards: 'Saved',
  expires: 'Until {date}',
};
const shopOf = (query: string): Shop => ({
  nonce: 'n0',
  origin: 'http://pay.example',
  choices: choicesOf(new URLSearchParams(query), 'en'),
  locale: 'en-GB',
  words,
  brandName: (brand) => brand.toLowerCase(),
});
const asked = (answer: object | string, status = 200): Exchange => ({
  method: 'GET',
  path: '/v1/checkouts/A/payment',
  fields: [['entityId', '5eed']],
  token: 't',
  status,
  answer: typeof answer === 'string' ? answer : JSON.stringify(answer),
});

const cases: readonly (readonly [query: string, choices: Partial<Choices>])[] = [
  [
    '',
    {
      quantity: 1,
      currency: 'EUR',
      language: 'en',
      style: 'card',
      theme: 'auto',
      stored: 'no',
      save: 'no',
      secure: 'frame',
      cards: [],
    },
  ],
  ['quantity=3&currency=SEK&language=dk', { quantity: 3, currency: 'SEK', language: 'da' }],
  [
    'quantity=0&currency=XXX&language=xx&style=bold&theme=pink',
    { quantity: 1, currency: 'EUR', language: 'en', style: 'card', theme: 'auto' },
  ],
  ['quantity=12', { quantity: 1 }],
  [
    'secure=tab&stored=yes&save=yes&style=none&theme=dark',
    { secure: 'tab', stored: 'yes', save: 'yes', style: 'none', theme: 'dark' },
  ],
  [`card=${'a'.repeat(32)}&card=nonsense`, { cards: ['a'.repeat(32)] }],
];
for (const [query, expected] of cases) {
  test(`the address ${query || '(nothing)'} is read, and written again`, () => {
    const choices = choicesOf(new URLSearchParams(query), 'en');
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(choices[name as keyof Choices], value, name);
    assert.deepEqual(choicesOf(new URLSearchParams(queryOf(choices)), 'de'), choices);
  });
}

test('sums are exact and written as the language writes them', () => {
  assert.equal(totalOf('EUR', 3), 7200n);
  assert.equal(priceText(7200n, 'EUR', 'de-u-nu-latn').replace(/\s/g, ' '), '72,00 €');
  assert.match(priceText(390000n, 'JPY', 'ja'), /^.3,900$/);
  assert.equal(priceText(90071992547409931n, 'USD', 'en-US'), '$900,719,925,474,099.31');
});

test('every script and style of every page carries the word of its policy', () => {
  const prepared = { id: 'A.n', integrity: 'sha384-x', exchanges: [asked({ id: 'A.n' })] };
  for (const html of [productPage(shopOf('')), checkoutPage(shopOf(''), prepared), resultPage(shopOf(''), prepared.exchanges)]) {
    const tags = [...html.matchAll(/<(?:script|style)\b[^>]*>/g)].map(([tag]) => tag);
    assert.ok(tags.length >= 2);
    assert.deepEqual(
      tags.filter((tag) => !tag.includes('nonce="n0"')),
      [],
    );
    assert.doesNotMatch(html, / (?:style|on[a-z]+)=/, 'nothing inline');
  }
});

test('a direct debit is offered in euros only', () => {
  const prepared = { id: 'A.n', integrity: null, exchanges: [] };
  assert.match(checkoutPage(shopOf('currency=EUR'), prepared), /DIRECTDEBIT_SEPA/);
  assert.doesNotMatch(checkoutPage(shopOf('currency=USD'), prepared), /DIRECTDEBIT_SEPA/);
});

test('text from the address bar or from an answer stays text', () => {
  const html = resultPage(shopOf('language="><script>'), [
    asked({ result: { code: '<script>alert(1)</script>' }, merchantTransactionId: '"><img>' }),
  ]);
  assert.doesNotMatch(html, /<script>alert|<img>/);
});

const outcomes: readonly (readonly [answer: object | string, says: string, other: string])[] = [
  [{ result: { code: '000.100.110' }, amount: '24.00', currency: 'EUR' }, 'It has gone through', '€24.00'],
  [{ result: { code: '000.200.000' } }, 'It is on its way', 'Continue shopping'],
  [{ result: { code: '800.100.151' } }, 'It was not accepted', 'Try again'],
  [{ result: { code: '200.300.404' } }, 'It is over', 'Start again'],
  ['no JSON', 'It is over', 'Start again'],
];
for (const [answer, says, other] of outcomes) {
  test(`a shopper sees ${says} for ${JSON.stringify(answer)}`, () => {
    const html = resultPage(shopOf(''), [asked(answer)]);
    const [before = '', developer = ''] = html.split('<details');
    assert.match(before, new RegExp(`<h1>${says}</h1>`));
    assert.ok(before.includes(other), other);
    assert.doesNotMatch(before, /\d{3}\.\d{3}\.\d{3}/, 'no code before the part for developers');
    assert.ok(developer.includes('curl -G http://pay.example/v1/checkouts/A/payment'));
  });
}

test('a saved card is offered the next time', () => {
  const registrationId = 'b'.repeat(32);
  assert.match(
    resultPage(shopOf(''), [asked({ result: { code: '000.100.110' }, registrationId })]),
    new RegExp(`stored=yes[^"]*card=${registrationId}`),
  );
});

test('the result page shows the card that was saved, and the shop keeps it for the next order', () => {
  const [first, second] = ['b'.repeat(32), 'c'.repeat(32)];
  const card = { last4Digits: '0000', expiryMonth: '05', expiryYear: '2034' };
  const answer = { result: { code: '000.100.110' }, registrationId: second, paymentBrand: 'VISA', card };
  const html = resultPage(shopOf(`stored=yes&card=${first}`), [asked(answer)]);
  assert.match(
    html,
    /<dt>Saved<\/dt><dd><bdi>visa <span dir="ltr">•••• 0000<\/span><\/bdi><br><span class="muted">Until 05\/2034/,
  );
  const links = [...html.matchAll(/href="\/demo\?([^"]*)"/g)].map(([, query = '']) => query);
  assert.equal(links.length, 2, 'the link at the top and the one below');
  for (const query of links) assert.ok(query.endsWith(`card=${second}&amp;card=${first}`), query);
  assert.doesNotMatch(resultPage(shopOf(''), [asked({ result: { code: '000.100.110' }, card })]), /Saved/);
});

test('the line for a terminal is quoted for a shell', () => {
  const exchange = { ...asked(''), method: 'POST', fields: [['cart.items[0].name', "Ann's cup"]] } as const;
  assert.equal(
    curlOf(exchange, 'http://pay.example'),
    "curl http://pay.example/v1/checkouts/A/payment \\\n  -H 'Authorization: Bearer t' \\\n  --data-urlencode 'cart.items[0].name=Ann'\\''s cup'",
  );
});
