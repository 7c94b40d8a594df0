import { isRecord } from '../../runtime/json.ts';
import type { Scenario } from './language.ts';
import { readyScenario } from './ready.ts';
import { parseScenario, SCENARIO_NAME } from './shape.ts';

/** The parameter that names the scenario of a payment. */
export const SCENARIO = 'customParameters[SCENARIO]';

/** How a payment names its scenario: by name, with an optional seed and attempt, or inline. */
export type ScenarioReference = {
  readonly is: 'reference';
  readonly name: string;
  readonly inline: Scenario | null;
  readonly seed: number | null;
  readonly attempt: number | null;
};

type FaultyReference = { readonly is: 'faulty'; readonly fault: string };

const REFERENCE = /^(?<name>[^#@]+)(?:#(?<seed>0|[1-9][0-9]{0,8}))?(?:@(?<attempt>[1-9][0-9]?))?$/;
const SCENARIO_MESSAGE = 'must be the name of a scenario such as booked-but-silent, optionally with a seed after #';

/** Parses the parameter, or returns its fault. */
export function readScenarioReference(text: string): ScenarioReference | FaultyReference {
  if (text.startsWith('{')) return inlineScenario(text);
  const { name = '', seed, attempt } = REFERENCE.exec(text)?.groups ?? {};
  if (!SCENARIO_NAME.test(name)) return { is: 'faulty', fault: SCENARIO_MESSAGE };
  return { is: 'reference', name, inline: null, seed: wholeOf(seed), attempt: wholeOf(attempt) };
}

const wholeOf = (digits: string | undefined): number | null => (digits === undefined ? null : Number.parseInt(digits, 10));

function inlineScenario(text: string): ScenarioReference | FaultyReference {
  let value: object;
  try {
    value = JSON.parse(text);
  } catch {
    return { is: 'faulty', fault: 'must be JSON when it begins with a brace' };
  }
  const read = parseScenario({ name: 'inline', says: 'Sent with the payment.', ...value });
  if (read.is === 'faulty') {
    return {
      is: 'faulty',
      fault: read.faults.map(({ at, message }) => `${at === '' ? 'the scenario' : at} ${message}`).join('; '),
    };
  }
  const { scenario } = read;
  return { is: 'reference', name: scenario.name, inline: scenario, seed: null, attempt: null };
}

/** `name` or `name#seed`. */
export const scenarioReferenceText = ({ name, seed }: { readonly name: string; readonly seed: number | null }): string =>
  seed === null ? name : `${name}#${seed}`;

/** The scenarios that an entity has set up: its own, and scenarios that every payment of a card or channel plays. */
export type ScenarioSettings = {
  readonly own: Readonly<Record<string, Scenario>>;
  /** By the keyed fingerprint of a card number: how a scenario is asked for. */
  readonly cards: Readonly<Record<string, string>>;
  /** For every payment of the channel; null: none. */
  readonly channel: string | null;
};

const NOTHING: ScenarioSettings = { own: {}, cards: {}, channel: null };

/** The stored scenario settings of an entity, without the ones that are no longer readable. */
export function scenarioSettings(kept: Readonly<Record<string, unknown>> | undefined): ScenarioSettings {
  if (kept === undefined) return NOTHING;
  const { own, cards, channel } = kept;
  return {
    own: isRecord(own) ? (own as ScenarioSettings['own']) : {},
    cards: isRecord(cards) ? (cards as ScenarioSettings['cards']) : {},
    channel: typeof channel === 'string' ? channel : null,
  };
}

/** The scenario of a name: a ready one, or one of the entity's own. */
export function scenarioNamed({ own }: Pick<ScenarioSettings, 'own'>, name: string): Scenario | undefined {
  return readyScenario(name) ?? (Object.hasOwn(own, name) ? own[name] : undefined);
}

/** The faults of stored settings. Only their form is checked, so that an older scenario never stops the gateway. */
export function scenarioSettingFaults(value: unknown): readonly string[] {
  const members = ['own', 'cards', 'channel'];
  const unknown = isRecord(value) ? Object.keys(value).filter((name) => !members.includes(name)) : [];
  return unknown.map((name) => `the setting "scenarios" has no member "${name}"`);
}
