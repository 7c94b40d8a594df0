import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '../../src/payments/plan.ts';
import { NOW, nextId, type Opened } from './storeFixtures.ts';
import { charge, onward, plan, schedule } from './storePlanFixtures.ts';

type Attempt = readonly [what: string, statement: (of: Schedule) => string, refusal: RegExp];

const where = ({ merchantId, id }: Schedule, key = 'id') => `WHERE merchant_id = '${merchantId}' AND ${key} = '${id}'`;
const set = (what: string) => (of: Schedule) => `UPDATE plan SET ${what} ${where(of)}`;
const setRun = (what: string) => (of: Schedule) => `UPDATE plan_run SET ${what} ${where(of, 'plan_id')}`;
const insertRun = (dueAt: number, paymentId: string, skipped: string) => (of: Schedule) =>
  `INSERT INTO plan_run (merchant_id, plan_id, due_at, done_at, payment_id, skipped)
   VALUES ('${of.merchantId}', '${of.id}', ${dueAt}, 1, ${paymentId}, ${skipped})`;
const insertPlan = (changes: Readonly<Record<string, string>>) => (of: Schedule) => {
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
  return `INSERT INTO plan (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
};

/** An active plan at its second revision, with one run. */
const attempts: readonly Attempt[] = [
  ['another merchant', set("merchant_id = 'x', revision = 3"), /plan_origin_stays/],
  ['another id', set("id = 'x', revision = 3"), /plan_origin_stays/],
  ['another channel', set("entity_id = 'x', revision = 3"), /plan_origin_stays/],
  ['another birthday', set('created_at = 1, revision = 3'), /plan_origin_stays/],
  ['an appointment that is not counted', set('next_at = 1'), /plan_moves/],
  ['wishes that are not counted', set("data = '{}'"), /plan_moves/],
  ['other details that are not counted', set("registration_id = 'x'"), /plan_moves/],
  ['an end that is not counted', set("state = 'over', next_at = NULL"), /plan_moves/],
  ['a revision left out', set('revision = 4'), /plan_moves/],
  ['a revision turned back', set('revision = 1'), /plan_moves/],
  ['an end with an appointment', set("state = 'over', revision = 3"), /plan_over/],
  ['a life without an appointment', set('next_at = NULL, revision = 3'), /plan_over/],
  ['an unheard-of state', set("state = 'asleep', revision = 3"), /plan_state/],
  ['a deletion', (of) => `DELETE FROM plan ${where(of)}`, /plan_stays/],
  ['a plan twice', (of) => insertPlan({ id: `'${of.id}'` })(of), /plan_(?:is_new|pkey)/],
  ['revision 0', insertPlan({ revision: '0' }), /plan_revision/],
  ['a plan that is over and due', insertPlan({ state: "'over'" }), /plan_over/],
  ['an instant twice', insertRun(NOW, "'p'", 'NULL'), /plan_run_(?:is_new|pkey)/],
  ['a run with both ends', insertRun(NOW + 1, "'p'", "'why'"), /plan_run_outcome/],
  ['a run with neither end', insertRun(NOW + 1, 'NULL', 'NULL'), /plan_run_outcome/],
  ['another payment of a run', setRun("payment_id = 'x'"), /plan_run_holds/],
  ['another instant of a run', setRun('due_at = 1'), /plan_run_holds/],
  ['a run undone', (of) => `DELETE FROM plan_run ${where(of, 'plan_id')}`, /plan_run_stays/],
];

/** The database itself has the last word on plans. */
export function planRawContract(name: string, opened: () => Opened): void {
  const raw = (statement: string) => {
    const { database } = opened();
    if (!database) throw new Error('not a database');
    return database.raw(statement);
  };
  const stage = async (): Promise<Schedule> => {
    const made = await schedule(opened().store, plan({ merchantId: nextId() }));
    assert.equal(await charge(opened().store, onward(made), NOW), 'kept');
    return onward(made);
  };

  for (const [what, statement, refusal] of attempts) {
    test(`${name}: by hand, ${what} is refused`, async () => {
      const { store } = opened();
      const made = await stage();
      const look = async () => [await store.plan(made.merchantId, made.id), await store.runs(made.merchantId, made.id, 9)];
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
    test(`${name}: by hand, nothing comes in the place of a plan or a run`, async () => {
      const made = await stage();
      const replacing = (statement: string) => statement.replace('INSERT', 'INSERT OR REPLACE');
      await assert.rejects(raw(replacing(insertPlan({ id: `'${made.id}'` })(made))), /plan_is_new/);
      await assert.rejects(raw(replacing(insertRun(NOW, "'x'", 'NULL')(made))), /plan_run_is_new/);
    });
  }

  test(`${name}: by hand, a claim, a counted change and a new run are let in, so it was the rest that was refused`, async () => {
    const made = await stage();
    await raw(set('claimed_until = 5')(made));
    await raw(set("state = 'ending', next_at = 7, data = '{}', registration_id = 'x', revision = 3")(made));
    await raw(insertRun(NOW + 1, 'NULL', "'why'")(made));
    await raw(set("state = 'over', next_at = NULL, revision = 4")(made));
    await raw(set('claimed_until = 6')(made));
    await assert.rejects(raw(set("state = 'active', next_at = 1, revision = 5")(made)), /plan_moves|stays over/);
    assert.equal((await opened().store.plan(made.merchantId, made.id))?.state, 'over');
  });
}
