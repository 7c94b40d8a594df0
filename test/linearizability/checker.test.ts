import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChance } from '../faults/stories.ts';
import { isLinearizable, type Model, type Operation } from './checker.ts';
import { type FamilyInput, type FamilyOperation, type FamilyOutput, familyModel } from './familyModel.ts';

const approved: FamilyOutput = { kind: 'approved' };
const refused: FamilyOutput = { kind: 'refused' };
const shows = (...tags: readonly string[]): FamilyOutput => ({ kind: 'read', tags });
const PA: FamilyInput = { kind: 'PA', tag: 'a', amount: 100 };
const GET: FamilyInput = { kind: 'GET' };
const capture = (tag: string, amount: number): FamilyInput => ({ kind: 'CP', tag, amount });
const reversal = (tag: string, amount: number): FamilyInput => ({ kind: 'RV', tag, amount });
const refund = (tag: string, of: string, amount: number): FamilyInput => ({ kind: 'RF', tag, of, amount });

/** Called at, returned at, what, and the answer; `null` for none. */
type Line = readonly [calledAt: number, returnedAt: number, FamilyInput, FamilyOutput | null];
const historyOf = (lines: readonly Line[]): readonly FamilyOperation[] =>
  lines.map(([calledAt, returnedAt, input, output]) => ({
    calledAt,
    returnedAt: output === null ? Number.POSITIVE_INFINITY : returnedAt,
    input,
    output,
  }));

const begun: Line = [0, 1, PA, approved];
const histories: readonly (readonly [name: string, isGood: boolean, lines: readonly Line[]])[] = [
  ['one after the other', true, [begun, [2, 3, capture('b', 60), approved], [4, 5, GET, shows('a', 'b')]]],
  ['a read beside a capture sees it', true, [begun, [2, 9, capture('b', 60), approved], [3, 4, GET, shows('a', 'b')]]],
  ['a read beside a capture does not see it', true, [begun, [2, 9, capture('b', 60), approved], [3, 4, GET, shows('a')]]],
  [
    'of two captures that do not fit one is refused',
    true,
    [begun, [2, 9, capture('b', 60), refused], [3, 8, capture('c', 60), approved]],
  ],
  ['no answer, and it happened', true, [begun, [2, 0, capture('b', 60), null], [8, 9, GET, shows('a', 'b')]]],
  [
    'no answer, and it happened late',
    true,
    [begun, [2, 0, capture('b', 60), null], [4, 5, GET, shows('a')], [8, 9, GET, shows('a', 'b')]],
  ],
  ['no answer, and it never happened', true, [begun, [2, 0, capture('b', 60), null], [8, 9, capture('c', 100), approved]]],
  [
    'a refund of a capture',
    true,
    [begun, [2, 3, capture('b', 60), approved], [4, 5, refund('c', 'b', 60), approved], [6, 7, GET, shows('a', 'b', 'c')]],
  ],
  ['planted: a stale read', false, [begun, [2, 3, capture('b', 60), approved], [4, 5, GET, shows('a')]]],
  [
    'planted: a read goes back',
    false,
    [begun, [2, 9, capture('b', 60), approved], [3, 4, GET, shows('a', 'b')], [5, 6, GET, shows('a')]],
  ],
  [
    'planted: an acknowledged capture is lost',
    false,
    [begun, [2, 3, capture('b', 60), approved], [4, 5, capture('c', 60), approved]],
  ],
  [
    'planted: two captures exceed the amount',
    false,
    [begun, [2, 9, capture('b', 60), approved], [3, 8, capture('c', 60), approved]],
  ],
  [
    'planted: a capture and a reversal exceed it',
    false,
    [begun, [2, 9, capture('b', 60), approved], [3, 8, reversal('c', 50), approved]],
  ],
  ['planted: refused in vain', false, [begun, [2, 3, capture('b', 60), refused]]],
  ['planted: a refused capture took place', false, [begun, [2, 3, capture('b', 160), refused], [4, 5, GET, shows('a', 'b')]]],
  [
    'planted: a refund of more than was captured',
    false,
    [begun, [2, 3, capture('b', 60), approved], [4, 9, refund('c', 'b', 40), approved], [5, 8, refund('d', 'b', 40), approved]],
  ],
  ['planted: a read before the call', false, [begun, [2, 3, GET, shows('a', 'b')], [4, 5, capture('b', 60), approved]]],
  [
    'planted: no answer, seen and gone',
    false,
    [begun, [2, 0, capture('b', 60), null], [4, 5, GET, shows('a', 'b')], [6, 7, GET, shows('a')]],
  ],
  [
    'planted: two reads disagree on the order',
    false,
    [
      begun,
      [2, 9, capture('b', 30), approved],
      [2, 9, capture('c', 30), approved],
      [3, 8, GET, shows('a', 'b')],
      [3, 8, GET, shows('a', 'c')],
    ],
  ],
];
for (const [name, isGood, lines] of histories)
  test(`${name}: ${isGood ? 'could have happened' : 'is found'}`, () =>
    assert.equal(isLinearizable(historyOf(lines), familyModel), isGood));

/** A number that is set and read: small enough to try every order. */
type Register = { readonly set: number } | 'get';
const register: Model<number, Register, number> = {
  initial: 0,
  keyOf: String,
  apply: (state, input, output) => {
    if (input !== 'get') return input.set;
    return output === null || output === state ? state : null;
  },
};

/** Every order of every subset that keeps what must be kept: slow, and plainly right. */
function isPossible(operations: readonly Operation<Register, number>[], state = 0): boolean {
  if (operations.every(({ output }) => output === null)) return true;
  return operations.some((next, at) => {
    const rest = operations.filter((_, other) => other !== at);
    if (rest.some(({ returnedAt }) => returnedAt < next.calledAt)) return false;
    const moved = register.apply(state, next.input, next.output);
    return moved !== null && isPossible(rest, moved);
  });
}

test('the answer is that of trying every order, for 5,000 small histories', () => {
  const chance = createChance(7);
  const below = (most: number) => Math.floor(chance() * most);
  let good = 0;
  for (let round = 0; round < 5_000; round += 1) {
    const operations = Array.from({ length: 2 + below(5) }, (): Operation<Register, number> => {
      const calledAt = below(8);
      const isLost = below(6) === 0;
      const input: Register = below(2) === 0 ? 'get' : { set: below(3) };
      const output = isLost ? null : input === 'get' ? below(3) : 0;
      return { input, output, calledAt, returnedAt: isLost ? Number.POSITIVE_INFINITY : calledAt + below(4) };
    });
    const expected = isPossible(operations);
    if (expected) good += 1;
    assert.equal(isLinearizable(operations, register), expected, JSON.stringify(operations));
  }
  assert.ok(good > 500 && good < 4_500, `${good} of 5,000 could have happened`);
});
