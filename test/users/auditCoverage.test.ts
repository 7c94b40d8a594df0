import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AuditEntry } from '../../src/audit/entry.ts';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { reportFigure } from '../figures.ts';
import { DEMO } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { signedInAs } from '../http/userFixture.ts';

/** R31: every action leaves exactly one entry, also when it is refused, for every kind of caller. */

const OPERATOR = 'operator-token-of-this-test-0123456789';
const NOWHERE = '0123456789abcdef0123456789abcdef';

/** What is asked with a body and changes nothing. */
const onlyLooks: ReadonlySet<string> = new Set(['checkRiskRules', 'tryRouting']);
/** What changes nothing and is written down all the same: who reads the log, and who takes away anything. */
const isWritten = (name: string): boolean => name === 'listAudit' || name.startsWith('export');

const acts = (Object.keys(endpoints) as EndpointName[]).filter((name) => {
  const { access, method } = endpoints[name];
  return access === 'admin' && ((method !== 'GET' && !onlyLooks.has(name)) || isWritten(name));
});

const store = createMemoryStore();
let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ store, operatorToken: OPERATOR });
});
after(() => gateway.close());

type Sending = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly query?: string };

const pathOf = (name: EndpointName): string => endpoints[name].path.replace(/\{[^}]+\}/g, NOWHERE);

async function send(name: EndpointName, { url, headers, query = '' }: Sending): Promise<number> {
  const { method } = endpoints[name];
  const hasBody = method === 'POST';
  const isFile = 'takes' in endpoints[name];
  const response = await fetch(`${url}${pathOf(name)}${query}`, {
    method,
    headers: { ...headers, ...(hasBody && { 'content-type': isFile ? 'text/csv' : 'application/json' }) },
    ...(hasBody && { body: isFile ? 'x' : '{"entityId":7}' }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function writtenBy(work: () => Promise<unknown>): Promise<readonly AuditEntry[]> {
  const { number } = await store.auditHead();
  await work();
  return store.auditChain(number, 100);
}

type Kind = readonly [who: string, sending: () => Promise<Sending>, statuses: readonly number[], by: string];

const kinds: readonly Kind[] = [
  ['nobody', async () => ({ url: gateway.url, headers: {} }), [401], 'nobody'],
  ['an unknown token', async () => ({ url: gateway.url, headers: { authorization: 'Bearer eHh4fHh4eA==' } }), [403], 'nobody'],
  ['no session at the back office', async () => ({ url: gateway.backOfficeUrl, headers: {} }), [401], 'nobody'],
  [
    'a user without the right',
    async () => ({ url: gateway.backOfficeUrl, headers: await pageOf({ role: 'nothing', entityId: DEMO.merchantId }) }),
    [403],
    'user',
  ],
  [
    'the operator with an invalid request',
    async () => ({ url: gateway.url, headers: { authorization: `Bearer ${OPERATOR}` }, query: '?nonsense=1' }),
    [400, 404],
    'operator',
  ],
];

async function pageOf(person: { readonly role: string; readonly entityId: string }): Promise<Record<string, string>> {
  const { cookie, csrf } = await signedInAs(gateway, person);
  return { cookie, 'x-turnpike-csrf': csrf, 'sec-fetch-site': 'same-origin' };
}

test('there are actions to audit', () => assert.ok(acts.length >= 15, acts.join(' ')));

for (const name of acts) {
  test(`${name} leaves one entry when it is refused`, async () => {
    for (const [who, sending, statuses, by] of kinds) {
      const sent = await sending();
      let status = 0;
      const entries = await writtenBy(async () => {
        status = await send(name, sent);
      });
      assert.ok(statuses.includes(status), `${who}: ${status}`);
      assert.deepEqual(
        entries.map((entry) => [entry.what, entry.by, entry.from, entry.node]),
        [[name, by, '127.0.0.1', 'test-1']],
        who,
      );
      assert.match(entries[0]?.result ?? '', /^\d{3}\.\d{3}\.\d{3}$/, who);
    }
    reportFigure('R31', 'actions', 1);
    reportFigure('R31', 'refused calls', kinds.length);
  });
}
