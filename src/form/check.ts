import { canonical } from '../spec/aliases.ts';
import type { CardNumberMode } from '../spec/cardNumbers.ts';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { type ParameterName, parameters, type SectionName, type ValueOf } from '../spec/parameters.ts';
import type { Row } from '../spec/row.ts';
import { ABSENT, absent, type Finding, type Rule, type Sent } from '../spec/rules/rule.ts';
import { type Catalogue, createCatalogue, type Entry, placeOf } from './catalogue.ts';
import type { Checked, Fault } from './checked.ts';
import { type Decoded, printable } from './decode.ts';
import { inOrder, shown } from './faults.ts';
import { nameBytesMax } from './limits.ts';
import { screened } from './screen.ts';
import { isWellFormed } from './wellFormed.ts';

/** Everything that is wrong with a request, in its order; what is missing comes last. */
export type Refused = { readonly faults: readonly Fault[] };

/** Where a request arrived. An endpoint says which sections it reads; a test may name sections and what they require itself. */
export type Context = {
  readonly isLenient: boolean;
  readonly source: 'server' | 'browser';
  readonly environment: 'test' | 'live';
  /** What becomes of card numbers in texts; they are masked where nothing is said. */
  readonly cardNumbers?: CardNumberMode | undefined;
} & ({ readonly endpoint: EndpointName } | { readonly sections: readonly SectionName[]; readonly required: readonly string[] });

type Field = { readonly entry: Entry; readonly name: string; readonly text: string };

/** A request while it is read. Names are canonical in `texts` and `aliased`, as they were sent everywhere else. */
type Reading = {
  readonly decoded: Decoded;
  readonly context: Context;
  readonly catalogue: Catalogue;
  texts: ReadonlyMap<string, string>;
  /** Canonical name → name as sent, where they differ. */
  readonly aliased: Map<string, string>;
  /** Sent names that are not part of the request: empty, unknown, ignored. */
  readonly dropped: string[];
  readonly indexed: Field[];
  readonly found: Map<string, Fault>;
  /** For each rule of the catalogue whether it has to be looked at. */
  readonly due: (0 | 1)[];
};

const TWICE = 'must not be sent twice';

const byEndpoint: ReadonlyMap<string, Catalogue> = new Map(
  Object.entries(endpoints).map(([name, { sections }]) => [name, createCatalogue(sections, name as EndpointName)]),
);
const bySections = new Map<string, Catalogue>();

/** Holds a decoded form against the specification: a request whose every value can be relied on, or every fault at once. */
export function check(sent: Decoded, context: Context): Checked | Refused {
  if (!sent.isWhole) return { faults: inOrder(sent, new Map()) };
  const catalogue = catalogueOf(context);
  const { decoded, found } = screened(sent, catalogue, context);
  const reading: Reading = {
    decoded,
    context,
    catalogue,
    texts: decoded.fields,
    aliased: new Map(),
    dropped: [],
    indexed: [],
    found,
    due: [...catalogue.due],
  };
  for (const [name, text] of decoded.fields) readField(reading, name, text);
  if (reading.aliased.size > 0 || reading.dropped.length > 0) reading.texts = canonicalTexts(reading);
  const required: readonly string[] = 'endpoint' in context ? endpoints[context.endpoint].required : context.required;
  for (const name of required) if (!reading.texts.has(name)) report(reading, { name, says: ABSENT });
  applyRules(reading);
  if (reading.found.size > 0 || decoded.faults.length > 0) return { faults: inOrder(decoded, reading.found) };
  return createChecked(reading);
}

export const isRefused = (outcome: Checked | Refused): outcome is Refused => 'faults' in outcome;

function catalogueOf(context: Context): Catalogue {
  if ('endpoint' in context) return byEndpoint.get(context.endpoint) as Catalogue;
  const key = context.sections.join();
  const known = bySections.get(key) ?? createCatalogue(context.sections, null);
  bySections.set(key, known);
  return known;
}

function readField(reading: Reading, sent: string, text: string): void {
  const { decoded, context, catalogue, found } = reading;
  const isRepeated = decoded.repeated.size > 0 && decoded.repeated.has(sent);
  const place = text !== '' || isRepeated ? placeOf(catalogue, sent) : undefined;
  const entry = place?.entry;
  if (isRepeated && !(context.isLenient && entry?.key)) {
    const name = entry ? sent : printable(sent);
    found.set(sent, { name, value: shown(entry?.row ?? null, text), message: TWICE });
  }
  if (place === undefined || entry === undefined || text === '') {
    reading.dropped.push(sent);
    return;
  }
  if (place.name !== sent) resolve(reading, sent, place.name);
  if (sent.includes('[')) reading.indexed.push({ entry, name: place.name, text });
  for (const at of entry.rules) reading.due[at] = 1;
  if (found.has(sent)) return;
  if (place.misuse !== null) {
    found.set(sent, { name: printable(sent, nameBytesMax), value: shown(entry.row, text), message: place.misuse });
  } else if (!isWellFormed(entry.row, text, context.isLenient)) {
    found.set(sent, { name: sent, value: shown(entry.row, text), message: entry.row.format.says });
  }
}

/** An alias stands for the canonical name, unless that has been sent too. The older name of the entity may repeat it. */
function resolve(reading: Reading, sent: string, name: string): void {
  const { decoded, aliased, found } = reading;
  const other = aliased.get(name) ?? (decoded.fields.get(name) ? name : undefined);
  if (other === undefined) {
    aliased.set(name, sent);
    return;
  }
  const isSame = decoded.fields.get(other) === decoded.fields.get(sent);
  if (name === 'entityId' && isSame) return;
  const place = placeOf(reading.catalogue, sent);
  const value = shown(place?.entry.row ?? null, decoded.fields.get(sent) ?? '');
  if (!found.has(sent)) found.set(sent, { name: sent, value, message: `must not be sent with ${other}` });
}

function canonicalTexts({ decoded, aliased, dropped }: Reading): Map<string, string> {
  const texts = new Map(decoded.fields);
  for (const name of dropped) texts.delete(name);
  for (const [name, sent] of aliased) {
    texts.set(name, texts.get(sent) as string);
    texts.delete(sent);
  }
  return texts;
}

function applyRules(reading: Reading): void {
  const { catalogue, due } = reading;
  const sent = sentOf(reading);
  for (let at = due.indexOf(1); at >= 0; at = due.indexOf(1, at + 1)) {
    const rule = catalogue.rules[at] as Rule;
    if (!isInForce(rule, reading.context) || !isConcerned(rule, sent)) continue;
    if (rule.ignores) ignore(reading, rule.ignores);
    else for (const finding of judge(rule, sent)) report(reading, finding, rule);
  }
}

const isInForce = (rule: Rule, { isLenient, source, environment }: Context): boolean =>
  !(rule.isDescriptive && isLenient) &&
  (rule.from === undefined || rule.from === source) &&
  (rule.in === undefined || rule.in === environment);

function sentOf(reading: Reading): Sent {
  const isFaulty = (name: string): boolean => reading.found.size > 0 && reading.found.has(reading.aliased.get(name) ?? name);
  return {
    has: (name) => reading.texts.has(name),
    text: (name) => (isFaulty(name) ? undefined : reading.texts.get(name)),
    all: (rowName) => reading.indexed.filter(({ entry, name }) => entry.name === rowName && !isFaulty(name)),
  };
}

function ignore(reading: Reading, names: readonly string[]): void {
  const sent = names.filter((name) => reading.texts.has(name));
  if (sent.length === 0) return;
  const texts = new Map(reading.texts);
  for (const name of sent) {
    texts.delete(name);
    if (reading.found.get(name)?.message !== TWICE) reading.found.delete(name);
    reading.dropped.push(name);
  }
  reading.texts = texts;
}

/** A parameter has one fault. A rule that knows which values are allowed here says more than the format of the row. */
function report(reading: Reading, { name, says }: Finding, rule?: Rule): void {
  const { found, aliased, texts, catalogue } = reading;
  const sent = aliased.get(name) ?? name;
  const text = texts.get(name);
  const row = text === undefined ? null : (placeOf(catalogue, sent)?.entry.row ?? null);
  const before = found.get(sent);
  if (before && !(rule?.allows && before.message === row?.format.says)) return;
  found.set(sent, { name: sent, value: text === undefined ? null : shown(row, text), message: says });
}

function createChecked({ decoded, catalogue, texts, dropped }: Reading): Checked {
  let fields = decoded.fields;
  if (dropped.length > 0) {
    const kept = new Map(decoded.fields);
    for (const name of dropped) kept.delete(name);
    fields = kept;
  }
  return {
    fields,
    get: <Name extends ParameterName>(name: Name) => {
      const text = texts.get(name);
      const row = parameters[name] as Row<ValueOf<Name>>;
      return text === undefined ? undefined : row.format.parse(text);
    },
    text: (name) => texts.get(name),
    rowOf: (name) => {
      const place = placeOf(catalogue, name);
      if (!place) throw new Error(`${canonical(name)} is no name of this request`);
      return place.entry.name;
    },
  };
}

/** Whether the conditions of a rule hold, apart from the one that brought it here. */
function isConcerned(rule: Rule, sent: Sent): boolean {
  const { is, isNot, unless } = rule;
  if (unless?.some((name) => sent.has(name))) return false;
  for (const name in is) if (!is[name]?.includes(sent.text(name) ?? '')) return false;
  for (const name in isNot) {
    // A value with a fault of its own is neither the one nor the other.
    const text = sent.text(name);
    if (text === undefined ? sent.has(name) : isNot[name]?.includes(text)) return false;
  }
  return true;
}

/** What a rule has to say about a request it is concerned with. */
function judge(rule: Rule, sent: Sent): readonly Finding[] {
  if (rule.finds) return rule.finds(sent);
  if (rule.needs) return absent(sent, rule.needs);
  if (rule.needsOneOf) return oneOf(rule.needsOneOf, sent);
  if (rule.forbids) {
    const trigger = rule.when.find((name) => sent.has(name));
    return rule.forbids.filter((name) => sent.has(name)).map((name) => ({ name, says: `must not be sent with ${trigger}` }));
  }
  if (rule.refuses !== undefined) return refused(rule.when, rule.refuses, sent);
  return rule.allows ? strange(rule.allows, sent) : unlike(rule.matches ?? {}, sent);
}

function oneOf(names: readonly string[], sent: Sent): readonly Finding[] {
  const [first = ''] = names;
  return names.some((name) => sent.has(name)) ? [] : [{ name: first, says: `${ABSENT}: one of [${names.join(', ')}] is needed` }];
}

function refused(names: readonly string[], says: string, sent: Sent): readonly Finding[] {
  const whole = names.flatMap((name) => (name.includes('[') ? sent.all(name).map((field) => field.name) : [name]));
  return whole.filter((name) => sent.has(name)).map((name) => ({ name, says }));
}

/** A value that no format of the row allows is not one of these either: the shorter list is the better message. */
function strange(allows: Readonly<Record<string, readonly string[]>>, sent: Sent): readonly Finding[] {
  const findings: Finding[] = [];
  for (const name in allows) {
    const values = allows[name] as readonly string[];
    if (sent.has(name) && !values.includes(sent.text(name) ?? '')) {
      findings.push({ name, says: `must be one of [${values.join(', ')}]` });
    }
  }
  return findings;
}

function unlike(matches: Readonly<Record<string, RegExp>>, sent: Sent): readonly Finding[] {
  const findings: Finding[] = [];
  for (const name in matches) {
    const pattern = matches[name] as RegExp;
    const text = sent.text(name);
    if (text !== undefined && !pattern.test(text)) findings.push({ name, says: `must match ${pattern.source}` });
  }
  return findings;
}
