import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCorrections } from './corrections.ts';

const line = (subject: string, revision: number, at: number, amounts: string, currency = 'EUR', mode = 'INTERNAL'): string =>
  `${subject}|${revision}|payment|${at}|${currency}|${mode}|${amounts}`;
const DUE = line('a1', 2, 5, '0|0|0|-30|30|0|0');
const place = { merchantId: 'a', block: 3 };

function noted(...lines: readonly string[]) {
  const corrections = createCorrections();
  for (const one of lines) corrections.note(place, one);
  return {
    posted: (expected: string, merchantId = 'a') => corrections.postedFor(merchantId, expected),
    found: () => {
      const found: string[] = [];
      corrections.reportUnused({
        find: ({ merchantId, block, subjectId, says }) => found.push(`${merchantId} ${block} ${subjectId}: ${says}`),
      });
      return found;
    },
  };
}

test('a posting that was turned round is expected as it was booked', () => {
  const correction = line('a1', -2, 99, '0|0|0|-60|60|0|0');
  const { posted, found } = noted(correction);
  assert.deepEqual(found(), [`a 3 a1: it corrects nothing: ${correction}`]);
  assert.equal(posted(DUE), line('a1', 2, 5, '0|0|0|30|-30|0|0'));
  assert.deepEqual(found(), []);
  for (const other of [line('a1', 1, 5, '0|0|0|-30|30|0|0'), line('a2', 2, 5, '0|0|0|-30|30|0|0')])
    assert.equal(posted(other), other);
  assert.equal(posted(DUE, 'b'), DUE, 'of another merchant');
});

test('a correction of another amount, currency or mode corrects nothing', () => {
  for (const wrong of [
    line('a1', -2, 99, '0|0|0|60|-60|0|0'),
    line('a1', -2, 99, '0|0|0|-30|30|0|0'),
    line('a1', -2, 99, '0|0|0|-60|60|0|0', 'JPY'),
    line('a1', -2, 99, '0|0|0|-60|60|0|0', 'EUR', 'LIVE'),
    line('a1', -2, 99, '0|0|0|x|60|0|0'),
  ]) {
    const { posted, found } = noted(wrong);
    assert.equal(posted(DUE), DUE);
    assert.deepEqual(found(), [`a 3 a1: it corrects nothing: ${wrong}`]);
  }
});

test('a posting is corrected once', () => {
  const correction = line('a1', -2, 99, '0|0|0|-60|60|0|0');
  const { posted, found } = noted(correction, correction);
  posted(DUE);
  assert.deepEqual(found(), [`a 3 a1: it is corrected more than once: ${correction}`]);
  assert.equal(noted().posted(DUE), DUE);
});
