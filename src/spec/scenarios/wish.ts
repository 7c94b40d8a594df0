import type { Scenario } from './language.ts';
import { SCENARIO_NAME, scenarioOf } from './shape.ts';

/** The parameter by which a payment asks for a scenario. */
export const SCENARIO = 'customParameters[SCENARIO]';

/** A scenario as somebody asks for it: its name, the seed and the attempt where they are said; or the scenario itself. */
export type Wish = {
  readonly name: string;
  readonly inline: Scenario | null;
  readonly seed: number | null;
  readonly attempt: number | null;
};

const REFERENCE = /^(?<name>[^#@]+)(?:#(?<seed>0|[1-9][0-9]{0,8}))?(?:@(?<attempt>[1-9][0-9]?))?$/;
export const wishSays =
  'must be the name of a scenario such as booked-but-silent, with a seed behind # where it is left to chance';

/** What a text asks for, or what is wrong with it. */
export function wishOf(text: string): Wish | { readonly fault: string } {
  if (text.startsWith('{')) return inlineWish(text);
  const { name = '', seed, attempt } = REFERENCE.exec(text)?.groups ?? {};
  if (!SCENARIO_NAME.test(name)) return { fault: wishSays };
  return { name, inline: null, seed: wholeOf(seed), attempt: wholeOf(attempt) };
}

const wholeOf = (digits: string | undefined): number | null => (digits === undefined ? null : Number.parseInt(digits, 10));

function inlineWish(text: string): Wish | { readonly fault: string } {
  let value: object;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'must be JSON where it begins with a brace' };
  }
  const scenario = scenarioOf({ name: 'inline', says: 'Sent with the payment.', ...value });
  if ('faults' in scenario) {
    return { fault: scenario.faults.map(({ at, message }) => `${at === '' ? 'the scenario' : at} ${message}`).join('; ') };
  }
  return { name: scenario.name, inline: scenario, seed: null, attempt: null };
}

/** How a scenario is asked for. */
export const wishText = ({ name, seed }: { readonly name: string; readonly seed: number | null }): string =>
  seed === null ? name : `${name}#${seed}`;
