import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { SCHEDULE_FIELDS_MAX } from '../../src/schedules/change.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { threadCpuMs } from '../work.ts';
import { DEMO, OTHER } from './client.ts';
import { fullCart, OPERATOR } from './longestTurn.ts';
import type { ThreadMessage } from './longestTurnThread.ts';

/**
 * Every endpoint that reads, over records that are as long as they may be: no reply keeps the event loop, none costs a multiple of the JSON
 * that it is, and many long ones together leave the payment of another merchant its place. See longestTurn.test.ts for the measure.
 */

const TURN_MS_MAX = 35;
const ENOUGH_MS = 20;
const TRIES = 6;
const ITEMS = 1_000;
const PAYMENTS = sized({ quick: 6, assure: 35, reliability: 35 });
const TOGETHER = sized({ quick: 6, assure: 24, reliability: 24 });
/** Payments with as many fields as are read in one go. */
const WIDE = sized({ quick: 10, assure: 100, reliability: 100 });
const LONG_BYTES = 1_000_000;
/** A reply may cost so many times what it takes to read and write its JSON. */
const COST_MAX = 12;
/** Of the processor, between the request of a neighbour and its reply, while long lists are made. */
const NEIGHBOUR_MS = { median: 50, most: 250 };
const REFERENCE = 'order-of-many-items';
const CUSTOMER = 'customer-10017';

type Opened = { readonly worker: Worker; readonly url: string; readonly end: () => Promise<void> };

async function open(thread: URL): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-turns-'));
  const worker = new Worker(thread, { workerData: { dataDir: folder } });
  const [url] = (await once(worker, 'message')) as [string];
  const end = async () => {
    await worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  };
  return { worker, url, end };
}

async function ask<Answer>({ worker }: Opened, message: ThreadMessage): Promise<Answer> {
  const answer = once(worker, 'message');
  worker.postMessage(message);
  return ((await answer) as [Answer])[0];
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const order = (entityId: string): string =>
  `entityId=${entityId}&amount=92.00&currency=EUR&paymentType=DB&paymentBrand=VISA&card.number=4200000000000000&card.holder=Ann+Example&card.expiryMonth=05&card.expiryYear=2034&card.cvv=123`;
const fieldsOf = (at: number): string =>
  [
    'name=A+product+of+the+shop',
    'merchantItemId=item',
    'quantity=2',
    'price=12.50',
    'totalAmount=25.00',
    'sku=SKU',
    'description=Some+words',
  ]
    .map((field) => `&cart.items[${at}].${field}${field.endsWith('0') || field.endsWith('2') ? '' : at}`)
    .join('');
const cart = Array.from({ length: ITEMS }, (_, at) => fieldsOf(at)).join('');
/** As many parameters as a schedule takes. */
const planCart = cart.split('&', SCHEDULE_FIELDS_MAX - 20).join('&');
const wide = Array.from({ length: 900 }, (_, at) => `&customParameters[key${at}]=${'x'.repeat(40)}`).join('');
const named = `&merchantTransactionId=${REFERENCE}&customer.merchantCustomerId=${CUSTOMER}&customer.givenName=Ann&customer.surname=Example`;
const initial = ['mode=INITIAL', 'type=RECURRING', 'source=CIT', 'recurringType=SUBSCRIPTION']
  .map((field) => `&standingInstruction.${field}`)
  .join('');

async function post({ url }: Opened, path: string, body: string, headers: Record<string, string> = FORM): Promise<string> {
  const token = path.startsWith('/admin') ? OPERATOR : DEMO.token;
  const reply = await fetch(url + path, { method: 'POST', headers: { ...headers, authorization: `Bearer ${token}` }, body });
  const text = await reply.text();
  assert.equal(reply.status, 200, text.slice(0, 500));
  return (JSON.parse(text) as { readonly id: string }).id;
}

/** The ids that paths name, by the word before them. */
type Filled = Readonly<Record<string, string>>;

async function fill(opened: Opened, count: number, form = order(DEMO.entityId) + cart): Promise<Filled> {
  let payments = '';
  for (let made = 0; made < count; made += 1) payments = await post(opened, '/v1/payments', form + named);
  return { payments, query: payments };
}

async function fillAll(opened: Opened): Promise<Filled> {
  const own = order(DEMO.entityId);
  const items = fullCart().slice(fullCart().indexOf('&cart.items'));
  const whole = await post(opened, '/v1/payments', fullCart() + named);
  await post(opened, `/v1/payments/${whole}`, `entityId=${DEMO.entityId}&amount=1.00&currency=EUR&paymentType=RF`);
  for (let made = 0; made < WIDE; made += 1) await post(opened, '/v1/payments', own + named + wide);
  const filled = await fill(opened, PAYMENTS);
  const checkout = own.replace(/&(?:card\.|paymentBrand=)[^&]*/g, '') + named + items;
  const checkouts = await post(opened, '/v1/checkouts', checkout);
  const stored = own.replace(/&(?:amount|currency|paymentType)=[^&]*/g, '') + initial + named;
  const registrations = await post(opened, '/v1/registrations', stored);
  await post(opened, '/v1/payments', `${own + initial + named + items}&createRegistration=true`);
  const plan = `entityId=${DEMO.entityId}&registrationId=${registrations}&paymentType=DB&amount=17.00&currency=EUR&job.month=*&job.dayOfMonth=1`;
  const schedules = await post(opened, '/scheduling/v1/schedules', plan + planCart);
  const hook = JSON.stringify({ entityId: DEMO.merchantId, name: 'Orders', url: `${opened.url}/nowhere` });
  const webhooks = await post(opened, '/admin/v1/webhooks', hook, { 'content-type': 'application/json' });
  return { ...filled, checkouts, registrations, schedules, webhooks };
}

const stamp = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString();
/** Days for reports, instants for queries. */
const spanOf = (name: EndpointName): string => {
  const text = (offset: number) =>
    name.startsWith('report') ? stamp(offset).slice(0, 10) : stamp(offset).slice(0, 19).replace('T', ' ');
  return new URLSearchParams({ 'date.from': text(-1), 'date.to': text(1) }).toString();
};

const adminWays = [`&customer=${CUSTOMER}`, `&from=${stamp(-1).slice(0, 10)}&to=${stamp(1).slice(0, 10)}`];

type Read = { readonly title: string; readonly target: string; readonly token: string };

/** The requests of an endpoint that reads: each way in which its parameters name what was filled. */
function readsOf(name: EndpointName, filled: Filled): readonly Read[] {
  const { method, path, access, sections, required } = endpoints[name] as Endpoint;
  if (method !== 'GET' || (access !== 'token' && access !== 'admin')) return [];
  const isAdmin = access === 'admin';
  const target = path.replace(/([a-zA-Z]+)\/\{\w+\}/g, (_, before: string) => `${before}/${filled[before] ?? 'a'.repeat(32)}`);
  const entity = `entityId=${isAdmin ? DEMO.merchantId : DEMO.entityId}`;
  const isQuery = sections.includes('query');
  const ways = isAdmin
    ? ['', '&limit=100', ...sized({ quick: [], assure: adminWays, reliability: adminWays })]
    : isQuery && !path.includes('{id}')
      ? [`&merchantTransactionId=${REFERENCE}`, `&limit=500&includeLinkedTransactions=true&${spanOf(name)}`]
      : isQuery
        ? ['', '&includeLinkedTransactions=true']
        : [required.includes('date.from') ? `&${spanOf(name)}` : `&customer.merchantCustomerId=${CUSTOMER}`, ''];
  const further = isQuery ? ways.map((way) => `${way}&includeCartItems=false`) : [];
  return [...ways, ...further].map((way) => ({
    title: `${name}${way}`,
    target: `${target}?${entity}${way}`,
    token: isAdmin ? OPERATOR : DEMO.token,
  }));
}

async function read({ url }: Opened, { target, token }: Read): Promise<{ readonly status: number; readonly text: string }> {
  const reply = await fetch(url + target, { headers: { authorization: `Bearer ${token}` } });
  return { status: reply.status, text: await reply.text() };
}

/** The longest turn of the event loop while a request is answered; the least of some tries, see longestTurn.test.ts. */
async function longestTurn(opened: Opened, one: Read, triesMax = TRIES) {
  let least = Number.POSITIVE_INFINITY;
  let last = { status: 0, text: '' };
  for (let tries = 0; tries < triesMax && least > ENOUGH_MS; tries += 1) {
    await ask(opened, 'begin');
    last = await read(opened, one);
    least = Math.min(least, await ask<number>(opened, 'end'));
  }
  return { ...last, least };
}

let opened: Opened;
let filled: Filled;
const long: Read[] = [];
before(async () => {
  opened = await open(new URL('./longestTurnThread.ts', import.meta.url));
  filled = await fillAll(opened);
});
after(() => opened.end());

test('no endpoint that reads keeps the event loop for long, whatever the records have', async (context) => {
  const tooLong: string[] = [];
  const said: string[] = [];
  let found = 0;
  const reads = (Object.keys(endpoints) as EndpointName[]).flatMap((name) => readsOf(name, filled));
  for (const one of reads) {
    const { status, text, least } = await longestTurn(opened, one);
    assert.ok(status < 500, `${one.title}: ${status}`);
    if (status === 200) found += 1;
    if (status === 200 && text.length > LONG_BYTES) long.push(one);
    if (least > 10) said.push(`${one.title} ${least.toFixed(0)}`);
    if (least > TURN_MS_MAX) tooLong.push(`${one.title}: ${least.toFixed(0)} ms, ${status}, ${text.length} characters`);
  }
  context.diagnostic(`${found} of ${reads.length} found something; ${long.length} are long; turns in ms: ${said.join(', ')}`);
  assert.deepEqual(tooLong, []);
  assert.ok(found >= 40 && long.length >= 5, `${found} found something, ${long.length} are long`);
  reportFigure('R36', 'heavy requests', reads.length);
});

test('a long reply costs a few times what its JSON costs', async (context) => {
  assert.ok(long.length > 0);
  const costs: string[] = [];
  for (const one of long) {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && least > COST_MAX; tries += 1) {
      const began = await ask<number>(opened, 'processor');
      const { text } = await read(opened, one);
      const spent = (await ask<number>(opened, 'processor')) - began;
      const before = threadCpuMs();
      JSON.stringify(JSON.parse(text));
      least = Math.min(least, spent / (threadCpuMs() - before));
    }
    costs.push(`${one.title} ${least.toFixed(1)}`);
    assert.ok(least <= COST_MAX, `${one.title} costs ${least.toFixed(1)} times its JSON`);
  }
  context.diagnostic(costs.join(', '));
});

/** The processor time that payments of another merchant wait while so many of these requests are answered together. */
async function neighbourWaits(one: Opened, reads: readonly Read[]): Promise<{ readonly median: number; readonly most: number }> {
  const waits = ask<readonly number[]>(one, { form: order(OTHER.entityId), token: OTHER.token });
  const replies = await Promise.all(reads.map((each) => read(one, each)));
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  one.worker.postMessage('enough');
  const sorted = (await waits).toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1] ?? 0, most: sorted.at(-1) ?? 0 };
}

test('long lists together leave the payment of another merchant its place', async (context) => {
  const reads = Array.from({ length: TOGETHER }, (_, at) => long[at % long.length] as Read);
  const { median, most } = await neighbourWaits(opened, reads);
  context.diagnostic(`a neighbour waits ${median.toFixed(1)} ms, ${most.toFixed(1)} ms at most`);
  assert.ok(median <= NEIGHBOUR_MS.median && most <= NEIGHBOUR_MS.most, `${median} ms, ${most} ms at most`);
});

test('control: a gateway that makes a list in one go has long turns, and a neighbour waits', async (context) => {
  const faulty = await open(new URL('./unyieldingThread.ts', import.meta.url));
  try {
    const ids = await fill(faulty, 3, fullCart());
    const one = readsOf('query', ids)[0] as Read;
    const { least } = await longestTurn(faulty, one, 1);
    const { most } = await neighbourWaits(faulty, [one, one, one]);
    context.diagnostic(`a turn of ${least.toFixed(0)} ms, a neighbour waits ${most.toFixed(0)} ms`);
    assert.ok(least > TURN_MS_MAX && most > NEIGHBOUR_MS.most / 2, `${least} ms, ${most} ms`);
  } finally {
    await faulty.end();
  }
});
