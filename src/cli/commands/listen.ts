import { connect } from 'node:net';
import { OperatorError } from '../../app/operatorError.ts';
import { key as keyKind } from '../../spec/admin/kinds.ts';
import { type Command, type Context, parseFlaggedOptions, UsageError } from '../command.ts';
import { createGatewayClient, type GatewayClient, gatewayOptions, gatewayUsage } from '../gatewayClient.ts';
import { openReceiver, type ReceivedCall } from './listenReceiver.ts';

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
