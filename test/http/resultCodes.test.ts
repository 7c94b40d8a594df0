import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Channel } from '../../src/merchants/channel.ts';
import { payloadFor } from '../../src/payments/webhook/payload.ts';
import { type ResultCode, resultCodes } from '../../src/spec/resultCodes.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Vault } from '../../src/vault/ports.ts';
import { CARD, createClient, DEMO, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/**
 * Every code of the catalogue comes out of the gateway, with its own text, and is what a later question and the webhook say. A payment that
 * is stored answers with 200 or 400: an acquirer's 700.400.580 does not make it unknown, and 800.900.300 says nothing about our token.
 */

const store = createMemoryStore();
let gateway: TestGateway;
let shop: ReturnType<typeof createClient>;
before(async () => {
  gateway = await startGateway({ store });
  shop = createClient(gateway.url);
});
after(() => gateway.close());

const codes = Object.keys(resultCodes) as ResultCode[];

/** How a shop provokes a code. A chargeback needs a payment first. */
async function provoke(code: ResultCode): Promise<Reply> {
  if (resultCodes[code].means !== 'chargeback') return shop.pay({ 'customParameters[forceResultCode]': code });
  const { id } = await shop.pay();
  return shop.refer(id, { paymentType: 'CB', amount: '92.00', currency: 'EUR', chargebackResultCode: code });
}

const replies = new Map<ResultCode, Reply>();

/** The reply with a code, provoked once for all tests. */
async function replyWith(code: ResultCode): Promise<Reply> {
  const reply = replies.get(code) ?? (await provoke(code));
  replies.set(code, reply);
  return reply;
}

/** A payment that is open says 000.200.000, whatever an acquirer calls it; two others are of checkouts. */
const givenFor = (code: ResultCode): ResultCode => (resultCodes[code].means === 'pending' ? '000.200.000' : code);

/** What the webhooks about a payment say, as they are made when they are sent. */
async function webhooksOf(id: string): Promise<readonly Body[]> {
  const channel = () => ({ name: 'Shop' }) as Channel;
  const needs = { store, channel, vault: {} as Vault, alarm: assert.fail };
  const events = store.outbox.filter(({ subjectId }) => subjectId === id);
  const made = await Promise.all(
    events.map((event) => payloadFor(needs, { ...event, detail: null, createdAt: 0 }, { buildNumber: 'build' })),
  );
  return JSON.parse(JSON.stringify(made.map((one) => one?.payload)));
}

const eventsOf = (id: string): string[] => store.outbox.filter(({ subjectId }) => subjectId === id).map(({ code }) => code);

test('every result code is given, with its text and status; a question and the webhook have the same', async () => {
  const wrong: unknown[] = [];
  for (const code of codes) {
    const expectedCode = givenFor(code);
    const { text, means } = resultCodes[expectedCode];
    const http = means === 'declined' || means === 'refused' ? 400 : 200;
    const given = await replyWith(code);
    const read = await shop.read(given.id);
    const got = [given.status, given.code, given.body.result?.description, read.code, eventsOf(given.id)];
    const expected = [http, expectedCode, text, expectedCode, [expectedCode]];
    if (JSON.stringify(got) !== JSON.stringify(expected)) wrong.push({ got, expected });
  }
  assert.deepEqual(wrong, []);
});

type Body = Readonly<Record<string, unknown>>;

/** decisions/0101: whatever became of a payment, it has the amount of its request everywhere. */
const isWithAmount = ({ amount, currency }: Body): boolean => amount === '92.00' && currency === 'EUR';

test('every result code leaves amount and currency in reply, question and webhook', async () => {
  const without: unknown[] = [];
  for (const code of codes) {
    const { id, body } = await replyWith(code);
    const webhooks = await webhooksOf(id);
    assert.ok(webhooks.length > 0, code);
    const said: Readonly<Record<string, Body>> = {
      reply: body,
      question: (await shop.read(id)).body,
      webhook: webhooks.at(-1) ?? {},
    };
    for (const [where, one] of Object.entries(said)) if (!isWithAmount(one)) without.push([code, where, one]);
    assert.ok(webhooks.every(isWithAmount), code);
  }
  assert.deepEqual(without, []);
});

test('control: a decline with presentationAmount alone, and one in another currency, have no amount', () => {
  const own = { presentationAmount: '92.00', presentationCurrency: 'EUR' };
  assert.deepEqual([own, { ...own, amount: '92.00' }, { amount: '92.00', currency: 'USD' }].map(isWithAmount), [
    false,
    false,
    false,
  ]);
});

test('stored details whose secrets are gone are refused by a code of their own', async () => {
  const stored = await shop.send('POST', '/v1/registrations', CARD);
  const found = await store.registration(DEMO.merchantId, stored.id);
  assert.ok(found?.sealed);
  const empty = await startGateway({
    store: { ...store, registration: async (...asked) => ({ ...(await store.registration(...asked)), sealed: null }) as never },
  });
  try {
    const charge = { paymentType: 'DB', amount: '12.50', currency: 'EUR' };
    const charged = await createClient(empty.url).send('POST', `/v1/registrations/${stored.id}/payments`, charge);
    assert.deepEqual([charged.status, charged.code], [400, '100.150.205']);
  } finally {
    await empty.close();
  }
});

/** Tables that have tests of their own over all rows, and texts about codes. */
const TABLES =
  /^src\/(?:spec|client|site|backoffice|demo|widget|testing)\/|\/(?:codes|disputes|returns|simulator\/details|upstream\/answers)\.ts$|\.test\.ts$/;
/** Codes that no test can provoke, and why. */
const UNREACHED: Readonly<Record<string, string>> = {
  '800.700.100': 'only a payment of a checkout can meet another one of it, and the API takes none',
  '800.900.303': 'recorded for a network token that the scheme does not give; the simulation has it, no reply does',
};

test('each code that the program itself decides on is expected by a test', () => {
  const texts = (folder: string): [path: string, text: string][] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => [join(folder, path), readFileSync(join(folder, path), 'utf8')]);
  const sources = [...texts('src'), ...texts('test')];
  const isTest = (path: string): boolean => path.endsWith('.test.ts') || (path.startsWith('test/') && !path.includes('fixtures'));
  const expected = sources.flatMap(([path, text]) => (isTest(path) && !path.endsWith('http/resultCodes.test.ts') ? [text] : []));
  const named = new Map<string, string>();
  for (const [path, text] of sources) {
    if (isTest(path) || TABLES.test(path)) continue;
    for (const [code] of text.matchAll(/\b\d{3}\.\d{3}\.\d{3}\b/g)) if (Object.hasOwn(resultCodes, code)) named.set(code, path);
  }
  assert.ok(named.size >= 120, `${named.size} codes`);
  const missing = [...named].filter(([code]) => !expected.some((text) => text.includes(code)));
  const known = new Set([...Object.keys(UNREACHED), '100.150.205']);
  assert.deepEqual(
    missing.filter(([code]) => !known.has(code)).map(([code, path]) => `${code} of ${path}`),
    [],
  );
});
