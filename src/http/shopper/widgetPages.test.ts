import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { languageCodes } from '../../spec/languages.ts';
import type { WidgetResult } from '../../spec/widget.ts';
import { allTexts } from '../../widget/allTexts.ts';
import { directionOf } from '../../widget/languages.ts';
import {
  expiredPage,
  fieldPage,
  goneWrong,
  isFrameField,
  resultPage,
  targetPage,
  type WidgetPage,
  workingPage,
} from './widgetPages.ts';

const SHOP = 'https://shop.example';
const result: WidgetResult = {
  checkoutId: `${'A1'.repeat(16)}.node`,
  resourcePath: `/v1/checkouts/${'A1'.repeat(16)}.node/payment`,
  url: `${SHOP}/result?order=17&id=x`,
  outcome: 'success',
  code: '000.100.110',
  text: 'Thank you.',
};
const ended = { result, shopOrigin: SHOP, language: 'en' } as const;
const field = { build: 'b1', field: 'card.number', integrity: 'sha384-x', ancestors: SHOP } as const;

const pages: Readonly<Record<string, WidgetPage>> = {
  field: fieldPage(field),
  target: targetPage(),
  result: resultPage(ended),
  expired: expiredPage({ language: 'en', shopUrl: SHOP }),
  wrong: goneWrong({ language: 'en', shopUrl: SHOP }),
  working: workingPage({ language: 'en', next: '/v1/checkouts/x/return?a=1&b=2' }),
};

for (const [name, { html, policy }] of Object.entries(pages))
  test(`${name}: what stands in the page is what its policy allows, and the policy allows nothing else`, () => {
    const directives = new Map(policy.split('; ').map((one) => one.split(/ (.*)/s) as [string, string]));
    assert.equal(directives.get('default-src'), "'none'");
    assert.equal(directives.get('base-uri'), "'none'");
    assert.equal(directives.get('form-action'), "'none'");
    assert.ok(directives.has('frame-ancestors'));
    assert.doesNotMatch(policy, /unsafe|https?:(?!\/\/shop)|script-src[^;]*\*/);
    for (const [, tag, text = ''] of html.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g))
      assert.ok(directives.get(`${tag}-src`)?.includes(`'sha256-${hash('sha256', text, 'base64')}'`), `${tag} of ${name}`);
    assert.doesNotMatch(html, /\son[a-z]+=|\sstyle=|javascript:/i);
  });

test('the page of a field loads one script, by its build and its hash, and may be framed by the shop alone', () => {
  const { html, policy } = fieldPage(field);
  assert.match(html, /<script src="\/v1\/static\/b1\/js\/frame\.min\.js" integrity="sha384-x" crossorigin="anonymous" defer>/);
  assert.match(
    html,
    /<body>\n<form method="post" novalidate><input name="card\.number" type="tel"[^>]* autocomplete="cc-number"/,
  );
  assert.match(policy, /script-src 'self'; .*connect-src 'self'; .*frame-ancestors https:\/\/shop\.example$/);
});

test('there are pages for four fields and for no other name', () => {
  assert.deepEqual(['card.number', 'card.cvv', 'card.holder', 'card.expiry'].map(isFrameField), [true, true, true, true]);
  assert.deepEqual(['', 'card.pin', 'constructor', '__proto__'].map(isFrameField), [false, false, false, false]);
});

test('the result stands in the page as data, whatever signs are in it', () => {
  const text = `"'<script>alert(1)</script>&amp;`;
  const { html } = resultPage({ ...ended, result: { ...result, text } });
  assert.equal(html.match(/<script>/g)?.length, 1);
  const [, data = ''] = /data-result="([^"]*)"/.exec(html) ?? [];
  const entities: Readonly<Record<string, string>> = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' };
  const plain = data.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => entities[entity] ?? '');
  assert.equal(JSON.parse(plain).text, text);
});

for (const [what, shopOrigin, isTold] of [
  ['a shop', SHOP, true],
  ['a shop on a port', 'http://localhost:8080', true],
  ['anybody', '*', false],
  ['an address instead of an origin', `${SHOP}/cart`, false],
  ['a page without an origin', 'null', false],
  ['this page itself', '/', false],
  ['a script', 'javascript:alert(1)', false],
  ['nobody', null, false],
] as const)
  test(`${what} ${isTold ? 'is' : 'is not'} told`, () => {
    assert.equal(resultPage({ ...ended, shopOrigin }).html.includes('data-shop='), isTold);
  });

test('a page without an origin is told and may hold fields only where it is named', () => {
  const named = resultPage({ ...ended, shopOrigin: 'null', ancestors: `${SHOP} null` });
  assert.ok(named.html.includes('data-shop="null"'));
  const field = { build: 'b', field: 'card.number', integrity: 'sha384-x' } as const;
  assert.ok(fieldPage({ ...field, ancestors: 'null' }).html.includes('data-origins="null"'));
  assert.ok(!fieldPage({ ...field, ancestors: '*' }).html.includes('data-origins'));
});

for (const [url, isLinked] of [
  [`${SHOP}/result`, true],
  ['shopapp://result?id=1', true],
  ['javascript:alert(1)', false],
  [' javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['data:text/html,x', false],
  ['/relative', false],
  [null, false],
] as const)
  test(`${JSON.stringify(url)} ${isLinked ? 'can' : 'cannot'} be pressed`, () => {
    assert.equal(resultPage({ ...ended, result: { ...result, url } }).html.includes('<a href='), isLinked);
  });

for (const language of languageCodes)
  test(`in ${language} every page speaks it`, () => {
    const { labels } = allTexts[language];
    const reader = { language, isTest: true } as const;
    for (const [page, ...texts] of [
      [resultPage({ ...ended, ...reader }), labels.continueToShop],
      [resultPage({ ...ended, ...reader, result: { ...result, outcome: 'declined' } }), labels.backToShop],
      [expiredPage({ ...reader, shopUrl: SHOP }), labels.expired, labels.expiredHint, labels.backToShop],
      [goneWrong({ ...reader, shopUrl: SHOP }), labels.resultError, labels.backToShop],
      [workingPage({ ...reader, next: '/x' }), labels.working, labels.stillWorking],
    ] as readonly (readonly [WidgetPage, ...string[]])[]) {
      const html = page.html.replaceAll('&#39;', "'");
      const read = html.replace(/<[^>]+>|\s/g, '');
      assert.ok(html.includes(`<html lang="${language}" dir="${directionOf(language)}">`));
      for (const text of [...texts, labels.testMode]) assert.ok(read.includes(text.replace(/\s/g, '')), text);
    }
  });

for (const [text, title, rest] of [
  ['Thank you.', 'Thank you.', ''],
  ['Your payment was not accepted. Use another card.', 'Your payment was not accepted.', 'Use another card.'],
  ['z. B. eine andere Karte. Oder keine.', 'z. B. eine andere Karte.', 'Oder keine.'],
  ['お支払いは完了しました。ありがとうございます。', 'お支払いは完了しました。', 'ありがとうございます。'],
  ['No dot at all', 'No dot at all', ''],
] as const)
  test(`${text}: the first sentence is the heading`, () => {
    const { html } = resultPage({ ...ended, result: { ...result, text } });
    assert.ok(html.includes(`<h1>${title}</h1>${rest && `<p>${rest}</p>`}</div>`));
  });

test('states by which browsers and our own script know them', () => {
  const statuses = Object.entries(pages).map(([name, { status }]) => [name, status]);
  assert.deepEqual(statuses, [
    ['field', 200],
    ['target', 200],
    ['result', 200],
    ['expired', 410],
    ['wrong', 500],
    ['working', 202],
  ]);
});
