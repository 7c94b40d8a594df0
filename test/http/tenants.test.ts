import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settlementFileOf } from '../../src/connectors/simulator/settlement.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { fieldsOf, type RightEndpointName, takesFile } from '../../src/spec/admin/admin.ts';
import { type Endpoint, endpoints } from '../../src/spec/endpoints.ts';
import { DAY_MS } from '../../src/spec/time.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { reportFigure } from '../figures.ts';
import { CARD, createClient, DEMO, type Fields, OTHER, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/**
 * R29: an id of another merchant, wherever it stands (in a path, a form, a list in a JSON body, a filter, a search, a file), is answered as
 * an id that does not exist, and by the same calls of the store: so the time says nothing either. And no reply holds anything of another.
 */

const ABSENT = 'f'.repeat(32);
const { merchantId: ownId } = sandbox.demoShop;
const { merchantId: otherId } = sandbox.otherShop;
/** In every text of the other merchant: no reply to the first one may hold it. */
const MARK = 'Zyxommatics';

/** The calls of the store, by name, in their order. */
const calls: string[] = [];
function counting(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== 'function') return found;
      return (...given: unknown[]) => {
        calls.push(String(name));
        return found.apply(target, given);
      };
    },
  });
}

const store = createMemoryStore();
let gateway: TestGateway;
type User = Awaited<ReturnType<typeof signedInAs>>;
let [user, operator]: User[] = [];
/** What the other merchant has, by kind. */
let things: Readonly<Record<string, string>> = {};

const ask = (who: User | undefined, method: string, path: string, body?: unknown, headers?: Fields) =>
  (who as User).ask(method, path, body, headers);
const made = async (path: string, body: object): Promise<string> => {
  const reply = await ask(operator, 'POST', path, body);
  assert.equal(reply.status, 200, `${path}: ${JSON.stringify(reply.body)}`);
  return (reply.body.id ?? reply.body.issued?.id ?? reply.body.user?.id) as string;
};
const card = Object.fromEntries(Object.entries(CARD).filter(([name]) => name !== 'card.cvv'));
const INITIAL = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
  'standingInstruction.type': 'RECURRING',
};
const done = (reply: Reply): string => {
  assert.ok(typeof reply.id === 'string', JSON.stringify(reply.body));
  return reply.id;
};

/** One of each kind of thing of a merchant. */
async function thingsOf(shop: typeof OTHER | typeof DEMO, mark: string): Promise<Readonly<Record<string, string>>> {
  const client = createClient(gateway.url, shop);
  const entityId = shop === OTHER ? otherId : ownId;
  const customer = {
    'customer.givenName': mark,
    'customer.surname': 'Example',
    'customer.email': `${mark}@shop.example`,
    'customer.merchantCustomerId': mark,
  };
  const texts = { merchantTransactionId: mark, descriptor: mark, ...customer };
  const payment = done(await client.pay(texts));
  const registration = done(await client.send('POST', '/v1/registrations', { ...card, ...INITIAL, ...customer }));
  const plan = { registrationId: registration, paymentType: 'DB', amount: '3.00', currency: 'EUR', 'job.month': '*' };
  const checkout = { amount: '1.00', currency: 'EUR', paymentType: 'DB', merchantTransactionId: mark };
  return {
    payment,
    authorization: done(await client.pay({ ...texts, paymentType: 'PA' })),
    refund: done(await client.refund(payment, '1.00')),
    registration,
    schedule: done(await client.send('POST', '/scheduling/v1/schedules', { ...plan, 'job.dayOfMonth': '1' })),
    checkout: done(await client.send('POST', '/v1/checkouts', checkout)),
    webhook: await made('/webhooks', { entityId, name: mark, url: `https://shop.example/${mark}` }),
    token: await made('/tokens', { entityId, name: mark }),
    role: await made('/roles', { entityId, name: mark, rights: ['readPayments'] }),
    entity: entityId,
    channel: shop.entityId,
  };
}

before(async () => {
  gateway = await startGateway({ store: counting(store) });
  operator = await signedInAs(gateway);
  // Every right, at one merchant.
  user = await signedInAs(gateway, { role: 'operator', entityId: ownId });
  await thingsOf(DEMO, 'OwnMerchant');
  things = await thingsOf(OTHER, MARK);
  await signedInAs(gateway, { role: 'administrator', entityId: otherId, email: `${MARK}@users.example` });
  await made('/riskLists/block/entries', { entityId: otherId, kind: 'email', value: `${MARK}@list.example`, note: MARK }).catch(
    () => '',
  );
  for (const job of ['fan out events', 'aggregate statistics', 'seal ledger blocks', 'write notices', 'save inspected requests'])
    await gateway.work(job).catch(() => {});
  // What is loaded on first use is loaded.
  await createClient(gateway.url).read('e'.repeat(32));
});
after(() => gateway.close());

/** A reply and the calls of the store behind it, without what differs in every request. */
async function seen(
  id: string,
  send: () => Promise<Reply>,
): Promise<{ readonly reply: string; readonly calls: readonly string[] }> {
  calls.length = 0;
  const { status, body } = await send();
  assert.ok(status < 500, JSON.stringify(body));
  const variable = /"(?:ndc|timestamp|at|createdAt|id|shortId)":"[^"]*"/g;
  const text = JSON.stringify(body).replace(variable, '').replaceAll(id, '(id)').replaceAll(shortened(id), '(id)');
  return { reply: `${status} ${text}`, calls: [...calls] };
}
/** As a message about a wrong value shows it. */
const shortened = (id: string): string => `${id.slice(0, 4)}***${id.slice(-2)}`;

/** An id next to this one that does not exist: some lists go on after an id by its order, whether it is there or not. */
const twinOf = (id: string): string => `${id.slice(0, -9)}${id.at(-9) === '7' ? '8' : '7'}${id.slice(-8)}`;

async function areAlike(what: string, send: (id: string) => Promise<Reply>, ids: readonly string[]): Promise<void> {
  // The first call of a kind may load something.
  await send(ABSENT);
  for (const id of ids) {
    const absent = await seen(twinOf(id), () => send(twinOf(id)));
    assert.deepEqual(await seen(id, () => send(id)), absent, `${what} with ${nameOf(id)}`);
    reportFigure('R29', 'foreign ids', 1);
  }
}
const nameOf = (id: string): string => Object.entries(things).find(([, one]) => one === id)?.[0] ?? id;
const isHex = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);
const foreign = () => Object.values(things).filter(isHex);

const rows = Object.entries(endpoints as Readonly<Record<string, Endpoint>>);
const adminRows = rows.filter(([, { access }]) => access === 'admin') as unknown as readonly (readonly [
  RightEndpointName,
  Endpoint,
])[];
/** Every list, page and file that a user can read, without filters. */
const readable = adminRows.filter(([, { method, path }]) => method === 'GET' && !path.includes('{'));
const exampleOf = (name: RightEndpointName): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(name))
      .filter(([, { isRequired }]) => isRequired)
      .map(([field, { example }]) => [field, String(example)]),
  );
const readAll = async (who: User | undefined, name: RightEndpointName, entityId: string): Promise<string> => {
  const path = (endpoints[name] as Endpoint).path.replace('/admin/v1', '');
  const reply = await ask(who, 'GET', `${path}?${new URLSearchParams({ ...exampleOf(name), entityId })}`);
  return JSON.stringify(reply.body);
};

const marks = () => [MARK, ...Object.values(things)];

test('no list, export, inbox, audit log or statistic of a merchant holds anything of another', async () => {
  const leaks: string[] = [];
  for (const [name] of readable) {
    const text = await readAll(user, name, ownId);
    leaks.push(
      ...marks()
        .filter((mark) => text.includes(mark))
        .map((mark) => `${name}: ${nameOf(mark)}`),
    );
  }
  assert.deepEqual(leaks, []);
  reportFigure('R29', 'lists without anything foreign', readable.length);
});

test('control: who may see the other merchant finds it in these lists', async () => {
  const found = new Set<string>();
  for (const [name] of readable) {
    const text = await readAll(operator, name, otherId);
    // The entity itself is in what was asked for.
    if (marks().some((mark) => mark !== otherId && text.includes(mark))) found.add(name);
  }
  for (const name of [
    'searchPayments',
    'exportPayments',
    'listWebhooks',
    'listTokens',
    'listUsers',
    'listRoles',
    'listAudit',
  ] as const)
    assert.ok(found.has(name), `${name} is not among ${[...found]}`);
});

const HEX = /[0-9a-f]{32}/g;
/** Fields that take ids, alone or inside of lists, by the examples of their rows. */
const idFields = (name: RightEndpointName): readonly (readonly [field: string, example: unknown])[] =>
  Object.entries(fieldsOf(name)).flatMap(([field, { kind, example, isSecret }]) => {
    if (field === 'entityId' || isSecret) return [];
    const found = [example, ...kind.good].find((one) => JSON.stringify(one)?.match(HEX));
    return found === undefined ? [] : [[field, found] as const];
  });
const withId = (example: unknown, id: string): unknown => JSON.parse(JSON.stringify(example).replace(HEX, id));

/** A request about the own merchant, in which one field has an id. */
function askWith(name: RightEndpointName, field: string, value: unknown): Promise<Reply> {
  const { method, path } = endpoints[name] as Endpoint;
  const required = Object.entries(fieldsOf(name)).filter(([one, { isRequired }]) => isRequired && one !== field);
  const values = { ...Object.fromEntries(required.map(([one, { example }]) => [one, example])), [field]: value };
  const all: Record<string, unknown> = 'entityId' in fieldsOf(name) ? { ...values, entityId: ownId } : values;
  const way = path.replace('/admin/v1', '').replaceAll(/\{[^}]+\}/g, ownId);
  if (method === 'POST') return ask(user, method, way, all);
  const query = new URLSearchParams(Object.entries(all).map(([one, given]) => [one, String(given)]));
  return ask(user, method, `${way}?${query}`);
}

for (const [name] of adminRows.filter(([one]) => !takesFile(one) && idFields(one).length > 0)) {
  test(`${name}: an id of another merchant in ${idFields(name).map(([field]) => field)} is one that does not exist`, async () => {
    for (const [field, example] of idFields(name))
      await areAlike(`${name} ${field}`, (id) => askWith(name, field, withId(example, id)), foreign());
  });
}

/** Texts that are searched: ids, references, names, e-mail addresses and parts of them. */
test('a search for what another merchant has finds what a search for nothing finds', async () => {
  const texts = [
    MARK,
    MARK.toLowerCase(),
    MARK.slice(0, 4),
    `${MARK}@shop.example`,
    ...foreign(),
    ...foreign().map((id) => id.slice(0, 20)),
  ];
  const search = (field: string) => (text: string) =>
    ask(user, 'GET', `/payments?${new URLSearchParams({ entityId: ownId, [field]: text })}`);
  const fields = Object.keys(fieldsOf('searchPayments')).filter((one) => !['entityId', 'after', 'limit'].includes(one));
  assert.ok(fields.length > 5);
  for (const field of fields) {
    for (const text of texts) {
      const { status, body } = await search(field)(text);
      if (status === 200) assert.deepEqual(body.payments ?? [], [], `${field}=${text}`);
    }
  }
});

type Row = readonly [name: string, row: Endpoint];
const merchantRows: readonly Row[] = rows.filter(([, { access, path }]) => access === 'token' && path.includes('{id}'));
/** What the endpoints of the API need beside the id: the reply must not be one about missing fields. */
const FORM: Fields = { amount: '1.00', currency: 'EUR', paymentType: 'RF' };
const forms: Readonly<Record<string, Fields>> = {
  payRegistered: { ...FORM, paymentType: 'DB' },
  reschedule: { 'job.month': '*', 'job.dayOfMonth': '2' },
  updateCheckout: { amount: '2.00' },
};

for (const [name, { method, path }] of merchantRows) {
  test(`${name}: the id in the path of another merchant is one that does not exist`, async () => {
    const client = createClient(gateway.url);
    const form = method === 'POST' ? (forms[name] ?? FORM) : {};
    await areAlike(name, (id) => client.send(method, path.replace('{id}', id), form), Object.values(things));
  });
}

const PAY: Fields = { amount: '1.00', currency: 'EUR', paymentType: 'DB' };
/** Ids that stand in forms. */
const inForms: readonly (readonly [what: string, method: string, path: string, fields: (id: string) => Fields])[] = [
  [
    'a schedule of a registration',
    'POST',
    '/scheduling/v1/schedules',
    (id) => ({ ...PAY, registrationId: id, 'job.month': '*' }),
  ],
  ['a checkout with stored details', 'POST', '/v1/checkouts', (id) => ({ ...PAY, 'registrations[0].id': id })],
  ['a query by the reference', 'GET', '/v3/query', (id) => ({ merchantTransactionId: id })],
  ['a query by payment', 'GET', '/v1/query', (id) => ({ merchantTransactionId: id })],
  ['stored details of a customer', 'GET', '/v1/registrations', (id) => ({ 'customer.merchantCustomerId': id })],
];
for (const [what, method, path, fields] of inForms) {
  test(`${what}: that of another merchant is one that does not exist`, async () => {
    const client = createClient(gateway.url);
    // A reference is any text.
    await areAlike(what, (id) => client.send(method, path, fields(id)), [...foreign(), ...(method === 'GET' ? [MARK] : [])]);
    const { calls: made } = await seen(ABSENT, () => client.send(method, path, fields(ABSENT)));
    assert.ok(made.length > 0, 'the request is not refused for its form: the id was looked for');
  });
}

test('lines of a file about a payment of another merchant are lines about none', async () => {
  const payment = (await store.payment(otherId, things.payment ?? '')) as Payment;
  const [day] = new Date(gateway.world.clock.now() + DAY_MS).toISOString().split('T');
  const told = settlementFileOf(day ?? '', [payment]);
  assert.ok(told.includes(payment.id), told);
  const bring = async (file: string, ids: readonly string[]) => {
    const sent = await ask(user, 'POST', `/settlements?entityId=${ownId}&name=day.csv`, file, { 'content-type': 'text/csv' });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    const { exceptions } = (await ask(user, 'GET', `/settlementExceptions?entityId=${ownId}&limit=200`)).body;
    const ofFile = exceptions.filter((one: { readonly fileId: string }) => one.fileId === sent.body.id);
    assert.ok(ofFile.length > 0, 'it is an exception');
    const plain = (text: string, id: string) => text.replaceAll(id, '(id)');
    return [sent.body, ofFile].map((one) =>
      [...ids, sent.body.id].reduce(
        plain,
        JSON.stringify(one).replace(/"(?:id|at|digest|importedAt|createdAt|checksum)":"[^"]*"/g, ''),
      ),
    );
  };
  const absent = told.replaceAll(payment.id, ABSENT);
  assert.deepEqual(await bring(told, [payment.id]), await bring(absent, [ABSENT]));
  const acquired = await ask(operator, 'GET', `/settlementExceptions?entityId=${otherId}&limit=200`);
  assert.deepEqual(acquired.body.exceptions, [], 'and the other merchant learns nothing of it');
});

test('control: an answer or a call of the store that differs is noticed', async () => {
  const shows = async (id: string): Promise<Reply> => ({
    ...(await createClient(gateway.url).read(id)),
    status: id === things.payment ? 403 : 404,
  });
  await assert.rejects(areAlike('a status', shows, [things.payment ?? '']));
  const { store: counted } = gateway.services.users.needs;
  const looksTwice = async (id: string): Promise<Reply> => {
    if (id === things.payment) await counted.document('user', id);
    return createClient(gateway.url).read(id);
  };
  await assert.rejects(areAlike('a second look', looksTwice, [things.payment ?? '']));
});
