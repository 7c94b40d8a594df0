import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, request as startRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { readTraceContext } from '../../src/telemetry/traceContext.ts';
import { exampleWebhook } from '../../src/webhooks/examples.ts';
import { example } from '../connectors/example/example.ts';
import { exampleUnderTest, openExample } from '../connectors/example/server.ts';
import { sealSecrets, shopOf } from '../connectors/trialShop.ts';
import { freshShops } from '../http/freshShops.ts';
import { startGateway } from '../http/gateway.ts';
import { assertDescribedSpans, attribute, type ReceivedSpan, settingsFor, startCollector } from './collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const ACCOUNT = 'traced';

/** Keeps the headers of every request; `to` gets them, or they are answered with 200. */
async function startRecorder(to: string | null) {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    if (to === null) {
      request.resume().once('end', () => response.writeHead(200).end());
      return;
    }
    const { method = '', url = '', headers } = request;
    const on = startRequest(new URL(url, to), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(on.on('error', () => response.destroy()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((done) => server.close(() => done()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}

/** A gateway with an acquirer, a receiver of webhooks and a collector, all of which keep what they get. */
async function open(options: { readonly isTraced: boolean; readonly sampler?: 'always_off' }) {
  const collector = await startCollector();
  const acquirer = await openExample();
  const way = await startRecorder(acquirer.url);
  const receiver = await startRecorder(null);
  const { shops, rows } = freshShops(1, {
    connectors: { default: ACCOUNT },
    accounts: { [ACCOUNT]: { connector: example.name, settings: { url: way.url } } },
  });
  const shop = shopOf(shops[0]);
  const store = createMemoryStore();
  await sealSecrets(store, { ownerId: shop.ownerId, account: ACCOUNT }, exampleUnderTest.secrets);
  const gateway = await startGateway({
    store,
    rows,
    connectorKinds: new Map([[example.name, example]]),
    patienceMs: 30_000,
    ...(options.isTraced && { telemetry: settingsFor(collector.url, options.sampler && { sampler: options.sampler }) }),
  });
  const { keys, store: webhooks } = gateway.services.webhooks;
  for (const id of ['a1'.repeat(16), 'b2'.repeat(16)]) {
    const webhook = exampleWebhook({ id, entityId: shop.ownerId, url: receiver.url });
    await webhooks.addWebhook({ ...webhook, keys: [(await keys.make(webhook, Date.now())).key] });
  }
  const pay = async (headers: Record<string, string> = {}, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({
      ...exampleUnderTest.approved,
      entityId: shop.entityId,
      testMode: 'EXTERNAL',
      paymentBrand: 'VISA',
      'card.number': '4200000000000000',
      paymentType: 'DB',
      amount: '10.00',
      currency: 'EUR',
      ...fields,
    });
    return post(`${gateway.url}/v1/payments`, { authorization: `Bearer ${shop.token}`, ...headers }, body.toString());
  };
  /** Delivers the webhooks and closes everything; the gateway sends its last spans at its end. */
  const finish = async () => {
    await gateway.work('fan out events');
    await gateway.work('dispatch deliveries');
    await gateway.close();
    await Promise.all([collector.close(), acquirer.close(), way.close(), receiver.close()]);
  };
  return { gateway, collector, way, receiver, shop, pay, finish };
}

type Answered = { readonly id: string; readonly result: { readonly code: string } };

/** On a connection of its own: a kept one would delay the end of the gateway. */
const post = (url: string, headers: Record<string, string>, body: string) =>
  new Promise<Answered>((done, fail) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = startRequest(url, { method: 'POST', agent: false, headers: { ...headers, ...type } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => done(JSON.parse(text) as Answered));
    });
    request.once('error', fail).end(body);
  });

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan[] => spans.filter((span) => span.name === name);
const only = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = named(spans, name);
  assert.equal(found.length, 1, `${name}: ${found.length} in ${spans.map((span) => span.name)}`);
  return found[0] as ReceivedSpan;
};

test('a payment is one trace, from the merchant through the gateway to the acquirer and the webhook', async () => {
  const { collector, way, receiver, shop, pay, finish, gateway } = await open({ isTraced: true });
  const { id, result } = await pay({ traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'shop=a1' });
  assert.match(result.code, /^000\.100\./);
  await finish();
  const { spans } = collector;
  assertDescribedSpans(spans);
  assert.deepEqual([...new Set(spans.map(({ traceId }) => traceId))], [TRACE]);
  assert.deepEqual([...new Set(spans.map(({ traceState }) => traceState))], ['shop=a1', undefined]);
  const root = only(spans, 'POST /v1/payments');
  assert.equal(root.parentSpanId, PARENT);
  assert.equal(attribute(root, 'turnpike.entity.id'), shop.entityId);
  assert.equal(attribute(root, 'turnpike.result.code'), result.code);
  assert.equal(attribute(root, 'http.response.status_code'), '200');
  const call = only(spans, 'connector call');
  assert.equal(call.parentSpanId, root.spanId);
  assert.equal(attribute(call, 'turnpike.payment.id'), id);
  assert.equal(attribute(call, 'turnpike.account'), ACCOUNT);
  assert.equal(attribute(call, 'turnpike.answer'), 'approved');
  assert.equal(only(spans, 'risk check').parentSpanId, root.spanId);
  const commits = named(spans, 'commit');
  assert.deepEqual(
    commits.map((span) => [span.parentSpanId, attribute(span, 'turnpike.commit.outcome')]),
    [
      [root.spanId, 'kept'],
      [root.spanId, 'kept'],
    ],
  );
  const sent = only(spans, 'acquirer request');
  assert.equal(sent.parentSpanId, call.spanId);
  assert.deepEqual(
    way.received.map(({ traceparent, tracestate }) => [traceparent, tracestate]),
    [[`00-${TRACE}-${sent.spanId}-01`, 'shop=a1']],
  );
  const deliveries = named(spans, 'webhook delivery');
  assert.deepEqual(
    deliveries.map(({ parentSpanId }) => parentSpanId),
    Array.from({ length: 4 }, () => root.spanId),
    'two events, each to two webhooks',
  );
  const parents = receiver.received.map(({ traceparent }) => readTraceContext(traceparent));
  assert.deepEqual(
    parents.map((parent) => [parent?.traceId, parent?.spanId]).sort(),
    deliveries.map(({ spanId }) => [TRACE, spanId]).sort(),
  );
  const page = gateway.services.metrics.page({ directoryMs: 0, jobs: [] });
  assert.match(page, new RegExp(`^turnpike_trace_spans_exported_total ${spans.length}$`, 'm'));
  const line = gateway.lines
    .map((text) => JSON.parse(text))
    .find(({ message, path }) => message === 'answered' && path === '/v1/payments');
  assert.equal(line.traceId, TRACE);
  assert.match(line.requestId, /^[0-9a-f]{10}-[0-9a-z]+$/);
  assert.equal(line.requestId, attribute(root, 'turnpike.request.id'));
});

test('a request without a trace begins one, and a broken header is no fault of the request', async () => {
  const { collector, way, pay, finish } = await open({ isTraced: true });
  await pay({ traceparent: 'not-a-trace', tracestate: '=====' });
  await finish();
  const root = only(collector.spans, 'POST /v1/payments');
  assert.equal(root.parentSpanId, undefined);
  assert.match(String(way.received[0]?.traceparent), new RegExp(`^00-${root.traceId}-[0-9a-f]{16}-01$`));
});

test('what is not sampled passes its trace on, and sends and stores nothing', async () => {
  const { collector, way, pay, finish, gateway, shop } = await open({ isTraced: true });
  const { id } = await pay({ traceparent: `00-${TRACE}-${PARENT}-00` });
  assert.equal((await gateway.world.store.payment(shop.ownerId, id))?.traceparent, undefined);
  await finish();
  assert.deepEqual(collector.spans, []);
  assert.match(String(way.received[0]?.traceparent), new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
});

test('without a collector nothing is traced: no header leaves, and no log line names a trace', async () => {
  const { collector, way, receiver, pay, finish, gateway } = await open({ isTraced: false });
  await pay({ traceparent: `00-${TRACE}-${PARENT}-01` });
  await finish();
  assert.deepEqual(collector.bodies, []);
  assert.ok(way.received.length > 0 && receiver.received.length > 0);
  assert.ok([...way.received, ...receiver.received].every(({ traceparent }) => traceparent === undefined));
  assert.ok(gateway.lines.every((line) => !line.includes('traceId') && !line.includes(TRACE)));
});

test('a collector that is away or refuses costs spans, and no payment', async () => {
  const { collector, pay, finish, gateway } = await open({ isTraced: true });
  collector.state.status = 400;
  assert.match((await pay()).result.code, /^000\.100\./);
  await finish();
  assert.match(
    gateway.services.metrics.page({ directoryMs: 0, jobs: [] }),
    /turnpike_trace_spans_dropped_total\{reason="collector"\} [1-9]/,
  );
});

test('spans hold no data of cards and persons', async () => {
  const { collector, pay, finish } = await open({ isTraced: true });
  const person = {
    'customer.givenName': 'Canarina',
    'customer.surname': 'Canarina',
    'customer.email': 'canarina@example.org',
    'customer.ip': '203.0.113.77',
  };
  await pay(
    { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'pan=4929127482910388' },
    { ...person, 'card.number': '4929127482910388' },
  );
  await pay({}, { ...person, 'card.number': '4929127482910388', amount: 'x' });
  await finish();
  const all = collector.bodies.join('\n');
  assert.ok(collector.spans.length >= 6);
  for (const text of ['4929127482910388', 'Canarina', 'canarina', '203.0.113.77']) assert.ok(!all.includes(text), text);
  // Parts of the number as words of their own: times, ids and ports have any four digits once in a few dozen runs.
  assert.doesNotMatch(all, /(?<![0-9a-z])(492912|0388(?![0-9a-z]))/i);
});
