import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGateway } from '../faults/gatewayProcess.ts';
import { createChance } from '../faults/stories.ts';
import { reportFigure } from '../figures.ts';
import { testDatabase } from '../postgres.ts';
import { judge } from './judge.ts';
import { recordFamilies } from './record.ts';

const NODES = 4;
const OPERATIONS = 100_000;
const size = { requests: 8, clients: 6, together: 4 };

test(`${NODES} nodes in processes of their own: 100,000 operations could have happened one after the other`, {
  timeout: 3_600_000,
}, async (t) => {
  const database = await testDatabase();
  const nodes = await Promise.all(Array.from({ length: NODES }, () => createGateway({ databaseUrl: database.url })));
  t.after(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await database.drop();
  });
  for (const node of nodes) await node.start();
  const families = Math.ceil(OPERATIONS / (size.requests * size.clients + 2)) + 20;
  const urls = nodes.map(({ url }) => url);
  const began = performance.now();
  const histories = await recordFamilies({ ...size, families, urls, chance: createChance(11) });
  const seconds = Math.round((performance.now() - began) / 1_000);
  const { operations, unanswered, overlaps } = judge(histories);
  t.diagnostic(
    `${operations} operations of ${histories.length} families in ${seconds} s, ${overlaps} overlaps, ${unanswered} unanswered`,
  );
  assert.ok(operations >= OPERATIONS && overlaps > operations && unanswered < operations / 100);
  reportFigure('R4', 'recorded operations', operations);
});
