import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSpecification, type SpecificationRow, specificationFolder, storedSpecification } from '../scripts/specification.ts';
import { check } from '../src/form/check.ts';
import { decode } from '../src/form/decode.ts';
import { type EndpointName, endpoints, paymentSections } from '../src/spec/endpoints.ts';
import { openApiExamples } from '../src/spec/openApi/examples.ts';
import { legacyAuthentication } from '../src/spec/parameters/basic.ts';
import { queryExtras, reportingExtras } from '../src/spec/parameters/queries.ts';
import { family, preview } from '../src/spec/parameters/storedCredentials.ts';
import { mapKeys, parameters, sections } from '../src/spec/parameters.ts';
import { paymentResponse, registrationResponse, responseExtras } from '../src/spec/response.ts';
import type { Row, Section } from '../src/spec/row.ts';
import { rules } from '../src/spec/rules/rules.ts';
import { bodyOf } from './requests.ts';

/** Compares the rows with the tables of the documents: a missing, extra, misspelt or misplaced row fails here. */

const specification = storedSpecification();

type Line = { readonly name: string; readonly need: string; readonly label: string };

const linesOf = (rows: readonly SpecificationRow[]): Line[] => rows.map(([name, need, label]) => ({ name, need, label }));

function linesUnder(document: 2 | 3, heading: string): Line[] {
  const found = specification.requests.find((table) => table.document === document && table.heading === heading);
  return linesOf(found?.rows ?? []);
}

const optional = (lines: readonly Line[], from: string, to: string): Line[] =>
  lines.map(({ name, label }) => ({ name: name.replace(from, to), label, need: 'O' }));

/** What the documents say in a sentence instead of a table. */
function inProse(document: 2 | 3, heading: string): Line[] {
  const under = (other: string) => linesUnder(document, other);
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

const inDocuments: ReadonlySet<string> = new Set(
  Object.values(sections)
    .flatMap(({ document, heading }) => [...inProse(document, heading), ...linesUnder(document, heading)])
    .map(({ name }) => name),
);

/** A row that the documents lack cites its decision; these tables do so as a whole. */
const isBeyond = (rows: Section['rows'], { name }: Line) =>
  [legacyAuthentication, family, preview].some((table) => Object.hasOwn(table, name)) ||
  (rows[name]?.decision !== undefined && !inDocuments.has(name));

const extras = new Map<Section['rows'], object>([
  [sections.query.rows, queryExtras],
  [sections.reporting.rows, reportingExtras],
]);
const isExtra = (rows: Section['rows'], { name }: Line) => Object.hasOwn(extras.get(rows) ?? {}, name);

test('the rows are those of documents 2 and 3, in their order, with their needs and formats', () => {
  let seen = 0;
  for (const { document, heading, rows } of Object.values(sections)) {
    const expected = [...inProse(document, heading), ...linesUnder(document, heading)].filter(
      ({ name }) => name !== 'Authorization header',
    );
    assert.deepEqual(
      written(rows).filter((line) => !isBeyond(rows, line) && !isExtra(rows, line)),
      expected,
      `document ${document}, ${heading}: test/specificationRows.json has the rows of the documents; a row beyond them has a \`decision\``,
    );
    seen += expected.length;
  }
  assert.ok(seen >= 400, `only ${seen} names seen`);
});

test('every decision that a row or a rule cites is there', () => {
  const cited = [...Object.values(sections).flatMap(({ rows }) => Object.values<Row<unknown>>(rows)), ...rules];
  const pages = new Set(cited.flatMap(({ decision }) => decision ?? []));
  assert.ok(pages.size >= 5, `only ${pages.size} pages seen`);
  const folder = join(import.meta.dirname, '..', 'decisions');
  assert.deepEqual(
    [...pages].filter((page) => !existsSync(join(folder, page))),
    [],
  );
});

test('no heading of documents 2 and 3 with a table is left out', () => {
  const headings = specification.requests.map(({ heading }) => heading);
  const known = new Set(Object.values(sections).map(({ heading }) => heading));
  assert.ok(headings.length >= 30, `only ${headings.length} headings seen`);
  assert.deepEqual(
    headings.filter((heading) => !known.has(heading)),
    [],
  );
});

test('the rows of an answer are those of documents 1 and 3', () => {
  const expected = linesOf(specification.paymentResponse);
  assert.ok(expected.length >= 35, `only ${expected.length} fields seen`);
  assert.deepEqual(written(paymentResponse), expected);
});

if (existsSync(specificationFolder)) {
  test('specificationRows.json is what the documents say; node scripts/specification.ts writes it anew', () => {
    assert.deepEqual(specification, readSpecification(specificationFolder));
  });
}

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
    assert.deepEqual(outcome.is === 'faulty' ? outcome.faults : [], [], endpoint);
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
