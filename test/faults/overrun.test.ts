import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { testDatabase } from '../postgres.ts';
import { createGateway } from './gatewayProcess.ts';
import { rush, rushes } from './overrun.ts';
import { createChance } from './stories.ts';

const modules = [
  { name: 'two nodes on PostgreSQL', nodes: 2, isPostgres: true, rounds: sized({ quick: 2, assure: 20, reliability: 2_000 }) },
  { name: 'one node on SQLite', nodes: 1, isPostgres: false, rounds: sized({ quick: 2, assure: 10, reliability: 2_000 }) },
];

for (const { name, nodes, isPostgres, rounds } of modules) {
  test(`${name}: 64 concurrent requests never take more than the amount of a payment`, {
    timeout: sized({ quick: 120_000, assure: 120_000, reliability: 3_600_000 }),
  }, async (t) => {
    const database = isPostgres ? await testDatabase() : null;
    const gateways = await Promise.all(
      Array.from({ length: nodes }, () => createGateway(database ? { databaseUrl: database.url } : {})),
    );
    t.after(async () => {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await database?.drop();
    });
    await Promise.all(gateways.map((gateway) => gateway.start()));
    const urls = gateways.map(({ url }) => url);
    const chance = createChance(4);
    const began = performance.now();
    let approved = 0;
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const figures = await rush(urls, rushes[round % rushes.length]!, chance);
      approved += figures.approved;
      refused += figures.refused;
    }
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    t.diagnostic(`${name}: ${rounds} rounds of 64 in ${seconds} s, ${approved} approved, ${refused} refused, 0 overruns`);
    assert.ok(refused > approved, 'hardly anybody was refused: the rounds were no rush');
    reportFigure('R4', 'rounds of 64', rounds);
    reportFigure('R4', 'approved', approved);
    reportFigure('R4', 'refused', refused);
    await Promise.all(gateways.map((gateway) => gateway.end('SIGTERM')));
  });
}
