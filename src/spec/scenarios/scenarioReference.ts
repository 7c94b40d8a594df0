import type { Scenario } from './language.ts';
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
export const SCENARIO_MESSAGE = 'must be the name of a scenario such as booked-but-silent, optionally with a seed after #';

/** Parses the parameter, or says what is wrong with it. */
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
