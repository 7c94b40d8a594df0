import { canonical } from '../spec/aliases.ts';
import type { CardNumberMode } from '../spec/cards/cardNumbers.ts';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { type ParameterName, parameters, type SectionName, type ValueOf } from '../spec/parameters.ts';
import type { Row } from '../spec/row.ts';
import { ABSENT, type Finding, NOT_ALLOWED, type Rule, type Sent } from '../spec/rules/rule.ts';
import {
  type Catalogue,
  catalogueOfEndpoint,
  circumstancesOf,
  createCatalogue,
  type Entry,
  findParameter,
  isExcluded,
  namesRow,
  type ParameterPosition,
} from './catalogue.ts';
import type { Checked, Fault } from './checked.ts';
import { type Decoded, printable } from './decode.ts';
import { echoOf, inOrder } from './faults.ts';
import { withHints } from './hints.ts';
import { isConcerned, judge } from './judge.ts';
import { nameBytesMax } from './limits.ts';
import { createScreened, createScreening, type Screening, screened, screenField } from './screen.ts';
import { isWellFormed } from './wellFormed.ts';

/** Every fault of a request, in the order of its parameters; missing parameters come last. */
export type Faulty = { readonly is: 'faulty'; readonly faults: readonly Fault[] };

/** Where a request arrived. The endpoint determines the sections; a test may name sections and required parameters itself. */
export type Context = {
  readonly isLenient: boolean;
  readonly source: 'server' | 'browser';
  readonly environment: 'test' | 'live';
  /** How card numbers in texts are treated; default: masked. */
  readonly cardNumbers?: CardNumberMode | undefined;
} & (
  | { readonly endpoint: EndpointName }
  | { readonly endpoint?: undefined; readonly sections: readonly SectionName[]; readonly required: readonly string[] }
);

type Field = { readonly entry: Entry; readonly name: string; readonly text: string };

type SentField = { readonly sent: string; readonly text: string; readonly rowName: ParameterName };

/** A request during the check. Names are canonical in `texts` and `aliased`, and as sent everywhere else. */
type Reading = {
  readonly decoded: Decoded;
  readonly context: Context;
  readonly catalogue: Catalogue;
  texts: ReadonlyMap<string, string>;
  /** `texts`, once something was dropped from it: what was sent itself stays. */
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
  /** The rules of the catalogue that may have to be evaluated, as its `RuleBits`. */
  readonly due: number[];
};

const TWICE = 'must not be sent twice';

const bySections = new Map<string, Catalogue>();

/** Validates a decoded form: returns a request whose every value is valid, or every fault at once. */
export function check(sent: Decoded, context: Context): Checked | Faulty {
  if (!sent.isWhole) return { is: 'faulty', faults: inOrder(sent, new Map()) };
  const screening = createScreening(catalogueOf(context), context);
  // An iterator makes a pair for each field.
  sent.fields.forEach((text, name) => {
    screenField(screening, name, text);
  });
  const reading = createReading(screened(sent, screening), screening, context);
  reading.decoded.fields.forEach((text, name) => {
    readField(reading, name, text);
  });
  if (context.endpoint !== undefined) sent.unknown = { by: context.endpoint, names: reading.unknown };
  return conclude(reading);
}

/** Work of a few milliseconds: a field costs 1, and 1 more for every so many characters. */
const SLICE_WORK = 250;
const CHARACTERS_OF_WORK = 64;

/** The same for a form of any length: a long one is checked in slices, and other requests come in between. */
export const checkForm = (sent: Decoded, context: Context): Checked | Faulty | Promise<Checked | Faulty> =>
  sent.rest === undefined ? check(sent, context) : checkInSlices(sent, context, sent.rest);

async function checkInSlices(sent: Decoded, context: Context, rest: () => Promise<void>): Promise<Checked | Faulty> {
  if (!sent.isWhole) return { is: 'faulty', faults: inOrder(sent, new Map()) };
  const screening = createScreening(catalogueOf(context), context);
  await eachInSlices(sent.fields, rest, (name, text) => screenField(screening, name, text));
  const { add, whole } = createScreened(sent, screening);
  const isChanged = screening.clean !== null;
  if (isChanged) await eachInSlices(sent.fields, rest, add);
  const reading = createReading(isChanged ? whole() : sent, screening, context);
  await eachInSlices(reading.decoded.fields, rest, (name, text) => readField(reading, name, text));
  if (context.endpoint !== undefined) sent.unknown = { by: context.endpoint, names: reading.unknown };
  await rest();
  if (hasOtherTexts(reading)) reading.texts = reading.own = await canonicalInSlices(reading, rest);
  else if (mayIgnore(reading)) reading.own = await copyInSlices(reading.texts, rest);
  await rest();
  requireSent(reading);
  await rest();
  applyRules(reading);
  await rest();
  return outcomeOf(reading);
}

async function eachInSlices(
  fields: ReadonlyMap<string, string>,
  rest: () => Promise<void>,
  visit: (name: string, text: string) => void,
): Promise<void> {
  let work = 0;
  for (const [name, text] of fields) {
    visit(name, text);
    work += 1 + text.length / CHARACTERS_OF_WORK;
    if (work < SLICE_WORK) continue;
    work = 0;
    await rest();
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
  due: catalogue.due.slice(),
});

function conclude(reading: Reading): Checked | Faulty {
  settleTexts(reading);
  applyRules(reading);
  return outcomeOf(reading);
}

/** Texts under their canonical names, and the required ones that are absent. */
function settleTexts(reading: Reading): void {
  if (hasOtherTexts(reading)) reading.texts = canonicalTexts(reading);
  requireSent(reading);
}

const hasOtherTexts = ({ aliased, dropped }: Reading): boolean => aliased !== null || dropped.length > 0;

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

function catalogueOf(context: Context): Catalogue {
  if (context.endpoint !== undefined) return catalogueOfEndpoint(context.endpoint);
  const key = context.sections.join();
  const known = bySections.get(key) ?? createCatalogue(context.sections, null);
  bySections.set(key, known);
  return known;
}

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
  const { due } = reading;
  for (let word = 0; word < due.length; word += 1) due[word] = (due[word] as number) | (entry.rules[word] as number);
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

function canonicalTexts(reading: Reading): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { sent, text } of reading.kept) texts.set(sent, text);
  return withCanonicalNames(reading, texts);
}

async function canonicalInSlices(reading: Reading, rest: () => Promise<void>): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [at, { sent, text }] of reading.kept.entries()) {
    texts.set(sent, text);
    if (at % SLICE_KEPT === SLICE_KEPT - 1) await rest();
  }
  return withCanonicalNames(reading, texts);
}

/** As many fields as are only noted, or visited, in a few milliseconds. */
const [SLICE_KEPT, SLICE_VISITS] = [4_096, 1_000];

function withCanonicalNames({ aliased }: Reading, texts: Map<string, string>): Map<string, string> {
  for (const [name, sent] of aliased ?? []) {
    texts.set(name, texts.get(sent) as string);
    texts.delete(sent);
  }
  return texts;
}

function applyRules(reading: Reading): void {
  const sent = sentOf(reading);
  let hasIgnored = false;
  for (const rule of rulesDue(reading)) {
    if (!isConcerned(rule, sent)) continue;
    // What called for the rule may have been ignored since.
    if (hasIgnored && rule.when.length > 0 && sent.first(rule.when) === undefined) continue;
    if (rule.ignores) hasIgnored = ignore(reading, rule.ignores) || hasIgnored;
    else for (const finding of judge(rule, sent)) report(reading, finding, rule);
  }
}

/** The rules to evaluate, in the order of the catalogue: those that are due and in force here. */
function rulesDue({ catalogue, context, due }: Reading): readonly Rule[] {
  const inForce = catalogue.inForce[circumstancesOf(context)] as readonly number[];
  const found: Rule[] = [];
  for (let word = 0; word < due.length; word += 1) {
    for (let bits = (due[word] as number) & (inForce[word] as number); bits !== 0; bits &= bits - 1) {
      found.push(catalogue.rules[32 * word + 31 - Math.clz32(bits & -bits)] as Rule);
    }
  }
  return found;
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

/** Whether a rule may drop a parameter that was sent. */
const mayIgnore = (reading: Reading): boolean =>
  rulesDue(reading).some(({ ignores }) => ignores?.some((name) => reading.texts.has(name)));

/** A copy of as many texts as a form can have takes 9 ms in one go, and twice as long beside other work. */
async function copyInSlices(texts: ReadonlyMap<string, string>, rest: () => Promise<void>): Promise<Map<string, string>> {
  const copy = new Map<string, string>();
  for (const [name, text] of texts) {
    copy.set(name, text);
    if (copy.size % SLICE_KEPT === 0) await rest();
  }
  return copy;
}

/** Drops the parameters; returns whether one of them was sent. */
function ignore(reading: Reading, names: readonly string[]): boolean {
  const sent = names.filter((name) => reading.texts.has(name));
  if (sent.length === 0) return false;
  reading.own ??= new Map(reading.texts);
  for (const name of sent) {
    reading.own.delete(name);
    if (reading.found.get(name)?.message !== TWICE) reading.found.delete(name);
    reading.dropped.push(name);
  }
  reading.texts = reading.own;
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
    eachField(visit) {
      for (const { sent, text, rowName } of known) if (isKept(sent)) visit(sent, text, rowName);
    },
    eachInSlices:
      rest &&
      (async (visit) => {
        for (const [at, { sent, text, rowName }] of known.entries()) {
          if (isKept(sent)) visit(sent, text, rowName);
          if (at % SLICE_VISITS === SLICE_VISITS - 1) await rest();
        }
        await rest();
      }),
    rowOf: (name) => {
      const place = findParameter(catalogue, name);
      if (!place) throw new Error(`${canonical(name)} is no name of this request`);
      return place.entry.name;
    },
  };
}
