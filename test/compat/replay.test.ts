import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isRecord } from '../../src/runtime/json.ts';
import { DEMO, type Fields } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Credentials, type Exchange, exchanges } from './exchanges.ts';
import { relied } from './selectors.ts';

/** The replay kit: what known clients send, and what they read. */

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ isQuiet: true });
});
after(() => gateway.close());

const [userId = '', password = ''] = Buffer.from(DEMO.token, 'base64').toString().split('|');
const bearer = (token: string): Fields => ({ authorization: `Bearer ${token}` });

const credentials: Readonly<Record<Credentials, { readonly headers: Fields; readonly fields: Fields }>> = {
  bearer: { headers: bearer(DEMO.token), fields: { entityId: DEMO.entityId } },
  bearerAndOldEntity: { headers: bearer(DEMO.token), fields: { 'authentication.entityId': DEMO.entityId } },
  parameters: {
    headers: {},
    fields: {
      'authentication.userId': userId,
      'authentication.password': password,
      'authentication.entityId': DEMO.entityId,
    },
  },
  none: { headers: {}, fields: {} },
  wrong: { headers: bearer(Buffer.from(`${userId}|wrong`).toString('base64')), fields: { entityId: DEMO.entityId } },
};

const kept = new Map<string, string>();
const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name) => kept.get(name) ?? assert.fail(name));

function memberOf(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (Array.isArray(at) ? at[Number(name)] : isRecord(at) ? (at as Record<string, unknown>)[name] : undefined),
      value,
    );
}

async function replay({
  by = 'bearer',
  isLenient,
  method,
  path,
  fields = {},
  body,
}: Exchange): Promise<{ status: number; body: unknown }> {
  const { headers, fields: own } = credentials[by];
  const form = new URLSearchParams({ ...own, ...(isLenient && { entityId: DEMO.lenientId }), ...fields });
  for (const [name, value] of form) form.set(name, filled(value));
  const [query, sent] = method === 'POST' ? ['', form] : [`?${form}`, body ? new URLSearchParams({ ...body }) : null];
  const response = await fetch(`${gateway.url}${filled(path)}${query}`, { method, headers, ...(sent && { body: sent }) });
  return { status: response.status, body: await response.json() };
}

for (const exchange of exchanges) {
  test(exchange.habit, async () => {
    const { status, code, reads = {}, absent = [], keep } = exchange;
    const reply = await replay(exchange);
    const text = JSON.stringify(reply.body);
    assert.equal(reply.status, status, text);
    assert.match(String(memberOf(reply.body, 'result.code')), code, text);
    for (const [name, expected] of Object.entries(reads))
      assert.match(String(memberOf(reply.body, name)), expected, `${name}: ${text}`);
    for (const name of absent) assert.equal(memberOf(reply.body, name), undefined, `${name}: ${text}`);
    if (keep !== undefined) kept.set(keep, String(memberOf(reply.body, 'id')));
  });
}

test('every selector that pages rely on is in the sources of the widget, whole or composed', () => {
  const widget = join(import.meta.dirname, '../../src/widget');
  const text = globSync('**/*.{ts,css}', { cwd: widget })
    .map((name) => readFileSync(join(widget, name), 'utf8'))
    .join('\n');
  const isThere = (name: string): boolean => {
    const [, first = ''] = name.split('-');
    return text.includes(name) || text.includes(`wpwl-${first}-\${`);
  };
  assert.deepEqual(
    relied.filter((name) => !isThere(name)),
    [],
  );
});
