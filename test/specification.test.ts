import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, isRefused } from '../src/form/check.ts';
import { decode } from '../src/form/decode.ts';
import { type EndpointName, endpoints, paymentSections } from '../src/spec/endpoints.ts';
import { openApiExamples } from '../src/spec/openApi/examples.ts';
import { family } from '../src/spec/parameters/family.ts';
import { legacyAuthentication } from '../src/spec/parameters/legacyAuthentication.ts';
import { preview } from '../src/spec/parameters/preview.ts';
import { queryExtras } from '../src/spec/parameters/query.ts';
import { reportingExtras } from '../src/spec/parameters/reporting.ts';
import { mapKeys, parameters, sections } from '../src/spec/parameters.ts';
import { paymentResponse, registrationResponse, responseExtras } from '../src/spec/response.ts';
import type { Section } from '../src/spec/row.ts';
import { rules } from '../src/spec/rules.ts';
import { bodyOf } from './requests.ts';

/** Holds the rows against the tables of the documents: a missing, extra, misspelt or misplaced row fails here. */

const folder = join(import.meta.dirname, '..', '..', 'shared', 'spec');
const skip = existsSync(folder) ? false : 'the folder ../shared/spec with the three documents is not beside the project';

type Line = { readonly name: string; readonly need: string; readonly label: string };
type Table = { readonly heading: string; readonly intro: string; readonly lines: readonly Line[] };

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** `a.b, .c` and `a.b1, 2, 3` name several parameters; `<network>` stands for five. */
function namesIn(cell: string): string[] {
  const [first = '', ...others] = cell.replace(/ \(line 2\)$/, '').split(', ');
  const all = others.map((other) => {
    if (other.startsWith('.')) return first.slice(0, first.lastIndexOf('.')) + other;
    return /^[0-9]$/.test(other) ? first.replace(/[0-9]$/, other) : other;
  });
  return [first, ...all].flatMap((name) =>
    name.includes('<network>') ? [1, 2, 3, 4, 5].map((at) => name.replace('<network>', `network${at}`)) : [name],
  );
}

/** Every table whose first column is Parameter or Field, with its heading and the line of text before it. */
function tablesOf(file: string): Table[] {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  let heading = '';
  let intro = '';
  return lines.flatMap((line, at) => {
    if (line.startsWith('#')) [heading, intro] = [line.replace(/^#+ /, ''), ''];
    else if (line !== '' && !line.startsWith('|')) intro = line;
    if (!/^\| (?:Parameter|Field) \|/.test(line)) return [];
    const columns = cellsOf(line);
    const end = lines.findIndex((other, index) => index > at && !other.startsWith('|'));
    const rows = lines.slice(at + 2, end < 0 ? undefined : end).map(cellsOf);
    const needAt = columns.indexOf('Req');
    const unsaid = heading === 'Airline' ? 'C' : 'O';
    return [
      {
        heading,
        intro,
        lines: rows.flatMap(([name = '', label = '', ...rest]) =>
          namesIn(name).map((one) => ({ name: one, label, need: needAt < 0 ? unsaid : (rest[needAt - 2] ?? '').slice(0, 1) })),
        ),
      },
    ];
  });
}

const isResponse = (table: Table) => table.heading === 'Asynchronous payments' && table.intro.startsWith('Response');
const linesUnder = (tables: readonly Table[], heading: string): Line[] =>
  tables.filter((table) => table.heading === heading && !isResponse(table)).flatMap((table) => table.lines);

const optional = (lines: readonly Line[], from: string, to: string): Line[] =>
  lines.map(({ name, label }) => ({ name: name.replace(from, to), label, need: 'O' }));

/** What the documents say in a sentence instead of a table. */
function inProse(tables: readonly Table[], heading: string): Line[] {
  const under = (other: string) => linesUnder(tables, other);
  const payersOnly = /^customer\.(?:browserFingerprint\.|browser\.deviceId|app\.deviceId)/;
  if (heading === 'Shipping customer') {
    const shared = under('Customer').filter(({ name }) => !payersOnly.test(name));
    return optional(shared, 'customer.', 'shipping.customer.');
  }
  if (heading === 'Merchant billing address') return optional(under('Billing address'), 'billing.', 'merchant.billing.');
  if (heading === 'Merchant shipping address') return optional(under('Shipping address'), 'shipping.', 'merchant.shipping.');
  return [];
}

const written = (rows: Section['rows']): Line[] =>
  Object.entries(rows).map(([name, { need, format }]) => ({ name, need, label: format.label }));

const isBeyond = ({ name }: Line) => [legacyAuthentication, family, preview].some((rows) => Object.hasOwn(rows, name));

const extras = new Map<Section['rows'], object>([
  [sections.query.rows, queryExtras],
  [sections.reporting.rows, reportingExtras],
]);
const isExtra = (rows: Section['rows'], { name }: Line) => Object.hasOwn(extras.get(rows) ?? {}, name);

test('the rows are those of documents 2 and 3, in their order, with their needs and formats', { skip }, () => {
  const documents = { 2: tablesOf('2-request-structures.md'), 3: tablesOf('3-request-structures.md') };
  let seen = 0;
  for (const { document, heading, rows } of Object.values(sections)) {
    const tables = documents[document];
    const expected = [...inProse(tables, heading), ...linesUnder(tables, heading)].filter(
      ({ name }) => name !== 'Authorization header',
    );
    assert.deepEqual(
      written(rows).filter((line) => !isBeyond(line) && !isExtra(rows, line)),
      expected,
      `document ${document}, ${heading}`,
    );
    seen += expected.length;
  }
  assert.ok(seen >= 400, `only ${seen} names seen`);
});

test('no heading of documents 2 and 3 with a table is left out', { skip }, () => {
  const headings = new Set(
    ['2-request-structures.md', '3-request-structures.md'].flatMap(tablesOf).map(({ heading }) => heading),
  );
  const known = new Set(Object.values(sections).map(({ heading }) => heading));
  assert.ok(headings.size >= 30, `only ${headings.size} headings seen`);
  assert.deepEqual(
    [...headings].filter((heading) => !known.has(heading)),
    [],
  );
});

test('the rows of an answer are those of documents 1 and 3', { skip }, () => {
  const ofPayment = linesUnder(tablesOf('1-overview-operations-behaviour.md'), 'Payment response (JSON object)');
  const redirect = tablesOf('3-request-structures.md')
    .filter(isResponse)
    .flatMap((table) => table.lines);
  const expected = ofPayment.flatMap((line): Line[] => {
    if (line.name === 'id (checkout)') return [];
    if (line.name === 'resultDetails') return [{ ...line, name: 'resultDetails[name]' }];
    if (line.name.startsWith('redirect.')) return redirect.filter(({ name }) => name === line.name);
    return [{ ...line, name: line.name.replace(' (payment)', '').replace('id (registration)', 'registrationId') }];
  });
  assert.ok(expected.length >= 35, `only ${expected.length} fields seen`);
  assert.deepEqual(written(paymentResponse), expected);
});

test('no two payment sections claim the same name, and together they are the parameters', () => {
  const names = paymentSections.flatMap((name) => Object.keys(sections[name].rows));
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual([...names].sort(), Object.keys(parameters).sort());
  assert.ok(names.length >= 460, String(names.length));
});

test('every section is a payment section or belongs to reports, queries or previews', () => {
  const others = Object.keys(sections).filter((name) => !(paymentSections as readonly string[]).includes(name));
  assert.deepEqual(others, ['reporting', 'query', 'preview']);
});

test('a row with a key in brackets has a format for the key, and no other row has', () => {
  const maps = Object.keys(parameters).filter((name) => /\[(?!n\]|XX-)[^\]]+\]$/.test(name));
  assert.deepEqual(maps.sort(), Object.keys(mapKeys).sort());
});

test('what an endpoint requires is a parameter of its sections', () => {
  for (const [name, { required, sections: used }] of Object.entries(endpoints)) {
    const known = new Set((used as readonly (keyof typeof sections)[]).flatMap((section) => Object.keys(sections[section].rows)));
    assert.deepEqual(
      (required as readonly string[]).filter((parameter) => !known.has(parameter)),
      [],
      name,
    );
  }
});

test('every name of a rule is a parameter of the documents or of what clients send', () => {
  const known = Object.values(sections).flatMap(({ rows }) => Object.keys(rows));
  const isKnown = (name: string) => known.some((row) => (name.endsWith('*') ? row.startsWith(name.slice(0, -1)) : row === name));
  const named = rules.flatMap(({ when, unless = [], needs = [], needsOneOf = [], forbids = [], ignores = [], ...rule }) => [
    ...[when, unless, needs, needsOneOf, forbids, ignores].flat(),
    ...[rule.is, rule.isNot, rule.allows, rule.matches].flatMap((table) => Object.keys(table ?? {})),
  ]);
  assert.ok(named.length >= 200, String(named.length));
  assert.deepEqual(
    named.filter((name) => !isKnown(name)),
    [],
  );
});

/** The leaves of an answer by their dotted names. */
const leavesOf = (value: unknown, name = ''): readonly (readonly [string, string])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, child]) => leavesOf(child, name === '' ? key : `${name}.${key}`))
    : [[name, String(value)]];

test('the examples of the OpenAPI document are requests that pass and answers as the rows have them', () => {
  const shop = { isLenient: false, source: 'server', environment: 'test' } as const;
  const examples = Object.entries(openApiExamples) as [EndpointName, NonNullable<(typeof openApiExamples)[EndpointName]>][];
  assert.ok(examples.length >= 5);
  for (const [endpoint, { request, answer }] of examples) {
    const outcome = check(decode(bodyOf(request)), { ...shop, endpoint });
    assert.deepEqual(isRefused(outcome) ? outcome.faults : [], [], endpoint);
    const isOfPayment = endpoints[endpoint].answers === 'payment';
    const rows: Section['rows'] = isOfPayment ? { ...paymentResponse, ...responseExtras } : registrationResponse;
    for (const [name, text] of leavesOf(answer)) assert.match(text, rows[name]?.format.pattern ?? /^no row$/, name);
  }
});

test('money, instruments, dates, enumerations and countries are never lenient', () => {
  const strict = /amount|currency|number$|iban|bic$|[dD]ate$|\.date|country|price|cost|expiry|cvv|paymentType|mode$|source$/i;
  const lenient = Object.entries(parameters as Section['rows']).filter(([, row]) => row.lenient);
  const free = (name: string) => /postcode|houseNumber|postboxNumber|agentName/i.test(name);
  assert.deepEqual(
    lenient.map(([name]) => name).filter((name) => strict.test(name) && !free(name)),
    [],
  );
  assert.deepEqual(
    lenient
      .filter(([, { format }]) => format.values || format.scan === 'none' || /ISO|URL/.test(format.message))
      .map(([name]) => name),
    [],
  );
  assert.deepEqual(
    lenient.filter(([, { secret }]) => secret).map(([name]) => name),
    [],
  );
  assert.ok(lenient.length >= 100, String(lenient.length));
});
