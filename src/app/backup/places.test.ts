import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import { backupName, instantOf, outdatedBackups } from './places.ts';

const NOW = Date.parse('2031-10-02T03:00:00Z');

test('the name of a backup has its instant', () => {
  assert.equal(backupName(NOW), 'turnpike-20311002T030000Z.backup');
  assert.equal(instantOf('turnpike-20311002T030000Z.backup'), NOW);
  for (const name of ['turnpike.db', 'turnpike-20311002T030000Z.backup.part', 'x-turnpike-20311002T030000Z.backup'])
    assert.equal(instantOf(name), null);
});

/** Every six hours for so many days, the newest at NOW. */
const names = (days: number): readonly string[] =>
  Array.from({ length: days * 4 }, (_, at) => backupName(NOW - at * 6 * HOUR_MS));
const kept = (all: readonly string[], keep: Parameters<typeof outdatedBackups>[1]): readonly string[] => {
  const gone = new Set(outdatedBackups(all, keep));
  return all.filter((name) => !gone.has(name)).map((name) => name.slice(9, 20));
};

test('the last backups of the newest days, weeks and months are kept', () => {
  assert.deepEqual(kept(names(120), { daily: 3, weekly: 3, monthly: 3 }), [
    '20311002T03',
    '20311001T21',
    '20310930T21',
    '20310928T21',
    '20310921T21',
    '20310831T21',
  ]);
  assert.deepEqual(kept(names(10), { daily: 1, weekly: 0, monthly: 0 }), ['20311002T03']);
  assert.deepEqual(kept(names(1), { daily: 0, weekly: 0, monthly: 0 }), ['20311002T03'], 'never none');
});

test('other files stay, and so does a part that may still grow', () => {
  const part = (at: number) => `${backupName(at)}.part`;
  const all = ['notes.txt', backupName(NOW), part(NOW - HOUR_MS), part(NOW - 3 * DAY_MS)];
  assert.deepEqual(outdatedBackups(all, { daily: 1, weekly: 0, monthly: 0 }), [part(NOW - 3 * DAY_MS)]);
  assert.deepEqual(outdatedBackups([part(NOW - 3 * DAY_MS)], { daily: 1, weekly: 0, monthly: 0 }), []);
});
