import { endpoints } from '../spec/endpoints.ts';
import type { SectionName } from '../spec/parameters.ts';
import type { Context, Fault } from './checked.ts';
import { describeUnknown, NAMES_MAX } from './unknownNames.ts';

/**
 * The faults of a request; one about a missing parameter also says which unknown name was probably meant to be it, and what to use instead
 * of a name that its section does not have. An unknown name alone is no fault.
 */
export function withHints(
  found: ReadonlyMap<string, Fault>,
  unknown: readonly string[],
  context: Context,
): ReadonlyMap<string, Fault> {
  const missing = [...found].filter(([, { value }]) => value === null);
  if (unknown.length === 0 || missing.length === 0) return found;
  const names: readonly SectionName[] = context.endpoint === undefined ? context.sections : endpoints[context.endpoint].sections;
  const hinted = new Map(found);
  for (const { name, nearest, instead } of describeUnknown(unknown.slice(0, NAMES_MAX), names)) {
    const place = instead === null ? missing.find(([missed]) => rowLike(missed) === nearest) : missing[0];
    const fault = place && hinted.get(place[0]);
    const hint = instead ?? `${name} is unknown, did you mean ${nearest}?`;
    if (place && fault) hinted.set(place[0], { ...fault, message: `${fault.message}; ${hint}` });
  }
  return hinted;
}

const rowLike = (name: string): string => name.replace(/\[[0-9]+\]/g, '[n]');
