import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createAlarm, QUIET_MS } from '../../src/app/alarm.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { type Endpoint, endpoints } from '../../src/spec/endpoints.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/**
 * What strangers can make the gateway write: the same forged call of every endpoint, many times, with every account of an acquirer as its address.
 * Lines of level warn and above are read by people, so their number must not grow with the number of calls.
 */

const CALLS = 10;
const NOTIFICATIONS = 300;
const WARN = 40;
const connectors = ['adyen', 'stripe', 'upstream'];
const settings = {
  adyen: { url: 'http://127.0.0.1:1', merchantAccount: 'Shop' },
  stripe: { url: 'http://127.0.0.1:1' },
  upstream: { url: 'http://127.0.0.1:1', entityId: 'a'.repeat(32) },
} as const;
const OWNER = '5eed7777777777777777777700000000';
const accounts = Object.fromEntries(
  Object.entries(settings).map(([connector, own]) => [connector, { connector, settings: own }]),
);

let gateway: TestGateway;
before(async () => {
  const row = { id: OWNER, kind: 'merchant', parentId: sandbox.division, name: 'Forged', settings: { accounts } } as const;
  gateway = await startGateway({ rows: { entities: [row], tokens: [] } });
});
after(() => gateway.close());

type Line = { readonly level: number; readonly message: string; readonly account?: string; readonly repeated?: number };
const warnings = (): readonly Line[] =>
  gateway.lines.map((line) => JSON.parse(line) as Line).filter(({ level }) => level >= WARN);

/** Bodies that a stranger may send: nothing, letters, and what the form of an acquirer looks like. */
const bodies: readonly string[] = [
  '',
  'x',
  '{}',
  '{"type":"PAYMENT","id":"evt_1","object":"event","data":{"object":{}},"livemode":false}',
  '{"live":"false","notificationItems":[{"NotificationRequestItem":{"additionalData":{"hmacSignature":"AAAA"},"eventCode":"AUTHORISATION"}}]}',
  'entityId=8a8294174b7ecb28014b9699220015ca&amount=1.00',
];

async function forge(origin: string, { method, path }: Endpoint, number: number): Promise<void> {
  const id = randomBytes(16).toString('hex');
  const address = path.replace('{name}', connectors[number % connectors.length] ?? '').replace(/\{[a-zA-Z]+\}/g, id);
  const body = bodies[number % bodies.length] ?? '';
  const headers = { authorization: `Bearer ${id}`, 'x-csrf-token': id, cookie: `session=${id}` };
  const reply = await fetch(`${origin}${address}`, { method, headers, redirect: 'manual', ...(method !== 'GET' && { body }) });
  assert.ok(reply.status < 500, `${method} ${address}: ${reply.status}`);
  await reply.arrayBuffer();
}

test('forged calls of every endpoint write no line that a person has to read for each', async () => {
  const rows = Object.entries(endpoints as Readonly<Record<string, Endpoint>>);
  const before = warnings().length;
  for (const [name, endpoint] of rows) {
    const from = warnings().length;
    const origin = endpoint.path.startsWith('/admin') ? gateway.backOfficeUrl : gateway.url;
    await Promise.all(Array.from({ length: CALLS }, (_, number) => forge(origin, endpoint, number)));
    const written = warnings().slice(from);
    assert.ok(written.length <= 1, `${name}: ${written.length} lines, ${JSON.stringify(written[0])}`);
  }
  assert.ok(rows.length > 100);
  assert.ok(warnings().length - before <= 3);
});

for (const connector of connectors) {
  test(`${connector}: ${NOTIFICATIONS} forged notifications are one line for each reason, and counted`, async () => {
    const from = warnings().length;
    for (let number = 0; number < NOTIFICATIONS; number += 20) {
      const send = async (_: unknown, at: number) => {
        const address = `${gateway.url}/v1/connectors/${connector}/${OWNER}.${connector}/notifications`;
        const headers = {
          'stripe-signature': 't=1,v1=00',
          authorization: 'Basic eDp5',
          'x-initialization-vector': '0'.repeat(24),
        };
        const { status } = await fetch(address, { method: 'POST', headers, body: bodies[(number + at) % bodies.length] ?? '' });
        assert.equal(status, 401);
      };
      await Promise.all(Array.from({ length: 20 }, send));
    }
    const written = warnings().slice(from);
    // Without its secret an account has one reason for all of them.
    assert.equal(written.length, 1, JSON.stringify(written.slice(0, 2)));
    const page = await (await fetch(`${gateway.url}/metrics`)).text();
    const counts = [
      ...page.matchAll(new RegExp(`^turnpike_notifications_refused_total\\{connector="${connector}".*\\} (\\d+)$`, 'gm')),
    ];
    assert.equal(
      counts.reduce((sum, [, count]) => sum + Number(count), 0),
      NOTIFICATIONS,
    );
    // The next one, when the time is over, says how many there were.
    gateway.pass(QUIET_MS);
    await fetch(`${gateway.url}/v1/connectors/${connector}/${OWNER}.${connector}/notifications`, { method: 'POST', body: 'x' });
    assert.equal(warnings().at(-1)?.repeated, NOTIFICATIONS - 1, JSON.stringify(warnings().at(-1)));
  });
}

test('alarms that differ are lines of their own, and the same one is one line in ten minutes', () => {
  const written: string[] = [];
  let now = 0;
  const alarm = createAlarm((about, message) => written.push(JSON.stringify({ ...about, message })), { now: () => now });
  for (let second = 0; second < 1_200; second += 1) {
    now = second * 1_000;
    for (const account of ['a', 'b']) alarm('refused', { account });
  }
  assert.deepEqual(written, [
    ...['a', 'b'].map((account) => JSON.stringify({ alarm: true, account, message: 'refused' })),
    ...['a', 'b'].map((account) => JSON.stringify({ alarm: true, account, repeated: 599, message: 'refused' })),
  ]);
  // Alarms without end are not remembered without end, and none is lost.
  for (let number = 0; number < 5_000; number += 1) alarm('refused', { account: String(number) });
  assert.equal(written.length, 5_004);
});
