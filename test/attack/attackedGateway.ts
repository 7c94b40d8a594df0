import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { CARD, createClient, DEMO, SHOPPER } from '../http/client.ts';
import type { TestGateway } from '../http/gateway.ts';
import { OPERATOR } from '../http/longestTurn.ts';
import { ORDER, postCases } from '../http/postCases.ts';
import { signedInAs } from '../http/userFixture.ts';
import { threadCpuMs } from '../work.ts';
import { type Planted, type PlantedName, planted } from './planted.ts';
import type { Objects } from './targets.ts';

/**
 * A gateway in a thread of its own that is attacked from outside. It measures the processor time that it takes, and a neighbour in the same
 * thread pays meanwhile: the neighbour's wait is what the thread did between its request and the reply, in processor time. So neither
 * depends on what else the machine does.
 */

/** `pays`: whether the neighbour pays from now on. What was done and waited for since the message before is the answer. */
export type LapRequest = { readonly do: 'lap'; readonly pays: boolean };
export type AttackRequest = LapRequest | { readonly do: 'objects' } | { readonly do: 'session' };
export type Lap = {
  readonly cpuMs: number;
  /** Of each payment of the neighbour. */
  readonly waitsMs: readonly number[];
};
export type Ports = { readonly gateway: number; readonly backOffice: number };

const ACCOUNTS = {
  adyen: { settings: { url: 'http://127.0.0.1:1', merchantAccount: 'Shop' }, secrets: { hmacKey: '44'.repeat(32) } },
  stripe: { settings: { url: 'http://127.0.0.1:1' }, secrets: { webhookSecret: `whsec_${'a'.repeat(32)}` } },
  upstream: { settings: { url: 'http://127.0.0.1:1', entityId: 'a'.repeat(32) }, secrets: { webhookKey: 'ab'.repeat(32) } },
} as const;
const OWNER = '5eed7777777777777777777700000000';
const owner = {
  id: OWNER,
  kind: 'merchant',
  parentId: sandbox.division,
  name: 'Attacked',
  settings: {
    accounts: Object.fromEntries(
      Object.entries(ACCOUNTS).map(([connector, { settings }]) => [connector, { connector, settings }]),
    ),
  },
} as const;

export const operatorHeaders = { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' };

/** What paths name: everything that a stranger's body is read for only when it is there. */
async function createObjects(gateway: TestGateway): Promise<Objects> {
  const shop = createClient(gateway.url);
  const cases = postCases(shop);
  const id = async (name: keyof typeof cases) => (await cases[name]?.named?.()) ?? '';
  for (const [account, { secrets }] of Object.entries(ACCOUNTS))
    for (const [secret, value] of Object.entries(secrets))
      await fetch(`${gateway.url}/admin/v1/entities/${OWNER}/accountSecrets`, {
        method: 'POST',
        headers: operatorHeaders,
        body: JSON.stringify({ account, secret, value }),
      });
  const authorised = await id('capture');
  const challenged = await shop.pay({
    ...SHOPPER,
    shopperResultUrl: 'https://shop.example/',
    'customParameters[3DS2_flow]': 'challenge',
  });
  const threeDS = /\/v1\/3ds\/([^/"?]+)/.exec(JSON.stringify(challenged.body))?.[1] ?? '';
  const webhook = await fetch(`${gateway.url}/admin/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entityId: DEMO.merchantId, name: 'Orders', url: 'https://shop.example/hooks' }),
  });
  return {
    ids: {
      '/v1/payments/': authorised,
      '/v1/registrations/': await id('payRegistered'),
      '/v1/checkouts/': await id('updateCheckout'),
      '/v1/threeDSecure/': challenged.id,
      '/v1/3ds/': threeDS,
      '/v1/return/': `${DEMO.merchantId}.${challenged.id}`,
      '/v1/component/': `${DEMO.merchantId}.${challenged.id}`,
      '/admin/v1/payments/': authorised,
      '/admin/v1/entities/': DEMO.merchantId,
      '/admin/v1/webhooks/': ((await webhook.json()) as { id?: string }).id ?? '',
      '/v1/connectors/': `${OWNER}.adyen`,
    },
    session: await createSession(gateway),
  };
}

async function createSession(gateway: TestGateway): Promise<Objects['session']> {
  const { cookie, csrf } = await signedInAs(gateway);
  return { cookie, csrf };
}

const PAYMENT = new URLSearchParams({ entityId: DEMO.entityId, ...ORDER, ...CARD }).toString();
const REQUEST = [
  'POST /v1/payments HTTP/1.1',
  'Host: gateway',
  `Authorization: Bearer ${DEMO.token}`,
  'Content-Type: application/x-www-form-urlencoded',
  `Content-Length: ${PAYMENT.length}`,
  '',
  PAYMENT,
].join('\r\n');

/** Pays one payment after the other on one connection while it should, and notes how long each took of this thread. */
function createNeighbour(port: number) {
  let socket: Socket | null = null;
  let [isWaiting, sentAt, heard] = [false, 0, ''];
  let waits: number[] = [];
  const pay = () => {
    if (socket === null) return;
    [isWaiting, sentAt, heard] = [true, threadCpuMs(), ''];
    socket.write(REQUEST);
  };
  const hear = (chunk: string) => {
    heard += chunk;
    const [, length] = /content-length: (\d+)\r\n/i.exec(heard) ?? [];
    const head = heard.indexOf('\r\n\r\n');
    if (head < 0 || length === undefined || heard.length < head + 4 + Number(length)) return;
    if (!heard.startsWith('HTTP/1.1 200 ')) throw new Error(`the neighbour was answered ${heard.slice(0, 200)}`);
    isWaiting = false;
    waits.push(threadCpuMs() - sentAt);
    // Through the event loop, as a request that comes from outside.
    setImmediate(pay);
  };
  return {
    setPaying(pays: boolean) {
      if (pays === (socket !== null)) return;
      socket?.destroy();
      socket = pays ? connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1').on('data', hear) : null;
      pay();
    },
    /** The payment under way counts with what it has waited so far. */
    takeWaits(): readonly number[] {
      const taken = isWaiting ? [...waits, threadCpuMs() - sentAt] : waits;
      [waits, isWaiting] = [[], false];
      return taken;
    },
  };
}

/** Changes a source that is loaded from now on. */
function plant(name: PlantedName): void {
  const changes: readonly Planted[] = planted[name];
  registerHooks({
    load(url, context, next) {
      const change = changes.find(({ file }) => url.endsWith(file));
      if (change === undefined) return next(url, context);
      const source = readFileSync(fileURLToPath(url), 'utf8');
      if (!source.includes(change.find)) throw new Error(`${change.file} has changed: ${change.find}`);
      return { format: 'module-typescript', source: source.replace(change.find, () => change.put), shortCircuit: true };
    },
  });
}

if (parentPort) {
  const port = parentPort;
  const { planted: fault } = workerData as { readonly planted: PlantedName | null };
  if (fault !== null) plant(fault);
  const { startGateway } = await import('../http/gateway.ts');
  const gateway = await startGateway({
    isQuiet: true,
    operatorToken: OPERATOR,
    rows: { entities: [owner], tokens: [] },
  });
  const neighbour = createNeighbour(gateway.port);
  let before = threadCpuMs();
  port.on('message', (message: AttackRequest) => {
    if (message.do === 'objects') void createObjects(gateway).then((objects) => port.postMessage(objects));
    else if (message.do === 'session') void createSession(gateway).then((session) => port.postMessage(session));
    else {
      const lap: Lap = { cpuMs: threadCpuMs() - before, waitsMs: neighbour.takeWaits() };
      neighbour.setPaying(message.pays);
      port.postMessage(lap);
      before = threadCpuMs();
    }
  });
  port.postMessage({ gateway: gateway.port, backOffice: gateway.officePort } satisfies Ports);
}
