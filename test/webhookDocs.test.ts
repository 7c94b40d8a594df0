import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endpoints } from '../src/spec/endpoints.ts';
import { encryptPayload, sign } from '../src/webhooks/wireFormat.ts';

/** The receiver of docs/webhooks.md, taken from the page and run. */

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'webhooks.md'), 'utf8');
const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? assert.fail('the page has no receiver');
const folder = mkdtempSync(join(tmpdir(), 'turnpike-docs-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'receiver.mjs'), code);

const [newer, older, strange] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
process.env.WEBHOOK_KEYS = [newer, older].map((key) => key.toString('hex')).join(',');
const { eventOf } = (await import(pathToFileURL(join(folder, 'receiver.mjs')).href)) as {
  eventOf: (headers: object, body: string) => unknown;
};
// It reads them when it is loaded; the files after this one know nothing of them.
delete process.env.WEBHOOK_KEYS;

const TEXT = '{"type":"PAYMENT","payload":{"id":"1"}}';
type Sent = { readonly keys: readonly Uint8Array[]; readonly wrapper?: 'NONE' | 'JSON'; readonly agoMs?: number };
function received({ keys, wrapper = 'NONE', agoMs = 0 }: Sent) {
  const { body, headers } = encryptPayload(TEXT, keys[0] as Uint8Array, { iv: Buffer.alloc(12, 9), wrapper });
  const all = { ...headers, ...sign({ id: 'a1', at: Date.now() - agoMs, body, keys }) };
  return [Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value])), body] as const;
}

const opens: readonly (readonly [what: string, sent: Sent])[] = [
  ['bare', { keys: [newer] }],
  ['in JSON', { keys: [newer], wrapper: 'JSON' }],
  ['before a rotation', { keys: [older] }],
  ['during a rotation', { keys: [newer, older] }],
  ['four minutes old', { keys: [newer], agoMs: 240_000 }],
];
for (const [what, sent] of opens) {
  test(`the receiver of the page decrypts a delivery ${what}`, () => {
    assert.deepEqual(eventOf(...received(sent)), JSON.parse(TEXT));
  });
}

test('the receiver of the page refuses what is foreign, changed or too old', () => {
  assert.throws(() => eventOf(...received({ keys: [strange] })), /not signed/);
  assert.throws(() => eventOf(...received({ keys: [newer], agoMs: 301_000 })), /too old/);
  const [headers, body] = received({ keys: [newer] });
  assert.throws(
    () =>
      eventOf(
        headers,
        body.replace(/^./, (digit) => (digit === 'A' ? 'B' : 'A')),
      ),
    /not signed/,
  );
  assert.throws(() => eventOf({ ...headers, 'webhook-timestamp': 'x' }, body), /too old/);
  assert.throws(() => eventOf(...received({ keys: [strange, older] })), /not signed/, 'encrypted with a key that is not known');
});

test('the page names every address of webhooks', () => {
  const paths = Object.values(endpoints).filter(({ path }) => path.startsWith('/admin/v1/webhooks/'));
  assert.ok(paths.length >= 9);
  for (const { path } of paths) assert.ok(page.includes(path.replace('/admin/v1/webhooks', '')), path);
});
