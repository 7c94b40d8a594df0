import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { noPromises, promises } from './promises.ts';
import { pages, readPage, readPromises } from './readme.ts';
import { readFigures } from './recorded.ts';
import { findReports } from './reports.ts';
import type { Control, Proof } from './row.ts';
import { requirements } from './table.ts';
import { threats } from './threats.ts';
import { findFault } from './titles.ts';

/** No row of the evidence is empty, and every test that a row names is there. */

const root = join(import.meta.dirname, '..', '..');
const numbered = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
const isGap = (reason: string): boolean => reason.startsWith('not yet: ');
/** The controls of a threat are those of its requirements. */
const ofRequirements: Control = { kind: 'none', reason: 'those of its requirements' };
type Row = { readonly name: string; readonly tests: readonly Proof[]; readonly control: Control; readonly gap: string | null };
const rows: readonly Row[] = [
  ...requirements.map(({ id, tests, control, gap }) => ({ name: id, tests, control, gap })),
  ...promises.map(({ pieces, tests, control, gap }) => ({ name: pieces[0] ?? '', tests, control, gap })),
  ...threats.map(({ id, tests, gap }) => ({ name: id, tests, control: ofRequirements, gap })),
];
const namesOf = (some: readonly Row[]): readonly string[] => some.map(({ name }) => name);

test('every requirement and every threat has its row', () => {
  assert.deepEqual(
    requirements.map(({ id }) => id),
    numbered('R', 46),
  );
  assert.deepEqual(
    threats.map(({ id }) => id),
    numbered('T', 20),
  );
  const known = new Set(requirements.map(({ id }) => id));
  assert.deepEqual(
    threats.flatMap(({ requirements: named }) => named.filter((id) => !known.has(id))),
    [],
  );
});

test('a row without a test says what is missing', () => {
  assert.deepEqual(namesOf(rows.filter(({ tests, gap }) => tests.length === 0 && gap === null)), []);
  const unclear = rows.filter(({ gap }) => gap !== null && !isGap(gap));
  assert.deepEqual(namesOf(unclear), [], 'what is missing begins with "not yet: "');
});

test('a limit has a reason, and is no work undone', () => {
  const limits = [...requirements, ...promises, ...threats].flatMap(({ limit }) => limit ?? []);
  assert.deepEqual(
    limits.filter((limit) => isGap(limit) || !limit.includes(':')),
    [],
  );
});

test('a row has a control or the reason why it has none', () => {
  const isEmpty = (control: Control) => (control.kind === 'tests' ? control.tests.length === 0 : control.reason === '');
  assert.deepEqual(namesOf(rows.filter(({ control }) => isEmpty(control))), []);
});

test('every test and control that a row names is there', () => {
  assert.deepEqual(
    rows.flatMap((row) => proofsOf(row).flatMap((proof) => findFault(proof) ?? [])),
    [],
  );
});

test('control: a test that is not there, or whose title has changed, is noticed', () => {
  assert.equal(findFault('test/assurance/assurance.test.ts: control: a test that is not there'), null);
  for (const proof of ['test/assurance/gone.test.ts: x', 'test/assurance/assurance.test.ts: no such title', 'test/long.ts: '])
    assert.notEqual(findFault(proof), null, proof);
});

test('every piece of the README and its pages is a promise with a row, or promises nothing', () => {
  const pieces = pages.flatMap((page) => readPromises(readPage(page), page));
  const beginnings = [...promises.flatMap(({ pieces: own }) => own), ...noPromises];
  assert.ok(pieces.length >= 60, `only ${pieces.length} pieces seen`);
  assert.deepEqual(
    pieces.filter((piece) => beginnings.filter((beginning) => piece.startsWith(beginning)).length !== 1),
    [],
    'the README promises what has no row in test/assurance/promises.ts',
  );
  assert.deepEqual(
    beginnings.filter((beginning) => !pieces.some((piece) => piece.startsWith(beginning))),
    [],
    'these rows are about what the README no longer says',
  );
});

test('control: a new endpoint, bullet or sentence of the README is noticed', () => {
  const added = (text: string, after: string) =>
    pages.flatMap((page) => {
      const known = new Set(readPromises(readPage(page), page));
      return readPromises(
        readPage(page).replace(after, (found) => `${text}${found}`),
        page,
      ).filter((piece) => !known.has(piece));
    });
  assert.deepEqual(added('| `GET /v1/new` | token | a new one |\n', '| `GET /v1/query` |'), ['`GET /v1/new`']);
  assert.deepEqual(added('- **Something new** is done.\n', '- **Webhooks**'), ['**Something new** is done.']);
  assert.deepEqual(added('Nothing is ever lost. ', 'Payments are found while you type.'), ['Nothing is ever lost.']);
});

test('a row with figures has a recorded long one, or the reason why not', () => {
  const { long } = readFigures();
  const missing = requirements.filter(({ id, figures }) =>
    figures.kind === 'counted' ? long[id] === undefined && !isGap(figures.noLong) : figures.reason === '',
  );
  assert.deepEqual(
    missing.map(({ id }) => id),
    [],
  );
});

test('every figure of a row is reported by a test, and every report is a figure of a row', () => {
  const reported = findReports(root).map(({ id, name }) => `${id}: ${name}`);
  const wanted = requirements.flatMap(({ id, figures }) =>
    figures.kind === 'counted' ? figures.names.map((name) => `${id}: ${name}`) : [],
  );
  assert.deepEqual([...new Set(reported)].sort(), wanted.toSorted());
});

function proofsOf({ tests, control }: Row): readonly Proof[] {
  return control.kind === 'tests' ? [...tests, ...control.tests] : tests;
}
