import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { createIds } from '../../src/app/system.ts';
import { createReplies } from '../../src/http/replies.ts';
import type { Request } from '../../src/http/request.ts';
import { type WalletServices, walletForm, walletToken } from '../../src/http/sandbox/walletIssuer.ts';
import { trustOf } from '../../src/http/transport/clientAddress.ts';
import type { Message } from '../../src/http/transport/message.ts';
import type { Reply } from '../../src/http/transport/reply.ts';
import { createDirectory } from '../../src/merchants/directory.ts';
import { sandbox, sandboxRows } from '../../src/merchants/sandbox.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createSandboxIssuer } from '../../src/wallets/issuer/issuer.ts';
import { isFault } from '../../src/wallets/wallet.ts';
import { openWallet } from '../../src/wallets/wallets.ts';
import { startGateway } from './gateway.ts';

const NOW = Date.UTC(2031, 4, 1, 12);
const clock = { now: () => NOW };
const ids = createIds(clock.now);
const store = createMemoryStore();
await store.insertAccounts(sandboxRows(NOW));
const issuer = createSandboxIssuer({ seed: 'page', ids });
const services: WalletServices = {
  directory: await createDirectory(store, clock),
  replies: createReplies({ clock, ids }, 'build'),
  trust: trustOf(false),
  publicUrl: null,
  world: { clock },
  walletIssuer: issuer,
};

type Sent = { readonly query?: string; readonly accept?: string; readonly host?: string };

function request(
  method: 'GET' | 'POST',
  body: string,
  { query = '', accept = 'text/html', host = 'localhost:8080' }: Sent,
): Request {
  const headers = { accept, host };
  const message = { peer: { address: '127.0.0.1' }, headers } as unknown as Message;
  const endpoint = method === 'GET' ? 'walletForm' : 'walletToken';
  return {
    side: 'gateway',
    endpoint,
    id: null,
    method,
    path: '/sandbox/wallets',
    query,
    headers,
    body: Buffer.from(body),
    message,
  };
}

const get = (sent: Sent = {}): Reply => walletForm(services, request('GET', '', sent));
const post = (fields: Readonly<Record<string, string>> | string, sent: Sent = {}): Reply =>
  walletToken(services, request('POST', typeof fields === 'string' ? fields : String(new URLSearchParams(fields)), sent));
const JSON_PLEASE: Sent = { query: 'format=json' };

const header = ({ headers }: Reply, name: string): string => headers[headers.indexOf(name) + 1] ?? '';
const unescaped = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const inside = ({ body }: Reply, id: string): string =>
  unescaped(new RegExp(`<pre[^>]* id="${id}"[^>]*>([\\s\\S]*?)</pre>`).exec(body)?.[1] ?? '');
const chosen = ({ body }: Reply, name: string): string | undefined =>
  new RegExp(`<select[^>]*name="${name}"[^>]*>[\\s\\S]*?<option value="([^"]*)" selected>`).exec(body)?.[1];

test('live has no such page', () => {
  const live = { ...services, walletIssuer: null };
  for (const reply of [walletForm(live, request('GET', '', {})), walletToken(live, request('POST', 'wallet=walletA', {}))]) {
    assert.equal(reply.status, 404);
    assert.equal(JSON.parse(reply.body).result.code, '700.400.580');
  }
});

test('the page runs its own script and style alone, sends its form to us alone and is kept nowhere', () => {
  const page = get();
  assert.equal(page.status, 200);
  const policy = header(page, 'Content-Security-Policy');
  for (const tag of ['style', 'script']) {
    const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page.body)?.[1] ?? '';
    assert.ok(policy.includes(`${tag}-src 'sha256-${hash('sha256', text, 'base64')}';`), tag);
  }
  assert.match(policy, /^default-src 'none'; .*base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/);
  assert.ok(!/\son\w+=|style="|javascript:|https?:\/\//.test(page.body), 'nothing inline, nothing from elsewhere');
  assert.match(header(page, 'Cache-Control'), /no-store/);
});

test('every field has a label, and an address can fill them in, but not the number', () => {
  const page = get({ query: 'wallet=googlePay&version=ECv1&amount=12.00&fault=expired&number=5200000000000007' });
  const names = [...page.body.matchAll(/<(?:select|input) [^>]*?id="([^"]+)"/g)].map((match) => match[1] ?? '');
  assert.equal(names.length, 13);
  for (const name of names) assert.ok(page.body.includes(`<label for="${name}">`), name);
  assert.equal(chosen(page, 'wallet'), 'walletB ECv1');
  assert.equal(chosen(page, 'fault'), 'expired');
  assert.equal(chosen(page, 'number'), '4200000000000000');
  assert.match(page.body, /name="amount" value="12\.00"/);
});

test('a token is shown with the request that pays with it, ready to copy', () => {
  const page = post({ wallet: 'walletA EC_v1', amount: '12.50', entityId: sandbox.otherShop.channelId });
  assert.equal(page.status, 200);
  const setup = issuer.of(sandbox.otherShop.merchantId).setupFor('walletA');
  const card = openWallet('walletA', inside(page, 'token'), { setup, now: NOW });
  assert.ok(!isFault(card) && card.amount === 1250n);
  const curl = inside(page, 'curl');
  assert.ok(curl.startsWith("curl 'http://localhost:8080/v1/payments'"));
  assert.ok(curl.includes(`-H 'Authorization: Bearer ${sandbox.otherShop.token}'`));
  assert.ok(curl.includes(`--data-urlencode 'walletA.paymentToken=${inside(page, 'token')}'`));
  assert.match(page.body, /Good until 1 May 2031, 12:05 UTC/);
  assert.equal(page.entityId, sandbox.otherShop.channelId);
});

test('a token with a fault says what will become of it', () => {
  const page = post({ wallet: 'walletB', fault: 'tampered' });
  assert.equal(page.status, 200);
  assert.match(page.body, /is refused \(tampered\)/);
});

const refused: readonly [what: string, body: string, names: readonly string[]][] = [
  ['nothing', '', ['wallet']],
  ['JSON', '{"wallet":"walletA"}', ['{"wallet":"walletA"}', 'wallet']],
  ['a field twice', 'wallet=walletA&wallet=walletB', ['wallet']],
  ['bytes that are no text', 'wallet=walletA&holder=%ff', ['holder']],
  ['a card number of a real card', 'wallet=walletA&number=4929000000006', ['number']],
  ['much that is wrong', 'wallet=walletA&number=1&amount=x&currency=y', ['number', 'amount', 'currency']],
  ['a script', 'wallet=<script>alert(1)</script>', ['wallet']],
  ['an unknown entity', `wallet=walletA&entityId=${'f'.repeat(32)}`, ['entityId']],
  ['a name that is none', 'wallet=walletA&__proto__=1&<b>=2', ['__proto__', '<b>']],
];
for (const [what, body, names] of refused) {
  test(`${what}: 400, a sentence for each fault, on the page and as JSON`, () => {
    const answer = post(body, JSON_PLEASE);
    assert.equal(answer.status, 400);
    const { result } = JSON.parse(answer.body) as {
      result: { code: string; parameterErrors: { name: string; message: string }[] };
    };
    assert.equal(result.code, '200.300.404');
    assert.deepEqual(
      result.parameterErrors.map(({ name }) => name),
      names,
    );
    const page = post(body);
    assert.equal(page.status, 400);
    assert.match(page.body, /role="alert"/);
    for (const { message } of result.parameterErrors) assert.ok(unescaped(page.body).includes(message), message);
    assert.ok(!/<script>alert|<b>/.test(page.body), 'what was sent is text on the page');
    assert.ok(!page.body.includes('4929000000006'), 'a number that is no test card does not come back');
  });
}

test('what was filled in is still there when something else was wrong', () => {
  const fields = { wallet: 'walletC RSA-OAEP', number: '5200000000000007', amount: '9,99', currency: 'USD', holder: '"><i>' };
  const page = post({ ...fields, fault: 'expired', signed: 'yes', entityId: sandbox.demoShop.lenientChannelId });
  assert.equal(page.status, 400);
  assert.equal(chosen(page, 'wallet'), fields.wallet);
  assert.equal(chosen(page, 'number'), fields.number);
  assert.equal(chosen(page, 'entityId'), sandbox.demoShop.lenientChannelId);
  assert.equal(chosen(page, 'fault'), 'expired');
  assert.match(page.body, /name="amount" aria-describedby="field-amount-wrong" aria-invalid="true" value="9,99"/);
  assert.match(page.body, /value="&quot;&gt;&lt;i&gt;"/);
  assert.match(page.body, /name="signed" value="yes" checked/);
  assert.match(page.body, /<details open>/);
});

test('scripts are answered in JSON, by the query or by what they accept', () => {
  for (const sent of [JSON_PLEASE, { accept: 'application/json' }]) {
    const { status, body } = post({ wallet: 'walletB' }, sent);
    const { token, curl, ...rest } = JSON.parse(body) as Record<string, string>;
    assert.equal(status, 200);
    assert.ok(curl?.includes(token ?? '?'));
    assert.deepEqual(rest, {
      wallet: 'walletB',
      version: 'ECv2',
      entityId: sandbox.demoShop.channelId,
      parameter: 'walletB.paymentToken',
      amount: '92.00',
      currency: 'EUR',
      refused: null,
      validUntil: '2031-05-08T12:00:00.000Z',
    });
    const choices = JSON.parse(get(sent).body) as { channels: { name: string }[]; cards: unknown[]; faults: object };
    assert.deepEqual(
      choices.channels.map(({ name }) => name),
      ['Demo_Shop', 'Demo_Lenient', 'Other_Shop'],
    );
    assert.ok(choices.cards.length > 20 && Object.keys(choices.faults).length === 7);
  }
  assert.match(header(post({ wallet: 'walletB' }, { accept: 'text/html,application/json' }), 'Content-Type'), /text\/html/);
});

test('a host that could leave its quotes in the command is not put there', () => {
  assert.match(inside(post({ wallet: 'walletA' }, { host: "x';rm -rf ~;'" }), 'curl'), /^curl 'http:\/\/localhost:8080\/v1/);
});

test('over HTTP: the form is read, sent and refused, and nothing of it is written down', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const url = `${gateway.url}/sandbox/wallets`;
  const form = await fetch(url);
  assert.equal(form.status, 200);
  assert.match(form.headers.get('content-type') ?? '', /text\/html/);
  assert.match(await form.text(), /<form method="post" action="\/sandbox\/wallets"/);
  assert.equal((await fetch(url, { method: 'HEAD' })).status, 200);
  assert.equal((await fetch(url, { method: 'DELETE' })).status, 405);
  const made = await fetch(url, { method: 'POST', body: new URLSearchParams({ wallet: 'walletA', number: '4200000000000018' }) });
  assert.equal(made.status, 200);
  assert.match(await made.text(), /Pay with it/);
  const bad = ['', 'wallet=walletA&amount=-1', '\xff\xfe', 'a'.repeat(100_000), '&'.repeat(1000), '%', 'wallet[0][a]=walletA'];
  for (const body of bad) assert.equal((await fetch(url, { method: 'POST', body })).status, 400, body.slice(0, 30));
  const log = gateway.lines.join('\n');
  assert.ok(log.includes('"/sandbox/wallets"') && !/4200000000000018|publicKeyHash/.test(log));
});

test('over HTTP: live answers as at any path that is not there', async (t) => {
  const gateway = await startGateway({ environment: 'live' });
  t.after(() => gateway.close());
  const result = async (path: string, method: string) => {
    const response = await fetch(`${gateway.url}${path}`, { method });
    return { status: response.status, result: ((await response.json()) as { result: object }).result };
  };
  for (const method of ['GET', 'POST'])
    assert.deepEqual(await result('/sandbox/wallets', method), await result('/sandbox/nothing', method));
});
