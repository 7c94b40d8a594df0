import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { testDatabase } from '../postgres.ts';
import { card, codeOf, isApproved, lenientShop, otherShop, PENDING, pay, type Reply, SUCCESS } from './client.ts';
import { countPayments } from './database.ts';
import { createGateway, type GatewayProcess } from './gatewayProcess.ts';
import { assertOneAnswer, assertOtherBodyIsRefused, attempt, type Operation, prepareOperation } from './retries.ts';
import { createChance } from './stories.ts';

const OPERATIONS = sized({ quick: 40, assure: 200, reliability: 10_000 });
const AT_ONCE = 20;

type RetryPattern = (
  urls: readonly string[],
  operation: Operation,
  times: number,
  chance: () => number,
) => Promise<readonly (Reply | null)[]>;

const inOrder = async (times: number, send: (at: number) => Promise<Reply | null>): Promise<(Reply | null)[]> => {
  const replies: (Reply | null)[] = [];
  for (let at = 0; at < times; at += 1) replies.push(await send(at));
  return replies;
};

/** How an idempotency key is sent more than once. With one node the other node is the same. */
const patterns: Readonly<Record<string, RetryPattern>> = {
  'at once': (urls, operation, times) =>
    Promise.all(Array.from({ length: times }, (_, at) => attempt(urls[at % urls.length] ?? '', operation))),
  'one after the other': ([url = ''], operation, times) => inOrder(times, () => attempt(url, operation)),
  'through the other node': (urls, operation, times) => inOrder(times, (at) => attempt(urls[at % urls.length] ?? '', operation)),
  'after a cut connection': (urls, operation, times, chance) =>
    inOrder(times, (at) => attempt(urls[at % urls.length] ?? '', operation, at === times - 1 ? undefined : chance() * 6)),
};

type Installation = {
  readonly gateways: readonly GatewayProcess[];
  /** The payments that are stored. */
  readonly count: () => Promise<number>;
  readonly end: () => Promise<void>;
};

async function install({ nodes, isPostgres }: { readonly nodes: number; readonly isPostgres: boolean }): Promise<Installation> {
  const database = isPostgres ? await testDatabase() : null;
  const gateways = await Promise.all(
    Array.from({ length: nodes }, () => createGateway(database ? { databaseUrl: database.url } : {})),
  );
  await Promise.all(gateways.map((gateway) => gateway.start()));
  return {
    gateways,
    count: () => countPayments(database?.url ?? null, gateways[0]!.dataDir),
    end: async () => {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await database?.drop();
    },
  };
}

/** Two tests use them, one after the other. */
let twoNodes: Installation;
before(async () => {
  twoNodes = await install({ nodes: 2, isPostgres: true });
});
after(() => twoNodes.end());

const installations: readonly { readonly name: string; open(t: TestContext): Promise<Installation> }[] = [
  { name: 'two nodes on PostgreSQL', open: async () => twoNodes },
  {
    name: 'one node on SQLite',
    open: async (t) => {
      const oneNode = await install({ nodes: 1, isPostgres: false });
      t.after(oneNode.end);
      return oneNode;
    },
  },
];

for (const { name, open } of installations) {
  test(`${name}: however often an operation is sent with its key, it is done once`, {
    timeout: sized({ quick: 120_000, assure: 120_000, reliability: 3_600_000 }),
  }, async (t) => {
    const { gateways, count } = await open(t);
    const { sent, cut, payments, operations } = await sendAll(gateways);
    const stored = await count();
    t.diagnostic(
      `${name}: ${operations} operations, ${sent} requests, ${cut} cut; ${stored} payments stored, ${payments} expected`,
    );
    assert.equal(stored, payments);
    assert.ok(cut >= operations / 20, `only ${cut} connections were cut`);
    reportFigure('R5', 'operations', operations);
    reportFigure('R5', 'requests', sent);
  });
}

type SendFigures = { readonly operations: number; readonly sent: number; readonly cut: number; readonly payments: number };

async function sendAll(gateways: readonly GatewayProcess[]): Promise<SendFigures> {
  const urls = gateways.map(({ url }) => url);
  const chance = createChance(5);
  const names = Object.keys(patterns);
  const label = `retry-${gateways.length}`;
  let sent = 0;
  let cut = 0;
  let payments = 0;
  const done: { readonly operation: Operation; readonly replies: readonly (Reply | null)[] }[] = [];
  const one = async (at: number) => {
    const { operation, made } = await prepareOperation(urls[at % urls.length] ?? '', at, label);
    const retry = patterns[names[Math.floor(at / 5) % names.length] ?? ''];
    const replies = (await retry?.(urls, operation, 2 + Math.floor(chance() * 4), chance)) ?? [];
    sent += replies.length;
    cut += replies.filter((reply) => reply === null).length;
    payments += made + 1;
    done[at] = { operation, replies };
  };
  await runConcurrently(OPERATIONS, one);
  // Once more on gateways that were killed and have lost what was only in memory.
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  await Promise.all(gateways.map((gateway) => gateway.start()));
  const url = urls[0] ?? '';
  await runConcurrently(done.length, async (at) => {
    const { operation, replies } = done[at]!;
    const id = assertOneAnswer(operation, [...replies, await attempt(url, operation)]);
    assert.ok(id, operation.key);
    await assertOtherBodyIsRefused(url, operation);
    if (at % 10 !== 0) return;
    await assertKeyIsFreeElsewhere(url, operation.key, id);
    payments += 2;
  });
  return { operations: done.length, sent, cut, payments };
}

/** An idempotency key belongs to its entity: for the other shop and the other channel it is new. */
async function assertKeyIsFreeElsewhere(url: string, key: string, id: string): Promise<void> {
  const ids = new Set([id]);
  for (const shop of [otherShop, lenientShop]) {
    const reply = await pay(url, { shop, key, fields: { paymentType: 'DB', amount: '3.00', currency: 'EUR', ...card } });
    assert.ok(isApproved(reply), reply.text);
    ids.add(reply.body?.id ?? id);
  }
  assert.equal(ids.size, 3, `${key} named the payment of another entity`);
}

/** Runs a few at a time, so that keys also compete. */
async function runConcurrently(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < count; at = next++) await work(at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

test('two nodes on PostgreSQL: a retry while the acquirer is slow gets the same payment', {
  timeout: 60_000,
}, async () => {
  const { gateways, count } = twoNodes;
  const stored = await count();
  const latency = { 'customParameters[SIMULATOR_latency]': '700' };
  let pending = 0;
  await runConcurrently(AT_ONCE, async (at) => {
    const fields = { paymentType: 'DB', amount: '5.00', currency: 'EUR', ...card, ...latency };
    const operation = { key: `slow-${at}`, fields, referencedId: null };
    const replies = await Promise.all(Array.from({ length: 4 }, (_, to) => attempt(gateways[to % 2]?.url ?? '', operation)));
    const answers = replies.flatMap((reply) => reply ?? []);
    assert.equal(new Set(answers.map(({ body }) => body?.id)).size, 1);
    // A retry that comes after the acquirer's answer, as on a busy machine, is told the result.
    assert.deepEqual(
      answers.map(codeOf).filter((code) => code !== SUCCESS && code !== PENDING),
      [],
    );
    assert.ok(answers.some(isApproved), 'the request that took the payment is answered with its result');
    pending += answers.filter((reply) => codeOf(reply) === PENDING).length;
    const later = await attempt(gateways[at % 2]?.url ?? '', operation);
    assert.ok(later && isApproved(later), later?.text ?? 'no answer');
  });
  assert.ok(pending >= AT_ONCE, `of ${3 * AT_ONCE} retries only ${pending} came while the acquirer was slow`);
  assert.equal((await count()) - stored, AT_ONCE);
});
