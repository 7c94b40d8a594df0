import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createIds } from '../../src/app/system.ts';
import { createDirectory } from '../../src/merchants/directory.ts';
import { sandbox, sandboxRows } from '../../src/merchants/sandbox.ts';
import { type Right, rights, roles } from '../../src/spec/rights.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { invitedUser } from '../../src/users/invitations.ts';
import { createHashQueue, PASSWORD_COST } from '../../src/users/passwordRules.ts';
import type { UserNeeds } from '../../src/users/ports.ts';
import { changeRole, makeRole } from '../../src/users/roles.ts';
import type { SignedInUser } from '../../src/users/service.ts';
import {
  allUsers,
  type Grant,
  type Grantor,
  grantorOf,
  newUserDocuments,
  pathOf,
  rightsByGrant,
  type User,
  userDocument,
} from '../../src/users/user.ts';
import { changeUser, createInvitation, resetSignIn } from '../../src/users/users.ts';
import { systemRandom } from '../../src/vault/randomBytes.ts';

/** For any sequence of role changes: no user gains more than the grantors have, and an operator remains. */

const nodes = [
  sandbox.psp,
  sandbox.division,
  sandbox.demoShop.merchantId,
  sandbox.demoShop.channelId,
  sandbox.otherShop.merchantId,
  sandbox.otherShop.channelId,
];
const all = Object.keys(rights) as Right[];

async function world(): Promise<UserNeeds> {
  const store = createMemoryStore();
  await store.insertAccounts(sandboxRows(0));
  let now = 1_000_000;
  const clock = { now: () => (now += 1) };
  const vault = {
    digest: (purpose: string, text: string) => `${purpose} ${text}`,
    ready: () => null,
    seal: () => new Uint8Array(),
    open: async () => '',
  };
  const directory = await createDirectory(store, clock);
  return {
    store,
    vault,
    directory,
    clock,
    ids: createIds(clock.now),
    random: systemRandom,
    hashQueue: createHashQueue(),
    passwordCost: PASSWORD_COST,
  };
}

async function join(needs: UserNeeds, email: string, grants: readonly Grant[]): Promise<User> {
  const user: User = { ...invitedUser(needs, { email, name: 'Ann Example', grants }), state: 'active' };
  await needs.store.saveDocuments(newUserDocuments(user));
  return user;
}

/** The rights of a user at each node. */
async function powerOf(needs: UserNeeds, { grants, state }: User): Promise<ReadonlySet<string>> {
  if (state === 'disabled') return new Set();
  const held = await rightsByGrant(needs, grants);
  const at = (node: string) => held.filter(({ entityId }) => pathOf(needs, node).includes(entityId)).flatMap((one) => one.rights);
  return new Set(nodes.flatMap((node) => at(node).map((right) => `${right} at ${node}`)));
}

async function asGiver(needs: UserNeeds, userId: string): Promise<Grantor> {
  const user = (await userDocument(needs.store, userId))?.body ?? assert.fail();
  const held = user.state === 'active' ? await rightsByGrant(needs, user.grants) : [];
  const nodesWith: SignedInUser['nodesWith'] = (right) =>
    held.filter((one) => one.rights.includes(right)).map((one) => one.entityId);
  return grantorOf(userId, { nodesWith } as SignedInUser);
}

const node = fc.constantFrom(...nodes);
const someRights = fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: all.length });
/** Who does it, to whom (by their places in the list), and what. */
const act = fc.record({
  who: fc.nat(20),
  whom: fc.nat(20),
  node,
  place: node,
  role: fc.oneof(fc.constantFrom(...Object.keys(roles)), fc.nat(10)),
  rights: someRights,
  what: fc.constantFrom('invite', 'grant', 'revoke', 'disable', 'enable', 'makeRole', 'changeRole', 'reset'),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

async function handle(needs: UserNeeds, made: string[], act: Act, at: number): Promise<unknown> {
  const users = await allUsers(needs.store);
  const [who, whom] = [users[act.who % users.length], users[act.whom % users.length]] as [User, User];
  const giver = await asGiver(needs, who.id);
  const role = typeof act.role === 'string' ? act.role : (made[act.role % Math.max(1, made.length)] ?? 'readOnly');
  const named = { userId: whom.id, nodeId: act.node };
  const here = whom.grants.filter(({ entityId }) => pathOf(needs, entityId).includes(act.node));
  const actions: Readonly<Record<Act['what'], () => Promise<unknown>>> = {
    invite: () =>
      createInvitation(needs, giver, { email: `p${at}@shop.example`, name: 'Ann Example', entityId: act.place, role }),
    grant: () => changeUser(needs, giver, { ...named, grants: [...here, { entityId: act.place, role }] }),
    revoke: () => changeUser(needs, giver, { ...named, grants: here.slice(1) }),
    disable: () => changeUser(needs, giver, { ...named, state: 'disabled' }),
    enable: () => changeUser(needs, giver, { ...named, state: 'active' }),
    makeRole: async () => {
      const result = await makeRole(needs, giver, { entityId: act.node, name: `Role ${at}`, rights: act.rights });
      if (result.ok) made.push(result.role.id);
    },
    changeRole: async () => {
      const id = made[act.whom % Math.max(1, made.length)];
      return id && changeRole(needs, giver, { id, rights: act.rights });
    },
    reset: () => resetSignIn(needs, giver, named),
  };
  return actions[act.what]();
}

test('no user gains more than the grantors have together, and an operator always remains', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 25 }), async (acts) => {
      const needs = await world();
      const made: string[] = [];
      await join(needs, 'operator@shop.example', [{ entityId: sandbox.psp, role: 'operator' }]);
      await join(needs, 'admin@shop.example', [{ entityId: sandbox.demoShop.merchantId, role: 'administrator' }]);
      await join(needs, 'other@shop.example', [{ entityId: sandbox.otherShop.merchantId, role: 'administrator' }]);
      await join(needs, 'looks@shop.example', [{ entityId: sandbox.psp, role: 'readOnly' }]);
      for (const [at, one] of acts.entries()) {
        const before = await allUsers(needs.store);
        const powers = await Promise.all(before.map((user) => powerOf(needs, user)));
        const giver = before[one.who % before.length] as User;
        const grantorPower = powers[one.who % before.length] ?? new Set();
        await handle(needs, made, one, at);
        for (const after of await allUsers(needs.store)) {
          const had = powers[before.findIndex(({ id }) => id === after.id)] ?? new Set();
          const [more, less] = [await powerOf(needs, after), had].map((set) => [...set]) as [string[], string[]];
          const gained = more.filter((power) => !had.has(power));
          const lost = less.filter((power) => !more.includes(power));
          const isMore = [...gained, ...lost].filter((power) => !grantorPower.has(power));
          // A change of the grantor's own role changes the grantor's power too: the power before it counts.
          assert.deepEqual(isMore, [], `${giver.email} did ${one.what} to ${after.email}`);
        }
        const operators = (await allUsers(needs.store)).filter(
          ({ state, grants }) =>
            state === 'active' && grants.some((one) => one.role === 'operator' && one.entityId === sandbox.psp),
        );
        assert.ok(operators.length > 0, 'no operator remains');
      }
    }),
    { numRuns: 150 },
  );
});

test('of two operators who remove each other’s role at once, one remains', async () => {
  for (let times = 0; times < 10; times += 1) {
    const needs = await world();
    const top = [{ entityId: sandbox.psp, role: 'operator' }];
    const [one, other] = [await join(needs, 'a@shop.example', top), await join(needs, 'b@shop.example', top)];
    const take = async (by: User, from: User) =>
      changeUser(needs, await asGiver(needs, by.id), { userId: from.id, nodeId: sandbox.psp, state: 'disabled' });
    const came = await Promise.all([take(one, other), take(other, one)]);
    assert.equal(came.filter((result) => !result.ok).length, 1);
    assert.equal((await allUsers(needs.store)).filter(({ state }) => state === 'active').length, 1);
  }
});
