import assert from 'node:assert/strict';
import { CRON_NAMES } from '../../../src/schedules/dayRule.ts';
import { describe } from '../../../src/schedules/describe.ts';
import { describeGerman } from '../../../src/schedules/describeGerman.ts';
import { bothDaysFault, readExpression } from '../../../src/schedules/expression.ts';
import { isFaulty, type JobFields, type JobName } from '../../../src/schedules/fault.ts';
import { isSubMinute, nextRuns } from '../../../src/schedules/timetable.ts';
import { assertNoCardNumber, CANARY, type Judge, jsonOf, type Target } from '../target.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'Africa/Cairo', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Apia'];
const FROM = Date.UTC(2031, 2, 29, 23, 59, 30);

/** Lines are the seven fields of a job; one line alone is an expression. */
function fieldsOf(text: string): JobFields {
  const lines = text.split('\n');
  if (lines.length === 1) return { 'job.expression': text };
  return Object.fromEntries(CRON_NAMES.map((name, at) => [`job.${name}` as JobName, lines[at] ?? '']));
}

/** A job is refused with sentences, or has runs in their order; its own texts mean the same job again. */
function judge(input: Buffer): void {
  const fields = fieldsOf(input.toString('utf8'));
  const read = readExpression(fields);
  assertNoCardNumber(jsonOf(bothDaysFault(fields)));
  if (isFaulty(read)) {
    assert.ok(read.faults.length > 0);
    assertNoCardNumber(jsonOf(read));
    return;
  }
  const again = readExpression({ 'job.expression': CRON_NAMES.map((name) => read.texts[name]).join(' ') });
  assert.ok(!isFaulty(again), 'its own texts are refused');
  assert.deepEqual(again.days, read.days);
  for (const zone of [ZONES[input.length % ZONES.length] as string, 'UTC']) {
    const runs = nextRuns(read, { after: FROM, zone, count: 4 });
    assert.ok(
      runs.every((run, at) => run > (runs[at - 1] ?? FROM) && run % 1_000 === 0),
      runs.join(),
    );
    assert.deepEqual(nextRuns(again, { after: FROM, zone, count: 4 }), runs);
    if (!isSubMinute(read)) assert.ok(runs.every((run, at) => at === 0 || run - (runs[at - 1] as number) >= 1_000));
  }
  assert.ok(describe(read) !== '' && describeGerman(read) !== '');
}

/** A reader that takes the first day that comes for the last one. */
const plantedJudge: Judge = (input) => {
  const read = readExpression(fieldsOf(input.toString('utf8')));
  if (!isFaulty(read) && /\bL\b/.test(read.texts.dayOfMonth))
    assert.equal(new Date(nextRuns(read, { after: FROM, zone: 'UTC', count: 1 })[0] ?? 0).getUTCDate(), 28);
};

export const cron: Target = {
  name: 'cron',
  seeds: [
    '0 0 12 * * ?',
    '0 15 10 ? * 6#3 2030-2035',
    '0 0/5 14,18 * * ?',
    '0 0 0 LW * ?',
    '0 0 2 29 FEB ? 2032/4',
    '0 30 2 ? MAR SUN#5',
    '59 59 23 31 1,3,5 ?',
    '0\n30\n2\n15W\nJAN-MAR\n?\n*',
    '0\n0\n0\n?\n*\nFRI-MON\n2031',
    '0 0 0 L-3 * ? *',
  ],
  words: [
    ...[
      '*',
      '?',
      'L',
      'W',
      'LW',
      'L-3',
      '#',
      '/',
      '-',
      ',',
      ' ',
      '\n',
      'C',
      'SUN',
      'FRI-MON',
      'JAN',
      'DEC',
      '6L',
      '2#5',
      '15W',
      '31W',
      '29',
      '31',
      '0',
      '59',
    ],
    ...[
      '60',
      '1970',
      '2099',
      '2100',
      '*/7',
      '22-2',
      '\u0131',
      '\xc2\xa0',
      '\xef\xbc\x91',
      '\t',
      CANARY,
      '4200 0000 0000 0091',
      '0 0 0 ',
    ],
  ],
  bytesMax: 300,
  work: { base: 150_000, perByte: 400 },
  judge,
  planted: { what: 'a last day of the month that is always the 28th', judge: plantedJudge },
};
