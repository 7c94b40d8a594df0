import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createProofCheck, createReceiver } from '../../src/app/nodes/handover.ts';
import { createAlarm, QUIET_MS } from '../../src/app/process/alarm.ts';
import { connectorKinds } from '../../src/connectors/registry.ts';
import { createPeerServer } from '../../src/http/transport/peerServer.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { type Endpoint, endpoints } from '../../src/spec/endpoints.ts';
import { localMaster } from '../../src/vault/masterKey.ts';
import { freePort } from '../freePort.ts';
import { sized } from '../long.ts';
import { idsOf } from './cardholder.ts';
import { CARD, createClient, DEMO, OTHER, SHOPPER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/**
 * What strangers can make the gateway write: the same forged call of every endpoint, many times, with every account of an acquirer as its address.
 * Lines of level warn and above are read by people, so their number must not grow with the number of calls.
 */

const CALLS = 10;
const NOTIFICATIONS = sized({ quick: 100, assure: 300, reliability: 300 });
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

/** The file of a connector's capabilities. */
const sourceOf = (name: string): string =>
  readFileSync(new URL(`../../src/connectors/${name}/${name}.ts`, import.meta.url), 'utf8');

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

/** Results of authentications as a cardholder, an issuer or a directory server would send them, and returns of shoppers. */
const forgedResults = (ids: Readonly<Record<string, string>>): readonly string[] => {
  const { threeDSServerTransID = '', acsTransID = '', messageVersion = '2.2.0' } = ids;
  const named = { messageVersion, threeDSServerTransID, acsTransID };
  const result = JSON.stringify({ ...named, messageType: 'CRes', transStatus: 'Y', challengeCompletionInd: 'Y' });
  return [
    ...bodies,
    `cres=${Buffer.from(result).toString('base64url')}&threeDSSessionData=x`,
    `cres=${'A'.repeat(200)}`,
    JSON.stringify({
      ...named,
      messageType: 'RReq',
      transStatus: 'Y',
      authenticationValue: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
      eci: '05',
    }),
    JSON.stringify({ ...named, messageType: 'RReq', transStatus: 'X', messageVersion: '9.9.9' }),
    `threeDSMethodData=${Buffer.from(JSON.stringify({ threeDSServerTransID })).toString('base64url')}`,
    'status=approved&token=x',
    'redirectResult=x&payment_intent=pi_1&payment_intent_client_secret=x',
  ];
};

test('forged returns and results of payments that there are write no line for each', async () => {
  const shop = createClient(gateway.url);
  const shopper = { ...SHOPPER, shopperResultUrl: 'https://shop.example/result' };
  const challenged = await shop.pay({ 'card.number': '4200000000000018', ...shopper });
  const noCard = Object.fromEntries(Object.keys(CARD).map((name) => [name, '']));
  const redirected = await shop.pay({ ...noCard, paymentBrand: 'PAYPAL', ...shopper });
  const paid = await shop.pay();
  const checkout = await shop.send('POST', '/v1/checkouts', { amount: '92.00', currency: 'EUR', paymentType: 'DB' });
  assert.ok(challenged.body.redirect && redirected.body.redirect && paid.id && checkout.id, JSON.stringify(challenged.body));
  const forms = forgedResults(await idsOf(challenged));
  const addresses = [
    ...[challenged, redirected, paid].flatMap(({ id }) => [`${DEMO.merchantId}.${id}`, id]),
    checkout.id,
    `${OTHER.entityId}.${challenged.id}`,
  ];
  let calls = 0;
  const open = Object.entries(endpoints as Readonly<Record<string, Endpoint>>).filter(
    ([, { access, path }]) => access === 'none' && path.includes('{id}'),
  );
  for (const [name, { method, path }] of open)
    for (const id of addresses) {
      const from = warnings().length;
      const address = path.replace('{name}', 'adyen').replace('{id}', () => id);
      const targets = method === 'GET' ? forms.map((form) => `?${form}`) : forms;
      await Promise.all(
        targets.map(async (form) => {
          const target = `${gateway.url}${address}${method === 'GET' ? form : ''}`;
          const reply = await fetch(target, { method, redirect: 'manual', ...(method !== 'GET' && { body: form }) });
          const text = await reply.text();
          assert.ok(reply.status < 500, `${method} ${target}: ${reply.status} ${text}`);
        }),
      );
      calls += forms.length;
      const written = warnings().slice(from);
      assert.ok(written.length <= 1, `${name} ${id}: ${written.length} lines, ${JSON.stringify(written[0])}`);
    }
  assert.ok(open.length >= 15 && calls > 1_000, `${open.length} endpoints, ${calls} calls`);
});

test('control: an alarm that says what a stranger has sent would be a line for each', () => {
  const from = warnings().length;
  for (let number = 0; number < CALLS; number += 1)
    gateway.world.alarm('a forged call', { sent: randomBytes(8).toString('hex') });
  assert.equal(warnings().length - from, CALLS);
});

test('every connector that reads notifications is tried', () => {
  const names = [...connectorKinds.values()].map(({ name }) => name);
  const reading = names.filter((name) => /\breadNotification\b/.test(sourceOf(name)));
  assert.deepEqual(reading.toSorted(), connectors.toSorted());
});

test('forged hand-overs at PEER_URL write nothing, and nothing is taken', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const masters = [localMaster(Buffer.alloc(32, 7))] as const;
  const clock = { now: () => 1_000_000 };
  const written: string[] = [];
  const onWarning = (warning: Error) => void written.push(warning.message);
  process.on('warning', onWarning);
  const server = createPeerServer({
    tls: null,
    path: '/handover',
    bytesMax: 4_194_304,
    isNode: createProofCheck({ masters, clock, url }),
    receive: createReceiver({
      pendingSecrets: { put: () => void written.push('a secret was taken') },
      masters,
      clock,
      url,
      isEnding: () => false,
      onTaken: () => void written.push('open authentications were taken over'),
    }),
  });
  await server.listen(port, '127.0.0.1');
  const forged = [{}, { 'x-turnpike-node': 'A'.repeat(300) }, { 'x-turnpike-node': 'x' }];
  const statuses = new Set<number>();
  for (let number = 0; number < NOTIFICATIONS; number += 1) {
    const body = number % 2 ? randomBytes(500) : (bodies[number % bodies.length] ?? '');
    const reply = await fetch(`${url}/handover`, { method: 'POST', headers: forged[number % forged.length] ?? {}, body });
    statuses.add(reply.status);
    await reply.arrayBuffer();
  }
  process.off('warning', onWarning);
  await server.stop();
  assert.deepEqual(written, []);
  assert.ok(
    [...statuses].every((status) => status >= 400 && status < 500),
    [...statuses].join(),
  );
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
