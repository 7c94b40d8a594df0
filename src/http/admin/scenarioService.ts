import type { ScenarioSettings } from '../../spec/scenarios/attached.ts';

/** Where entities of the test environment keep their scenarios. */
export interface ScenarioService {
  /** What is set at the entity itself, without what it inherits. */
  kept(entityId: string): Promise<ScenarioSettings>;
  /** One change after the other, each on what the one before left. This node knows it at once, the others within seconds. */
  change(entityId: string, change: (kept: ScenarioSettings) => ScenarioSettings): Promise<void>;
  /** What is kept of a card number instead of it. */
  fingerprint(merchantId: string, number: string): Promise<string>;
}
