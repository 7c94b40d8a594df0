import type { ClockView } from '../../spec/answers/developer.ts';
import { type Command, type Context, parseOptions, UsageError } from '../command.ts';
import { createGatewayClient, type GatewayClient, gatewayOptions, gatewayUsage } from '../gatewayClient.ts';

export type ClockNeeds = Pick<Context, 'print' | 'readText' | 'sleep' | 'progress'>;

/** The clock of a merchant of a running gateway, by its administration API. */
export const clockCommand: Command = {
  name: 'clock',
  summary: "read a merchant's clock in the test environment, freeze it, move it forward, return to real time",
  usage: [
    'clock [read|freeze|real|to instant|by duration] [options]',
    '  read               show it; the default',
    '  freeze             stop it, also in the middle of a move',
    '  to instant         forward to 2031-10-02T09:15:31Z, doing everything that is due on the way',
    '  by duration        forward by P1M, P1Y2M, PT36H, 30d, 12h, 45m or 10s',
    '  real               real time again',
    ...gatewayUsage,
  ].join('\n'),
  run: (words, context) => clock(words, context),
};

/** The fields of `moveClock`. Only `to` and `by` take time. */
type ClockCommand =
  | { readonly kind: 'switch'; readonly values: { readonly freeze: true } | { readonly real: true } }
  | { readonly kind: 'move'; readonly values: { readonly to: string } | { readonly by: string } };

export async function clock(words: readonly string[], context: ClockNeeds): Promise<number> {
  const { command, rest } = readCommand(words);
  const gateway = createGatewayClient(parseOptions(rest, gatewayOptions), context);
  const shown = command === null ? await read(gateway) : await set(gateway, command, context);
  for (const line of linesOf(shown)) context.print(line);
  return 0;
}

/** The command precedes the options; null: read the clock. */
function readCommand(words: readonly string[]): { readonly command: ClockCommand | null; readonly rest: readonly string[] } {
  const [action = 'read', value, ...more] = words;
  if (action.startsWith('--')) return { command: null, rest: words };
  const rest = words.slice(1);
  if (action === 'read') return { command: null, rest };
  if (action === 'freeze') return { command: { kind: 'switch', values: { freeze: true } }, rest };
  if (action === 'real') return { command: { kind: 'switch', values: { real: true } }, rest };
  if (action !== 'to' && action !== 'by') throw new UsageError('say what to do: read, freeze, real, to, by');
  if (value === undefined || value.startsWith('--'))
    throw new UsageError(action === 'to' ? 'to: say when, such as 2031-10-02T09:15:31Z' : 'by: say how much, such as P1M or 12h');
  return { command: { kind: 'move', values: action === 'to' ? { to: value } : { by: value } }, rest: more };
}

const read = (gateway: GatewayClient): Promise<ClockView> =>
  gateway.call('readClock', { values: { entityId: gateway.entityId } });

/** A quick move shows no progress. */
const POLL_MS = 250;

/** Sets the clock, and shows the progress of a move until it has arrived. */
async function set(gateway: GatewayClient, { kind, values }: ClockCommand, { sleep, progress }: ClockNeeds): Promise<ClockView> {
  const move = () => gateway.call('moveClock', { values: { entityId: gateway.entityId, ...values } });
  if (kind === 'switch') return move();
  const from = Date.parse((await read(gateway)).now);
  const moving = move();
  for (;;) {
    const answered = await Promise.race([moving, sleep(POLL_MS)]);
    if (answered && !answered.isMoving) return answered;
    const at = await read(gateway);
    if (answered && !at.isMoving) return { ...answered, ...at };
    if (at.target !== null) progress({ phase: 'moving', done: Date.parse(at.now) - from, total: Date.parse(at.target) - from });
    if (answered) await sleep(POLL_MS);
  }
}

function linesOf({ now, isFrozen, isReal, isMoving, target, did }: ClockView): readonly string[] {
  const state = isMoving ? `on its way to ${target}` : isFrozen ? 'frozen' : isReal ? 'real time' : 'running';
  const work =
    did &&
    `${did.runs} runs of schedules, ${did.deliveries} attempts to deliver webhooks, ${did.payments} looks at open payments.`;
  return [`${now}  ${state}`, ...(work ? [work] : [])];
}
