import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/anyCharacter.ts';
import { leastCpuMs } from '../../test/work.ts';
import { describe } from './describe.ts';
import { type CronExpression, readExpression } from './expression.ts';
import { isFaulty, type JobFault, type JobFields } from './fault.ts';

function read(fields: JobFields): CronExpression {
  const expression = readExpression(fields);
  assert.ok(!isFaulty(expression), JSON.stringify(expression));
  return expression;
}

function faultsOf(fields: JobFields): readonly JobFault[] {
  const expression = readExpression(fields);
  assert.ok(isFaulty(expression), `${JSON.stringify(fields)} was read`);
  return expression.faults;
}

/** Single fields by their names without `job.`. */
const job = (texts: Readonly<Record<string, string>>): JobFields =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`job.${name}`, text]));

const defaults: readonly (readonly [fields: Readonly<Record<string, string>>, texts: string])[] = [
  [{ month: '*', dayOfMonth: '1' }, '0 0 0 1 * ? *'],
  [
    { second: '33', minute: '43', hour: '7', dayOfMonth: '5', month: '*', dayOfWeek: '?', startDate: 'whatever' },
    '33 43 7 5 * ? *',
  ],
  [{ dayOfWeek: 'MON' }, '0 0 0 ? 1 MON *'],
  [{ hour: '7' }, '0 0 7 1 1 ? *'],
  [{ dayOfMonth: '?' }, '0 0 0 ? 1 1 *'],
  [{ dayOfWeek: '?' }, '0 0 0 1 1 ? *'],
  [{ month: '*', dayOfMonth: '*', dayOfWeek: '*' }, '0 0 0 * * ? *'],
  [{ month: '*', dayOfMonth: '', dayOfWeek: '2', year: '' }, '0 0 0 ? * 2 *'],
  [{ expression: '0 0 12 * * *' }, '0 0 12 * * ? *'],
  [{ expression: '0 0 12 ? * mon-fri 2030' }, '0 0 12 ? * MON-FRI 2030'],
  [{ expression: '  0  0 12 1 jan ?  ', hour: '99', dayOfWeek: '2' }, '0 0 12 1 JAN ? *'],
];

for (const [fields, texts] of defaults) {
  test(`${JSON.stringify(fields)} means ${texts}`, () => {
    assert.equal(Object.values(read(job(fields)).texts).join(' '), texts);
  });
}

const values: readonly (readonly [field: string, text: string, values: string])[] = [
  ['hour', '5', '5'],
  ['hour', '007', '7'],
  ['hour', '*/6', '0 6 12 18'],
  ['hour', '3/5', '3 8 13 18 23'],
  ['hour', '10-20/7', '10 17'],
  ['hour', '22-2', '0 1 2 22 23'],
  ['hour', '22-3/2', '0 2 22'],
  ['hour', '5-5', '5'],
  ['hour', '7,19,7', '7 19'],
  ['hour', '1-3,2-5,*/12', '0 1 2 3 4 5 12'],
  ['second', '*/20', '0 20 40'],
  ['minute', '58-1', '0 1 58 59'],
  ['month', 'JAN,mAr-5', '1 3 4 5'],
  ['month', 'NOV-2', '1 2 11 12'],
  ['month', '*/12', '1'],
  ['year', '2030-2034/2', '2030 2032 2034'],
  ['year', '1970,2099', '1970 2099'],
];

for (const [field, text, expected] of values) {
  test(`${field} ${text} is ${expected}`, () => {
    const expression = read(job({ [field]: text }));
    assert.equal(expression[field as 'hour'].values.join(' '), expected);
  });
}

/** Field, value, the code, and a part of the message. */
const wrong: readonly (readonly [field: string, text: string, code: string, says: string])[] = [
  ['second', '60', '100.250.122', '"60" is not a second from 0 to 59'],
  ['minute', '1-60', '100.250.122', '"60"'],
  ['minute', '*/90', '100.250.122', '"*/90": a step of the minute is a number from 1 to 60'],
  ['hour', '24', '100.250.121', '"24" is not an hour from 0 to 23'],
  ['hour', '-1', '100.250.121', '""'],
  ['hour', '*/0', '100.250.121', 'step'],
  ['hour', '1/2/3', '100.250.121', 'more than one step'],
  ['hour', '1-2-3', '100.250.121', '"1-2-3" is not a range'],
  ['hour', '1,,2', '100.250.121', 'entry of the list is empty'],
  ['hour', '1,', '100.250.121', 'entry of the list is empty'],
  ['hour', '?', '100.250.121', '? stands for a day only'],
  ['hour', '7;8', '100.250.121', '";" does not belong'],
  ['hour', '\uFF11', '100.250.121', 'does not belong'],
  ['hour', 'L', '100.250.121', '"L"'],
  ['hour', '**', '100.250.121', '"**"'],
  ['hour', '1,'.repeat(40), '100.250.121', 'longer than 64'],
  ['hour', '4111111111111111', '100.250.121', '"***"'],
  ['dayOfMonth', '0', '100.250.123', '"0" is not a day of the month from 1 to 31'],
  ['dayOfMonth', '32W', '100.250.123', 'W follows one day'],
  ['dayOfMonth', '1-5W', '100.250.123', 'W follows one day'],
  ['dayOfMonth', 'L-31', '100.250.123', 'L-1 to L-30'],
  ['dayOfMonth', 'LL', '100.250.123', 'L-1 to L-30'],
  ['dayOfMonth', '5L', '100.250.123', '"5L"'],
  ['dayOfMonth', '?,5', '100.250.123', '? stands alone'],
  ['dayOfMonth', 'W', '100.250.123', 'W follows'],
  ['month', '13', '100.250.124', '"13" is not a month from 1 to 12 or JAN to DEC'],
  ['month', 'JANUARY', '100.250.124', '"JANUARY"'],
  ['dayOfWeek', '0', '100.250.125', '"0" is not a day of the week from 1 to 7 or SUN to SAT'],
  ['dayOfWeek', '8', '100.250.125', '"8"'],
  ['dayOfWeek', '6#6', '100.250.125', '# is followed by a number from 1 to 5'],
  ['dayOfWeek', '6#3#1', '100.250.125', '# is followed'],
  ['dayOfWeek', '#3', '100.250.125', '""'],
  ['dayOfWeek', 'L-3', '100.250.125', '"L"'],
  ['dayOfWeek', 'FR\u0131', '100.250.125', 'does not belong'],
  ['year', '1969', '100.250.120', '"1969" is not a year from 1970 to 2099'],
  ['year', '2035-2030', '100.250.120', 'runs backwards'],
  ['expression', '   ', '100.250.111', 'empty'],
  ['expression', '0 0 0 1 *', '100.250.120', 'six or seven fields'],
  ['expression', '0 0 0 1 * ? * *', '100.250.120', 'six or seven fields'],
  ['expression', '0 0 25 1 * ?', '100.250.121', 'hour: "25"'],
  ['expression', '0 0 0 5 * MON', '100.250.120', 'both set'],
  ['expression', '0 0 0 5 * *', '100.250.120', 'both set'],
  ['expression', '0 0 0 * * 2', '100.250.120', 'both set'],
  ['expression', '0 0 0 ? * ?', '100.250.120', 'both ?'],
  ['expression', '0 0 0 30 2 ?', '100.250.120', 'never'],
  ['expression', '0 0 0 31 2,4,6,9,11 ?', '100.250.120', 'never'],
  ['expression', '0 0 0 29 2 ? 2025-2027', '100.250.120', 'never'],
  ['expression', '0 0 0 ? 2 MON#5 2026', '100.250.120', 'never'],
  ['expression', '0 '.repeat(130), '100.250.120', 'longer than 256'],
];

for (const [field, text, code, says] of wrong) {
  test(`${field} "${text.slice(0, 30)}" is refused with ${code}`, () => {
    const [fault, ...rest] = faultsOf(job({ [field]: text }));
    assert.equal(fault?.field, `job.${field}`);
    assert.equal(fault.code, code);
    assert.ok(fault.message.includes(says), fault.message);
    assert.deepEqual(rest, []);
  });
}

test('all faults are told at once, each under the name of its field', () => {
  const sent = { second: '60', minute: 'x', hour: '24,25', dayOfMonth: '0', month: '0', dayOfWeek: '0', year: '1' };
  const found = faultsOf(job(sent)).map(({ field, code }) => `${field} ${code}`);
  assert.deepEqual(found, [
    'job.second 100.250.122',
    'job.minute 100.250.122',
    'job.hour 100.250.121',
    'job.hour 100.250.121',
    'job.dayOfMonth 100.250.123',
    'job.month 100.250.124',
    'job.dayOfWeek 100.250.125',
    'job.year 100.250.120',
    'job.dayOfWeek 100.250.120',
  ]);
  const together = faultsOf({ 'job.expression': '60 x 24 0 0 ? 1' });
  assert.deepEqual([...new Set(together.map(({ field }) => field))], ['job.expression']);
  assert.equal(together.length, 6);
});

test('both day fields set is refused, and a job that says nothing of when', () => {
  const [both] = faultsOf(job({ dayOfMonth: '5', dayOfWeek: 'MON' }));
  assert.deepEqual([both?.field, both?.code], ['job.dayOfWeek', '100.250.120']);
  assert.match(both?.message ?? '', /dayOfMonth "5" and dayOfWeek "MON" are both set; one of them must be \?/);
  assert.equal(faultsOf({})[0]?.code, '100.250.250');
  assert.equal(faultsOf({ 'job.hour': '' })[0]?.code, '100.250.250');
  assert.equal(faultsOf({ 'job.name': 'Newspaper', 'job.startDate': '2030-01-01 00:00:00' })[0]?.code, '100.250.100');
});

const sentences: readonly (readonly [expression: string, sentence: string])[] = [
  ['33 43 7 5 * ?', 'At 07:43:33 on day 5 of every month'],
  ['0 0 0 1 1 ?', 'At 00:00:00 on day 1 of January'],
  ['0 0 12 * * *', 'At 12:00:00 every day'],
  ['0 0 7,19 1,15 * ?', 'At 07:00:00 and 19:00:00 on days 1 and 15 of every month'],
  ['0 0 9 ? * MON-FRI', 'At 09:00:00 every Monday to Friday'],
  ['0 0 9 ? 6-8 MON,WED', 'At 09:00:00 every Monday and Wednesday in June to August'],
  ['0 0 9 * 12 ?', 'At 09:00:00 every day in December'],
  ['0 0 9 L * ?', 'At 09:00:00 on the last day of every month'],
  ['0 0 9 1,L-1 * ?', 'At 09:00:00 on day 1 and the day 1 day before the last day of every month'],
  ['0 0 9 15W,LW 1-3 ?', 'At 09:00:00 on the weekday nearest to day 15 and the last weekday of January to March'],
  ['0 0 9 L-3W * ?', 'At 09:00:00 on the weekday nearest to the day 3 days before the last day of every month'],
  ['0 0 9 ? * 6#3', 'At 09:00:00 on the third Friday of every month'],
  ['0 0 9 ? * SUN,5L', 'At 09:00:00 on every Sunday and the last Thursday of every month'],
  ['0 */5 * * * ?', 'Every 5 minutes every day'],
  ['30 * * * * ?', 'Every minute at second 30 every day'],
  ['0 5 * * * ?', 'Every hour at minute 5 every day'],
  ['7 5 * * * ?', 'Every hour at minute 5 and second 7 every day'],
  ['0 0 8-18 * * ?', 'Every hour at minute 0 in hours 8 to 18 every day'],
  ['0 1,3,4 9-17 * * ?', 'At minutes 1, 3 and 4 in hours 9 to 17 every day'],
  ['* * * * * ?', 'Every second every day'],
  ['*/10 5 3,9 * * ?', 'Every 10 seconds of minute 5 in hours 3 and 9 every day'],
  ['0 0 0 1 1 ? 2030-2032,2040', 'At 00:00:00 on day 1 of January in 2030 to 2032 and 2040'],
];

for (const [expression, sentence] of sentences) {
  test(`"${expression}" in words`, () => assert.equal(describe(read({ 'job.expression': expression })), sentence));
}

const SIGNS = [...'0123456789,-*/?#LWlw', 'MON', 'fri', 'JAN', ' '];

test('whatever is sent, reading comes to an expression or to faults that name what was sent', () => {
  const field = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 70 }),
    fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 70 }),
  );
  const names = ['second', 'minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek', 'year', 'expression'] as const;
  const fields = fc.dictionary(fc.constantFrom(...names), field, { maxKeys: 8 });
  fc.assert(
    fc.property(fields, (texts) => {
      const expression = readExpression(job(texts));
      if (!isFaulty(expression)) return assert.ok(describe(expression).length > 10);
      assert.ok(expression.faults.length > 0);
      for (const { field: name, message } of expression.faults) assert.ok(name.startsWith('job.') && message.length < 300);
    }),
    { seed: 38, numRuns: 2000 },
  );
});

const hostile = [
  '1,',
  '*/1,',
  '0-59/1,',
  '1-',
  '1/',
  'L',
  'LW,',
  'L-1W,',
  '5#',
  '6#3,',
  'FRI-MON,',
  '?',
  '*',
  '9',
  ' ',
  '0 ',
  'W',
];

test('the longest and worst texts take at most 5 ms', () => {
  for (const unit of hostile) {
    for (const length of [64, 256, 2560]) {
      const text = unit.repeat(length).slice(0, length);
      const names = ['second', 'dayOfMonth', 'dayOfWeek', 'year', 'expression'];
      const took = names.map((name) => leastCpuMs(() => readExpression(job({ [name]: text })), 3));
      assert.ok(Math.max(...took) <= 5, `${unit} × ${length}: ${Math.max(...took)} ms`);
    }
  }
});
