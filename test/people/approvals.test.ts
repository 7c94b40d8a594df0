import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings, inherit, settingFaults } from '../../src/merchants/settings.ts';
import {
  APPROVAL_MS,
  type Approval,
  askApproval,
  decide,
  listApprovals,
  needsApproval,
  type Perform,
  readApproval,
} from '../../src/people/approvals.ts';
import type { PeopleNeeds } from '../../src/people/needs.ts';
import { createMemoryStore } from '../../src/store/memory.ts';
import { createIds } from '../../src/world.ts';

/** Four eyes: who asks is not who approves, and what is approved is done once. */

function world() {
  let now = 1_000_000;
  const clock = { now: () => now };
  const needs = { store: createMemoryStore(), clock, ids: createIds(clock.now) } as unknown as PeopleNeeds;
  return { needs, pass: (ms: number) => (now += ms) };
}

const asked = {
  ...{
    what: 'refundPayment',
    entityId: 'shop',
    objectId: 'p1',
    amount: '700.00',
    currency: 'EUR',
    values: { key: 'k' },
    askedBy: 'ann',
  },
} as const;
const waiting = async (needs: PeopleNeeds, more: Partial<typeof asked> | object = {}): Promise<Approval> =>
  (await askApproval(needs, { ...asked, ...more })) ?? assert.fail();

function performer() {
  const done: string[] = [];
  const perform: Perform = async ({ id }) => {
    done.push(id);
    return { isDone: true, result: 'done', objectId: 'r1' };
  };
  return { done, perform };
}

const by = (who: string, { id }: Pick<Approval, 'id'>, isApproved = true) => ({ id, by: who, isApproved, note: null });

test('above the set amount another must approve; in other currencies, and up to it, nobody', () => {
  const settings = inherit(inherit(defaultSettings, { approvals: { EUR: '500.00' } }), { approvals: { USD: '0.00' } });
  const rows: readonly (readonly [amount: bigint, currency: string, needs: boolean])[] = [
    [500_00n, 'EUR', false],
    [500_01n, 'EUR', true],
    [1n, 'USD', true],
    [999_999_00n, 'CHF', false],
    [999_999_00n, 'toString', false],
  ];
  for (const [amount, currency, needs] of rows) assert.equal(needsApproval(settings, amount, currency), needs, currency);
  assert.equal(needsApproval(defaultSettings, 999_999_00n, 'EUR'), false);
  assert.equal(settingFaults({ approvals: { EUR: 'many' } }).length, 1);
});

test('never by who asked, and by another once', async () => {
  const { needs } = world();
  const { done, perform } = performer();
  const approval = await waiting(needs);
  assert.deepEqual(await decide(needs, by('ann', approval), perform), { refused: 'own' });
  assert.deepEqual(await decide(needs, by('ann', approval, false), perform), { refused: 'own' });
  const came = await Promise.all(['bob', 'cleo', 'dan'].map((who) => decide(needs, by(who, approval), perform)));
  assert.equal(came.filter((one) => 'approval' in one).length, 1);
  assert.deepEqual(done, [approval.id]);
  const ended = await readApproval(needs, approval.id);
  assert.deepEqual([ended?.state, ended?.result, ended?.values.madeId], ['done', 'done', 'r1']);
  assert.deepEqual(await decide(needs, by('cleo', approval), perform), { refused: 'over' });
});

test('what was refused is not done, nor what waited for a week', async () => {
  const { needs, pass } = world();
  const { done, perform } = performer();
  const [one, other] = [await waiting(needs), await waiting(needs, { objectId: 'p2' })];
  const refused = await decide(needs, by('bob', one, false), perform);
  assert.equal('approval' in refused && refused.approval.state, 'refused');
  assert.deepEqual(await decide(needs, by('cleo', one), perform), { refused: 'over' });
  pass(APPROVAL_MS - 1);
  assert.equal((await listApprovals(needs, { isWaiting: true, isSeen: () => true, limit: 9 })).length, 1);
  pass(1);
  assert.deepEqual(await decide(needs, by('bob', other), perform), { refused: 'over' });
  assert.equal((await listApprovals(needs, { isWaiting: true, isSeen: () => true, limit: 9 })).length, 0);
  assert.deepEqual(done, []);
});

test('who clicks twice has asked once; another amount or another payment is another question', async () => {
  const { needs } = world();
  const first = await waiting(needs);
  assert.equal((await waiting(needs)).id, first.id);
  assert.notEqual((await waiting(needs, { amount: '800.00' })).id, first.id);
  assert.notEqual((await waiting(needs, { askedBy: 'bob' })).id, first.id);
});

test('a gateway that dies while it carries something out has another do it, under the same id', async () => {
  const { needs, pass } = world();
  const { done, perform } = performer();
  const approval = await waiting(needs);
  const dying: Perform = () => Promise.reject(new Error('the power went'));
  await assert.rejects(decide(needs, by('bob', approval), dying));
  assert.deepEqual(await decide(needs, by('bob', approval), perform), { refused: 'over' }, 'it may still be under way');
  pass(60_000);
  const again = await decide(needs, by('cleo', approval), perform);
  assert.equal('approval' in again && again.approval.state, 'done');
  assert.deepEqual(done, [approval.id]);
});

test('lists are of what is seen, page by page, the youngest first', async () => {
  const { needs, pass } = world();
  const ids: string[] = [];
  for (let at = 0; at < 7; at += 1) {
    ids.unshift((await waiting(needs, { objectId: `p${at}`, entityId: at % 2 === 0 ? 'shop' : 'other' })).id);
    pass(1);
  }
  const list = (after?: string) =>
    listApprovals(needs, { isWaiting: true, isSeen: (id) => id === 'shop', limit: 3, ...(after && { after }) });
  const first = await list();
  const rest = await list(first.at(-1)?.id);
  assert.deepEqual(
    [...first, ...rest].map(({ id }) => id),
    [ids[0], ids[2], ids[4], ids[6]],
  );
});
