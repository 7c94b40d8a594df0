import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { commit, payment } from '../../../test/contract/storeFixtures.ts';
import { createChance } from '../../../test/faults/stories.ts';
import { sized } from '../../../test/long.ts';
import { testDatabase } from '../../../test/postgres.ts';
import { type Strike, startTcpProxy } from '../../../test/tcpProxy.ts';
import { StoreOutOfOrder, UnknownOutcome } from '../../payments/storeErrors.ts';
import type { Store } from '../store.ts';
import { openPostgresStore } from './postgresStore.ts';

const STRIKES = sized({ quick: 25, assure: 40, reliability: 40 });
const SEEDS = sized({ quick: [1], assure: [1, 2, 3], reliability: [1, 2, 3] });
const CALLERS = 24;

/** What was said about one commit or transaction, and what was found of it afterwards. */
type Outcome = { readonly what: 'commit' | 'transaction'; readonly id: string; readonly end: string };

const nameOf = (error: Error): string => error.name;
const document = (id: string, part: string) => ({
  collection: 'struck',
  id: `${id}-${part}`,
  ownerId: '',
  at: 1,
  revision: 1,
  body: {},
});

/** A commit in one statement, then a transaction of two, again and again. */
async function work(store: Store, isOver: () => boolean, outcomes: Outcome[]): Promise<void> {
  while (!isOver()) {
    const change = payment();
    const { id } = change;
    outcomes.push({ what: 'commit', id, end: await store.commit(commit(change, 0)).then(({ is }) => is, nameOf) });
    const filed = store.saveDocuments([document(id, 'first'), document(id, 'second')]);
    outcomes.push({ what: 'transaction', id, end: await filed.then((isKept) => (isKept ? 'kept' : 'moved'), nameOf) });
    await pause(2);
  }
}

/** How much of it is there: 0 nothing, 1 all of it. Anything between is half a transaction. */
async function shareOf(store: Store, { what, id }: Outcome): Promise<number> {
  if (what === 'commit') return (await store.payment('merchant', id)) === null ? 0 : 1;
  const found = await Promise.all(['first', 'second'].map((part) => store.document('struck', `${id}-${part}`)));
  return found.filter((one) => one !== null).length / 2;
}

for (const seed of SEEDS) {
  test(`connections struck at random (seed ${seed}): every commit is what it was called, none is half`, {
    timeout: 120_000,
  }, async (t) => {
    const database = await testDatabase();
    const proxy = await startTcpProxy(Number(new URL(database.url).port || 5432));
    const store = await openPostgresStore({ url: proxy.through(database.url) });
    t.after(async () => {
      await store.close();
      await proxy.close();
      await database.drop();
    });
    const chance = createChance(seed);
    const outcomes: Outcome[] = [];
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, () => work(store, () => isOver, outcomes));
    for (let strikes = 0; strikes < STRIKES; strikes += 1) {
      const before = outcomes.length;
      const keptSince = () => outcomes.slice(before).filter(({ end }) => end === 'kept').length;
      while (keptSince() < 6) await pause(chance() * 10);
      const how: Strike = chance() < 0.5 ? 'cut' : 'reset';
      proxy.strike(how);
      if (chance() < 0.3) {
        proxy.next = 'reset';
        await pause(chance() * 50);
        proxy.next = 'pass';
      }
    }
    isOver = true;
    await Promise.all(callers);
    await pause(200);
    const shares = await Promise.all(outcomes.map((one) => shareOf(store, one)));
    const wrong = outcomes.filter(({ end }, at) => {
      const share = shares[at] as number;
      if (end === 'kept') return share !== 1;
      return end === StoreOutOfOrder.name ? share !== 0 : end !== UnknownOutcome.name || share === 0.5;
    });
    const counts = Object.groupBy(outcomes, ({ what, end }) => `${what} ${end}`);
    t.diagnostic(
      Object.entries(counts)
        .map(([name, all]) => `${all?.length} ${name}`)
        .join(', '),
    );
    assert.deepEqual(wrong, []);
    assert.ok((counts[`transaction ${StoreOutOfOrder.name}`]?.length ?? 0) > 0, 'no transaction was struck');
  });
}
