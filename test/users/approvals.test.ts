import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIds } from '../../src/app/system.ts';
import { defaultSettings, inherit, settingFaults } from '../../src/merchants/settings.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import {
  APPROVAL_MS,
  type Approval,
  createApproval,
  decideApproval,
  listApprovals,
  type PerformAction,
  readApproval,
} from '../../src/users/approvals.ts';
import { approvalLimit, isWeaker, weakensLimits } from '../../src/users/approvers.ts';
import type { UserNeeds } from '../../src/users/ports.ts';

/** Four-eyes control: the requester cannot approve, and an approved action is done once. */

function world() {
  let now = 1_000_000;
  const clock = { now: () => now };
  const vault = { digest: (purpose: string, text: string) => `${purpose} ${text}` };
  const needs = { store: createMemoryStore(), clock, ids: createIds(clock.now), vault } as unknown as UserNeeds;
  return { needs, pass: (ms: number) => (now += ms) };
}

const asked = {
  what: 'refundPayment',
  entityId: 'shop',
  objectId: 'p1',
  amount: '700.00',
  currency: 'EUR',
  values: { key: 'k' },
  askedBy: 'ann',
} as const;
const waiting = async (needs: UserNeeds, more: Partial<typeof asked> | object = {}): Promise<Approval> =>
  (await createApproval(needs, { ...asked, ...more }, needs.ids.next())) ?? assert.fail();

function performer() {
  const done: string[] = [];
  const perform: PerformAction = async ({ id }) => {
    done.push(id);
    return { isDone: true, result: 'done', objectId: 'r1' };
  };
  return { done, perform };
}

const by = (who: string, { id }: Pick<Approval, 'id'>, isApproved = true) => ({ id, by: who, isApproved, note: null });

test('approvals are off, or hold for every currency: one that has no limit has the limit 0', () => {
  const settings = inherit(inherit(defaultSettings, { approvals: { EUR: '500.00' } }), { approvals: { USD: '7.00' } });
  const rows: readonly (readonly [currency: string, limit: bigint])[] = [
    ['EUR', 500_00n],
    ['USD', 7_00n],
    ['CHF', 0n],
    ['toString', 0n],
  ];
  for (const [currency, limit] of rows) assert.equal(approvalLimit(settings, currency), limit, currency);
  assert.equal(approvalLimit(defaultSettings, 'EUR'), null);
  assert.equal(settingFaults({ approvals: { EUR: 'many' } }).length, 1);
});

type Limits = Readonly<Record<string, string>>;
const weakenings: readonly (readonly [what: string, before: Limits, after: Limits, isWeaker: boolean])[] = [
  ['switched on', {}, { EUR: '50.00' }, false],
  ['switched off', { EUR: '50.00' }, {}, true],
  ['raised', { EUR: '50.00' }, { EUR: '50.01' }, true],
  ['lowered', { EUR: '50.00' }, { EUR: '49.99' }, false],
  ['the same', { EUR: '50.00' }, { EUR: '50.00' }, false],
  ['another currency gets a limit', { EUR: '50.00' }, { EUR: '50.00', USD: '10.00' }, true],
  ['another currency gets the limit 0', { EUR: '50.00' }, { EUR: '50.00', USD: '0.00' }, false],
  ['a currency loses its limit', { EUR: '50.00', USD: '10.00' }, { EUR: '50.00' }, false],
  ['exchanged', { EUR: '50.00' }, { USD: '50.00' }, true],
];
for (const [what, before, after, expected] of weakenings)
  test(`limits ${what}: ${expected ? 'needs a second person' : 'at once'}`, () =>
    assert.equal(isWeaker(before, after), expected));

test('limits at a node above weaken those below where they name a currency that was not named there', () => {
  const node = (id: string, parentId: string | null, approvals: Limits) => ({ id, parentId, settings: { approvals } });
  const rows = [node('psp', null, {}), node('shop', 'psp', { USD: '10.00' })];
  assert.equal(weakensLimits(rows, 'psp', { approvals: { EUR: '500.00' } }), true, 'EUR was 0 at the shop');
  assert.equal(weakensLimits(rows, 'psp', { approvals: { EUR: '0.00' } }), false);
  assert.equal(weakensLimits(rows, 'shop', {}), true);
});

test('the requester cannot approve; another user can, once', async () => {
  const { needs } = world();
  const { done, perform } = performer();
  const approval = await waiting(needs);
  assert.deepEqual(await decideApproval(needs, by('ann', approval), perform), { ok: false, refused: 'own' });
  assert.deepEqual(await decideApproval(needs, by('ann', approval, false), perform), { ok: false, refused: 'own' });
  const came = await Promise.all(['bob', 'cleo', 'dan'].map((who) => decideApproval(needs, by(who, approval), perform)));
  assert.equal(came.filter(({ ok }) => ok).length, 1);
  assert.deepEqual(done, [approval.id]);
  const ended = await readApproval(needs, approval.id);
  assert.deepEqual([ended?.state, ended?.result, ended?.values.madeId], ['done', 'done', 'r1']);
  assert.deepEqual(await decideApproval(needs, by('cleo', approval), perform), { ok: false, refused: 'over' });
});

test('a refused action is not done, nor one that waited for a week', async () => {
  const { needs, pass } = world();
  const { done, perform } = performer();
  const [one, other] = [await waiting(needs), await waiting(needs, { objectId: 'p2' })];
  const refused = await decideApproval(needs, by('bob', one, false), perform);
  assert.equal(refused.ok && refused.approval.state, 'refused');
  assert.deepEqual(await decideApproval(needs, by('cleo', one), perform), { ok: false, refused: 'over' });
  pass(APPROVAL_MS - 1);
  assert.equal((await listApprovals(needs, { isWaiting: true, isSeen: () => true, limit: 9 })).length, 1);
  pass(1);
  assert.deepEqual(await decideApproval(needs, by('bob', other), perform), { ok: false, refused: 'over' });
  assert.equal((await listApprovals(needs, { isWaiting: true, isSeen: () => true, limit: 9 })).length, 0);
  assert.deepEqual(done, []);
});

test('two clicks are one request; another amount or payment is another request', async () => {
  const { needs } = world();
  const first = await waiting(needs);
  assert.equal((await waiting(needs)).id, first.id);
  assert.notEqual((await waiting(needs, { amount: '800.00' })).id, first.id);
  assert.notEqual((await waiting(needs, { askedBy: 'bob' })).id, first.id);
  const atOnce = await Promise.all([1, 2, 3].map(() => createApproval(needs, { ...asked, objectId: 'p9' }, 'one key')));
  assert.equal(new Set(atOnce.map((one) => one?.id)).size, 1, 'three clicks at once');
});

test('after a crash an approved action can be performed again under the same id', async () => {
  const { needs, pass } = world();
  const { done, perform } = performer();
  const approval = await waiting(needs);
  const dying: PerformAction = () => Promise.reject(new Error('the power went'));
  await assert.rejects(decideApproval(needs, by('bob', approval), dying));
  assert.deepEqual(
    await decideApproval(needs, by('bob', approval), perform),
    { ok: false, refused: 'over' },
    'it may still be under way',
  );
  pass(60_000);
  const again = await decideApproval(needs, by('cleo', approval), perform);
  assert.equal(again.ok && again.approval.state, 'done');
  assert.deepEqual(done, [approval.id]);
});

test('lists hold the visible approvals, page by page, the newest first', async () => {
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
