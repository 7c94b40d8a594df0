import assert from 'node:assert/strict';
import { readExpression } from '../../src/schedules/expression.ts';
import { isFaulty } from '../../src/schedules/fault.ts';
import { nextRun } from '../../src/schedules/timetable.ts';
import { oracleNext } from './oracle.ts';
import { createChance, randomExpression, randomInstant } from './randomExpressions.ts';

/** Whether both come to the same next run, for so many random expressions; says how many of them had one. */
export function compareWithOracle(asked: { readonly seed: number; readonly count: number; readonly zones: readonly string[] }): {
  readonly runs: number;
  readonly nevers: number;
} {
  const chance = createChance(asked.seed);
  let [runs, nevers] = [0, 0];
  for (let index = 0; index < asked.count; index += 1) {
    const [text, zone] = [randomExpression(chance), chance.pick(asked.zones)];
    const after = randomInstant(chance, zone);
    const expression = readExpression({ 'job.expression': text });
    const start = Date.UTC(1969, 11, 30);
    const [found, expected] = isFaulty(expression)
      ? [null, oracleNext(text, { after: start, zone })]
      : [nextRun(expression, after, zone), oracleNext(text, { after, zone })];
    const shown = isFaulty(expression) ? expression.faults[0]?.message : new Date(found ?? 0).toISOString();
    assert.equal(found, expected, `seed ${asked.seed}, ${index}: "${text}" after ${after} in ${zone}: ${shown}`);
    if (isFaulty(expression)) assert.match(expression.faults[0]?.message ?? '', /never come together/, text);
    if (found === null) nevers += 1;
    else runs += 1;
  }
  return { runs, nevers };
}

/** The zones of R20 and others whose clocks do something unusual. */
export const strangeZones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Santiago',
  'Asia/Kathmandu',
  'Asia/Gaza',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Europe/Dublin',
  'Pacific/Kwajalein',
  'America/St_Johns',
  'Africa/Monrovia',
  'Asia/Tehran',
  'America/Sao_Paulo',
  'Pacific/Chatham',
] as const;
