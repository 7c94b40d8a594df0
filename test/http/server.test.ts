import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { EntityRow } from '../../src/merchants/ports.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { tokenHash, tokenOf } from '../../src/merchants/tokens.ts';
import { CARD, createClient, DEMO, OTHER } from './client.ts';
import { startGateway } from './gateway.ts';

const POOR = '5eed00000000000000000000000000e1';
const DISABLED = '5eed00000000000000000000000000e2';
const EUROS = '5eed00000000000000000000000000e3';
const DOLLARS = '5eed00000000000000000000000000e4';
const SHOPS = '5eed00000000000000000000000000e5';
const pspUser = '5eed00000000000000000000000000e6';
const pspToken = tokenOf(pspUser, 'of the PSP');
const { demoShop, otherShop, division, psp } = sandbox;

const node = (kind: EntityRow['kind'], id: string, parentId: string, settings: EntityRow['settings']): EntityRow => ({
  id,
  kind,
  parentId,
  name: id.slice(-2),
  settings,
});
const gateway = await startGateway({
  rows: {
    entities: [
      node('channel', POOR, demoShop.merchantId, { throttle: { pay: { requests: 2, perSeconds: 60 } }, priority: 900 }),
      node('channel', DISABLED, demoShop.merchantId, { state: 'disabled' }),
      node('merchant', SHOPS, division, { dispatch: true }),
      node('channel', EUROS, SHOPS, { currencies: ['EUR'], brands: ['VISA'] }),
      node('channel', DOLLARS, SHOPS, { currencies: ['USD'] }),
    ],
    tokens: [{ userId: pspUser, tokenHash: tokenHash(pspToken), entityId: psp, createdAt: 0 }],
  },
});
after(() => gateway.close());
const shop = createClient(gateway.url);
const asPsp = createClient(gateway.url, { entityId: EUROS, token: pspToken });

const PAYMENT = { entityId: DEMO.entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB', ...CARD };

type Sent = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string };
async function ask(path: string, { method = 'POST', headers = {}, body }: Sent = {}) {
  const answer = await fetch(`${gateway.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text.startsWith('{') ? JSON.parse(text) : null };
}

const formType = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
const bearer = { ...formType, authorization: `Bearer ${DEMO.token}` };
const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const legacy = (password: string) => ({ 'authentication.userId': demoShop.userId, 'authentication.password': password });

const callers: [what: string, headers: Record<string, string>, fields: Record<string, string>, status: number, code: string][] = [
  ['the right token', bearer, PAYMENT, 200, '000.100.110'],
  ['no token', formType, PAYMENT, 401, '800.900.300'],
  ['another scheme', { ...formType, authorization: `Basic ${DEMO.token}` }, PAYMENT, 401, '800.900.300'],
  ['an unknown token', { ...formType, authorization: 'Bearer abc' }, PAYMENT, 403, '800.900.300'],
  ["another merchant's token", { ...formType, authorization: `Bearer ${OTHER.token}` }, PAYMENT, 403, '800.900.300'],
  ["another merchant's entity", bearer, { ...PAYMENT, entityId: otherShop.channelId }, 403, '800.900.300'],
  ['an entity that does not exist', bearer, { ...PAYMENT, entityId: '0'.repeat(32) }, 403, '800.900.300'],
  ['user and password', formType, { ...PAYMENT, ...legacy('sandbox-demo') }, 200, '000.100.110'],
  ['a wrong password', formType, { ...PAYMENT, ...legacy('guess') }, 403, '800.900.300'],
  [
    'the older name of the entity',
    bearer,
    { ...PAYMENT, entityId: '', 'authentication.entityId': DEMO.entityId },
    200,
    '000.100.110',
  ],
  ['no entity', bearer, { ...PAYMENT, entityId: '' }, 400, '200.300.404'],
  ['an entity that cannot be one', bearer, { ...PAYMENT, entityId: 'x' }, 400, '200.300.404'],
  ['a disabled channel', bearer, { ...PAYMENT, entityId: DISABLED }, 400, '500.100.201'],
  [
    'a merchant without dispatching',
    { ...formType, authorization: `Bearer ${OTHER.token}` },
    { ...PAYMENT, entityId: otherShop.merchantId },
    400,
    '800.900.201',
  ],
  ['a division', { ...formType, authorization: `Bearer ${pspToken}` }, { ...PAYMENT, entityId: division }, 400, '800.900.201'],
];
for (const [what, headers, fields, status, code] of callers) {
  test(`${what}: ${status} ${code}`, async () => {
    const answer = await ask('/v1/payments', { headers, body: formOf(fields) });
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.body.result.code, code);
    assert.match(answer.body.ndc, /^(?:[0-9a-f]{32}-)?[0-9a-f]{32}$/);
    assert.ok(answer.body.buildNumber && answer.body.timestamp && answer.body.result.description);
    assert.equal(
      answer.headers.get('www-authenticate'),
      status === 401 ? 'Bearer realm="turnpike", error="invalid_token"' : null,
    );
    if (code === '200.300.404') assert.equal(answer.body.result.parameterErrors[0].name, 'entityId');
    assert.equal(answer.body.id === undefined, status !== 200, 'only what was stored has an id');
  });
}

/** Sends a head and as much of a body as is given, and returns what comes back until the connection closes. */
const refusedAtHead: [what: string, headers: readonly string[], status: number][] = [
  ['an unknown token', ['Authorization: Bearer abc', 'Content-Length: 8000000'], 403],
  ['another scheme', ['Authorization: Basic abc', 'Content-Length: 8000000'], 401],
  ['an unknown token and a body without a length', ['Authorization: Bearer abc', 'Transfer-Encoding: chunked'], 403],
];
for (const [what, headers, status] of refusedAtHead) {
  test(`${what} is refused before the body is sent`, async () => {
    const { say } = await import('./raw.ts');
    const lines = ['POST /v1/payments HTTP/1.1', 'Host: x', `Content-Type: ${formType['content-type']}`, ...headers];
    const heard = await say(gateway.port, `${lines.join('\r\n')}\r\n\r\n`, 10_000);
    assert.deepEqual([heard.statuses, heard.isClosed], [[status], true], heard.text);
    assert.match(heard.text, /"code":"800\.900\.300"/);
  });
}

test('8 MiB of & without a token are refused, and nothing of them is decoded', async () => {
  const answer = await ask('/v1/payments', { headers: formType, body: '&'.repeat(8 * 1024 * 1024) });
  assert.deepEqual([answer.status, answer.body.result.code], [401, '800.900.300']);
  const known = await ask('/v1/payments', { headers: bearer, body: `${formOf(PAYMENT)}${'&'.repeat(8_000_000)}` });
  assert.equal(known.status, 400);
  assert.deepEqual(
    known.body.result.parameterErrors.map(({ name }: { name: string }) => name),
    ['body'],
  );
});

test('user and password are found wherever they stand in a long body', async () => {
  const filler = Array.from({ length: 900 }, (_, at) => `customParameters[p${at}]=${'x'.repeat(90)}`).join('&');
  const body = `${formOf(PAYMENT)}&${filler}&${formOf(legacy('sandbox-demo')).replace('authentication.password', 'authentication%2Epassword')}`;
  assert.ok(body.length > 65_536);
  const answer = await ask('/v1/payments', { headers: formType, body });
  assert.notEqual(answer.status, 401, answer.text);
  assert.notEqual(answer.status, 403, answer.text);
});

test('a body for an unknown path, of a shopper, or of a request without lists may not be as long as one of a payment', async () => {
  const body = 'a='.padEnd(300_000, 'x');
  const extension = await ask(`/v1/registrations/${'0'.repeat(32)}/extendlife`, { headers: bearer, body });
  assert.match(extension.text, /must not be longer than 262144 bytes/);
  assert.equal((await ask('/v1/nowhere', { headers: formType, body })).status, 404);
  const shopper = await ask(`/v1/checkouts/${'0'.repeat(32)}/payment`, { headers: formType, body });
  assert.equal(shopper.status, 400);
  assert.match(shopper.text, /must not be longer than 262144 bytes/);
});

test('the headers of an answer', async () => {
  const { headers } = await ask('/v1/payments', { headers: bearer, body: formOf(PAYMENT) });
  assert.equal(headers.get('content-type'), 'application/json;charset=UTF-8');
  assert.match(headers.get('strict-transport-security') ?? '', /^max-age=63072000/);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('cache-control') ?? '', /no-store/);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.ok(headers.get('content-length'));
});

const tongues: [type: string | null, body: string][] = [
  ['application/json', '{"amount":"92.00"}'],
  ['application/json; charset=utf-8', '[]'],
  ['multipart/form-data; boundary=x', '--x\r\n'],
  ['text/plain', 'amount=92.00'],
  ['application/x-www-form-urlencoded; charset=iso-8859-1', 'amount=92.00'],
  ['application/x-www-form-urlencoded', '{"amount":"92.00"}'],
  ['application/x-www-form-urlencodedx', 'amount=92.00'],
];
for (const [type, body] of tongues) {
  test(`${type} with ${JSON.stringify(body)} is refused with the right media type`, async () => {
    const answer = await ask('/v1/payments', { headers: { ...bearer, 'content-type': type ?? '' }, body });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.result.code, '200.300.404');
    assert.match(answer.body.result.description, /send the parameters as application\/x-www-form-urlencoded/);
    assert.equal(answer.body.result.parameterErrors[0].name, 'Content-Type');
  });
}

const places: [line: string, status: number, code: string | null][] = [
  ['POST /v1/payments/', 200, '000.100.110'],
  ['POST //v1//payments', 200, '000.100.110'],
  ['POST /v1/payment', 404, '700.400.580'],
  ['GET /', 404, '700.400.580'],
  ['PUT /v1/payments', 405, '200.300.403'],
  ['GET /v1/payments', 400, '200.300.404'],
  ['PUT /v1/payments', 405, '200.300.403'],
  ['DELETE /v1/resultcodes', 405, '200.300.403'],
  [`GET /v1/payments/${'0'.repeat(32)}?entityId=${DEMO.entityId}`, 404, '700.400.580'],
  [`GET /v1/payments/nonsense?entityId=${DEMO.entityId}`, 404, '700.400.580'],
  [`GET /v1/payments/${'0'.repeat(32)}`, 400, '200.300.404'],
  [`GET /v1/payments/${'0'.repeat(32)}?entityId=${DEMO.entityId}&entityId=${DEMO.entityId}`, 400, '200.300.404'],
];
for (const [line, status, code] of places) {
  test(`${line} → ${status} ${code}`, async () => {
    const [method = '', path = ''] = line.split(' ');
    const body = method === 'POST' ? formOf(PAYMENT) : undefined;
    const answer = await ask(path, { method, headers: bearer, ...(body ? { body } : {}) });
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.body.result.code, code);
    if (status === 405) assert.match(answer.headers.get('allow') ?? '', /POST|GET/);
  });
}

test('a browser may ask before it sends', async () => {
  const answer = await ask('/v1/payments', { method: 'OPTIONS', headers: { origin: 'https://shop.example' } });
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get('access-control-allow-methods'), 'POST, GET, HEAD');
  assert.match(answer.headers.get('access-control-allow-headers') ?? '', /authorization/);
});

test('HEAD is GET without the body', async () => {
  const answer = await ask('/v1/resultcodes', { method: 'HEAD' });
  assert.equal(answer.status, 200);
  assert.equal(answer.text, '');
  assert.ok(Number(answer.headers.get('content-length')) > 1000);
});

test('every result code is public', async () => {
  const { status, body } = await ask('/v1/resultcodes', { method: 'GET' });
  assert.equal(status, 200);
  assert.ok(body.resultCodes.length > 500);
  const [{ code, description, class: means }] = body.resultCodes;
  assert.deepEqual([code, description, means], ['000.000.000', 'Transaction succeeded', 'approved']);
});

test('the API describes itself, as data and as a page that loads nothing from outside', async () => {
  const described = await ask('/openapi.json', { method: 'GET' });
  assert.equal(described.body.openapi.slice(0, 3), '3.1');
  const page = await ask('/docs', { method: 'GET' });
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.doesNotMatch(page.text, / style="| on[a-z]+="|<script src|<link [^>]*href="http|<img [^>]*src="http/);
  assert.ok(page.text.includes(gateway.url), 'the examples are for this address');
});

test('health', async () => {
  assert.equal((await ask('/health/live', { method: 'GET' })).status, 200);
  assert.deepEqual((await ask('/health/ready', { method: 'GET' })).body, { status: 'ready' });
});

test('metrics have no names and amounts', async () => {
  await shop.pay();
  const { status, text } = await ask('/metrics', { method: 'GET' });
  assert.equal(status, 200);
  assert.match(text, /turnpike_payments_total\{payment_type="DB",outcome="approved"\} \d+/);
  assert.match(text, /turnpike_requests_total\{endpoint="pay",status="200"\} \d+/);
  assert.match(text, /turnpike_request_duration_seconds_bucket/);
  assert.match(text, /process_resident_memory_bytes/);
  // A figure may contain any digits: only names and labels are looked at.
  assert.doesNotMatch(text.replace(/ [-+0-9.e]+$/gm, ''), /5eed|92\.00|420000/);
});

test('a client that calls too often waits, and then goes on', async () => {
  const often = () => shop.pay({ entityId: POOR });
  assert.equal((await often()).status, 200);
  assert.equal((await often()).status, 200);
  const third = await often();
  assert.equal(third.status, 429);
  assert.equal(third.code, '800.120.100');
  assert.equal(third.headers.get('retry-after'), '30');
  assert.equal((await shop.pay()).status, 200, 'the limit is of one channel');
  gateway.pass(30_000);
  assert.equal((await often()).status, 200);
});

test('a merchant with several channels is served by the one that fits', async () => {
  const pay = (fields: Record<string, string>) => asPsp.pay({ entityId: SHOPS, ...fields });
  const euros = await pay({});
  const dollars = await pay({ currency: 'USD' });
  assert.match(euros.body.descriptor, / e3$/);
  assert.match(dollars.body.descriptor, / e4$/);
  const refunded = await asPsp.refund(dollars.id, '1.00', { entityId: SHOPS, currency: 'USD' });
  assert.equal(refunded.code, '000.100.110');
  assert.match(refunded.body.descriptor, / e4$/);
  const nowhere = await pay({ currency: 'JPY' });
  assert.equal(nowhere.code, '800.160.110');
  assert.equal(nowhere.status, 400);
  assert.equal(nowhere.id, undefined);
  assert.equal((await pay({ currency: 'JPY', amount: 'x' })).code, '200.300.404', 'what is malformed is told first');
  assert.equal((await asPsp.read(euros.id, { entityId: SHOPS })).status, 200);
  assert.equal((await asPsp.read(euros.id, { entityId: DOLLARS })).status, 404);
});

const keys: [key: string, status: number][] = [
  ['k', 200],
  ['k'.repeat(255), 200],
  ['k'.repeat(256), 400],
  ['', 400],
  ['ä', 400],
];
for (const [key, status] of keys) {
  test(`an Idempotency-Key of ${key.length} characters "${key.slice(0, 3)}" → ${status}`, async () => {
    const answer = await shop.pay({}, { 'idempotency-key': key });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    if (status === 400) assert.equal(answer.body.result.parameterErrors[0].name, 'Idempotency-Key');
  });
}

test('a key is of the path too: a second refund under the key of the first is no retry of it', async () => {
  const [one, two] = [await shop.pay(), await shop.pay()];
  const refund = (id: string) =>
    shop.refer(id, { paymentType: 'RF', amount: '1.00', currency: 'EUR' }, { 'idempotency-key': 'once' });
  const first = await refund(one.id);
  assert.equal(first.code, '000.100.110');
  assert.equal((await refund(one.id)).id, first.id);
  assert.equal((await refund(two.id)).status, 400);
});

test('parameters of a GET may come in query and body, but not twice', async () => {
  const { id } = await shop.pay();
  const { say } = await import('./raw.ts');
  const get = (query: string, body: string) =>
    say(
      gateway.port,
      `GET /v1/payments/${id}${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${DEMO.token}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  const entity = `entityId=${DEMO.entityId}`;
  assert.deepEqual((await get('', entity)).statuses, [200]);
  assert.deepEqual((await get(`?${entity}`, '')).statuses, [200]);
  assert.deepEqual((await get(`?${entity}`, 'testMode=INTERNAL')).statuses, [200]);
  const twice = await get(`?${entity}`, entity);
  assert.deepEqual(twice.statuses, [400]);
  assert.match(twice.text, /must not be sent twice/);
});

test('the log has one line a request and nothing of what was in it', async () => {
  const before = gateway.lines.length;
  const paid = await shop.pay({ 'card.number': '4200000000000000', 'card.cvv': '987', 'card.holder': 'Zebulon Quux' });
  await shop.read(paid.id);
  const lines = gateway.lines.slice(before).map((line) => JSON.parse(line));
  assert.equal(lines.length, 2);
  const [first, second] = lines;
  assert.equal(first.ndc, paid.body.ndc);
  assert.equal(first.path, '/v1/payments');
  assert.equal(first.code, '000.100.110');
  assert.equal(first.entityId, DEMO.entityId);
  assert.equal(second.path, '/v1/payments/{id}');
  for (const secret of ['4200000000000000', '987"', 'Zebulon', DEMO.token, 'entityId=']) {
    assert.ok(!gateway.lines.slice(before).join('').includes(secret), secret);
  }
});
