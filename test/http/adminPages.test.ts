import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startGateway, type TestGateway } from './gateway.ts';

/** How the pages of the back office are served: one document for every address, immutable files, and nothing from other origins. */

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.close());

type Got = { readonly status: number; readonly headers: Record<string, string | string[] | undefined>; readonly body: Buffer };

/** Without the unpacking that fetch does by itself. */
const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> =>
  new Promise((resolve, reject) => {
    const sent = request(gateway.backOfficeUrl + path, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

const nonceIn = (text: string): string => /nonce-([0-9a-f]{32})/.exec(text)?.[1] ?? '';

test('every address shows the one document, with a nonce of its own', async () => {
  const pages = await Promise.all(['/', '/payments/abc?entity=1', '/no/such/page', '/sign-in'].map((path) => get(path)));
  const nonces = pages.map(({ status, headers, body }) => {
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/html/);
    assert.match(String(headers['cache-control']), /no-store/);
    const policy = String(headers['content-security-policy']);
    const nonce = nonceIn(policy);
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /connect-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers['x-frame-options'], 'DENY');
    const text = body.toString('utf8');
    for (const [script] of text.matchAll(/<script[^>]*>/g)) assert.ok(script.includes(`nonce="${nonce}"`), script);
    assert.doesNotMatch(text, /<style|\sstyle=|\son\w+=|https?:\/\/(?!www\.w3\.org)/);
    return nonce;
  });
  assert.equal(new Set(nonces).size, nonces.length);
});

test('files are packed as the browser takes them, and kept for ever', async () => {
  const names = [...(await get('/')).body.toString('utf8').matchAll(/\/assets\/[\w.-]+/g)].map(([name]) => name);
  assert.ok(names.length >= 3);
  for (const name of names) {
    const [plain, gzip, brotli] = await Promise.all([
      get(name, { 'accept-encoding': 'identity' }),
      get(name, { 'accept-encoding': 'gzip, br;q=0' }),
      get(name, { 'accept-encoding': 'gzip, deflate, br' }),
    ]);
    for (const { status, headers } of [plain, gzip, brotli]) {
      assert.equal(status, 200);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers.vary, 'Accept-Encoding');
      assert.equal(headers['access-control-allow-origin'], undefined);
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    }
    assert.deepEqual([gzip.headers['content-encoding'], brotli.headers['content-encoding']], ['gzip', 'br']);
    assert.ok(gunzipSync(gzip.body).equals(plain.body));
    assert.ok(brotliDecompressSync(brotli.body).equals(plain.body));
  }
});

test('what is no file is nowhere, and nothing but reading is allowed', async () => {
  for (const path of [
    '/assets/main.js',
    '/assets/',
    '/assets',
    '/assets/../package.json',
    '/assets/__proto__',
    '/assets/%2e%2e/x',
  ])
    assert.ok([404, 200].includes((await get(path)).status), path);
  assert.equal((await get('/assets/nothing-ABCDEFGH.js')).status, 404);
  assert.equal((await get('/assets')).status, 404);
  assert.equal((await get('/', {}, 'POST')).status, 405);
  const head = await get('/', {}, 'HEAD');
  assert.deepEqual([head.status, head.body.length], [200, 0]);
});

test('the port of the API knows nothing of them', async () => {
  assert.equal((await fetch(`${gateway.url}/sign-in`)).status, 404);
});
