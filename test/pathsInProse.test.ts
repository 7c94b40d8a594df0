import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { endpoints } from '../src/spec/endpoints.ts';
import { isRoute, type Mention, mentionsIn, type Route } from './pathsInProse.ts';

/** Every path that a page, a text of the back office, an example or the help of a command names is in the table of endpoints. */

const root = join(import.meta.dirname, '..');
const routes: readonly Route[] = Object.values(endpoints);

const TEXTS = [
  '*.md',
  '{docs,decisions,examples,deploy}/**/*.{md,ts,tsx,js,mjs,json,html,yaml,yml,conf,sh,service}',
  'src/{backoffice,site,demo,spec,cli,client,testing}/**/*.{ts,tsx}',
  'scripts/**/*.{ts,mjs}',
];
const files = globSync(TEXTS, { cwd: root }).filter((file) => !/node_modules|\.test\.ts$|generated|openapi\.json$/.test(file));

/** Paths that are named because they are no endpoints of ours. */
const exceptions: readonly { readonly file: RegExp; readonly path: RegExp; readonly why: string }[] = [
  { file: /./, path: /^\/v1\/\//, why: 'a doubled slash, which older clients send' },
  { file: /^docs\/settings\.md$/, path: /^\/v1\/traces$/, why: 'of a collector of traces' },
  { file: /^docs\/compatibility\.md$/, path: /^\/v2\/checkouts$/, why: 'of other platforms, and not offered' },
  { file: /^docs\/connectors\/(?:adyen|stripe)\.md$/, path: /^\/(?!v1\/)/, why: 'of the acquirer' },
  { file: /\.ts$/, path: /\$\{/, why: 'composed by code' },
];

const unknownIn = (file: string, text: string): readonly Mention[] =>
  mentionsIn(text).filter(
    (mention) => !isRoute(mention, routes) && !exceptions.some((one) => one.file.test(file) && one.path.test(mention.path)),
  );

test('every path in prose is a route, with its method and its placeholders', () => {
  const unknown: string[] = [];
  let count = 0;
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    count += mentionsIn(text).length;
    for (const { method, path, line } of unknownIn(file, text)) unknown.push(`${file}:${line}: ${method ?? ''} ${path}`);
  }
  assert.deepEqual(unknown, []);
  assert.ok(count > 600, `${count} paths in ${files.length} files`);
});

const wrong: readonly string[] = [
  'see `GET /v1/resultCodes`:',
  '`POST /v1/payment` takes a payment',
  '`DELETE /v1/payments/{id}`',
  'Ask /admin/v1/webhook/{id} for it.',
  'curl -X PUT https://pay.example/v1/payments/$ID -H "$T"',
  'curl $G/v1/query -H "$T" -d $E -d \'merchantTransactionId=x\'',
  'curl -G https://pay.example/v1/checkouts \\\n  -H "$T"',
  '`GET /v1/payments/{id}/refunds`',
  '`GET /v1/registrations/{id}/payments`',
  '| Path (`/admin/v1/webhooks…`) | Effect |\n|---|---|\n| `POST /{id}/key` | rotate |\n',
  'a call of https://gateway.example/v4/query',
  '`POST /payments`',
  'all of `/v1/payment/…`',
];

for (const text of wrong)
  test(`a wrong path is found: ${text.split('\n')[0]}`, () => {
    assert.equal(unknownIn('docs/planted.md', text).length, 1);
  });

const right: readonly string[] = [
  '`GET /v1/payments/{id}`, `POST /v1/payments/…` and `/admin/v1/*`',
  'curl https://pay.example/v1/payments/$ID -H "$T"',
  'curl https://pay.example/v1/payments/<id> -d paymentType=RF',
  '| Path (`/admin/v1/webhooks…`) | Effect |\n|---|---|\n| `POST /{id}/keys` | rotate |\n',
  'POST https://checkout-test.adyen.com/v71/payments',
  'at http://127.0.0.1:8080/v1/paymentWidgets.js?checkoutId=…',
];

for (const text of right)
  test(`a right path passes: ${text.split('\n')[0]}`, () => {
    assert.deepEqual(unknownIn('docs/planted.md', text), []);
  });
