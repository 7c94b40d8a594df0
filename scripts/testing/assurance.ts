import type { Requirement } from '../../test/assurance/row.ts';
import { requirements } from '../../test/assurance/table.ts';
import { splitProof } from '../../test/assurance/titles.ts';
import { addUp, type Figure, reportersOf } from './figures.ts';
import type { Passed } from './passed.ts';
import { importChain, type Plan } from './plan.ts';

type FilesOfRows = ReadonlyMap<string, readonly string[]>;

/** The test files of each requirement: the files of its tests and controls, and the files that report its figures. */
export function filesOfRows(plan: Plan, testFiles: readonly string[]): FilesOfRows {
  const reporters = reportersOf(plan, testFiles);
  const ofTests: Plan = { ...plan, importsOf: (at) => plan.importsOf(at).filter((to) => to.startsWith('test/')) };
  const known = new Map<string, readonly string[]>();
  const runsOf = (file: string): readonly string[] => {
    if (testFiles.includes(file)) return [file];
    const found = known.get(file) ?? testFiles.filter((test) => importChain(ofTests, test, (to) => to === file) !== null);
    known.set(file, found);
    return found;
  };
  return new Map(
    requirements.map(({ id, tests, control }) => {
      const proofs = control.kind === 'tests' ? [...tests, ...control.tests] : tests;
      const files = proofs.flatMap((proof) => runsOf(splitProof(proof).file));
      return [id, [...new Set([...files, ...(reporters.get(id) ?? [])])].sort()];
    }),
  );
}

/** The files of the named requirements, and those whose path contains a word; all without words. */
export function chooseFiles(testFiles: readonly string[], rows: FilesOfRows, words: readonly string[]): readonly string[] {
  if (words.length === 0) return testFiles;
  const named = new Set(words.flatMap((word) => rows.get(word.toUpperCase()) ?? testFiles.filter((file) => file.includes(word))));
  return testFiles.filter((file) => named.has(file));
}

type Summary = {
  readonly id: string;
  readonly says: string;
  readonly files: number;
  readonly passed: number;
  readonly figures: Readonly<Record<string, number>>;
  readonly missing: string | null;
};

/** A line for each requirement that has a file in the run. */
export function summarise(run: {
  readonly requirements: readonly Requirement[];
  readonly rows: FilesOfRows;
  readonly wanted: readonly string[];
  readonly state: ReadonlyMap<string, Passed>;
  readonly figures: readonly Figure[];
}): readonly Summary[] {
  const wanted = new Set(run.wanted);
  const sums = addUp(run.figures);
  return run.requirements.flatMap(({ id, says, gap }) => {
    const files = run.rows.get(id) ?? [];
    if (!files.some((file) => wanted.has(file))) return [];
    const passed = files.filter((file) => run.state.has(file)).length;
    return { id, says, files: files.length, passed, figures: Object.fromEntries(sums.get(id) ?? []), missing: gap };
  });
}

export function tableText(rows: readonly Summary[]): string {
  const lines = rows.map(({ id, files, passed, figures, says }) => {
    const counts = Object.entries(figures).map(([name, value]) => `${value.toLocaleString('en')} ${name}`);
    const state = passed === files ? '✔' : passed === 0 ? '✖' : '…';
    return `${state} ${id.padEnd(4)} ${`${passed}/${files} files`.padEnd(12)} ${counts.join(', ') || says}`;
  });
  return lines.join('\n');
}
