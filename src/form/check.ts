import { inOneGo, inParts, type Work } from '../runtime/ticks.ts';
import { canonical } from '../spec/aliases.ts';
import { endpoints } from '../spec/endpoints.ts';
import { type ParameterName, parameters, type ValueOf } from '../spec/parameters.ts';
import type { Row } from '../spec/row.ts';
import { ABSENT, type Finding, NOT_ALLOWED, type Rule, type Sent } from '../spec/rules/rule.ts';
import {
  type Catalogue,
  catalogues,
  circumstancesOf,
  type Entry,
  findParameter,
  isExcluded,
  isWellFormed,
  namesRow,
  type ParameterPosition,
  type RuleSet,
} from './catalogue.ts';
import type { Checked, Context, Fault } from './checked.ts';
import { type Decoded, printable } from './decode.ts';
import { echoOf, inOrder } from './faults.ts';
import { isConcerned, judge } from './judge.ts';
import { nameBytesMax } from './limits.ts';
import { createScreened, createScreening, type Screening, screenField } from './screen.ts';
import { withHints } from './unknownNames.ts';

/** Every fault of a request, in the order of its parameters; missing parameters come last. */
export type Faulty = { readonly is: 'faulty'; readonly faults: readonly Fault[] };

type Field = { readonly entry: Entry; readonly name: string; readonly text: string };

type SentField = { readonly sent: string; readonly text: string; readonly rowName: ParameterName };

/** A request during the check. Names are canonical in `texts` and `aliased`, and as sent everywhere else. */
type Reading = {
  readonly decoded: Decoded;
  readonly context: Context;
  readonly catalogue: Catalogue;
  texts: ReadonlyMap<string, string>;
  /** The copy of the texts from which rules drop parameters; null: the texts are still those of the form. */
  own: Map<string, string> | null;
  /** Canonical name → name as sent, where they differ; null: nowhere. */
  aliased: Map<string, string> | null;
  /** Sent names that are dropped: empty, unknown or ignored. */
  readonly dropped: string[];
  readonly indexed: Field[];
  /** The fields with a row, by their sent names, in the order of the request; some of them may be dropped later. */
  readonly kept: SentField[];
  /** Names that no row has. */
  readonly unknown: string[];
  readonly found: Map<string, Fault>;
  /** The rules that concern a sent parameter. */
  readonly due: RuleSet;
};

const TWICE = 'must not be sent twice';

/** Validates a decoded form: returns a request whose every value is valid, or every fault together. */
export const check = (sent: Decoded, context: Context): Checked | Faulty => inOneGo(checking(sent, context));

/** The same for a form of any length: other requests come in between the parts of a long one. */
export const checkForm = async (sent: Decoded, context: Context): Promise<Checked | Faulty> =>
  sent.rest === undefined ? check(sent, context) : inParts(checking(sent, context), sent.rest);

function* checking(sent: Decoded, context: Context): Work<Checked | Faulty> {
  if (!sent.isWhole) return { is: 'faulty', faults: inOrder(sent, new Map()) };
  const screening = createScreening(catalogueOf(context), context);
  yield* eachField(sent.fields, (name, text) => screenField(screening, name, text));
  const clean = screening.clean === null ? null : createScreened(sent, screening.clean);
  if (clean) yield* eachField(sent.fields, clean.add);
  const reading = createReading(clean?.whole() ?? sent, screening, context);
  yield* eachField(reading.decoded.fields, (name, text) => readField(reading, name, text));
  if (context.endpoint !== undefined) sent.unknown = { by: context.endpoint, names: reading.unknown };
  yield;
  const rules = rulesDue(reading);
  if (reading.aliased !== null || reading.dropped.length > 0) reading.texts = reading.own = yield* canonicalTexts(reading);
  else if (mayIgnore(reading, rules)) reading.own = yield* copyOf(reading.texts);
  yield;
  requireSent(reading);
  yield;
  applyRules(reading, rules);
  yield;
  return outcomeOf(reading);
}

/** Work of a few milliseconds: a field costs 1, and 1 more for every so many characters. */
const PART_WORK = 250;
const CHARACTERS_OF_WORK = 64;
/** So few fields are visited within one tick, without an iterator. */
const FEW_FIELDS = 100;

function* eachField(fields: ReadonlyMap<string, string>, visit: (name: string, text: string) => void): Work<void> {
  if (fields.size <= FEW_FIELDS) {
    fields.forEach((text, name) => {
      visit(name, text);
    });
    return;
  }
  let work = 0;
  for (const [name, text] of fields) {
    visit(name, text);
    work += 1 + text.length / CHARACTERS_OF_WORK;
    if (work < PART_WORK) continue;
    work = 0;
    yield;
  }
}

const createReading = (decoded: Decoded, { catalogue, found }: Screening, context: Context): Reading => ({
  decoded,
  context,
  catalogue,
  texts: decoded.fields,
  own: null,
  aliased: null,
  dropped: [],
  indexed: [],
  kept: [],
  unknown: [],
  found,
  due: catalogue.due.copy(),
});

function requireSent(reading: Reading): void {
  const { context } = reading;
  const required: readonly string[] = context.endpoint === undefined ? context.required : endpoints[context.endpoint].required;
  for (const name of required) if (!reading.texts.has(name)) report(reading, { name, message: ABSENT });
}

function outcomeOf(reading: Reading): Checked | Faulty {
  const { decoded } = reading;
  if (reading.found.size > 0 || decoded.faults.length > 0)
    return { is: 'faulty', faults: inOrder(decoded, withHints(reading.found, reading.unknown, reading.context)) };
  return createChecked(reading);
}

const catalogueOf = (context: Context): Catalogue =>
  context.endpoint === undefined ? catalogues.ofSections(context.sections) : catalogues.ofEndpoint(context.endpoint);

function readField(reading: Reading, sent: string, text: string): void {
  const { decoded, context, catalogue, found } = reading;
  const isRepeated = decoded.repeated.size > 0 && decoded.repeated.has(sent);
  const place = text !== '' || isRepeated || sent.endsWith(']') ? findParameter(catalogue, sent) : undefined;
  const entry = place?.entry;
  if (isRepeated && !(context.isLenient && entry?.key)) {
    const name = entry ? sent : printable(sent);
    found.set(sent, { name, value: echoOf(entry?.row ?? null, text), message: TWICE });
  }
  if (place === undefined || entry === undefined || (text === '' && !keepsEmpty(place))) {
    reading.dropped.push(sent);
    if (place === undefined && text !== '') {
      reading.unknown.push(sent);
      refuseExcluded(reading, sent, text);
    }
    return;
  }
  reading.kept.push({ sent, text, rowName: entry.name });
  if (place.name !== sent) resolve(reading, sent, place.name);
  if ((entry.isInBrackets || place.misuse !== null) && sent.includes('['))
    reading.indexed.push({ entry, name: place.name, text });
  reading.due.add(entry.rules);
  if (found.size > 0 && found.has(sent)) return;
  if (place.misuse !== null) {
    found.set(sent, { name: printable(sent, nameBytesMax), value: echoOf(entry.row, text), message: place.misuse });
  } else if (text !== '' && !isWellFormed(entry.test, text, context.isLenient)) {
    found.set(sent, { name: sent, value: echoOf(entry.row, text), message: entry.row.format.message });
  }
}

const keepsEmpty = ({ entry, misuse }: ParameterPosition): boolean => entry.row.keepsEmpty === true && misuse === null;

/** An unknown name is no fault, unless the documents exclude it and the channel is strict. */
function refuseExcluded({ catalogue, context, found }: Reading, sent: string, text: string): void {
  if (context.isLenient || !isExcluded(catalogue, sent)) return;
  found.set(sent, { name: sent, value: echoOf(null, text), message: NOT_ALLOWED });
}

/** An alias replaces the canonical name, unless both are sent. The older name of the entity may repeat it. */
function resolve(reading: Reading, sent: string, name: string): void {
  const { decoded, found } = reading;
  const other = reading.aliased?.get(name) ?? (decoded.fields.get(name) ? name : undefined);
  if (other === undefined) {
    reading.aliased ??= new Map();
    reading.aliased.set(name, sent);
    return;
  }
  const isSame = decoded.fields.get(other) === decoded.fields.get(sent);
  if (name === 'entityId' && isSame) return;
  const place = findParameter(reading.catalogue, sent);
  const value = echoOf(place?.entry.row ?? null, decoded.fields.get(sent) ?? '');
  if (!found.has(sent)) found.set(sent, { name: sent, value, message: `must not be sent with ${other}` });
}

/** As many fields as are only noted, or visited, in a few milliseconds. */
const [PART_KEPT, PART_VISITS] = [4_096, 1_000];

/** Texts under their canonical names, without the dropped ones. */
function* canonicalTexts({ kept, aliased }: Reading): Work<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { sent, text } of kept) {
    texts.set(sent, text);
    if (texts.size % PART_KEPT === 0) yield;
  }
  for (const [name, sent] of aliased ?? []) {
    texts.set(name, texts.get(sent) as string);
    texts.delete(sent);
  }
  return texts;
}

/** To copy as many texts as a form can have takes 9 ms in one go, and twice as long beside other work. */
function* copyOf(texts: ReadonlyMap<string, string>): Work<Map<string, string>> {
  const copy = new Map<string, string>();
  for (const [name, text] of texts) {
    copy.set(name, text);
    if (copy.size % PART_KEPT === 0) yield;
  }
  return copy;
}

/** The rules to evaluate, in the order of the catalogue. */
const rulesDue = ({ catalogue, context, due }: Reading): readonly Rule[] =>
  due.inForce(catalogue.rules, catalogue.inForce[circumstancesOf(context)] as RuleSet);

/** Whether a rule may drop a parameter that was sent. */
const mayIgnore = ({ texts }: Reading, rules: readonly Rule[]): boolean =>
  rules.some(({ ignores }) => ignores?.some((name) => texts.has(name)));

function applyRules(reading: Reading, rules: readonly Rule[]): void {
  const sent = sentOf(reading);
  let hasIgnored = false;
  for (const rule of rules) {
    if (!isConcerned(rule, sent)) continue;
    // The parameter that called for the rule may have been dropped since.
    if (hasIgnored && rule.when.length > 0 && sent.first(rule.when) === undefined) continue;
    if (rule.ignores) hasIgnored = ignore(reading, rule.ignores) || hasIgnored;
    else for (const finding of judge(rule, sent)) report(reading, finding, rule);
  }
}

function sentOf(reading: Reading): Sent {
  let rowNames: ReadonlySet<string> | undefined;
  const isFaulty = (name: string): boolean => reading.found.size > 0 && reading.found.has(reading.aliased?.get(name) ?? name);
  return {
    has: (name) => reading.texts.has(name),
    text: (name) => (isFaulty(name) ? undefined : reading.texts.get(name)),
    all: (rowName) => reading.indexed.filter(({ entry, name }) => entry.name === rowName && !isFaulty(name)),
    first: (patterns) => {
      rowNames ??= new Set(reading.kept.map(({ rowName }) => rowName));
      // The names of the rows are few, also where there are many fields.
      const named = new Set(rowNames.values().filter((rowName) => patterns.some((pattern) => namesRow(pattern, rowName))));
      if (named.size === 0) return undefined;
      return reading.kept.find(({ sent, rowName }) => named.has(rowName) && reading.texts.has(canonical(sent)))?.sent;
    },
  };
}

/** Drops the parameters; returns whether one of them was sent. */
function ignore(reading: Reading, names: readonly string[]): boolean {
  const sent = names.filter((name) => reading.texts.has(name));
  if (sent.length === 0) return false;
  // Where a rule may drop something, the texts are a copy by now.
  const own = reading.own as Map<string, string>;
  for (const name of sent) {
    own.delete(name);
    if (reading.found.get(name)?.message !== TWICE) reading.found.delete(name);
    reading.dropped.push(name);
  }
  reading.texts = own;
  return true;
}

/** A parameter has one fault. A rule with a list of allowed values gives a better message than the format of the row. */
function report(reading: Reading, { name, message }: Finding, rule?: Rule): void {
  const { found, aliased, texts, catalogue } = reading;
  const sent = aliased?.get(name) ?? name;
  const text = texts.get(name);
  const row = text === undefined ? null : (findParameter(catalogue, sent)?.entry.row ?? null);
  const before = found.get(sent);
  if (before && !(rule?.allows && before.message === row?.format.message)) return;
  found.set(sent, { name: sent, value: text === undefined ? null : echoOf(row, text), message });
}

/**
 * A generator of the module: one made for each request would get a hidden class of its own, which lies among the old objects and keeps the
 * request alive.
 */
function* eachKept(
  kept: readonly SentField[],
  isKept: (sent: string) => boolean,
  visit: Parameters<Checked['visit']>[0],
): Work<void> {
  for (let at = 0; at < kept.length; at += 1) {
    const { sent, text, rowName } = kept[at] as SentField;
    if (isKept(sent)) visit(sent, text, rowName);
    if (at % PART_VISITS === PART_VISITS - 1) yield;
  }
}

function createChecked({ decoded, catalogue, texts, dropped, kept: known }: Reading): Checked {
  let fields = decoded.fields;
  if (dropped.length > 0) {
    const kept = new Map(decoded.fields);
    for (const name of dropped) kept.delete(name);
    fields = kept;
  }
  const { rest } = decoded;
  const isKept = (sent: string): boolean => dropped.length === 0 || fields.has(sent);
  return {
    is: 'checked',
    fields,
    get: <Name extends ParameterName>(name: Name) => {
      const text = texts.get(name);
      return text === undefined ? undefined : (parameters[name] as Row<ValueOf<Name>>).format.parse(text);
    },
    text: (name) => texts.get(name),
    visit: (visit) => eachKept(known, isKept, visit),
    ...(rest && { rest }),
    rowOf: (name) => {
      const place = findParameter(catalogue, name);
      if (!place) throw new Error(`${canonical(name)} is no name of this request`);
      return place.entry.name;
    },
  };
}
