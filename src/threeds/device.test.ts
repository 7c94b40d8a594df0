import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserOf } from './cardholder.ts';
import { browserDataOf } from './device.ts';

const form = {
  language: 'de-AT',
  screenHeight: '1080',
  screenWidth: '1920',
  screenColorDepth: '24',
  timezone: '-60',
  javaEnabled: 'false',
};
const headers = { accept: 'text/html', 'user-agent': 'Mozilla/5.0', 'accept-language': 'fr-CH,fr;q=0.9' };
const always = { browserAcceptHeader: 'text/html', browserUserAgent: 'Mozilla/5.0' };
const screen = {
  browserScreenHeight: '1080',
  browserScreenWidth: '1920',
  browserTZ: '-60',
  browserColorDepth: '24',
  browserJavaEnabled: false,
};

const cases: readonly (readonly [says: string, sent: object, headers: object, version: string, browser: object])[] = [
  [
    'a browser with scripts',
    form,
    headers,
    '2.2.0',
    { ...always, browserLanguage: 'de-AT', browserJavascriptEnabled: true, ...screen },
  ],
  ['version 2.1.0', form, headers, '2.1.0', { ...always, browserLanguage: 'de-AT', ...screen }],
  ['without scripts', {}, headers, '2.2.0', { ...always, browserLanguage: 'fr-CH', browserJavascriptEnabled: false }],
  [
    'without scripts in version 2.1.0',
    {},
    headers,
    '2.1.0',
    { ...always, browserLanguage: 'fr-CH', ...screen, browserScreenHeight: '0', browserScreenWidth: '0', browserTZ: '0' },
  ],
  [
    'a screen in words',
    { ...form, screenHeight: 'tall' },
    headers,
    '2.2.0',
    { ...always, browserLanguage: 'de-AT', browserJavascriptEnabled: false },
  ],
  [
    'a long language',
    { language: 'zh-Hant-TW' },
    headers,
    '2.2.0',
    { ...always, browserLanguage: 'zh', browserJavascriptEnabled: false },
  ],
  [
    'no headers, and a language that is none',
    { language: '<script>' },
    {},
    '2.2.0',
    { browserAcceptHeader: '*/*', browserUserAgent: 'unknown', browserLanguage: 'en', browserJavascriptEnabled: false },
  ],
];

for (const [says, sent, sentHeaders, version, expected] of cases) {
  test(`collected browser data: ${says}`, () => {
    const collected = browserDataOf(new Map(Object.entries(sent)), sentHeaders as Record<string, string>);
    assert.deepEqual(
      browserOf((name) => collected[name], version),
      expected,
    );
  });
}

test('collected browser data: a header has no card number, no line break and an end', () => {
  const sent = { ...headers, 'user-agent': `4200000000000000\n${'x'.repeat(3_000)}` };
  const userAgent = browserDataOf(new Map(), sent)['customer.browser.userAgent'] ?? '';
  assert.equal(userAgent.length, 2_048);
  assert.doesNotMatch(userAgent, /4200000000000000|\n/);
});
