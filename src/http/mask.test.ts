import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';
import { withoutCardNumbers } from './mask.ts';

const cases: [text: string, shown: string][] = [
  ['number 4200000000000000.', 'number 420000***0000.'],
  ['4200 0000 0000 0000', '420000***0000'],
  ['4200-0000-0000-0000', '420000***0000'],
  ['x4200000000000000y', 'x420000***0000y'],
  ['377777777777770', '377777***7770'],
  ['4222222222222', '422222***2222'],
  ['6799990100000000019', '679999***0019'],
  ['4200000000000001', '4200000000000001'],
  ['12345678901234567890', '***'],
  ['420000000000', '420000000000'],
  ['5eed0000000000000000000000000001', '5eed0000000000000000000000000001'],
  [
    '5eed0000000000000000000000000001_0198c0ffee420000000000000000abcd',
    '5eed0000000000000000000000000001_0198c0ffee420000000000000000abcd',
  ],
  ['42000000000000004200000000000000', '***'],
  ['2026-11-15T03:16:00.123Z', '2026-11-15T03:16:00.123Z'],
  ['', ''],
];
for (const [text, shown] of cases) test(`${text} → ${shown}`, () => assert.equal(withoutCardNumbers(text), shown));

test('no line of the log carries a card number, in whatever place it was put', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) }, Date.now);
  log.info({ path: '/v1/payments/4200000000000000', deep: { number: '4200000000000000' } }, 'about 4200 0000 0000 0000');
  log.error({ err: new Error('cannot read 4200000000000000') }, 'failed');
  assert.equal(lines.length, 2);
  for (const line of lines) {
    assert.doesNotMatch(line, /4200 ?0000 ?0000 ?0000/);
    assert.ok(JSON.parse(line));
  }
});
