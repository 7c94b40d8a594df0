import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileResult } from './process.ts';
import type { Cost } from './schedule.ts';

/** Times of the files that take long, recorded by `npm test -- --times`: they decide the order, not the result, of a run. */
const FILE = join(import.meta.dirname, 'times.json');
const RECORDED_S_MIN = 4;

/** One file: seconds by the clock, seconds of processor time. */
type Row = readonly [wallS: number, cpuS: number];

export function readTimes(): Readonly<Record<string, Cost>> {
  const rows: Readonly<Record<string, Row>> = JSON.parse(readFileSync(FILE, 'utf8'));
  return Object.fromEntries(Object.entries(rows).map(([file, [wallS, cpuS]]) => [file, { wallS, cpuS }]));
}

/** Writes the times of a run; those of files that exist and did not run remain. */
export function writeTimes(results: readonly FileResult[], existing: readonly string[]): void {
  const before = Object.entries(readTimes()).filter(([file]) => existing.includes(file));
  const ran = results.map((one): [string, Cost] => [one.file, { wallS: one.ms / 1_000, cpuS: cpuMsOf(one) / 1_000 }]);
  const lines = Object.entries({ ...Object.fromEntries(before), ...Object.fromEntries(ran) })
    .filter(([, { wallS }]) => wallS >= RECORDED_S_MIN)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([file, { wallS, cpuS }]) => `  ${JSON.stringify(file)}: [${Math.round(wallS)}, ${Math.round(cpuS)}]`);
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
}

/** The processes of a browser are not counted with those that started them: it takes a processor for as long as its test runs. */
const cpuMsOf = ({ file, ms, cpuMs, childCpuMs }: FileResult): number =>
  file.startsWith('test/browser/') ? ms : cpuMs + childCpuMs;
