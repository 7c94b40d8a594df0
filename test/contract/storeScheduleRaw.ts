import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '../../src/payments/schedule.ts';
import { NOW, nextId, type Opened } from './storeFixtures.ts';
import { charge, newSchedule, onward, storeSchedule } from './storeScheduleFixtures.ts';

type Attempt = readonly [what: string, statement: (of: Schedule) => string, refusal: RegExp];

const where = ({ merchantId, id }: Schedule, key = 'id') => `WHERE merchant_id = '${merchantId}' AND ${key} = '${id}'`;
const set = (what: string) => (of: Schedule) => `UPDATE schedule SET ${what} ${where(of)}`;
const setRun = (what: string) => (of: Schedule) => `UPDATE schedule_run SET ${what} ${where(of, 'schedule_id')}`;
const insertRun = (dueAt: number, paymentId: string, skipped: string) => (of: Schedule) =>
  `INSERT INTO schedule_run (merchant_id, schedule_id, due_at, done_at, payment_id, skipped)
   VALUES ('${of.merchantId}', '${of.id}', ${dueAt}, 1, ${paymentId}, ${skipped})`;
const insertSchedule = (changes: Readonly<Record<string, string>>) => (of: Schedule) => {
  const row = {
    merchant_id: `'${of.merchantId}'`,
    id: `'${nextId()}'`,
    entity_id: "'channel'",
    registration_id: "'r'",
    state: "'active'",
    next_at: '1',
    created_at: '1',
    revision: '1',
    data: "'{}'",
    ...changes,
  };
  return `INSERT INTO schedule (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
};

/** An active schedule at its second revision, with one run. */
const attempts: readonly Attempt[] = [
  ['another merchant', set("merchant_id = 'x', revision = 3"), /schedule_origin_fixed/],
  ['another id', set("id = 'x', revision = 3"), /schedule_origin_fixed/],
  ['another channel', set("entity_id = 'x', revision = 3"), /schedule_origin_fixed/],
  ['another birthday', set('created_at = 1, revision = 3'), /schedule_origin_fixed/],
  ['an appointment that is not counted', set('next_at = 1'), /schedule_transition/],
  ['wishes that are not counted', set("data = '{}'"), /schedule_transition/],
  ['other details that are not counted', set("registration_id = 'x'"), /schedule_transition/],
  ['an end that is not counted', set("state = 'over', next_at = NULL"), /schedule_transition/],
  ['a revision left out', set('revision = 4'), /schedule_transition/],
  ['a revision turned back', set('revision = 1'), /schedule_transition/],
  ['an end with an appointment', set("state = 'over', revision = 3"), /schedule_over/],
  ['a life without an appointment', set('next_at = NULL, revision = 3'), /schedule_over/],
  ['an unheard-of state', set("state = 'asleep', revision = 3"), /schedule_state/],
  ['a deletion', (of) => `DELETE FROM schedule ${where(of)}`, /schedule_no_delete/],
  ['a schedule twice', (of) => insertSchedule({ id: `'${of.id}'` })(of), /schedule_(?:no_replace|pkey)/],
  ['revision 0', insertSchedule({ revision: '0' }), /schedule_revision/],
  ['an ended schedule that is due', insertSchedule({ state: "'over'" }), /schedule_over/],
  ['an instant twice', insertRun(NOW, "'p'", 'NULL'), /schedule_run_(?:no_replace|pkey)/],
  ['a run with both ends', insertRun(NOW + 1, "'p'", "'why'"), /schedule_run_outcome/],
  ['a run with neither end', insertRun(NOW + 1, 'NULL', 'NULL'), /schedule_run_outcome/],
  ['another payment of a run', setRun("payment_id = 'x'"), /schedule_run_fixed/],
  ['another instant of a run', setRun('due_at = 1'), /schedule_run_fixed/],
  ['a run undone', (of) => `DELETE FROM schedule_run ${where(of, 'schedule_id')}`, /schedule_run_no_delete/],
];

/** The database itself refuses inconsistent schedules. */
export function planRawContract(name: string, opened: () => Opened): void {
  const raw = (statement: string) => {
    const { database } = opened();
    if (!database) throw new Error('not a database');
    return database.raw(statement);
  };
  const stage = async (): Promise<Schedule> => {
    const made = await storeSchedule(opened().store, newSchedule({ merchantId: nextId() }));
    assert.equal(await charge(opened().store, onward(made), NOW), 'kept');
    return onward(made);
  };

  for (const [what, statement, refusal] of attempts) {
    test(`${name}: by raw SQL, ${what} is refused`, async () => {
      const { store } = opened();
      const made = await stage();
      const look = async () => [await store.schedule(made.merchantId, made.id), await store.runs(made.merchantId, made.id, 9)];
      const before = await look();
      await assert.rejects(raw(statement(made)), (error: Error) => {
        const constraint = 'constraint_name' in error ? String(error.constraint_name) : '';
        assert.match(`${constraint} ${error.message}`, refusal);
        return true;
      });
      assert.deepEqual(await look(), before);
    });
  }

  if (name === 'sqlite') {
    test(`${name}: by raw SQL, no schedule and no run can be replaced`, async () => {
      const made = await stage();
      const replacing = (statement: string) => statement.replace('INSERT', 'INSERT OR REPLACE');
      await assert.rejects(raw(replacing(insertSchedule({ id: `'${made.id}'` })(made))), /schedule_no_replace/);
      await assert.rejects(raw(replacing(insertRun(NOW, "'x'", 'NULL')(made))), /schedule_run_no_replace/);
    });
  }

  test(`${name}: by raw SQL, a claim, a counted change and a new run are accepted, so the rest was the reason for the refusals`, async () => {
    const made = await stage();
    await raw(set('claimed_until = 5')(made));
    await raw(set("state = 'ending', next_at = 7, data = '{}', registration_id = 'x', revision = 3")(made));
    await raw(insertRun(NOW + 1, 'NULL', "'why'")(made));
    await raw(set("state = 'over', next_at = NULL, revision = 4")(made));
    await raw(set('claimed_until = 6')(made));
    await assert.rejects(raw(set("state = 'active', next_at = 1, revision = 5")(made)), /schedule_transition|stays over/);
    assert.equal((await opened().store.schedule(made.merchantId, made.id))?.state, 'over');
  });
}
