import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { TRANS_ID } from '../examples.ts';
import { type ChallengeLanguage, challengeLabels, labelsFor, languageOf } from '../labels/challengeLabels.ts';
import { encodeMethodData } from '../messages/message.ts';
import { browserHostPage, challengeHostPage, methodHostPage, returnPage } from './hostPages.ts';
import { appPage, codePage, endPage, errorPage, methodDonePage, methodPage } from './issuerPages.ts';
import type { Page } from './page.ts';

const EVIL = `"><script>alert('x')</script>&`;
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;';

const viewIn = (language: string, merchant = 'Demo & Sons') => ({
  ticket: { merchant, amount: { text: '1234.50', currency: 'EUR' }, card: '4200000042', language },
  windowSize: '02',
  actionUrl: 'https://pay.example/acs/action',
  state: 'sealed-state',
});
const form = (url: string, value = 'v') => ({ url, parameters: [{ name: 'cres', value }] });

function allPages(language: string, text: string): Readonly<Record<string, Page>> {
  const view = viewIn(language, text);
  const url = `https://shop.example/?q=${encodeURIComponent(text)}`;
  return {
    code: codePage({ ...view, state: text, actionUrl: url, code: '123456', left: 2, note: 'wrong' }),
    resent: codePage({ ...view, code: '123456', left: 3, note: 'resent' }),
    app: appPage({ ...view, state: text }),
    end: endPage({ language, form: form(url, text), isYes: true }),
    closed: endPage({ language, form: null, isYes: false }),
    error: errorPage(language),
    method: methodPage({
      threeDSMethodData: encodeMethodData({ threeDSServerTransID: TRANS_ID, threeDSMethodNotificationURL: url }),
      isSilent: false,
      origins: null,
    }).page,
    methodDone: methodDonePage(),
    browserHost: browserHostPage({ url, language }),
    methodHost: methodHostPage({ form: form(url, text), doneUrl: url, continueUrl: `${url}&a=b`, language, seconds: 10 }),
    window: challengeHostPage({ form: form(url, text), windowSize: '01', language }),
    whole: challengeHostPage({ form: form(url, text), windowSize: '05', language }),
    back: returnPage({ continueUrl: url, language }),
  };
}

const inside = (html: string, tag: string): string[] =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map((match) => match[1] ?? '');

for (const language of Object.keys(challengeLabels) as ChallengeLanguage[]) {
  for (const [name, { html, policy }] of Object.entries(allPages(language, EVIL))) {
    test(`${language} ${name}: its own style and script, nothing foreign, nothing that was sent as a tag`, () => {
      const of = (tag: string) => inside(html, tag).map((block) => `'sha256-${hash('sha256', block, 'base64')}'`);
      assert.ok(of('style').every((source) => policy.includes(`style-src ${source}`)));
      const scripts = of('script');
      assert.ok(scripts.length <= 1);
      assert.ok(policy.includes(`script-src ${scripts[0] ?? "'none'"};`));
      assert.ok(policy.startsWith("default-src 'none'; ") && policy.includes("base-uri 'none'"));
      assert.ok(!html.includes("alert('x')"), 'what was sent stands in the page as it was sent');
      assert.doesNotMatch(html, /\son[a-z]+=|javascript:|<img|<link rel="stylesheet"|@import|url\(/i);
      assert.doesNotMatch(html.replaceAll(/action="[^"]*"|content="[^"]*"|data-done="[^"]*"/g, ''), /https?:\/\//);
      const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]);
      assert.equal(new Set(ids).size, ids.length, 'an id is there twice');
      for (const [, target = ''] of html.matchAll(/(?:for|aria-labelledby)="([^"]*)"/g)) assert.ok(ids.includes(target), target);
      for (const [, list = ''] of html.matchAll(/aria-describedby="([^"]*)"/g)) {
        for (const target of list.split(' ')) assert.ok(ids.includes(target), target);
      }
    });
  }

  test(`${language}: the challenge says who, how much, with what, in that language and direction`, () => {
    const labels = labelsFor(language);
    const { html } = codePage({ ...viewIn(language), code: '123456', left: 3, note: null });
    assert.ok(html.includes(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`));
    assert.ok(html.includes('<body class="w02">'));
    for (const text of ['Demo &amp; Sons', '•••• 0042', '123456', labels.title, labels.submit, labels.resend, labels.cancel]) {
      assert.ok(html.includes(text), text);
    }
    assert.match(html, /1.?234[.,]50|١.?٢٣٤/u);
    assert.ok(appPage(viewIn(language)).html.includes(labels.appTitle));
    for (const [name, text] of Object.entries(labels)) assert.ok(text.length > 0 && text.trim() === text, name);
  });
}

test('text of the request is escaped', () => {
  const { html } = codePage({ ...viewIn('en', EVIL), code: '123456', left: 1, note: null });
  assert.ok(html.includes(ESCAPED));
});

test('every language has its own texts', () => {
  const names = ['title', 'codeLead', 'cancel', 'brokenHelp', 'doneNo'] as const;
  for (const name of names) {
    const texts = Object.values(challengeLabels).map((labels) => labels[name]);
    assert.equal(new Set(texts).size, texts.length, name);
  }
});

test('without a payment no amount is shown', () => {
  const view = viewIn('en');
  const { html } = appPage({ ...view, ticket: { ...view.ticket, amount: null } });
  assert.ok(html.includes('Confirm your card') && !html.includes('€'));
});

test('pages with buttons need no script', () => {
  const { html, policy } = appPage(viewIn('en'));
  assert.deepEqual(inside(html, 'script'), []);
  assert.ok(policy.includes("script-src 'none'"));
  assert.equal([...html.matchAll(/<button name="action" value="(confirm|deny|cancel)"/g)].length, 3);
  assert.match(
    endPage({ language: 'en', form: form('https://shop.example/'), isYes: true }).html,
    /<form id="send"[^>]*>.*<button>/,
  );
});

test('forms go where they are sent and nowhere without TLS besides', () => {
  const { policy } = endPage({ language: 'en', form: form('http://shop.example:8080/x'), isYes: true });
  assert.ok(policy.includes("form-action 'self' http://shop.example:8080 https:"));
  assert.ok(policy.includes('frame-ancestors *'));
  assert.ok(
    challengeHostPage({ form: form('https://a.example'), windowSize: '05', language: 'en' }).policy.includes(
      "frame-ancestors 'self'",
    ),
  );
});

const sizes: readonly (readonly [string, RegExp])[] = [
  ['01', /width="250" height="400"/],
  ['02', /width="390" height="400"/],
  ['03', /width="500" height="600"/],
  ['04', /width="600" height="400"/],
  ['05', /<form id="send" method="post" action="https:\/\/a.example">/],
];
for (const [size, pattern] of sizes) {
  test(`a window of size ${size}`, () => {
    const { html } = challengeHostPage({ form: form('https://a.example'), windowSize: size, language: 'en' });
    assert.match(html, pattern);
    assert.equal(html.includes('<iframe'), size !== '05');
  });
}

test('the hidden frame posts to the given address, or nowhere', () => {
  const data = (url: string, id = TRANS_ID) => encodeMethodData({ threeDSServerTransID: id, threeDSMethodNotificationURL: url });
  const called = (threeDSMethodData: string | undefined, isSilent = false, origins: readonly string[] | null = null) =>
    methodPage({ threeDSMethodData, isSilent, origins });
  assert.match(called(data('https://pay.example/m')).page.html, /action="https:\/\/pay.example\/m"/);
  assert.ok(!called(data('https://pay.example/m'), true).page.html.includes('<form'));
  for (const bad of [undefined, '', 'x', data('javascript:alert(1)'), data('ftp://x'), data('https://x', 'no-id')]) {
    assert.equal(called(bad).status, 400);
  }
  assert.equal(called(data('https://pay.example/m'), false, ['https://pay.example']).status, 200);
  assert.equal(called(data('https://pay.example.evil/m'), false, ['https://pay.example']).status, 400);
});

test('an address keeps its own query when the shopper is sent there by a form', () => {
  for (const start of ['https://shop.example/done', '/v1/threeDSecure/1/continue']) {
    const { html } = returnPage({ continueUrl: `${start}?a=1&b=2?3#end`, language: 'en' });
    assert.ok(html.includes('<input type="hidden" name="a" value="1"><input type="hidden" name="b" value="2?3">'));
  }
});

test('languages are found by their first part', () => {
  assert.deepEqual(['de-AT', 'PT_br', 'ar', 'xx', '', 'constructor'].map(languageOf), ['de', 'pt', 'ar', 'en', 'en', 'en']);
});
