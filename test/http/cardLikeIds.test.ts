import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { route } from '../../src/http/route.ts';
import type { Ids } from '../../src/payments/ports.ts';
import { type AdminEndpointName, fieldsOf } from '../../src/spec/admin/admin.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { settings as sepaSettings } from '../connectors/sepa/account.ts';
import { CARD, createClient, type Fields, type Reply } from './client.ts';
import { freshShops } from './freshShops.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/**
 * An id that looks like a card number is found by every endpoint whose path names one: what is masked is what is written down, never what
 * is looked up. Every id of this gateway is 32 digits that end in a card number, the worst that the finder of card numbers can meet.
 */

const rows = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([name, { path }]) => path.includes('{') && name !== 'backOffice',
);

/** The number with its check digit by Luhn's rule. */
function withCheckDigit(payload: string): string {
  const sum = [...payload].reduceRight((total, digit, at) => {
    const value = Number(digit) * ((payload.length - at) % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${payload}${(10 - (sum % 10)) % 10}`;
}

let made = 0;
function nextId(): string {
  made += 1;
  return withCheckDigit(`42${String(made).padStart(13, '0')}`).padStart(32, '0');
}
const cardLike = (): Ids => ({
  next: nextId,
  random: nextId,
  short: () => `4200.0000.${String(made++).padStart(4, '0')}`,
});

/** Ids of every shape that the API gives out or a caller may choose. */
const shapes: readonly string[] = [
  '4200000000000000',
  '4200000000000000'.padStart(32, '0'),
  '20261119455552000000000000000001',
  '5441122339784652'.repeat(2),
  '544112233978465a5441122339784652',
  '20000000000000004200000000000000.TEST-1',
  'a-4200000000000000',
  Buffer.from('bank/BBBBBBBB', 'utf8').toString('hex'),
];

for (const [name, { method, path }] of rows) {
  test(`${name}: the id in the path arrives as it was sent`, () => {
    for (const id of [...shapes, nextId()]) {
      const target = path.replace(/\{\w+\}/g, id);
      const routed = route(method, target);
      assert.ok(routed.is === 'found', target);
      // Where a static path of the table fits too, it wins.
      if (routed.endpoint !== name) continue;
      assert.equal(routed.path, target);
      if (path.includes('{id}')) assert.equal(routed.id, id);
    }
  });
}

const { shops, rows: shopRows } = freshShops(1, {
  isLenient: true,
  connectors: { default: 'simulator', DD: 'bank' },
  accounts: { bank: { connector: 'sepa', settings: { ...sepaSettings, noticeDays: 14 } } },
  risk: {
    mode: 'on',
    rules: [{ id: 'look', says: 'Look.', mode: 'on', when: "customer.email = 'look@example.org'", gives: { verdict: 'review' } }],
  },
});
const [shop = assert.fail('no shop')] = shops;
const merchantId = shop.merchant.entityId;
const channel = shop.channels[0] ?? assert.fail('no channel');
let gateway: TestGateway;
let user: Awaited<ReturnType<typeof signedInAs>>;
let client: ReturnType<typeof createClient>;
/** An object of every kind, by its name in the tables below. */
const things: Record<string, string> = {};

const office = async (method: string, path: string, body?: object): Promise<Reply['body']> => {
  const reply = await user.ask(method, path, body);
  assert.equal(reply.status, 200, `${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
};
const idOf = (reply: Reply): string => {
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.id;
};
const MONEY = { amount: '1.00', currency: 'EUR' };
const SERIES = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
  'standingInstruction.type': 'RECURRING',
};
const { 'card.cvv': _, ...storedCard } = CARD;
const DEBIT = {
  testMode: 'EXTERNAL',
  paymentBrand: 'DIRECTDEBIT_SEPA',
  paymentType: 'DB',
  amount: '12.00',
  currency: 'EUR',
  recurringType: 'INITIAL',
  createRegistration: 'true',
  'bankAccount.iban': 'AT611904300234573201',
  'bankAccount.holder': 'Ann Example',
  'bankAccount.bic': 'BKAUATWW',
  'bankAccount.country': 'AT',
  'bankAccount.mandate.dateOfSignature': '2026-01-05',
};

before(async () => {
  gateway = await startGateway({ rows: shopRows, createIds: cardLike, operatorToken: 'operator-of-card-like-ids-0123456789' });
  user = await signedInAs(gateway);
  client = createClient(gateway.url, channel);
  things.payment = idOf(await client.pay());
  things.authorization = idOf(await client.pay({ paymentType: 'PA', amount: '41.00' }));
  things.reviewed = idOf(await client.pay({ amount: '42.00', 'customer.email': 'look@example.org' }));
  things.registration = idOf(await client.send('POST', '/v1/registrations', { ...storedCard, ...SERIES }));
  const plan = { registrationId: things.registration, paymentType: 'DB', ...MONEY, 'job.month': '*', 'job.dayOfMonth': '1' };
  things.schedule = idOf(await client.send('POST', '/scheduling/v1/schedules', plan));
  things.removeSchedule = idOf(await client.send('POST', '/scheduling/v1/schedules', plan));
  things.cancelSchedule = idOf(await client.send('POST', '/scheduling/v1/schedules', plan));
  things.checkout = idOf(await client.send('POST', '/v1/checkouts', { ...MONEY, paymentType: 'DB' }));
  things.authentication = (await client.send('POST', '/v1/threeDSecure', { ...CARD, ...MONEY })).id;
  things.assessment = (await client.send('POST', '/v1/risk', { ...CARD, ...MONEY })).id;
  // In hexadecimal digits, as addresses have it, this mandate is 4242424242424242.
  idOf(await client.send('POST', '/v1/payments', { ...DEBIT, 'bankAccount.mandate.id': 'BBBBBBBB' }));
  things.mandate = (await office('GET', `/mandates?entityId=${merchantId}`)).mandates[0]?.id ?? assert.fail('no mandate');
  const hook = await office('POST', '/webhooks', { entityId: merchantId, name: 'Orders', url: 'http://127.0.0.1:9/hook' });
  things.webhook = hook.id;
  things.inbox = (await office('POST', '/inbox', { entityId: merchantId })).id;
  const token = await office('POST', '/tokens', { entityId: merchantId, name: 'One' });
  things.token = token.issued?.id ?? token.id;
  const role = await office('POST', '/roles', { entityId: merchantId, name: 'Reader', rights: ['readPayments'] });
  things.role = role.id ?? role.role?.id;
  const invited = await office('POST', '/users', {
    email: 'bea@shop.example',
    name: 'Bea',
    entityId: merchantId,
    role: 'support',
  });
  things.user = invited.user?.id ?? invited.id;
  things.view = (await office('POST', '/views', { page: 'payments', name: 'Mine', filters: {} })).id;
  things.entity = merchantId;
  await gateway.work('save inspected requests').catch(() => {});
  const { calls } = await office('GET', `/calls?entityId=${merchantId}`);
  things.call = calls[0]?.id ?? assert.fail('no call was recorded');
});
after(() => gateway.close());

/** The object that a path names, by the beginning of the path; the longest one holds. */
const namedBy: readonly (readonly [start: string, thing: string])[] = [
  ['/v1/payments/', 'payment'],
  ['/v1/query/', 'payment'],
  ['/v3/query/', 'payment'],
  ['/v1/registrations/', 'registration'],
  ['/v1/checkouts/', 'checkout'],
  ['/v1/threeDSecure/', 'authentication'],
  ['/v1/risk/', 'assessment'],
  ['/scheduling/v1/schedules/', 'schedule'],
  ['/admin/v1/webhooks/', 'webhook'],
  ['/admin/v1/entities/', 'entity'],
  ['/admin/v1/tokens/', 'token'],
  ['/admin/v1/calls/', 'call'],
  ['/admin/v1/inbox/', 'inbox'],
  ['/admin/v1/payments/', 'payment'],
  ['/admin/v1/views/', 'view'],
  ['/admin/v1/users/', 'user'],
  ['/admin/v1/roles/', 'role'],
  ['/admin/v1/riskExplanations/', 'payment'],
  ['/admin/v1/reviews/', 'reviewed'],
  ['/admin/v1/registrations/', 'registration'],
  ['/admin/v1/mandates/', 'mandate'],
  ['/admin/v1/checkouts/', 'checkout'],
  ['/admin/v1/schedules/', 'schedule'],
];

/** What is sent, where an endpoint looks for its object only behind valid fields. */
const forms: Partial<Readonly<Record<EndpointName, Fields>>> = {
  refer: { paymentType: 'RF', ...MONEY },
  capture: MONEY,
  refund: MONEY,
  payRegistered: { paymentType: 'DB', ...MONEY },
  updateCheckout: { amount: '2.00', currency: 'EUR' },
  reschedule: { amount: '2.00', 'job.month': '*', 'job.dayOfMonth': '2' },
};

/** Endpoints whose object is long in the making. What they share with the others is the router, which the test above covers. */
const elsewhere: ReadonlySet<string> = new Set([
  ...['readSettlement', 'resolveException', 'readDelivery', 'readInboxMessage', 'approve', 'refuse', 'readPlayed'],
  ...['readScenario', 'removeScenario', 'readScenarioLog', 'attachScenario', 'detachScenario'],
  ...['removePasskey', 'endSession', 'endPaymentLink', 'reportSettlement', 'reportSettlementPages'],
]);

const needsCaller = ({ access }: Endpoint): boolean => ['token', 'admin', 'session'].includes(access);
const tried = rows.filter(([name, endpoint]) => needsCaller(endpoint) && !elsewhere.has(name));
const ranks = ['GET', 'POST', 'DELETE'];

const send = (name: EndpointName, { method, path, access }: Endpoint, id: string): Promise<Reply> => {
  const at = path.replace('{id}', id);
  if (access === 'token') return client.send(method, at, forms[name] ?? {});
  const values = needed(name);
  const query = new URLSearchParams(values).toString();
  return method === 'POST'
    ? user.ask(method, at.slice('/admin/v1'.length), values)
    : user.ask(method, `${at.slice('/admin/v1'.length)}${query && `?${query}`}`);
};
/** The examples of the fields that an endpoint of the administration needs. */
const needed = (name: EndpointName): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(name as AdminEndpointName))
      .filter(([, { isRequired }]) => isRequired)
      .map(([field, { example }]) => [field, field === 'entityId' ? merchantId : (example as string)]),
  );

/** A reply without what every reply has for itself. */
const seen = ({ status, body }: Reply): string => JSON.stringify([status, body.result ?? Object.keys(body)]);

test('every endpoint finds the object whose id its path names: its answer is another one than for an id that is not there', async () => {
  // What removes an object comes last, and has one of its own.
  const inOrder = tried.toSorted(([, one], [, other]) => ranks.indexOf(one.method) - ranks.indexOf(other.method));
  const wrong: string[] = [];
  for (const [name, endpoint] of inOrder) {
    const kind = namedBy.find(([start]) => endpoint.path.startsWith(start))?.[1] ?? assert.fail(`what does ${name} name?`);
    const id = things[name] ?? things[kind] ?? assert.fail(kind);
    const absent = kind === 'checkout' ? `${nextId()}.test-1` : kind === 'mandate' ? '62616e6b2f31' : nextId();
    const [there, gone] = [seen(await send(name, endpoint, id)), seen(await send(name, endpoint, absent))];
    if (there === gone) wrong.push(`${name} ${id}: ${there.slice(0, 200)}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(inOrder.length >= 50, String(inOrder.length));
});
