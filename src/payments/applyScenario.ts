import type { Channel } from '../merchants/channel.ts';
import { holderOf } from '../registrations/instrument.ts';
import { AUTHENTICATION } from '../spec/paymentTypes.ts';
import { isResultCode } from '../spec/resultCodes.ts';
import {
  answerDirectives,
  answerToLater,
  directivesFor,
  PLAYED,
  type Played,
  play,
  playedIn,
  playedText,
  type SimulatorDirectives,
} from '../spec/scenarios/played.ts';
import {
  readScenarioReference,
  SCENARIO,
  type ScenarioReference,
  type ScenarioSettings,
  scenarioNamed,
  scenarioSettings,
} from '../spec/scenarios/scenarioReference.ts';
import type { Order, OrderResult } from './order.ts';
import type { Payment } from './payment.ts';
import type { ScheduleChange, World } from './ports.ts';

/**
 * Which scenario a payment of the test environment plays: the one it names, else that of its card, else that of its channel. It is looked
 * up once, when the payment is taken, drawn, and written into the payment in the words of the simulators; a node that goes on with it
 * needs nothing else.
 */

/** The parts of a request that decide which scenario it plays. */
type ScenarioRequest = {
  readonly order: Order;
  readonly channel: Channel;
  readonly schedule?: ScheduleChange | null;
  /** Which attempt of the same payment it is, where the caller counts them. */
  readonly attempt?: number;
};

const ALONE: ReadonlySet<string> = new Set(['PA', 'DB', 'CD', 'RG', AUTHENTICATION]);
const LATER: ReadonlySet<string> = new Set(['CP', 'RV', 'RF']);

const faulty = (name: string, value: string, message: string): OrderResult => ({
  is: 'faulty',
  faults: [{ name, value, message }],
});

const ordered = (order: Order): OrderResult => ({ is: 'order', order });

/** Whether a payment of the channel may play a scenario, so that it matters which attempt it is. */
export const countsAttempts = ({ scenarios = {} }: Channel, read: Order['read']): boolean =>
  read(SCENARIO) !== undefined || Object.keys(scenarios).length > 0;

/** Whether anything is to be looked up at all: almost never. */
export function hasScenario({ order: { mode, fields }, channel }: ScenarioRequest, referenced: Payment | null): boolean {
  if (mode === 'LIVE') return false;
  const isAsked = fields[SCENARIO] !== undefined || fields[PLAYED] !== undefined || referenced?.fields[PLAYED] !== undefined;
  return isAsked || Object.keys(channel.scenarios ?? {}).length > 0;
}

/** The order with what its scenario says to the simulators; the same order when it plays none. */
export async function applyScenario(world: World, request: ScenarioRequest, referenced: Payment | null): Promise<OrderResult> {
  const { order, channel, schedule, attempt: counted } = request;
  const { [PLAYED]: forged } = order.fields;
  const sent = order.fields[SCENARIO] || undefined;
  if (forged !== undefined) return faulty(PLAYED, forged, 'is written by the gateway');
  const before = referenced && playedIn(referenced.fields);
  const isLater = LATER.has(order.paymentType);
  if (!isLater && !ALONE.has(order.paymentType)) return ordered(order);
  if (sent === undefined && isLater) return ordered(before ? continueScenario(order, before) : order);
  const settings = scenarioSettings(channel.scenarios);
  if (sent === undefined && before && order.practice === 'RESUBMISSION') {
    const again = { ...before, attempt: before.attempt + 1 };
    return ordered(withScenario(order, again, referenced.fields[SCENARIO] ?? before.scenario));
  }
  const text = sent ?? (isLater ? null : await attachedScenario(world, order, settings));
  if (text === null) return ordered(order);
  const named = readScenarioReference(text);
  if (named.is === 'faulty') return sent === undefined ? ordered(order) : faulty(SCENARIO, text, named.fault);
  const scenario = named.inline ?? scenarioNamed(settings, named.name);
  if (scenario === undefined) return sent === undefined ? ordered(order) : faulty(SCENARIO, text, 'no scenario has this name');
  const attempt = named.attempt ?? schedule?.schedule.charge?.tries ?? counted ?? attemptAfter(named, before);
  return ordered(withScenario(order, play(scenario, { seed: named.seed, attempt }), text));
}

/** A scenario that is named again with a payment that tries an earlier one again goes on with its next attempt. */
const attemptAfter = ({ name }: ScenarioReference, before: Played | null): number =>
  before?.scenario === name ? before.attempt + 1 : 1;

async function attachedScenario(world: World, order: Order, { cards, channel }: ScenarioSettings): Promise<string | null> {
  if (Object.keys(cards).length === 0) return channel;
  const fingerprint = order.registration ? order.registration.fingerprint : await fingerprintOf(world, order);
  return (fingerprint !== null && Object.hasOwn(cards, fingerprint) ? cards[fingerprint] : null) ?? channel;
}

async function fingerprintOf({ vault }: World, { merchantId, secrets }: Order): Promise<string | null> {
  if (secrets.number === undefined) return null;
  await vault.ready(merchantId);
  return vault.fingerprint(merchantId, secrets.number);
}

const withScenario = (order: Order, what: Played, asked: string): Order =>
  withDirectives(order, { ...directivesFor(what), [SCENARIO]: asked, [PLAYED]: playedText(what) });

/** Captures, reversals and refunds of a payment continue its scenario. */
function continueScenario(order: Order, before: Played): Order {
  const answer = answerToLater(before, order.paymentType);
  return withDirectives(order, {
    ...(answer && answerDirectives(answer)),
    [SCENARIO]: before.scenario,
    [PLAYED]: playedText(before),
  });
}

const DECIDES: ReadonlySet<string> = new Set(
  ['forceResultCode', 'SIMULATOR_unauthenticated'].map((name) => `customParameters[${name}]`),
);

/** A single parameter that was sent wins over the scenario, and so does a result code as the holder. */
function withDirectives(order: Order, directives: SimulatorDirectives): Order {
  const isNamedByHolder = isResultCode(holderOf(order.instrument) ?? '');
  const added = Object.fromEntries(
    Object.entries(directives).filter(([name]) => order.fields[name] === undefined && !(isNamedByHolder && DECIDES.has(name))),
  );
  return {
    ...order,
    fields: { ...order.fields, ...added },
    read: (name) => (Object.hasOwn(added, name) ? added[name] : order.read(name)),
  };
}
