import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '../payments/schedule.ts';
import { HOUR_MS } from '../spec/time.ts';
import { afterCharge, afterSkip } from './change.ts';
import { isFaulty } from './fault.ts';
import { readStoredTimetable, type Timetable } from './timetable.ts';

const DAY_MS = 24 * HOUR_MS;
const NOON = Date.UTC(2027, 2, 1, 12);

function daily(): Timetable {
  const read = readStoredTimetable({ 'job.expression': '0 0 12 * * ?' }, { zone: 'UTC', createdAt: NOON - DAY_MS });
  assert.ok(!isFaulty(read));
  return read;
}

/** The run of noon was declined, and is tried again at `againAt`. */
const declined = (againAt: number, regularAt: number | null): Schedule => ({
  id: 's',
  merchantId: 'm',
  entityId: 'e',
  registrationId: 'r',
  transactionId: 's',
  mode: 'INTERNAL',
  state: 'active',
  endsAt: null,
  regularAt,
  charge: { paymentId: 'p', dueAt: NOON, tries: 1, firstTriedAt: NOON, againAt },
  nextAt: againAt,
  fields: {},
  since: NOON - DAY_MS,
  createdAt: NOON - DAY_MS,
  movedAt: NOON,
  revision: 3,
});

// Seed 5941 of the simulation: a node a day behind "corrects" the date of a retry, which is then before runs that are done.
for (const [says, againAt] of [
  ['in its time', NOON + HOUR_MS],
  ['that a clock a day behind has dated before its charge', NOON - DAY_MS + HOUR_MS],
] as const) {
  for (const [name, move] of Object.entries({ afterCharge, afterSkip })) {
    test(`${name}: a retry ${says} leaves the regular run as it is`, () => {
      const run = { dueAt: againAt, now: NOON + HOUR_MS };
      assert.equal(move(declined(againAt, NOON + DAY_MS), daily(), run).regularAt, NOON + DAY_MS);
      assert.equal(move(declined(againAt, null), daily(), run).regularAt, null);
    });
  }
}

test('a regular run is followed by the next one of the timetable', () => {
  const due = declined(NOON + HOUR_MS, NOON + DAY_MS);
  const run = { dueAt: NOON + DAY_MS, now: NOON + DAY_MS };
  for (const move of [afterCharge, afterSkip]) assert.equal(move(due, daily(), run).regularAt, NOON + 2 * DAY_MS);
});
