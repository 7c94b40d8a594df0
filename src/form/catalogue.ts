import { canonical } from '../spec/aliases.ts';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { mapKeys, type ParameterName, type SectionName, sections } from '../spec/parameters.ts';
import { type Format, type Row, type Run, type Scan, type Section, scanOf } from '../spec/row.ts';
import type { Rule } from '../spec/rules/rule.ts';
import { rules } from '../spec/rules/rules.ts';
import { indexMax, lenientLengthMax } from './limits.ts';

/** A row as check meets it. */
export type Entry = {
  readonly name: ParameterName;
  readonly row: Row<unknown>;
  /** The format of the key in the brackets; null for a row that is no map. */
  readonly key: Format | null;
  /** How card numbers are looked for in its texts; null: not at all. */
  readonly scan: Scan | null;
  readonly test: FormatTest;
  /** It has an index or a key in its name. */
  readonly isInBrackets: boolean;
  /** The rules that look at a request with this parameter. */
  readonly rules: RuleSet;
};

/** A name that belongs to a row, and its canonical form. `misuse`: the row is known, and cannot be sent by this name. */
export type ParameterPosition = { readonly entry: Entry; readonly name: string; readonly misuse: string | null };

/** Rows with an index, by what stands before the bracket and then by what stands behind it, which may have a bracket again. */
type Group = { readonly leaves: Map<string, Entry>; readonly groups: Map<string, Group> };

/** The part of the specification that one endpoint reads, ready for looking up. */
export type Catalogue = {
  /** Every row whose name can be sent as it stands. */
  readonly plain: ReadonlyMap<string, ParameterPosition>;
  readonly indexed: Group;
  /** Rows with keys, by what stands before the bracket. */
  readonly maps: ReadonlyMap<string, Entry>;
  /** Rows with indexes or keys, by the name without them: the way they are misspelt. */
  readonly bare: ReadonlyMap<string, Entry>;
  /** Names that the documents exclude, perhaps with `*` at their end. */
  readonly excluded: readonly string[];
  readonly rules: readonly Rule[];
  /** The rules that look at every request; the others wait for a parameter. */
  readonly due: RuleSet;
  /** The rules that apply where a request arrived, by `circumstancesOf`. */
  readonly inForce: readonly RuleSet[];
};

const INDEX = /^(?:0|[1-9][0-9]{0,3})$/;
const createGroup = (): Group => ({ leaves: new Map(), groups: new Map() });

/** Whether a name of a rule, perhaps with `*` at its end, means this row. */
export const namesRow = (pattern: string, rowName: string): boolean =>
  pattern.endsWith('*') ? rowName.startsWith(pattern.slice(0, -1)) : pattern === rowName;

/** The rows of some sections and the rules of an endpoint. */
function createCatalogue(sectionNames: readonly SectionName[], endpoint: EndpointName | null): Catalogue {
  const isOn = ({ on, notOn }: Rule) =>
    endpoint === null ? on === undefined : on?.includes(endpoint) !== false && notOn?.includes(endpoint) !== true;
  const kept = rules.filter(isOn);
  const [plain, maps, bare] = [new Map<string, ParameterPosition>(), new Map<string, Entry>(), new Map<string, Entry>()];
  const indexed = createGroup();
  for (const [rowName, row] of sectionNames.flatMap((section) => Object.entries(sections[section].rows))) {
    const name = rowName as ParameterName;
    const concerned = RuleSet.of(kept, ({ when }) => when.some((pattern) => namesRow(pattern, name)));
    const key = mapKeys[name] ?? null;
    const isInBrackets = name.includes('[');
    const entry: Entry = { name, row, key, scan: scanOf(row), test: formatTestOf(row), isInBrackets, rules: concerned };
    if (entry.key) maps.set(name.slice(0, name.indexOf('[')), entry);
    else if (isInList(name)) addToGroup(indexed, name, entry);
    else if (canonical(name) === name) plain.set(name, { entry, name, misuse: null });
    if (entry.key || name.includes('[n]')) bare.set(name.replace(/\[[a-z]+\]/g, ''), entry);
  }
  const excluded = sectionNames.flatMap((section): readonly string[] => (sections[section] as Section).excludes ?? []);
  const due = RuleSet.of(kept, ({ when }) => when.length === 0);
  const inForce = circumstances.map((where) => RuleSet.of(kept, (rule) => isInForce(rule, where)));
  return { plain, indexed, maps, bare, excluded, rules: kept.map(inOneShape), due, inForce };
}

/** Where a request arrived, as far as rules ask for it. */
type Circumstances = {
  readonly isLenient: boolean;
  readonly source: 'server' | 'browser';
  readonly environment: 'test' | 'live';
};

/** Its place among all circumstances. */
export const circumstancesOf = ({ isLenient, source, environment }: Circumstances): number =>
  (isLenient ? 4 : 0) + (source === 'browser' ? 2 : 0) + (environment === 'live' ? 1 : 0);

const circumstances = [false, true].flatMap((isLenient) =>
  (['server', 'browser'] as const).flatMap((source) =>
    (['test', 'live'] as const).map((environment): Circumstances => ({ isLenient, source, environment })),
  ),
);

const isInForce = (rule: Rule, { isLenient, source, environment }: Circumstances): boolean =>
  !(isLenient ? rule.isDescriptive : rule.isLenientOnly) &&
  (rule.from === undefined || rule.from === source) &&
  (rule.in === undefined || rule.in === environment);

/** The conditions and demands of a rule, absent ones too: the engine reads objects of one shape quickest. */
const inOneShape = (rule: Rule): Rule => ({
  title: rule.title,
  when: rule.when,
  is: rule.is,
  isNot: rule.isNot,
  unless: rule.unless,
  needs: rule.needs,
  needsOneOf: rule.needsOneOf,
  forbids: rule.forbids,
  refuses: rule.refuses,
  allows: rule.allows,
  matches: rule.matches,
  ignores: rule.ignores,
  finds: rule.finds,
});

/** Catalogues, each made for its first request: to make all of them would be a tenth of the work of a start. */
function createCatalogues() {
  const byEndpoint = new Map<EndpointName, Catalogue>();
  const bySections = new Map<string, Catalogue>();
  return {
    ofEndpoint(endpoint: EndpointName): Catalogue {
      const known = byEndpoint.get(endpoint) ?? createCatalogue(endpoints[endpoint].sections, endpoint);
      byEndpoint.set(endpoint, known);
      return known;
    },
    /** Of tests, which name sections themselves. */
    ofSections(names: readonly SectionName[]): Catalogue {
      const key = names.join();
      const known = bySections.get(key) ?? createCatalogue(names, null);
      bySections.set(key, known);
      return known;
    },
  };
}

export const catalogues = createCatalogues();

/** Whether a request may have thousands of parameters: entries of lists. Read from the names: the start asks this of every endpoint. */
export const readsLists = (endpoint: EndpointName): boolean =>
  endpoints[endpoint].sections.some((section) => Object.keys(sections[section].rows).some(isInList));

const isInList = (name: string): boolean => name.includes('[n]') && mapKeys[name] === undefined;

function addToGroup(group: Group, name: string, entry: Entry): void {
  const bracket = name.indexOf('[n]');
  if (bracket < 0) {
    group.leaves.set(name, entry);
    return;
  }
  const head = name.slice(0, bracket);
  const under = group.groups.get(head) ?? createGroup();
  group.groups.set(head, under);
  addToGroup(under, name.slice(bracket + 3), entry);
}

/** Whether the documents exclude this name from its section. */
export const isExcluded = ({ excluded }: Catalogue, sent: string): boolean =>
  excluded.some((pattern) => namesRow(pattern, canonical(sent)));

/** The row a sent name belongs to, in one reading of the name; undefined for a name this catalogue does not have. */
export function findParameter(catalogue: Catalogue, sent: string): ParameterPosition | undefined {
  const found = catalogue.plain.get(sent);
  if (found) return found;
  const name = canonical(sent);
  if (name !== sent) {
    const place = catalogue.plain.get(name);
    if (place) return place;
  }
  const bracket = name.indexOf('[');
  if (bracket >= 0) return findInBrackets(catalogue, name, bracket);
  const entry = catalogue.bare.get(name);
  return entry && { entry, name, misuse: `must be sent as ${entry.name}` };
}

function findInBrackets(catalogue: Catalogue, name: string, bracket: number): ParameterPosition | undefined {
  const map = catalogue.maps.get(name.slice(0, bracket));
  if (map?.key) {
    if (!name.endsWith(']')) return { entry: map, name, misuse: `must be sent as ${map.name}` };
    const isKey = map.key.pattern.test(name.slice(bracket + 1, -1));
    return { entry: map, name, misuse: isKey ? null : `must have a key of ${map.key.message.replace(/^must be /, '')}` };
  }
  const place = findInGroup(catalogue.indexed, name);
  if (place) return place;
  // `amount[0]` is meant to be amount, and is not what the document calls it.
  const whole = name.endsWith(']') ? findParameter(catalogue, name.slice(0, name.lastIndexOf('['))) : undefined;
  return whole && { entry: whole.entry, name, misuse: 'must not have an index or a key' };
}

function findInGroup(root: Group, name: string): ParameterPosition | undefined {
  let group: Group | undefined = root;
  let from = 0;
  let isIndexed = true;
  for (let open = name.indexOf('['); open >= 0; open = name.indexOf('[', from)) {
    group = group.groups.get(name.slice(from, open));
    const close = name.indexOf(']', open);
    if (!group || close < 0) return undefined;
    const index = name.slice(open + 1, close);
    isIndexed &&= INDEX.test(index) && Number(index) <= indexMax;
    from = close + 1;
  }
  const entry = group.leaves.get(name.slice(from));
  return entry && { entry, name, misuse: isIndexed ? null : `must have an index from 0 to ${indexMax}` };
}

/** Some of the rules of a catalogue. A bit for each: a payment joins the sets of all its parameters. */
export class RuleSet {
  /** Whole numbers of 32 bits each. A typed array of this size would keep its bytes outside of the young generation. */
  readonly #words: number[];

  private constructor(words: number[]) {
    this.#words = words;
  }

  /** The rules of the list that are meant. All sets of one list can be joined. */
  static of(list: readonly Rule[], isMeant: (rule: Rule) => boolean): RuleSet {
    const words = Array.from({ length: Math.ceil(list.length / 32) }, () => 0);
    for (const [at, rule] of list.entries()) if (isMeant(rule)) (words[at >>> 5] as number) |= 1 << (at & 31);
    return new RuleSet(words);
  }

  copy(): RuleSet {
    return new RuleSet(this.#words.slice());
  }

  /** Adds the rules of another set. */
  add(other: RuleSet): void {
    const [words, others] = [this.#words, other.#words];
    for (let at = 0; at < words.length; at += 1) (words[at] as number) |= others[at] as number;
  }

  /** The rules of the list that are in this set and in the one of those in force, in the order of the list. */
  inForce(list: readonly Rule[], inForce: RuleSet): readonly Rule[] {
    const found: Rule[] = [];
    for (let word = 0; word < this.#words.length; word += 1) {
      const both = (this.#words[word] as number) & (inForce.#words[word] as number);
      for (let at = 0; both >>> at !== 0 && at < 32; at += 1) if ((both >>> at) & 1) found.push(list[32 * word + at] as Rule);
    }
    return found;
  }
}

const PRINTABLE = new RegExp(`^[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]{1,${lenientLengthMax}}$`, 'u');

/** The formats of a row as requests test them. All have the same fields in the same order: the engine reads such objects quickest. */
type FormatTest = {
  readonly pattern: RegExp;
  readonly parse: (text: string) => unknown;
  readonly run: Run | null;
  readonly isClosed: boolean;
  /** A lenient channel takes any printable text. */
  readonly isDescriptive: boolean;
  /** The format that a lenient channel accepts too. */
  readonly lenient: FormatTest | null;
};

const formatTestOf = ({ format, lenient, lenientFormat }: Row<unknown>): FormatTest =>
  createFormatTest(format, lenient === true, lenientFormat === undefined ? null : createFormatTest(lenientFormat, false, null));

const createFormatTest = (
  { pattern, parse, run, isClosed }: Format<unknown>,
  isDescriptive: boolean,
  lenient: FormatTest | null,
): FormatTest => ({ pattern, parse, run: run ?? null, isClosed: isClosed === true, isDescriptive, lenient });

/** Whether a text has the format; a lenient channel takes any printable one in a descriptive field. */
export const isWellFormed = (test: FormatTest, text: string, isLenient: boolean): boolean =>
  fits(test, text) ||
  (isLenient && ((test.isDescriptive && PRINTABLE.test(text)) || (test.lenient !== null && fits(test.lenient, text))));

const fits = ({ pattern, parse, run, isClosed }: FormatTest, text: string): boolean =>
  (isClosed || (run !== null && isPlainRun(run, text)) || pattern.test(text)) && parse(text) !== undefined;

const ASCII = 128;

/** Whether a text of ASCII alone is such a run. One loop for all formats is quicker than a pattern for each; it decides most texts. */
function isPlainRun(run: Run, text: string): boolean {
  const { length } = text;
  if (length < run.least || length > run.max) return false;
  run.ascii ??= asciiIn(run.set);
  const { ascii } = run;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ASCII || ascii[code] === 0) return false;
  }
  return true;
}

function asciiIn(set: string): Uint8Array {
  const pattern = new RegExp(`^[${set}]$`, 'u');
  return Uint8Array.from({ length: ASCII }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}
