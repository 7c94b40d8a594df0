import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readExpression } from '../../src/schedules/expression.ts';
import { isFaulty } from '../../src/schedules/fault.ts';
import { nextRuns } from '../../src/schedules/timetable.ts';
import { differences, type QuartzLine, unexplained } from './quartzDifferences.ts';

/** 3,000 expressions and what Quartz 2.3.2 makes of them. `test/fixtures/quartz/QuartzRuns.java` says how the file is made. */
const lines: readonly QuartzLine[] = readFileSync(join(import.meta.dirname, '../fixtures/quartz/runs.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [expression = '', zone = '', start = '', ...runs] = line.split('\t');
    return { expression, zone, start: Number(start), runs };
  });

type Scheduler = (expression: string, line: QuartzLine, count: number) => readonly number[] | null;

/** The runs in seconds, or null for a refused expression. */
const ours: Scheduler = (text, { start, zone }, count) => {
  const expression = readExpression({ 'job.expression': text });
  if (isFaulty(expression)) return null;
  return nextRuns(expression, { after: start * 1000, zone, count }).map((at) => at / 1000);
};

type Comparison = { readonly faults: readonly string[]; readonly shown: ReadonlySet<string>; readonly differing: number };

function compare(scheduler: Scheduler, compared = lines): Comparison {
  const [faults, shown]: [string[], Set<string>] = [[], new Set()];
  let differing = 0;
  for (const line of compared) {
    const used = new Set<string>();
    const fault = unexplained(line, (text, count) => scheduler(text, line, count), used);
    if (fault !== null) faults.push(`"${line.expression}" after ${line.start} in ${line.zone}: ${fault}`);
    if (used.size > 0) differing += 1;
    for (const name of used) shown.add(name);
  }
  return { faults, shown, differing };
}

test('3,000 expressions run when Quartz 2.3.2 runs them, but for the differences that were decided', () => {
  const { faults, shown, differing } = compare(ours);
  assert.equal(lines.length, 3000);
  assert.deepEqual(faults, []);
  assert.deepEqual([...shown].sort(), differences.map(({ name }) => name).sort(), 'every difference shows in some line');
  assert.ok(differing < 500, `${differing} lines differ`);
});

test('the decision has every difference from Quartz', () => {
  const page = readFileSync(join(import.meta.dirname, '../../decisions/0100-cron-and-quartz.md'), 'utf8');
  for (const { quartz, here } of differences) assert.ok(page.includes(`| ${quartz} | ${here} |`), `| ${quartz} | ${here} |`);
});

const planted: readonly (readonly [fault: string, scheduler: Scheduler])[] = [
  ['31W is the last weekday of every month', (text, line, count) => ours(text.replace(/ 31W /, ' LW '), line, count)],
  [
    'days of the week count from Monday',
    (text, line, count) =>
      ours(
        text.replace(/ \? (\S+) ([1-6])(?=#|$)/, (_, month, day) => ` ? ${month} ${Number(day) + 1}`),
        line,
        count,
      ),
  ],
  ['L-3 is the third last day', (text, line, count) => ours(text.replace(/ L-2 /, ' L-1 '), line, count)],
  ['a run at the start counts', (text, line, count) => ours(text, { ...line, start: line.start - 1 }, count)],
  [
    'zones keep the offset of winter',
    (text, line, count) => ours(text, { ...line, zone: line.zone === 'Europe/Berlin' ? 'Africa/Algiers' : line.zone }, count),
  ],
];

const some = lines.filter((_, index) => index % 5 === 0);
for (const [fault, scheduler] of planted)
  test(`the comparison finds a planted fault: ${fault}`, () => {
    assert.notDeepEqual(compare(scheduler, some).faults, []);
  });
