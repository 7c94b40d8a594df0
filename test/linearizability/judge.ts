import assert from 'node:assert/strict';
import { isLinearizable } from './checker.ts';
import { type FamilyOperation, familyModel } from './familyModel.ts';
import type { FamilyHistory } from './record.ts';

export type Verdict = {
  readonly operations: number;
  readonly families: number;
  /** Operations without an answer. */
  readonly unanswered: number;
  /** Pairs of operations of one family that were under way at the same time. */
  readonly overlaps: number;
};

/** Asserts that each family could have been served by one machine that does one thing after the other. */
export function judge(histories: readonly FamilyHistory[]): Verdict {
  const bad = histories.filter(({ operations }) => !isLinearizable(operations, familyModel));
  assert.deepEqual(bad.slice(0, 1).map(describe), [], `${bad.length} of ${histories.length} families`);
  const all = histories.flatMap(({ operations }) => operations);
  return {
    operations: all.length,
    families: histories.length,
    unanswered: all.filter(({ output }) => output === null).length,
    overlaps: histories.reduce((sum, { operations }) => sum + overlapsOf(operations), 0),
  };
}

const describe = ({ id, operations }: FamilyHistory): string =>
  `${id}\n${operations.map((each) => JSON.stringify(each)).join('\n')}`;

const overlapsOf = (operations: readonly FamilyOperation[]): number =>
  operations.reduce(
    (sum, one, at) =>
      sum + operations.slice(at + 1).filter((other) => one.calledAt < other.returnedAt && other.calledAt < one.returnedAt).length,
    0,
  );

type Plant = (operations: readonly FamilyOperation[]) => readonly FamilyOperation[] | null;

const isRead = ({ output }: FamilyOperation): boolean => output?.kind === 'read';
const isCapture = ({ input, output }: FamilyOperation): boolean => input.kind === 'CP' && output?.kind === 'approved';
const replaced = (operations: readonly FamilyOperation[], at: number, change: Partial<FamilyOperation>) =>
  operations.map((each, index) => (index === at ? { ...each, ...change } : each));

/** Violations put into a recorded history. Null where there is nothing to change. */
export const plants: Readonly<Record<string, Plant>> = {
  'the last read misses an approved capture': (operations) => {
    const capture = operations.find(isCapture);
    const at = operations.findLastIndex(isRead);
    const output = operations[at]?.output;
    if (capture?.input.kind !== 'CP' || output?.kind !== 'read') return null;
    const { tag } = capture.input;
    return replaced(operations, at, { output: { kind: 'read', tags: output.tags.filter((each) => each !== tag) } });
  },
  'an approved capture was answered as refused': (operations) => {
    const at = operations.findIndex(isCapture);
    return at === -1 ? null : replaced(operations, at, { output: { kind: 'refused' } });
  },
  'a refused capture was answered as approved': (operations) => {
    const at = operations.findIndex(({ input, output }) => input.kind === 'CP' && output?.kind === 'refused');
    return at === -1 ? null : replaced(operations, at, { output: { kind: 'approved' } });
  },
  'a late read is that of the beginning': (operations) => {
    const [begin] = operations;
    const at = operations.findLastIndex(isRead);
    if (begin?.input.kind !== 'PA' || !operations.some(isCapture)) return null;
    return replaced(operations, at, { output: { kind: 'read', tags: [begin.input.tag] } });
  },
};

/** Asserts that each violation is found in every recorded history that it can be put into. */
export function assertPlantsAreFound(histories: readonly FamilyHistory[]): number {
  let planted = 0;
  for (const [name, plant] of Object.entries(plants)) {
    const changed = histories.flatMap(({ operations }) => plant(operations) ?? []);
    assert.ok(changed.length > 0, name);
    for (const { operations } of histories) {
      const bad = plant(operations);
      if (bad === null) continue;
      planted += 1;
      assert.equal(isLinearizable(bad, familyModel), false, name);
    }
  }
  return planted;
}
