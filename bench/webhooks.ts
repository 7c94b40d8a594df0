import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clock, createIds, timers } from '../src/app/system.ts';
import { allMerchants } from '../src/merchants/merchantFilter.ts';
import { createOutbound } from '../src/outbound/client.ts';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import { payloadFor } from '../src/payments/webhook/payload.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { localMaster } from '../src/vault/masterKey.ts';
import { createPieces, systemRandom } from '../src/vault/randomBytes.ts';
import { openVault } from '../src/vault/vault.ts';
import { createDispatcher } from '../src/webhooks/dispatch.ts';
import { exampleWebhook } from '../src/webhooks/examples.ts';
import { fanOut } from '../src/webhooks/fanOut.ts';
import { createWebhookKeys } from '../src/webhooks/keys.ts';
import { startChild, stopOnSignals } from './children.ts';
import { foreignLoad } from './machine.ts';

/**
 * The speed of webhooks: deliveries per second on SQLite with one webhook in five dead, against a bare loop of posts of the same
 * size to the same receiver, and how long the first try takes at a steady pace.
 */
const usage = 'bench/webhooks.ts [--events n: 10,000] [--seconds n: 10]';

const { values } = parseArgs({ options: { events: { type: 'string' }, seconds: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}
stopOnSignals();
const EVENTS = Number(values.events ?? 10_000);
const SECONDS = Number(values.seconds ?? 10);
const WEBHOOKS = 50;
const DEAD_EVERY = 5;
const PER_SECOND = 100;
const BARE_OPEN = 64;
const BARE_MS = 4_000;
const PAUSE_MS = 250;

const { child, stop } = startChild('webhookReceiver.ts');
const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
const origin = `http://127.0.0.1:${port}`;
const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
const store = await openSqliteStore({ dataDir });
const ids = createIds(clock.now);
const vault = await openVault({ masters: [localMaster(Buffer.alloc(32, 7))], store, now: clock.now });
const keys = createWebhookKeys({ store, vault, ids, random: systemRandom });
const isDead = (at: number): boolean => at % DEAD_EVERY === 0;
const entityOf = (at: number): string => String(at).padStart(32, '0');
let bodyBytes = 0;
const { post } = createOutbound({ timers, reach: 'loopback' });
const needs = {
  store,
  clock,
  timers,
  keys,
  post: ((url, sent, bounds) => {
    bodyBytes = sent.body.length;
    return post(url, sent, bounds);
  }) satisfies typeof post,
  payloadFor: (event: Parameters<typeof payloadFor>[1]) =>
    payloadFor({ store, vault, channel: () => null, alarm: () => {} }, event, { buildNumber: 'bench' }),
  iv: createPieces(12, systemRandom),
  chance: () => 0.5,
  onDisabled: () => {},
};
const turn = { merchants: allMerchants, clock };

/** One webhook in five is dead: half of those hang, half refuse the connection. */
async function addWebhooks(): Promise<void> {
  for (let at = 0; at < WEBHOOKS; at += 1) {
    const deadUrl = at % (2 * DEAD_EVERY) === 0 ? `${origin}/hang` : 'http://127.0.0.1:1/';
    const started = exampleWebhook({ id: ids.next(), entityId: entityOf(at), url: isDead(at) ? deadUrl : `${origin}/${at}` });
    const { key } = await keys.make(started, clock.now());
    await store.addWebhook({ ...started, keys: [key], createdAt: clock.now() });
  }
}

let committed = 0;
async function commitEvent(): Promise<void> {
  const at = committed++ % WEBHOOKS;
  const [now, merchantId] = [clock.now(), entityOf(at)];
  const fields = { 'customer.givenName': 'Ann', 'customer.surname': 'Example', 'billing.street1': 'Main Street 1' };
  const payment = examplePayment({ id: ids.next(), merchantId, entityId: merchantId, createdAt: now, movedAt: now, fields });
  const event = { id: ids.next(), type: 'PAYMENT', action: null, code: '000.100.110' } as const;
  await store.commit(exampleCommit(payment, { event }));
}

async function answered(): Promise<number> {
  child.send('how many?');
  const [message] = (await once(child, 'message')) as [{ readonly answered: number }];
  return message.answered;
}

/** How many in a second, and how much of this process's time each takes, its threads together. */
type Pace = { readonly perSecond: number; readonly cpuMicros: number };

function pacer(): (count: number) => Pace {
  const [began, before] = [performance.now(), process.cpuUsage()];
  return (count) => {
    const { user, system } = process.cpuUsage(before);
    return { perSecond: (count * 1000) / (performance.now() - began), cpuMicros: (user + system) / count };
  };
}

/** Posts of the same size, one after the other on each of some kept connections. */
async function bare(bytes: number): Promise<Pace> {
  const agent = new Agent({ keepAlive: true, maxSockets: BARE_OPEN });
  const [body, until, paceOf] = ['A'.repeat(bytes), performance.now() + BARE_MS, pacer()];
  let count = 0;
  const one = () =>
    new Promise<void>((done, fail) => {
      const sent = request(origin, { agent, method: 'POST', headers: { 'content-length': bytes } }, (response) => {
        response.resume().once('end', done);
      });
      sent.once('error', fail).end(body);
    });
  const worker = async () => {
    for (; performance.now() < until; count += 1) await one();
  };
  await Promise.all(Array.from({ length: BARE_OPEN }, worker));
  agent.destroy();
  return paceOf(count);
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const deliverer = createDispatcher(needs);
let isOver = false;
/** Two jobs beside each other, as in a gateway. */
async function work(): Promise<void> {
  const jobs = [() => fanOut({ store, ids, entity: () => null }, turn), () => deliverer.run(turn)];
  const repeat = async (job: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      await job();
      if (!isOver) await pause(PAUSE_MS);
    }
  };
  await Promise.all(jobs.map(repeat));
}

/** All events together: the time until every live receiver has them. */
async function atOnce(): Promise<Pace> {
  for (let count = 0; count < EVENTS; count += 500) await Promise.all(Array.from({ length: 500 }, commitEvent));
  const wanted = Array.from({ length: EVENTS }, (_, at) => at % WEBHOOKS).filter((at) => !isDead(at)).length;
  const before = await answered();
  const [paceOf, working] = [pacer(), work()];
  while ((await answered()) - before < wanted) await pause(20);
  const reached = paceOf(wanted);
  isOver = true;
  await working;
  return reached;
}

/** At a steady pace: from the commit of the event to the end of the first try at a live receiver, in milliseconds. */
async function paced(): Promise<{ readonly p50: number; readonly p99: number; readonly max: number; readonly count: number }> {
  isOver = false;
  const [from, working] = [clock.now(), work()];
  for (let tick = 0; tick < SECONDS * 10; tick += 1) {
    await Promise.all(Array.from({ length: PER_SECOND / 10 }, commitEvent));
    await pause(100);
  }
  await pause(3_000);
  isOver = true;
  await working;
  const living = (await store.webhooks()).filter(({ url }) => url.startsWith(origin) && !url.endsWith('/hang'));
  const lists = await Promise.all(living.map(({ id }) => store.deliveries({ webhookId: id, from, limit: 10_000 })));
  const ms = lists
    .flat()
    .map(({ event, tries: [first] }) => (first ? first.at + first.ms - event.createdAt : Number.POSITIVE_INFINITY))
    .sort((one, other) => one - other);
  const at = (share: number) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1), count: ms.length };
}

try {
  const busy = await foreignLoad();
  await addWebhooks();
  const first = await bare(2_000);
  const reached = await atOnce();
  const second = await bare(bodyBytes);
  const pace = await paced();
  const percent = Math.round((200 * reached.perSecond) / (first.perSecond + second.perSecond));
  const shown = ({ perSecond, cpuMicros }: Pace) => `${Math.round(perSecond)}/s, ${Math.round(cpuMicros)} µs`;
  console.log(`${EVENTS} events to ${WEBHOOKS} webhooks, one in ${DEAD_EVERY} dead, bodies of ${bodyBytes} bytes, SQLite`);
  console.log(`deliveries          ${shown(reached)}: ${percent} % of bare posts`);
  console.log(`bare posts          ${shown(first)} before; ${shown(second)} after`);
  console.log(`first try at ${PER_SECOND}/s   p50 ${pace.p50} ms, p99 ${pace.p99} ms, worst ${pace.max} ms of ${pace.count}`);
  console.log(`busy with other things before: ${busy === null ? 'not known' : `${Math.round(busy * 100)} %`}`);
} finally {
  await deliverer.stop(1_000);
  await store.close();
  await stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);
