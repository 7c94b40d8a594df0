import { createServer, type IncomingMessage, type ServerResponse, request as startPlain } from 'node:http';
import { request as startSecure } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { OperatorError } from '../../app/operatorError.ts';
import { key as keyKind } from '../../spec/admin/kinds.ts';
import { decryptPayload } from '../../webhooks/wireFormat.ts';
import { type Command, type Context, parseFlaggedOptions, UsageError } from '../command.ts';
import { createGatewayClient, type GatewayClient, gatewayOptions, gatewayUsage } from '../gatewayClient.ts';

export type ListenNeeds = Pick<Context, 'print' | 'printError' | 'signal' | 'clock' | 'readText'>;

/** Shows webhook deliveries and forwards them to a local program. No public address is needed. */
export const listenCommand: Command = {
  name: 'listen',
  summary: 'show webhook events as they happen, and forward them to a program on this machine',
  usage: [
    'listen [--forward address] [options]',
    '  --forward address  forward every request unchanged, and its answer back to the gateway',
    '  --json             every event as one line of JSON',
    '  --key hex          the key of the webhook, as your program knows it; default: a new one',
    ...gatewayUsage,
  ].join('\n'),
  run: (words, context) => listen(words, context),
};

/** The name of the webhooks that this command creates. */
const NAME = 'turnpike listen';

export async function listen(words: readonly string[], context: ListenNeeds): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, [...gatewayOptions, 'forward', 'key'], ['json']);
  const target = targetOf(texts.forward);
  if (texts.key !== undefined && keyKind.parse(texts.key) === undefined) throw new UsageError(`--key: ${keyKind.message}`);
  const gateway = createGatewayClient(texts, context);
  const signal = context.signal();
  let key: Uint8Array | null = null;
  const show = createScreen(context, { isJson: flags.json === true, target });
  const receiver = await openReceiver({ key: () => key, target, now: context.clock.now, onCall: show });
  try {
    await removeLeftovers(gateway);
    const made = await gateway.call('createWebhook', {
      values: { entityId: gateway.entityId, name: NAME, url: receiver.url, key: texts.key },
    });
    key = Buffer.from(made.key, 'hex');
    try {
      const { test } = await gateway.call('testWebhook', { parameters: { id: made.id } });
      if (!test.delivered) throw new OperatorError(unreached(gateway, test.why));
      greet(context, { gateway, target, key: texts.key === undefined ? made.key : null });
      await aborted(signal);
    } finally {
      await remove(gateway, made.id, context);
    }
    return 0;
  } finally {
    receiver.close();
  }
}

function targetOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new UsageError('--forward: give an address such as http://localhost:3000/hook');
  return text;
}

const unreached = ({ url }: GatewayClient, why: string | null): string =>
  `the gateway at ${url} cannot call this machine (${why ?? 'no reason'}): it must run here too, in the test environment, with WEBHOOK_REACH=loopback`;

type Greeting = { readonly gateway: GatewayClient; readonly target: string | null; readonly key: string | null };

function greet({ printError }: ListenNeeds, { gateway, target, key }: Greeting): void {
  printError(`Listening to what happens to ${gateway.entityId} at ${gateway.url}. Ctrl-C ends it.`);
  if (target !== null) printError(`Everything goes on to ${target}, and its answer back.`);
  if (key !== null) printError(`The key, for your program: ${key}`);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

async function remove(gateway: GatewayClient, id: string, { printError }: ListenNeeds): Promise<void> {
  try {
    await gateway.call('removeWebhook', { parameters: { id } });
  } catch (error) {
    printError(`The webhook ${id} could not be removed: ${(error as Error).message}`);
  }
}

/** A killed process leaves its webhook behind. Its name identifies it, and no process listens on its port. */
async function removeLeftovers(gateway: GatewayClient): Promise<void> {
  const { webhooks } = await gateway.call('listWebhooks', { values: { entityId: gateway.entityId } });
  for (const { id, name, url } of webhooks) {
    const { hostname, port } = new URL(url);
    if (name !== NAME || hostname !== '127.0.0.1' || (await isOpen(Number(port)))) continue;
    await gateway.call('removeWebhook', { parameters: { id } });
  }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const done = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', done(true)).once('error', done(false));
  });

type ScreenOptions = { readonly isJson: boolean; readonly target: string | null };

/** Prints events: a short line, or the JSON on standard output and the line on standard error. */
function createScreen(
  { print, printError, clock }: ListenNeeds,
  { isJson, target }: ScreenOptions,
): (call: ReceivedCall) => void {
  return ({ event, eventId, text, forwarded, ms }) => {
    const time = new Date(clock.now()).toISOString().slice(11, 19);
    if (!event || text === null) {
      printError(`${time}  a request arrived that this key does not open`);
      return;
    }
    const answer = !forwarded
      ? ''
      : forwarded.status === null
        ? `  → no answer (${forwarded.why})`
        : `  → ${forwarded.status} (${ms} ms)`;
    const line = `${time}  ${lineOf(event)}${answer}`;
    if (isJson) print(text);
    if (isJson) printError(line);
    else print(line);
    if (forwarded?.status === null)
      printError(`          ${target} did not answer; the gateway tries ${lateness(event, eventId)}`);
  };
}

const lateness = ({ type }: NonNullable<ReceivedCall['event']>, eventId: string): string =>
  type === 'test' ? 'again what it does not take' : `${eventId} again after a minute, then less and less often`;

function lineOf({ type, action, payload }: NonNullable<ReceivedCall['event']>): string {
  if (type === 'test') return 'test delivery';
  const { id, result, presentationAmount, presentationCurrency } = payload;
  const amount = presentationAmount === undefined ? '' : `  ${presentationAmount} ${presentationCurrency}`;
  return `${[type, action].filter(Boolean).join(' ').padEnd(12)}  ${result?.code ?? ''}  ${id}${amount}`;
}

/** A received request. `event` null: the key does not open it. */
export type ReceivedCall = {
  readonly event: Event | null;
  readonly eventId: string;
  readonly text: string | null;
  /** The answer of the target; null when there is none. */
  readonly forwarded: ForwardResult | null;
  readonly ms: number;
};

type Event = {
  readonly type: string;
  readonly action?: string;
  readonly payload: Readonly<Record<string, unknown>> & { readonly result?: { readonly code?: string } };
};

type ReceiverNeeds = {
  /** Null until the webhook exists. */
  readonly key: () => Uint8Array | null;
  readonly target: string | null;
  readonly now: () => number;
  readonly onCall: (call: ReceivedCall) => void;
};

interface LocalReceiver {
  readonly url: string;
  close(): void;
}

const BODY_BYTES_MAX = 1_048_576;

/** A webhook receiver on a free port of this machine. It returns the target's answer, or 200 without a target. */
export async function openReceiver(needs: ReceiverNeeds): Promise<LocalReceiver> {
  const server = createServer((request, response) => {
    read(request, (body) => {
      void handle(needs, { request, response, body });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function read(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) request.destroy();
    else chunks.push(chunk);
  });
  // A client that disconnects needs no answer.
  request.on('error', () => {});
  request.on('end', () => done(Buffer.concat(chunks)));
}

type Received = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly body: Buffer };

async function handle({ key, target, now, onCall }: ReceiverNeeds, { request, response, body }: Received): Promise<void> {
  const { headers } = request;
  const began = now();
  const known = key();
  const received = {
    body: body.toString('latin1'),
    iv: String(headers['x-initialization-vector'] ?? ''),
    tag: String(headers['x-authentication-tag'] ?? ''),
  };
  const text = known && decryptPayload(received, known);
  const event = text === null ? null : (JSON.parse(text) as Event);
  const forwarded = event && target !== null ? await forward(target, { headers: request.rawHeaders, body }) : null;
  answer(response, event, forwarded);
  onCall({ event, eventId: String(headers['webhook-id'] ?? ''), text, forwarded, ms: now() - began });
}

/** A test delivery only checks that this receiver can be reached, so the target's answer does not matter. */
function answer(response: ServerResponse, event: Event | null, forwarded: ForwardResult | null): void {
  if (!event) response.writeHead(400).end();
  else if (event.type === 'test' || !forwarded) response.writeHead(200).end();
  else if (forwarded.status === null) response.writeHead(502).end();
  else {
    const { status, retryAfter, body } = forwarded;
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(body);
  }
}

/** A request to forward unchanged. `headers`: names and values alternately. */
type ReceivedDelivery = { readonly headers: readonly string[]; readonly body: Buffer };

/** The answer of the target; `why` when there was none. */
type ForwardResult =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: Buffer }
  | { readonly status: null; readonly why: string };

/** Shorter than the timeout of the gateway. */
const FORWARD_MS_MAX = 14_000;
const REPLY_BYTES_MAX = 65_536;

/** Headers of the connection, which are not forwarded. */
const connectionHeaders: readonly string[] = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/** Forwards a request with its headers and body. Never rejects. */
function forward(url: string, { headers, body }: ReceivedDelivery): Promise<ForwardResult> {
  const isForwarded = (at: number): boolean => !connectionHeaders.includes(headers[at - (at % 2)]?.toLowerCase() ?? '');
  const forwarded = headers.filter((_, at) => isForwarded(at));
  const all = [...forwarded, 'Host', new URL(url).host, 'Content-Length', String(body.length)];
  const start = url.startsWith('https:') ? startSecure : startPlain;
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(FORWARD_MS_MAX);
    const fail = ({ code, name }: NodeJS.ErrnoException): void =>
      resolve({ status: null, why: signal.aborted ? `no answer within ${FORWARD_MS_MAX / 1_000} s` : (code ?? name) });
    const request = start(url, { method: 'POST', headers: all, agent: false, signal }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= REPLY_BYTES_MAX) chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => {
        const { statusCode: status = 502, headers: answered } = response;
        resolve({ status, retryAfter: answered['retry-after'], body: Buffer.concat(chunks) });
      });
    });
    request.on('error', fail);
    request.end(body);
  });
}
