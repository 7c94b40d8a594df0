import assert from 'node:assert/strict';
import { Agent, request as startRequest } from 'node:http';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { Connection } from '../../src/http/transport/connection.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { bring } from '../contract/storeSettlementFixtures.ts';
import { CARD, DEMO } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/**
 * Many requests of every kind of reply over one kept connection. What a reply leaves behind on its connection stays for as long as the
 * client keeps it, which may be days: afterwards the connection has the listeners that it had after the first request of the kind.
 */

const OPERATOR = 'operator-of-this-gateway.0123456789';
const ROUNDS = 14;
const store = createMemoryStore();
const { demoShop } = sandbox;
const bearer = { authorization: `Bearer ${DEMO.token}` };
const form = { ...bearer, 'content-type': 'application/x-www-form-urlencoded' };
const PAYMENT = { entityId: DEMO.entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB', ...CARD };
const whole = { entityId: demoShop.merchantId, 'date.from': '2031-10-01', 'date.to': '2031-10-31' };
let gateway: TestGateway;
type Seen = { readonly stream: Connection; readonly socket: Socket };
const sockets: Socket[] = [];
const seen: Seen[] = [];
const warnings: string[] = [];
const onWarning = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`);

before(async () => {
  process.on('warning', onWarning);
  gateway = await startGateway({ store, isQuiet: true, operatorToken: OPERATOR });
  const { budget } = gateway;
  const { admit, open } = budget;
  budget.admit = (socket) => {
    sockets.push(socket);
    return admit(socket);
  };
  budget.open = (connection) => {
    seen.push({ stream: connection as Connection, socket: sockets.at(-1) as Socket });
    return open(connection);
  };
  const own = { merchantId: demoShop.merchantId, entityId: demoShop.channelId };
  await bring(
    store,
    Array.from({ length: 700 }, (_, at) => ({ ...own, merchantTransactionId: `order-${at}-${'x'.repeat(200)}` })),
  );
});
after(async () => {
  await gateway.close();
  process.off('warning', onWarning);
});

type RequestSpec = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};
type Kind = RequestSpec & {
  readonly what: string;
  readonly side?: 'backOffice';
  readonly status: number;
  /** The reply leaves in pieces. */
  readonly isStreamed?: true;
};

const query = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();
const kinds: readonly Kind[] = [
  { what: 'JSON', path: `/v1/payments/${'0'.repeat(32)}?${query({ entityId: DEMO.entityId })}`, headers: bearer, status: 404 },
  { what: 'a payment', method: 'POST', path: '/v1/payments', headers: form, body: query(PAYMENT), status: 200 },
  { what: 'a public list', path: '/v1/resultcodes', status: 200 },
  { what: 'text', path: '/metrics', status: 200 },
  { what: 'a page', path: '/docs', status: 200 },
  { what: 'a page of the back office', path: '/payments', side: 'backOffice', status: 200 },
  { what: 'no body', method: 'HEAD', path: '/v1/resultcodes', status: 200 },
  { what: 'no content', method: 'OPTIONS', path: '/v1/payments', status: 204 },
  { what: 'an unknown path', path: '/nothing', status: 404 },
  { what: 'another method', method: 'PUT', path: '/v1/payments', status: 405 },
  { what: 'an unknown token', path: '/v1/query', headers: { authorization: 'Bearer x' }, status: 403 },
  {
    what: 'streamed JSON',
    path: `/reports/v1/reconciliations/aggregations/ID?${query(whole)}`,
    headers: bearer,
    status: 200,
    isStreamed: true,
  },
  {
    what: 'a streamed file',
    path: `/reports/v1/reconciliations/csv?${query(whole)}`,
    headers: bearer,
    status: 200,
    isStreamed: true,
  },
  {
    what: 'a streamed file of the back office',
    side: 'backOffice',
    path: `/admin/v1/audit/csv?${query({ entityId: demoShop.merchantId })}`,
    headers: { authorization: `Bearer ${OPERATOR}` },
    status: 200,
    isStreamed: true,
  },
];

type Answer = { readonly status: number; readonly bytes: number; readonly isChunked: boolean; readonly text: string };

/** One request over the only connection of an agent. */
function ask(
  agent: Agent,
  { method = 'GET', path, headers = {}, body = '', side }: RequestSpec & Pick<Kind, 'side'>,
): Promise<Answer> {
  const port = side === 'backOffice' ? gateway.officePort : gateway.port;
  return new Promise((resolve, reject) => {
    const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const request = startRequest({ agent, port, host: '127.0.0.1', method, path, headers: { ...headers, ...length } });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isChunked = response.headers['transfer-encoding'] === 'chunked';
        resolve({ status: response.statusCode ?? 0, bytes: text.length, isChunked, text });
      });
    });
    request.end(body);
  });
}

/** How many listeners each event of a connection and of its socket has. */
const listenersOf = (connection: Seen): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(connection).flatMap(([what, emitter]) =>
      emitter.eventNames().map((event) => [`${what} ${String(event)}`, emitter.listenerCount(event)] as const),
    ),
  );

/** By a head that leaves nothing open, past the HTTP server; by one that does, through it. */
const ways = { 'past the HTTP server': {}, 'through the HTTP server': { te: 'trailers' } } as const;

for (const [way, more] of Object.entries(ways))
  for (const { what, status, isStreamed, ...asked } of kinds)
    test(`${what}: many replies over one kept connection leave nothing on it, ${way}`, async (t) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      t.after(() => agent.destroy());
      const path = asked.path.includes('/ID?') ? asked.path.replace('ID', await idOfDay()) : asked.path;
      const send = () => ask(agent, { ...asked, path, headers: { ...asked.headers, ...more } });
      const [before, warned] = [seen.length, warnings.length];
      // The first request of a connection always goes through the HTTP server.
      for (let round = 0; round < 2; round += 1) {
        const answer = await send();
        assert.equal(answer.status, status, answer.text);
        assert.equal(answer.isChunked && answer.bytes > 0, isStreamed === true);
      }
      const connection = seen[before] ?? assert.fail('no connection');
      const first = listenersOf(connection);
      for (let round = 0; round < ROUNDS; round += 1) assert.equal((await send()).status, status);
      assert.equal(seen.length, before + 1, 'every request came over the same connection');
      assert.deepEqual(listenersOf(connection), first);
      assert.deepEqual(warnings.slice(warned), []);
    });

async function idOfDay(): Promise<string> {
  const agent = new Agent();
  const { text } = await ask(agent, { path: `/reports/v1/reconciliations/aggregations?${query(whole)}`, headers: bearer });
  const id = (JSON.parse(text) as { readonly records: readonly { readonly id: string }[] }).records[0]?.id;
  return id ?? assert.fail(text);
}
