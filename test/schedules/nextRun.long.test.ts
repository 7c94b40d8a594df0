import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAt, zoneOf } from '../../src/schedules/calendar.ts';
import { readExpression } from '../../src/schedules/expression.ts';
import { isFaulty } from '../../src/schedules/fault.ts';
import { nextRuns } from '../../src/schedules/timetable.ts';
import { compareWithOracle, strangeZones } from './agreement.ts';
import { walk } from './oracle.ts';
import { createChance, randomExpression } from './randomExpressions.ts';

const everyZone = Intl.supportedValuesOf('timeZone');

test('100,000 random expressions in all zones agree with the oracle', () => {
  const zones = [...everyZone, ...Array.from({ length: 20 }, () => strangeZones).flat()];
  const { runs, nevers } = compareWithOracle({ seed: 20_260_729, count: 100_000, zones });
  assert.equal(runs + nevers, 100_000);
  assert.ok(runs > 80_000 && nevers > 500, `${runs} runs, ${nevers} without a run`);
});

test('the offsets of every zone are those that Temporal tells, at any hour', () => {
  const chance = createChance(7);
  for (const zone of [...everyZone, ...strangeZones]) {
    for (let index = 0; index < 200; index += 1) {
      const instant = chance.below(130 * 365 * 24) * 3600 + chance.below(3600);
      const offset = Temporal.Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(zone).offsetNanoseconds / 1e9;
      assert.equal(clockAt(zoneOf(zone), instant) - instant, offset, `${zone} at ${instant}`);
    }
  }
});

test('walked second by second around changes of clocks, no run is lost and none is doubled', () => {
  const chance = createChance(11);
  for (let index = 0; index < 40; index += 1) {
    const zone = chance.pick(
      strangeZones.filter((name) => name !== 'UTC' && name !== 'Pacific/Apia' && name !== 'Pacific/Kwajalein'),
    );
    const any = chance.below(125 * 366 * 86_400) * 1000;
    const change = Temporal.Instant.fromEpochMilliseconds(any).toZonedDateTimeISO(zone).getTimeZoneTransition('next');
    if (change === null) continue;
    const [from, to] = [change.epochMilliseconds - 1_800_000, change.epochMilliseconds + 9_000_000];
    const text = dense(randomExpression(chance), chance.below(3));
    const expression = readExpression({ 'job.expression': text });
    assert.ok(!isFaulty(expression), text);
    const found = nextRuns(expression, { after: from - 1, zone, count: 12_000 }).filter((at) => at <= to);
    assert.deepEqual(found, walk(text, { from, to, zone }), `${text} around ${change}`);
  }
});

/** The same expression on every day, and in enough hours to fall into the change. */
function dense(text: string, kind: number): string {
  const [second, minute] = text.split(' ');
  return `${second} ${kind === 0 ? '*' : minute} * * * ? *`;
}
