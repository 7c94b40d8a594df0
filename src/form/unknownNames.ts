import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { type SectionName, sections } from '../spec/parameters.ts';
import type { Section } from '../spec/row.ts';
import { catalogues, findParameter } from './catalogue.ts';
import type { Context, Fault } from './checked.ts';
import { type Decoded, printable } from './decode.ts';

/**
 * A sent name that no parameter of the endpoint has, and the parameter that it resembles most; null: none does. `instead` says what does what
 * clients expect of a name that the sections leave out on purpose.
 */
export type UnknownName = { readonly name: string; readonly nearest: string | null; readonly instead: string | null };

/** Shop systems send fields of their own by the dozen: the first few are enough to see a misspelt one. */
const NAMES_MAX = 8;
const LENGTH_MAX = 64;

/** The names of a form that its endpoint does not read. Empty values count for nothing. */
export function unknownNames(
  { fields, unknown }: Pick<Decoded, 'fields' | 'unknown'>,
  endpoint: EndpointName,
): readonly string[] {
  if (unknown?.by === endpoint) return unknown.names.length > NAMES_MAX ? unknown.names.slice(0, NAMES_MAX) : unknown.names;
  const catalogue = catalogues.ofEndpoint(endpoint);
  // A form of the widget is read by other means.
  if (catalogue.plain.size === 0) return [];
  const names: string[] = [];
  for (const [name, text] of fields) {
    if (text !== '' && findParameter(catalogue, name) === undefined && names.length < NAMES_MAX) names.push(name);
  }
  return names;
}

/** The names with their suggestions, as they may be sent back. */
export function describeUnknown(names: readonly string[], endpointSections: readonly SectionName[]): readonly UnknownName[] {
  const known = endpointSections.flatMap((section) => Object.keys(sections[section].rows));
  const left = endpointSections.flatMap((section) => Object.entries((sections[section] as Section).instead ?? {}));
  return names.map((name) => {
    const text = bare(name);
    const [, instead = null] = left.find(([other]) => bare(other) === text) ?? [];
    return { name: printable(name, LENGTH_MAX), nearest: instead === null ? nearestOf(name, known) : null, instead };
  });
}

/** Compared without case, dots and brackets: `cardNumber` is card.number. */
const bare = (name: string): string => name.replace(/\[[^\]]*\]|[^A-Za-z0-9]/g, '').toLowerCase();

const bareNames: ReadonlyMap<string, string> = new Map(
  Object.values(sections).flatMap(({ rows }) => Object.keys(rows).map((name) => [name, bare(name)] as const)),
);

/** The known name with the smallest edit distance, at most a quarter of its letters and never more than 3. */
function nearestOf(sent: string, known: readonly string[]): string | null {
  const text = bare(sent.slice(0, LENGTH_MAX));
  let best = Math.min(3, Math.floor(text.length / 4)) + 1;
  let nearest: string | null = null;
  for (const name of known) {
    const other = bareNames.get(name) as string;
    if (Math.abs(other.length - text.length) >= best) continue;
    const distance = editDistance(text, other, best);
    if (distance < best) [best, nearest] = [distance, name];
  }
  return nearest;
}

/**
 * Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. `limit` or more counts as `limit`, so
 * that only places near the diagonal are looked at: a stranger's name is compared with every known one.
 */
function editDistance(one: string, other: string, limit: number): number {
  let [before, last, next] = [[] as number[], [] as number[], [] as number[]];
  for (let at = 0; at <= other.length; at += 1) last.push(Math.min(at, limit));
  for (let row = 1; row <= one.length; row += 1) {
    const [start, end] = [Math.max(1, row - limit), Math.min(other.length, row + limit)];
    next[start - 1] = start === 1 ? Math.min(row, limit) : limit;
    let least = next[start - 1] as number;
    for (let at = start; at <= end; at += 1) {
      const cost = one[row - 1] === other[at - 1] ? 0 : 1;
      let here = Math.min((last[at] ?? limit) + 1, (next[at - 1] as number) + 1, (last[at - 1] as number) + cost, limit);
      const isSwap = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (isSwap) here = Math.min(here, (before[at - 2] as number) + 1);
      next[at] = here;
      least = Math.min(least, here);
    }
    if (least >= limit) return limit;
    // The next row looks one place further.
    next[end + 1] = limit;
    [before, last, next] = [last, next, before];
  }
  return last[other.length] as number;
}

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
