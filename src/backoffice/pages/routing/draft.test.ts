import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftOf, moved, rulesOf, stepOf, undone, withCondition, withName, withShare } from './draft.ts';

const rule = { to: ['a'] };

test('conditions, a name and a share that are emptied are left out', () => {
  const full = withShare(withName(withCondition(rule, 'currencies', ['EUR']), 'Euro'), 10);
  assert.deepEqual(full, { name: 'Euro', when: { currencies: ['EUR'] }, share: 10, to: ['a'] });
  assert.deepEqual(withShare(withName(withCondition(full, 'currencies', []), ''), null), rule);
  assert.deepEqual(withCondition(full, 'amountFrom', ''), full);
});

test('a member of a list moves up and down, and stays at the ends', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 2, -1), ['a', 'c', 'b']);
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c']);
  assert.deepEqual(moved(['a', 'b'], 0, -1), ['a', 'b']);
  assert.deepEqual(moved(['a', 'b'], 1, 1), ['a', 'b']);
});

test('steps are undone one by one, typing in one field at once', () => {
  const begun = draftOf([rule], 3);
  const named = (name: string) => [{ key: 'stored 0', rule: withName(rule, name) }];
  const typed = stepOf(stepOf(begun, named('E'), 'stored 0 name'), named('Eu'), 'stored 0 name');
  const removed = stepOf(typed, [], 'remove');
  assert.deepEqual(rulesOf(undone(removed)), [{ name: 'Eu', to: ['a'] }]);
  assert.deepEqual(undone(undone(removed)), begun);
  assert.deepEqual(undone(begun), begun);
});
