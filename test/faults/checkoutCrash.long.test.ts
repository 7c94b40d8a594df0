import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApproved } from '../../src/payments/balance.ts';
import { examplePayment } from '../../src/payments/examples.ts';
import { isOpen, type Payment } from '../../src/payments/payment.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { reportFigure } from '../figures.ts';
import { CROWD, crowd } from '../http/checkoutCrowd.ts';
import { createShop } from '../http/checkoutShopper.ts';
import { sized } from '../long.ts';
import { testDatabase } from '../postgres.ts';
import { createGateway, type GatewayProcess } from './gatewayProcess.ts';

/** At most one payment of a checkout, with nodes that are killed in the middle of a round (R6). */

const ROUNDS = sized({ quick: 6, assure: 40, reliability: 500 });
const MERCHANT = '5eed00000000000000000000000000f2';
const KILLED_AFTER = [0, 1, 3, 7, 15, 24];

/** What must not be, after a round: `told` are the payments that a shopper was told as a success. */
function faultsOf(attempts: readonly Payment[], told: ReadonlySet<string>): readonly string[] {
  const approved = attempts.filter(isApproved);
  const living = attempts.filter((payment) => isOpen(payment) || isApproved(payment));
  return [
    ...(living.length > 1 ? [`${living.length} payments are open or approved`] : []),
    ...(told.size > 1 ? [`${told.size} payments were told as a success`] : []),
    ...[...told]
      .filter((id) => !approved.some((payment) => payment.id === id))
      .map((id) => `${id} was told as a success and is none`),
  ];
}

type Round = { readonly nodes: readonly [GatewayProcess, GatewayProcess]; readonly number: number };

/** All forms at once, to both nodes. One of them is killed when so many have been answered, and started again. */
async function playRound({ nodes, number }: Round): Promise<{ readonly id: string; readonly told: Set<string> }> {
  const shops = nodes.map(({ url }) => createShop(url));
  const at = (place: number) => shops[place % 2] ?? assert.fail();
  const { id } = await at(number).create();
  const forms = await crowd(at(number), id);
  const told = new Set<string>();
  const killAfter = KILLED_AFTER[number % KILLED_AFTER.length] as number;
  const victim = nodes[number % 2] as GatewayProcess;
  let answered = 0;
  let killed: Promise<void> | null = null;
  const killWhenDue = () => {
    if (answered >= killAfter) killed ??= victim.kill();
  };
  const sent = forms.map((form, place) =>
    at(place)
      .payAsApp(id, form)
      .then(
        ({ code, id: paid }) => {
          answered += 1;
          if (code === '000.100.110' && paid !== undefined) told.add(paid);
        },
        // A node that is killed answers nothing, and the shopper knows nothing.
        () => {},
      )
      .then(killWhenDue),
  );
  killWhenDue();
  await Promise.all(sent);
  await killed;
  await victim.start();
  return { id, told };
}

test(`R6: ${CROWD} forms at once on two nodes of PostgreSQL, one killed in each of ${ROUNDS} rounds: at most one payment of a checkout`, {
  timeout: sized({ quick: 120_000, assure: 600_000, reliability: 7_200_000 }),
}, async (t) => {
  const database = await testDatabase();
  const nodes = [await createGateway({ databaseUrl: database.url }), await createGateway({ databaseUrl: database.url })] as const;
  await nodes[0].start();
  const store = await openPostgresStore({ url: database.url });
  t.after(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await store.close();
    await database.drop();
  });
  await nodes[1].start();
  let begun = 0;
  for (let number = 0; number < ROUNDS; number += 1) {
    const { id, told } = await playRound({ nodes, number });
    const attempts = await store.attempts(MERCHANT, id);
    assert.deepEqual(faultsOf(attempts, told), [], `round ${number}`);
    begun += attempts.length;
    // The shopper goes on by card, at the node that was not killed: the checkout is paid once, or was already.
    const shop = createShop(nodes[(number + 1) % 2]?.url ?? '');
    const { code, id: paid } = await shop.payAsApp(id, await shop.cardForm(id));
    if (code === '000.100.110' && paid !== undefined) told.add(paid);
    assert.deepEqual(faultsOf(await store.attempts(MERCHANT, id), told), [], `round ${number}, afterwards`);
  }
  assert.ok(begun >= ROUNDS / 2, `only ${begun} payments were begun`);
  reportFigure('R6', 'rounds', ROUNDS);
  reportFigure('R6', 'forms', ROUNDS * CROWD);
});

test('control: two payments of one checkout, and a success that is not stored, are found', () => {
  const [one, two] = ['a', 'b'].map((id) => examplePayment({ id })) as [Payment, Payment];
  assert.deepEqual(faultsOf([one], new Set(['a'])), []);
  assert.equal(faultsOf([one, two], new Set(['a'])).length, 1);
  assert.equal(faultsOf([one, examplePayment({ id: 'c', phase: { at: 'doubt', tries: 0, dueAt: 0 } })], new Set()).length, 1);
  assert.equal(faultsOf([one], new Set(['b'])).length, 1);
});
