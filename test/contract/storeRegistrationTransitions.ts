import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import { registrationTransitions } from '../../src/registrations/moves.ts';
import type { RegistrationState } from '../../src/registrations/registration.ts';
import { nextId, type Opened } from './storeFixtures.ts';
import { change, onward, register, registration, SECRET } from './storeRegistrationFixtures.ts';

const states = Object.keys(registrationTransitions) as RegistrationState[];
const pairs = states.flatMap((from) => states.map((to) => ({ from, to, isAllowed: registrationTransitions[from].includes(to) })));
const isOver = (state: RegistrationState) => state === 'rejected' || state === 'deleted';

/** Every pair of states is allowed or refused exactly as in the table of registrations/moves.ts, on databases also for raw SQL. */
export function registrationTransitionContract(name: string, opened: () => Opened): void {
  const stored = (from: RegistrationState) =>
    register(opened().store, registration({ merchantId: nextId(), state: from }), isOver(from) ? null : SECRET);

  for (const { from, to, isAllowed } of pairs) {
    test(`${name}: a registration that is ${from} ${isAllowed ? 'becomes' : 'does not become'} ${to}`, async () => {
      const { store, database } = opened();
      const held = await stored(from);
      const after = onward(held, { state: to });
      const moving = change(store, after, isOver(to) ? null : 'kept');
      if (isAllowed) assert.equal(await moving, 'kept');
      else await assert.rejects(moving, BrokenCommit);
      assert.deepEqual((await store.registration(held.merchantId, held.id))?.registration, isAllowed ? after : held);
      if (!database) return;
      const byHand = await stored(from);
      const { merchantId, id } = byHand;
      const set = `state = '${to}', revision = revision + 1${isOver(to) ? ', sealed = NULL' : ''}`;
      const writing = database.raw(`UPDATE registration SET ${set} WHERE merchant_id = '${merchantId}' AND id = '${id}'`);
      if (isAllowed) await writing;
      else await assert.rejects(writing, /registration_transition/);
      assert.equal((await store.registration(merchantId, id))?.registration.state, isAllowed ? to : from);
    });
  }
}
