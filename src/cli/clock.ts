import type { SeenClock } from '../spec/answers/developer.ts';
import { type Command, type Context, UsageError } from './command.ts';
import { createGatewayClient, type GatewayClient, gatewayOptions, gatewayUsage } from './gatewayClient.ts';
import { parseOptions } from './options.ts';

/** What the command needs of its context. */
export type ClockNeeds = Pick<Context, 'print' | 'readText' | 'sleep' | 'progress'>;

/** The clock of a merchant of a running gateway, by its administration API. */
export const clockCommand: Command = {
  name: 'clock',
  summary: "read a merchant's clock in the test environment, freeze it, move it forward, return to real time",
  usage: [
    'clock [read|freeze|real|to instant|by duration] [options]',
    '  read               what it shows; the same as nothing',
    '  freeze             it stands still, also in the middle of a move',
    '  to instant         forward to 2031-10-02T09:15:31Z, doing everything that is due on the way',
    '  by duration        forward by P1M, P1Y2M, PT36H, 30d, 12h, 45m or 10s',
    '  real               real time again',
    ...gatewayUsage,
  ].join('\n'),
  run: (words, context) => clock(words, context),
};

type ClockMove = { readonly freeze: true } | { readonly real: true } | { readonly to: string } | { readonly by: string };

export async function clock(words: readonly string[], context: ClockNeeds): Promise<number> {
  const { wish, rest } = wishIn(words);
  const gateway = createGatewayClient(parseOptions(rest, gatewayOptions), context);
  const shown = wish === null ? await read(gateway) : await set(gateway, wish, context);
  for (const line of linesOf(shown)) context.print(line);
  return 0;
}

/** What is wished for stands in front of the options. */
function wishIn(words: readonly string[]): { readonly wish: ClockMove | null; readonly rest: readonly string[] } {
  const [action = 'read', value, ...more] = words;
  if (action.startsWith('--')) return { wish: null, rest: words };
  const rest = words.slice(1);
  if (action === 'read') return { wish: null, rest };
  if (action === 'freeze') return { wish: { freeze: true }, rest };
  if (action === 'real') return { wish: { real: true }, rest };
  if (action !== 'to' && action !== 'by') throw new UsageError('say what to do: read, freeze, real, to, by');
  if (value === undefined || value.startsWith('--'))
    throw new UsageError(action === 'to' ? 'to: say when, such as 2031-10-02T09:15:31Z' : 'by: say how much, such as P1M or 12h');
  return { wish: action === 'to' ? { to: value } : { by: value }, rest: more };
}

const read = (gateway: GatewayClient): Promise<SeenClock> =>
  gateway.call('readClock', { values: { entityId: gateway.entityId } });

/** A move that is quick needs no bar. */
const LOOK_MS = 250;

/** Sets the clock, and shows how far it is until it has arrived. */
async function set(gateway: GatewayClient, wish: ClockMove, { sleep, progress }: ClockNeeds): Promise<SeenClock> {
  if (!('to' in wish || 'by' in wish)) return gateway.call('moveClock', { values: { entityId: gateway.entityId, ...wish } });
  const from = Date.parse((await read(gateway)).now);
  const asked = gateway.call('moveClock', { values: { entityId: gateway.entityId, ...wish } });
  for (;;) {
    const answered = await Promise.race([asked, sleep(LOOK_MS)]);
    if (answered && !answered.isMoving) return answered;
    const at = await read(gateway);
    if (answered && !at.isMoving) return { ...answered, ...at };
    if (at.target !== null) progress({ phase: 'moving', done: Date.parse(at.now) - from, total: Date.parse(at.target) - from });
    if (answered) await sleep(LOOK_MS);
  }
}

function linesOf({ now, isFrozen, isReal, isMoving, target, did }: SeenClock): readonly string[] {
  const state = isMoving ? `on its way to ${target}` : isFrozen ? 'frozen' : isReal ? 'real time' : 'running';
  const work = did && `${did.payments} payments, ${did.runs} plans and ${did.deliveries} deliveries were worked on.`;
  return [`${now}  ${state}`, ...(work ? [work] : [])];
}
