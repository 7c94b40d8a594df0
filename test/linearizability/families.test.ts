import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import type { Store } from '../../src/store/store.ts';
import { freshDatabase } from '../contract/freshDatabases.ts';
import { createChance } from '../faults/stories.ts';
import { reportFigure } from '../figures.ts';
import { startGateway } from '../http/gateway.ts';
import { isLinearizable } from './checker.ts';
import { familyModel } from './familyModel.ts';
import { assertPlantsAreFound, judge } from './judge.ts';
import { type FamilyHistory, recordFamilies } from './record.ts';

const size = { requests: 5, clients: 5, together: 4 };

/** Four nodes of one database in this process. */
async function recordNodes(seed: number, families: number, change: (store: Store) => Store): Promise<readonly FamilyHistory[]> {
  const database = await freshDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore({ url: database.url, poolMax: 3 })));
  const nodes: Awaited<ReturnType<typeof startGateway>>[] = [];
  for (const [at, store] of stores.entries())
    nodes.push(await startGateway({ store: change(store), nodeName: `node-${at + 1}`, isQuiet: true }));
  try {
    return await recordFamilies({ ...size, families, urls: nodes.map(({ url }) => url), chance: createChance(seed) });
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await database.giveBack(true);
  }
}

test('four nodes: the requests about each family could have been served one after the other', async (t) => {
  const histories = await recordNodes(5, 60, (store) => store);
  const { operations, families, unanswered, overlaps } = judge(histories);
  const planted = assertPlantsAreFound(histories);
  t.diagnostic(
    `${operations} operations of ${families} families, ${overlaps} overlaps, ${unanswered} unanswered, ${planted} violations planted`,
  );
  assert.ok(overlaps > operations && unanswered < operations / 100);
  reportFigure('R4', 'recorded operations', operations);
});

test('the control: a node that remembers what it has read is found', async () => {
  const remembering = (store: Store): Store => {
    const read = new Map<string, ReturnType<Store['families']>>();
    return {
      ...store,
      families: (merchantId, familyIds) => {
        const key = familyIds.join();
        const known = read.get(key) ?? store.families(merchantId, familyIds);
        read.set(key, known);
        return known;
      },
    };
  };
  const histories = await recordNodes(6, 8, remembering);
  const bad = histories.filter(({ operations }) => !isLinearizable(operations, familyModel));
  assert.ok(bad.length > histories.length / 2, `${bad.length} of ${histories.length} families`);
});
