import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RangeData } from '../messages/message.ts';
import { createRangeSearch } from './rangeLoader.ts';

const range = (startRange: string, endRange: string): RangeData => ({
  startRange,
  endRange,
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: '2.2.0',
});

const outer = range('4000000000000000', '4999999999999999');
const inner = range('4200000000000000', '4200000000009999');
const one = range('4200000000000042', '4200000000000042');
const long = range('4200000000000000000', '4299999999999999999');

const cases: readonly (readonly [number: string, found: RangeData | null])[] = [
  ['4000000000000000', outer],
  ['4199999999999999', outer],
  ['4200000000000000', inner],
  ['4200000000000041', inner],
  ['4200000000000042', one],
  ['4200000000000043', inner],
  ['4200000000009999', inner],
  ['4200000000010000', outer],
  ['4999999999999999', outer],
  ['5000000000000000', null],
  ['3999999999999999', null],
  ['4200000000000000000', long],
  ['42000000000000000', null],
  ['', null],
];
for (const [number, found] of cases) {
  test(`${number || 'nothing'} is of ${found?.startRange ?? 'no range'}`, () => {
    assert.equal(createRangeSearch([inner, outer, long, one])(number), found);
  });
}

test('whatever overlaps, the range found is one that a look at each would find, and starts last of them', () => {
  const digits = fc.nat({ max: 200 }).map((number) => String(number).padStart(3, '0').padEnd(13, '0'));
  const ranges = fc.tuple(digits, digits).map(([from, to]) => range(from < to ? from : to, from < to ? to : from));
  fc.assert(
    fc.property(fc.array(ranges, { maxLength: 30 }), digits, (list, number) => {
      const holding = list.filter(({ startRange, endRange }) => startRange <= number && number <= endRange);
      const found = createRangeSearch(list)(number);
      assert.equal(found !== null, holding.length > 0);
      if (found)
        assert.equal(
          found.startRange,
          holding
            .map(({ startRange }) => startRange)
            .toSorted()
            .at(-1),
        );
    }),
  );
});
