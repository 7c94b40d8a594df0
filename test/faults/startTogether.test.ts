import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../postgres.ts';
import { card, isApproved, pay, read } from './client.ts';
import { createGateway } from './gatewayProcess.ts';

const NODES = 4;

test('nodes that start at the same moment on an empty database all become ready', { timeout: 60_000 }, async (t) => {
  const database = await testDatabase();
  const nodes = await Promise.all(Array.from({ length: NODES }, () => createGateway({ databaseUrl: database.url })));
  try {
    const readyMs = await Promise.all(nodes.map((node) => node.start()));
    t.diagnostic(`${NODES} nodes on an empty database ready after ${readyMs.join(', ')} ms`);
    const fields = { paymentType: 'DB', amount: '12.00', currency: 'EUR', ...card };
    const paid = await Promise.all(nodes.map((node) => pay(node.url, { fields })));
    assert.deepEqual(paid.filter(isApproved).length, NODES, paid.map(({ text }) => text).join('\n'));
    for (const [at, { body }] of paid.entries()) {
      const elsewhere = nodes[(at + 1) % NODES];
      assert.equal((await read(elsewhere?.url ?? '', body?.id ?? '')).body?.id, body?.id);
    }
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
    await database.drop();
  }
});
