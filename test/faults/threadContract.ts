import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CRASH_CODE } from '../../src/app/process/shutdown.ts';
import type { EntityRow, TokenRow } from '../../src/merchants/ports.ts';
import { sandbox, sandboxRows } from '../../src/merchants/sandbox.ts';
import { tokenHash } from '../../src/merchants/tokens.ts';
import type { Store } from '../../src/store/store.ts';
import { formIn } from '../http/cardholder.ts';
import { CARD, DEMO, type Fields, SHOPPER } from '../http/client.ts';
import { feeFile } from '../http/feeFile.ts';
import type { GatewayProcess } from './gatewayProcess.ts';

/**
 * A gateway with two request threads. The system distributes connections between them: of 24 connections, chance puts all on one thread
 * in one of eight million runs.
 */
const CONNECTIONS = 24;
const OPERATOR = 'operator-of-this-gateway.0123456789';
const timeout = 120_000;

const merchantId = '5eed00000000000000000000000000d9';
const userId = '5eed00000000000000000000000000da';
const token = Buffer.from(`${userId}|threads`).toString('base64');
const channelIds = { careful: '5eed0000000000000000000000000d01', slow: '5eed0000000000000000000000000d02' } as const;

const rule = { id: 'often', says: 'often', when: 'count(card, 1h) >= 7', gives: { verdict: 'decline' }, mode: 'on' };
const risk = { mode: 'on', duplicateSeconds: 0, velocity: 'off', cardTesting: 'off', rules: [rule] };
const channel = (id: string, settings: EntityRow['settings']): EntityRow => ({
  id,
  kind: 'channel',
  parentId: merchantId,
  name: id,
  settings,
});
const entities: readonly EntityRow[] = [
  { id: merchantId, kind: 'merchant', parentId: sandbox.division, name: 'Threaded Shop', settings: {} },
  channel(channelIds.careful, { risk }),
  channel(channelIds.slow, { throttle: { read: { requests: 9, perSeconds: 86_400 } } }),
];
const tokens: readonly TokenRow[] = [{ userId, tokenHash: tokenHash(token), entityId: merchantId, createdAt: 0 }];

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };
type Sent = { readonly method?: string; readonly path: string; readonly token?: string | null; readonly body?: string };

/** Sends a request by the connection of an agent. */
const send = (agent: Agent | false, { method = 'GET', path, token: bearer = null, body }: Sent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const isJson = body?.startsWith('{');
    const headers = {
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded' }),
    };
    const url = path.startsWith('http') ? path : `${gateway.url}${path}`;
    const sent = request(url, { agent, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });

const form = (fields: Fields): string => new URLSearchParams(fields).toString();
const codeOf = ({ text }: Answer): string => (JSON.parse(text) as { readonly result: { readonly code: string } }).result.code;
const idOf = ({ text }: Answer): string => (JSON.parse(text) as { readonly id: string }).id;

const order = { ...CARD, entityId: DEMO.entityId, paymentType: 'DB', amount: '10.00', currency: 'EUR' } as const;
const pay = (agent: Agent | false, fields: Fields, bearer: string = DEMO.token) =>
  send(agent, { method: 'POST', path: '/v1/payments', token: bearer, body: form({ ...order, ...fields }) });
const refer = (agent: Agent | false, id: string, fields: Fields) =>
  send(agent, {
    method: 'POST',
    path: `/v1/payments/${id}`,
    token: DEMO.token,
    body: form({ entityId: DEMO.entityId, currency: 'EUR', ...fields }),
  });
const administer = async (path: string, body: object) => {
  const { status, text } = await send(false, {
    method: 'POST',
    path: `/admin/v1${path}`,
    token: OPERATOR,
    body: JSON.stringify(body),
  });
  assert.equal(status, 200, text);
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON came back, read by name
  return JSON.parse(text) as any;
};

let gateway: GatewayProcess;
const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
const onAll = <Result>(ask: (agent: Agent, at: number) => Promise<Result>): Promise<Result[]> => Promise.all(agents.map(ask));

/** Nanoseconds of processor time that the threads of this name have had. */
function processorTime(name: string): number {
  const tasks = `/proc/${gateway.pid()}/task`;
  const own = readdirSync(tasks).filter((task) => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim() === name);
  return own.reduce((sum, task) => sum + Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]), 0);
}

/** A request thread throws when this file is there: dyingThread.mjs. */
const dying = join(tmpdir(), `turnpike-dying-${process.pid}`);

/** The environment of such a gateway. */
export const threadEnv = {
  THREADS: '2',
  ADMIN_TOKEN: OPERATOR,
  NODE_OPTIONS: `--import=${new URL('dyingThread.mjs', import.meta.url).href}`,
  DYING_THREAD: dying,
} as const;

/** The shops of these tests, in a store that is new. */
export async function insertShops(store: Pick<Store, 'insertAccounts'>): Promise<void> {
  await store.insertAccounts(sandboxRows(Date.now()));
  await store.insertAccounts({ entities, tokens });
}

/** What holds for a gateway with several request threads, on every store. */
export function threadContract(open: () => Promise<GatewayProcess>): void {
  before(async () => {
    gateway = await open();
    await gateway.start();
  });
  after(async () => {
    rmSync(dying, { force: true });
    for (const agent of agents) agent.destroy();
    await gateway.kill();
  });
  paymentContract();
  limitContract();
  passedOnContract();
}

function paymentContract(): void {
  test('payments by all connections are counted together in the metrics', { timeout }, async () => {
    const count = async () =>
      Number(/^turnpike_payments_total\{.*\} ([0-9]+)$/m.exec((await send(false, { path: '/metrics' })).text)?.[1] ?? 0);
    const before = await count();
    const replies = await onAll((agent, at) => pay(agent, { amount: `${at + 1}.00` }));
    assert.deepEqual(new Set(replies.map(codeOf)), new Set(['000.100.110']));
    assert.equal((await count()) - before, CONNECTIONS);
    const open = /^turnpike_connections ([0-9]+)$/m.exec((await send(false, { path: '/metrics' })).text)?.[1];
    assert.ok(Number(open) >= CONNECTIONS, `${open} connections`);
  });

  test('what one thread has answered, every other reads at once', { timeout }, async () => {
    for (const agent of agents.slice(0, 6)) {
      const id = idOf(await pay(agent, { paymentType: 'PA' }));
      const read = await onAll((other) =>
        send(other, { path: `/v1/payments/${id}?entityId=${DEMO.entityId}`, token: DEMO.token }),
      );
      assert.deepEqual(new Set(read.map(codeOf)), new Set(['000.100.110']));
      assert.equal(codeOf(await refer(agent, id, { paymentType: 'CP', amount: '10.00' })), '000.100.110');
      const captured = await onAll((other) =>
        send(other, { path: `/v1/payments/${id}?entityId=${DEMO.entityId}`, token: DEMO.token }),
      );
      assert.deepEqual(new Set(captured.map(({ text }) => /"captured":"([^"]*)"/.exec(text)?.[1])).size, 1);
    }
  });

  test('of captures of the whole amount at once exactly one is approved', { timeout }, async () => {
    const id = idOf(await pay(false, { paymentType: 'PA' }));
    const codes = (await onAll((agent) => refer(agent, id, { paymentType: 'CP', amount: '10.00' }))).map(codeOf);
    assert.equal(codes.filter((code) => code === '000.100.110').length, 1, codes.join(' '));
  });

  test('of refunds at once as many are approved as the payment has money for', { timeout }, async () => {
    const id = idOf(await pay(false, {}));
    const codes = (await onAll((agent) => refer(agent, id, { paymentType: 'RF', amount: '1.00' }))).map(codeOf);
    assert.equal(codes.filter((code) => code === '000.100.110').length, 10, codes.join(' '));
  });

  test('charges of one registration at once are all taken', { timeout }, async () => {
    const { paymentType: _, amount: __, currency: ___, ...details } = order;
    const stored = await send(false, { method: 'POST', path: '/v1/registrations', token: DEMO.token, body: form(details) });
    const charges = await onAll((agent, at) =>
      send(agent, {
        method: 'POST',
        path: `/v1/registrations/${idOf(stored)}/payments`,
        token: DEMO.token,
        body: form({ entityId: DEMO.entityId, paymentType: 'DB', amount: `${at + 1}.00`, currency: 'EUR' }),
      }),
    );
    assert.deepEqual(new Set(charges.map(codeOf)), new Set(['000.100.110']), charges[0]?.text ?? '');
  });
}

function limitContract(): void {
  test('a velocity limit lets exactly its number pass, by whichever threads', { timeout }, async () => {
    const replies = await onAll((agent) => pay(agent, { entityId: channelIds.careful }, token));
    const codes = replies.map(codeOf);
    assert.equal(codes.filter((code) => code === '000.100.110').length, 7, codes.join(' '));
  });

  test('a rate limit lets exactly its number pass, by whichever threads', { timeout }, async () => {
    const id = idOf(await pay(false, { entityId: channelIds.slow }, token));
    const path = `/v1/payments/${id}?entityId=${channelIds.slow}`;
    const statuses = (await onAll((agent) => send(agent, { path, token }))).map(({ status }) => status);
    assert.deepEqual([statuses.filter((status) => status === 200).length, new Set(statuses)], [9, new Set([200, 429])]);
  });

  test('a token is known to all threads with the reply that issues it, and to none with the reply that ends it', {
    timeout,
  }, async () => {
    const issued = await administer('/tokens', { entityId: DEMO.entityId, name: 'For a moment' });
    const statuses = async () =>
      (await onAll((agent) => pay(agent, { amount: '3.00' }, issued.token))).map(({ status }) => status);
    assert.deepEqual(new Set(await statuses()), new Set([200]));
    await administer(`/tokens/${issued.issued.id}/end`, { end: 'now' });
    assert.deepEqual(new Set(await statuses()), new Set([403]));
  });
}

function passedOnContract(): void {
  test('a test clock holds for all threads with the reply that moves it', { timeout }, async () => {
    // Payments of another merchant: the clock does not come back to those of these tests.
    const entityId = channelIds.slow;
    await administer('/clock', { entityId: merchantId, by: '2d' });
    const replies = await onAll((agent) => pay(agent, { entityId, amount: '4.00' }, token));
    await administer('/clock', { entityId: merchantId, real: true });
    const daysAhead = replies.map(({ text }) => {
      const [day = ''] = /[0-9]{4}-[0-9]{2}-[0-9]{2}/.exec(/"timestamp":"([^"]*)"/.exec(text)?.[1] ?? '') ?? [];
      return Math.round((Date.parse(day) - Date.now()) / 86_400_000 + 0.5);
    });
    assert.deepEqual([...new Set(daysAhead)], [2], daysAhead.join(' '));
  });

  test('a cardholder returns to whichever thread, and the payment goes on', { timeout }, async () => {
    const challenged = { ...SHOPPER, shopperResultUrl: 'https://shop.example/result', 'card.number': '4200000000000018' };
    const paid = await Promise.all(
      agents.slice(0, 8).map(async (agent) => {
        const pending = await pay(agent, challenged);
        const { url } = (JSON.parse(pending.text) as { readonly redirect: { readonly url: string } }).redirect;
        const visit = (path: string, fields?: Fields) =>
          send(false, { path, ...(fields && { method: 'POST', body: form(fields) }) }).then(({ text }) => text);
        const challenge = formIn(await visit(url));
        const issuer = await visit(challenge.url, challenge.fields);
        const asked = formIn(issuer);
        const code = /\b([0-9]{6})\b/.exec(issuer.replace(/value="[^"]*"/g, ''))?.[1] ?? '';
        const back = formIn(await visit(asked.url, { ...asked.fields, action: 'submit', code }));
        await visit(back.url, back.fields);
        await visit(`${url}/continue`);
        return codeOf(await send(agent, { path: `/v1/payments/${idOf(pending)}?entityId=${DEMO.entityId}`, token: DEMO.token }));
      }),
    );
    assert.deepEqual(new Set(paid), new Set(['000.100.110']));
  });

  test('calls by all connections are there when the inspector is opened', { timeout }, async () => {
    const replies = await onAll((agent, at) => pay(agent, { merchantTransactionId: `inspected-${at}`, amount: '5.00' }));
    const { text } = await send(false, { path: `/admin/v1/calls?entityId=${DEMO.merchantId}&limit=100`, token: OPERATOR });
    const missing = replies.filter((reply) => !text.includes(idOf(reply)));
    assert.equal(missing.length, 0, `${text.slice(0, 500)}\n${gateway.said().slice(-2_000)}`);
  });

  test('a file that is sent by any connection arrives whole', { timeout }, async () => {
    for (const [at, agent] of agents.slice(0, 6).entries()) {
      const path = `/admin/v1/settlements?entityId=${DEMO.merchantId}&name=threads-${at}.csv`;
      const { status, text } = await send(agent, {
        method: 'POST',
        path,
        token: OPERATOR,
        body: feeFile(700, 300, `threads ${at}`),
      });
      assert.deepEqual([status, /"lines":([0-9]+)/.exec(text)?.[1]], [200, '700'], text);
    }
  });

  test('both threads have taken payments', { timeout }, async () => {
    const before = processorTime('requests');
    for (let round = 0; round < 5; round += 1) await onAll((agent) => pay(agent, { amount: '6.00' }));
    // A payment takes some hundred microseconds: ten of them at least were taken by the further thread.
    assert.ok(processorTime('requests') - before > 10 * 200_000);
  });

  test('at a shutdown what is in flight by any connection is answered, and is stored', { timeout }, async () => {
    const slow = onAll((agent, at) =>
      pay(agent, { amount: '7.00', 'customParameters[SIMULATOR_latency]': String(800 + at * 20) }),
    );
    // What was sent before has arrived: these are answered after it was read, by both threads.
    for (let round = 0; round < 20; round += 1) await pay(false, { amount: '8.00' });
    const { code } = await gateway.end('SIGTERM');
    const replies = await slow;
    assert.deepEqual([code, new Set(replies.map(codeOf))], [0, new Set(['000.100.110'])], gateway.said());
    await gateway.start();
    const read = await Promise.all(
      replies.map((reply) => send(false, { path: `/v1/payments/${idOf(reply)}?entityId=${DEMO.entityId}`, token: DEMO.token })),
    );
    assert.deepEqual(new Set(read.map(codeOf)), new Set(['000.100.110']));
  });

  test('an error that no code of a thread catches ends the process, with the code that asks for a restart', {
    timeout,
  }, async () => {
    writeFileSync(dying, '');
    const { code } = await gateway.end('SIGCONT');
    assert.equal(code, CRASH_CODE, gateway.said());
    assert.match(gateway.said(), /the planted error of a request thread/);
  });
}
