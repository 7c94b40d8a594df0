import { isRecord } from '../json.ts';
import type { Scenario } from './language.ts';
import { readyScenario } from './ready.ts';

/** What an entity has set up for its payments: scenarios of its own, and what plays without being asked for. */
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

/** What is wrong with the kept settings: only their form is looked at, so that a scenario of an older day never stops the gateway. */
export function scenarioSettingFaults(value: unknown): readonly string[] {
  const members = ['own', 'cards', 'channel'];
  const unknown = isRecord(value) ? Object.keys(value).filter((name) => !members.includes(name)) : [];
  return unknown.map((name) => `the setting "scenarios" has no member "${name}"`);
}
