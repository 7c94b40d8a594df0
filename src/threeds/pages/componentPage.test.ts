import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { type ChallengeLanguage, challengeLabels, labelsFor } from '../labels/challengeLabels.ts';
import { componentHostPage } from './componentPage.ts';

const EVIL = `"></main><script>alert('x')</script>&`;
const component = {
  script: { url: 'https://files.example/adyen.js', integrity: 'sha384-abc' },
  style: { url: 'https://files.example/adyen.css', integrity: null },
  origins: ['https://files.example', 'https://api.example'],
  begin: '(data, place, done) => done(data)',
  data: { action: { token: EVIL } },
};
const host = {
  component,
  token: 'f00d',
  wasRefused: false,
  path: '/v1/component/1.2',
  backUrl: `https://shop.example/?q=${EVIL}`,
  isInFrame: false,
  language: 'en',
};

for (const language of Object.keys(challengeLabels) as ChallengeLanguage[]) {
  test(`${language}: progress, an error with the ways out, and nothing that was sent as a tag`, () => {
    const { html, policy } = componentHostPage({ ...host, language });
    const labels = labelsFor(language);
    for (const text of [labels.moment, labels.failed, labels.failedHelp, labels.retry, labels.back, labels.needsScript])
      assert.ok(html.includes(`>${text}<`), text);
    assert.ok(html.includes(`<html lang="${language}" dir="${labels.direction}">`));
    assert.ok(!html.includes("alert('x')"));
    const [script = '', ...others] = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text ?? '');
    assert.deepEqual(others, []);
    assert.ok(policy.includes(`script-src 'sha256-${hash('sha256', script, 'base64')}' https://files.example/adyen.js;`));
    assert.ok(policy.includes("default-src 'none'; ") && policy.includes("frame-ancestors 'self'"));
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]);
    assert.equal(new Set(ids).size, ids.length);
  });
}

test('what differs between pages', () => {
  const cases: readonly (readonly [Partial<typeof host> & { readonly ancestors?: string }, RegExp, RegExp])[] = [
    [{ isInFrame: true }, /target="_self"/, /frame-ancestors 'self'/],
    [{ ancestors: 'https://shop.example' }, /target="_top"/, /frame-ancestors https:\/\/shop\.example$/],
    [{ wasRefused: true }, /data-refused="yes"/, /./],
    [{}, /data-refused="no"/, /style-src 'sha256-[^']+' https:\/\/files\.example\/adyen\.css;/],
  ];
  for (const [given, shows, allows] of cases) {
    const { html, policy } = componentHostPage({ ...host, ...given });
    assert.match(html, shows);
    assert.match(policy, allows);
  }
  assert.doesNotMatch(componentHostPage({ ...host, backUrl: null as never }).html, /<a /);
});
