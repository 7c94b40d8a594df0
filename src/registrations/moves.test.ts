import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../spec/time.ts';
import { exampleRegistration } from './examples.ts';
import {
  deleted,
  extended,
  joined,
  refusalOfUse,
  registrationTransitions,
  settled,
  usedAgain,
  withoutToken,
  withToken,
} from './moves.ts';
import type { Registration, RegistrationState, Series } from './registration.ts';

const now = 1_800_000_000_000;
const series: Series = {
  initialTransactionId: 'A1',
  agreementId: null,
  type: 'RECURRING',
  recurringType: null,
  expiry: null,
  frequency: null,
  numberOfInstallments: null,
  migration: null,
};
const connector = 'acquirer';
const token = { number: '4895370000000006', expiryMonth: '12', expiryYear: '2036' };

type Move = (registration: Registration) => Registration;
const steps: Readonly<Record<string, { readonly to: RegistrationState | 'same'; readonly move: Move }>> = {
  approved: { to: 'active', move: (one) => settled(one, now, { isApproved: true, code: '000.100.110', series, connector }) },
  declined: { to: 'rejected', move: (one) => settled(one, now, { isApproved: false, code: '800.100.151', series, connector }) },
  deleted: { to: 'deleted', move: (one) => deleted(one, now) },
  extended: { to: 'same', move: (one) => extended(one, now) },
  joined: { to: 'same', move: (one) => joined(one, now, series) },
  'given a token': { to: 'same', move: (one) => withToken(one, now, token) },
  'refused a token': { to: 'same', move: (one) => withoutToken(one, now, now + 1) },
};

const states = Object.keys(registrationTransitions) as RegistrationState[];
for (const state of states) {
  for (const [says, { to, move }] of Object.entries(steps)) {
    const before = exampleRegistration({ state, revision: 4 });
    const isAllowed = registrationTransitions[state].includes(to === 'same' ? state : to);
    test(`${state}, then ${says}: ${isAllowed ? 'one revision on' : 'refused'}`, () => {
      if (!isAllowed) return assert.throws(() => move(before), /does not become/);
      const after = move(before);
      assert.equal(after.state, to === 'same' ? state : to);
      assert.deepEqual([after.revision, after.movedAt], [5, now]);
    });
  }
}

test('only an active one can be charged, and every other state has its own reason', () => {
  assert.equal(refusalOfUse.active, null);
  assert.equal(new Set(Object.values(refusalOfUse)).size, states.length);
});

test('a declined one remembers no series and waits for no token', () => {
  const after = steps.declined?.move(exampleRegistration({ state: 'open', tokenDueAt: now }));
  assert.deepEqual([after?.series, after?.tokenDueAt, after?.code], [null, null, '800.100.151']);
});

test('a deleted one keeps nothing of its network token', () => {
  const after = deleted(withToken(exampleRegistration(), now, token), now);
  assert.deepEqual([after.networkToken, after.tokenDueAt, after.code], [null, null, '100.150.202']);
});

test('of a network token only the end of its number is shown', () => {
  assert.deepEqual(withToken(exampleRegistration(), now, token).networkToken, {
    last4Digits: '0006',
    expiryMonth: '12',
    expiryYear: '2036',
  });
});

test('a use is noted once a day, and keeps an account longer', () => {
  const account = exampleRegistration({ instrument: { kind: 'virtualAccount', accountId: 'ann' }, usedAt: now });
  assert.equal(usedAgain(account, now + DAY_MS - 1), null);
  const use = usedAgain(account, now + DAY_MS);
  assert.equal(use?.usedAt, now + DAY_MS);
  assert.ok((use?.expiresAt ?? 0) > now + 14 * 28 * DAY_MS);
});
