import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { type FigureBook, type Recorded, readFigures } from '../../test/assurance/recorded.ts';
import { findReports } from '../../test/assurance/reports.ts';
import { requirements } from '../../test/assurance/table.ts';
import { importChain, isLong, type Plan } from './plan.ts';

/** A count that a test has reported for a requirement. */
export type Figure = { readonly file: string; readonly id: string; readonly name: string; readonly value: number };
/** The sums of a run, by requirement and name. */
type Sums = ReadonlyMap<string, ReadonlyMap<string, number>>;

const BOOK = 'test/assurance/figures.json';

export function readReported(path: string): readonly Figure[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Figure);
}

/** The test files that report figures of each requirement, themselves or by a module that they import. */
export function reportersOf(plan: Plan, testFiles: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const reports = findReports(plan.root);
  // Only tests report, so imports of the program need not be followed.
  const ofTests: Plan = { ...plan, importsOf: (at) => plan.importsOf(at).filter((to) => to.startsWith('test/')) };
  const found = new Map<string, Set<string>>();
  for (const { file, id } of reports) {
    const own = found.get(id) ?? new Set();
    found.set(id, own);
    const isOfTests = testFiles.includes(file);
    for (const one of isOfTests ? [file] : testFiles.filter((test) => importChain(ofTests, test, (to) => to === file) !== null))
      own.add(one);
  }
  return new Map([...found].map(([id, files]) => [id, [...files].sort()]));
}

/** The requirements whose reporting files have all passed: only their sums are whole. */
export function wholeIds(reporters: ReadonlyMap<string, readonly string[]>, passed: ReadonlySet<string>): ReadonlySet<string> {
  const isWhole = (files: readonly string[]) => files.length > 0 && files.every((file) => passed.has(file));
  return new Set([...reporters].filter(([, files]) => isWhole(files)).map(([id]) => id));
}

/** Figures that a row names and that no test has reported, although all files that report them have passed. `isQuick`: only figures that others than long files report. */
export function missingFigures(
  figures: readonly Figure[],
  whole: ReadonlySet<string>,
  { root, isQuick }: { readonly root: string; readonly isQuick: boolean },
): readonly string[] {
  const sums = addUp(figures);
  const reports = findReports(root).filter(({ file }) => !isQuick || !isLong(file));
  const isExpected = (id: string, name: string) => reports.some((report) => report.id === id && report.name === name);
  return requirements.flatMap(({ id, figures: wanted }) => {
    if (wanted.kind === 'uncounted' || !whole.has(id)) return [];
    return wanted.names.filter((name) => isExpected(id, name) && !sums.get(id)?.has(name)).map((name) => `${id}: ${name}`);
  });
}

/** A run: its size, the commit at its start, its figures and the requirements whose sums are whole. */
type FigureRun = {
  readonly kind: keyof FigureBook;
  readonly commit: string;
  readonly figures: readonly Figure[];
  readonly whole: ReadonlySet<string>;
};

/** Writes the figures of whole requirements into the book of the repository. */
export function recordFigures(root: string, { kind, commit, figures, whole }: FigureRun): void {
  const run = { date: new Date().toISOString().slice(0, 10), commit, machine: describeMachine() };
  const entries = [...addUp(figures)].filter(([id]) => whole.has(id));
  const recorded = entries.map(([id, sums]): [string, Recorded] => [id, { figures: Object.fromEntries(sums), ...run }]);
  const book = readFigures();
  const all = Object.entries({ ...book[kind], ...Object.fromEntries(recorded) });
  const sorted = Object.fromEntries(all.sort(([one], [other]) => Number(one.slice(1)) - Number(other.slice(1))));
  writeFileSync(join(root, BOOK), `${JSON.stringify({ ...book, [kind]: sorted }, null, 2)}\n`);
}

export function addUp(figures: readonly Figure[]): Sums {
  const sums = new Map<string, Map<string, number>>();
  for (const { id, name, value } of figures) {
    const own = sums.get(id) ?? new Map<string, number>();
    sums.set(id, own.set(name, (own.get(name) ?? 0) + value));
  }
  return sums;
}

const describeMachine = (): string =>
  `${availableParallelism()} processors, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;

/** The commit of the working tree, with a plus sign when it has changes. */
export function commitOf(root: string): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', `:!${BOOK}`).trim();
    return `${git('rev-parse', '--short=8', 'HEAD').trim()}${changed === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
