import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isRecord } from '../../../src/runtime/json.ts';
import type { Received, Replied } from '../acquirerHttp.ts';
import type { AcquirerServer, ConnectorUnderTest } from '../contract.ts';
import { stripeUnderTest } from './server.ts';

/**
 * localstripe (PyPI, GPL-3) as the acquirer: a book of payment intents, charges and refunds that was written by others. It knows an older API, so
 * that a bridge stands before it:
 *
 * | Stripe | localstripe | The bridge |
 * |---|---|---|
 * | idempotency keys | ignored | remembers the answers by key |
 * | `payment_method` at confirmation | not implemented | sets it on the intent, then confirms |
 * | `metadata` at capture | refused | sets it on the intent first |
 * | parameters for descriptions, authentication, expansion | refused | leaves them out |
 * | `amount_capturable`, `amount_received` | absent | derived from the charge |
 * | a partial capture releases the rest | refunds the rest | leaves out refunds that are not ours |
 * | search, disputes, signed events by version | absent | not tried |
 */
const COMMAND = process.env.LOCALSTRIPE ?? 'localstripe';
const START_MS_MAX = 20_000;
const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

type Json = Readonly<Record<string, unknown>>;

/** Null: the program is not installed. */
export async function startLocalstripe(): Promise<{ readonly url: string; close(): Promise<void> } | null> {
  const port = await freePort();
  const program = spawn(COMMAND, ['--port', String(port), '--from-scratch'], { stdio: 'ignore' });
  let isOver = false;
  const over = new Promise<void>((done) => {
    for (const event of ['error', 'exit']) program.once(event, () => done());
  }).then(() => {
    isOver = true;
  });
  const url = `http://127.0.0.1:${port}`;
  for (const endsAt = Date.now() + START_MS_MAX; Date.now() < endsAt && !isOver; ) {
    const reply = await fetch(`${url}/v1/refunds`, { headers: { authorization: `Bearer ${KEY}` } }).catch(() => null);
    await reply?.arrayBuffer();
    if (reply?.ok) return { url, close: () => end(program, over) };
    await Promise.race([over, pause(100)]);
  }
  if (!isOver) await end(program, over);
  return null;
}

function end(program: ChildProcess, over: Promise<void>): Promise<void> {
  program.kill();
  return over;
}

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** The acquirer's server for the contract, before a running localstripe. */
export async function openBridge(url: string): Promise<AcquirerServer> {
  const intents = new Map<string, string[]>();
  const answered = new Map<string, Promise<Replied>>();

  async function ask(
    method: string,
    path: string,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; json: Json }> {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}` },
      ...(form && Object.keys(form).length > 0 && { body: new URLSearchParams(form) }),
    });
    const json: unknown = await reply.json().catch(() => ({}));
    return { status: reply.status, json: isRecord(json) ? json : {} };
  }

  async function perform({ method, url: target, body }: Received): Promise<Replied> {
    const { pathname, searchParams } = new URL(target, 'http://stripe');
    const form = Object.fromEntries(new URLSearchParams(body));
    const taken = (allowed: RegExp) => Object.fromEntries(Object.entries(form).filter(([name]) => allowed.test(name)));
    const [, intent = '', verb = ''] = /^\/v1\/payment_intents\/([^/]+)(?:\/([a-z_]+))?$/.exec(pathname) ?? [];
    if (method === 'GET') {
      searchParams.delete('expand[]');
      return shown(await ask('GET', `${pathname}?${searchParams}`));
    }
    if (pathname === '/v1/payment_intents') {
      const made = await ask('POST', pathname, taken(/^(?:amount|currency|capture_method|metadata\[.*\])$/));
      const reference = form['metadata[turnpike_payment]'] ?? '';
      intents.set(reference, [...(intents.get(reference) ?? []), String(made.json.id)]);
      return shown(made);
    }
    if (verb === 'confirm') {
      const set = await ask('POST', `/v1/payment_intents/${intent}`, taken(/^payment_method$/));
      return shown(set.status === 200 ? await ask('POST', pathname) : set);
    }
    if (verb === 'capture') {
      const marks = taken(/^metadata\[.*\]$/);
      if (Object.keys(marks).length > 0) await ask('POST', `/v1/payment_intents/${intent}`, marks);
      return shown(await ask('POST', pathname, taken(/^amount_to_capture$/)));
    }
    if (verb === 'cancel') return shown(await ask('POST', pathname));
    const isMethod = pathname === '/v1/payment_methods';
    return shown(await ask('POST', pathname, isMethod ? taken(/^(?:type|card\[.*\]|billing_details\[.*\])$/) : form));
  }

  async function receive(request: Received): Promise<Replied> {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string') return perform(request);
    const reply = answered.get(key) ?? perform(request);
    answered.set(key, reply);
    return reply;
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', async () => {
      const { method = '', url: target = '', headers } = request;
      const { status, body, ...reply } = await receive({ method, url: target, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { ...reply.headers, 'content-length': Buffer.byteLength(body) }).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: [],
    takeNotifications: () => [],
    async booked({ merchantId, id }) {
      const own = await Promise.all(
        (intents.get(`${merchantId}.${id}`) ?? []).map(async (one) => (await ask('GET', `/v1/payment_intents/${one}`)).json),
      );
      const charged = own.filter(({ latest_charge: charge }) => isRecord(charge) && charge.status === 'succeeded');
      const [first] = charged;
      const { authorised, captured, refunded } = moneyOf(first ?? {});
      return {
        times: charged.length,
        authorised: BigInt(authorised),
        captured: BigInt(captured),
        refunded: BigInt(refunded),
        isCancelled: first?.status === 'canceled',
      };
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

const listIn = (value: unknown): readonly Json[] =>
  isRecord(value) && Array.isArray(value.data) ? value.data.filter(isRecord) : [];
const sumOf = (refunds: readonly Json[]): number => refunds.reduce((sum, { amount }) => sum + Number(amount), 0);
/** What localstripe gives back for the part that was not captured. */
const isRelease = ({ metadata }: Json): boolean => !isRecord(metadata) || metadata.turnpike_payment === undefined;

function moneyOf({ latest_charge: charge, amount }: Json): { authorised: number; captured: number; refunded: number } {
  if (!isRecord(charge) || charge.status !== 'succeeded') return { authorised: 0, captured: 0, refunded: 0 };
  const refunds = listIn(charge.refunds);
  const released = sumOf(refunds.filter(isRelease));
  const captured = charge.captured === true ? Number(amount) - released : 0;
  return { authorised: Number(amount), captured, refunded: sumOf(refunds) - released };
}

/** An object of localstripe as the API of today shows it. */
function shown({ status, json }: { readonly status: number; readonly json: Json }): Replied {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(translated(json)) };
}

function translated(json: Json): Json {
  if (json.object === 'list') return { ...json, data: listIn(json).filter((one) => !isRelease(one)) };
  if (json.object !== 'payment_intent') return json;
  const { captured, refunded } = moneyOf(json);
  const charge = json.latest_charge;
  return {
    ...json,
    amount_capturable: json.status === 'requires_capture' ? json.amount : 0,
    amount_received: captured,
    ...(isRecord(charge) && { latest_charge: { ...charge, amount_captured: captured, amount_refunded: refunded } }),
  };
}

export const localstripeUnderTest = (url: string): ConnectorUnderTest => ({
  ...stripeUnderTest,
  open: () => openBridge(url),
  declined: { ...stripeUnderTest.approved, 'card.number': '4000000000000341' },
});
