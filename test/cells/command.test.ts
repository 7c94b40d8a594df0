import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cells } from '../../src/cli/cells.ts';
import type { Config } from '../../src/config.ts';
import { openDatabases } from '../../src/store/cells/openDatabases.ts';
import { dropUnused, freshDatabase } from '../contract/freshDatabases.ts';
import { commit, nextId, payment } from '../contract/storeFixtures.ts';

/** `turnpike cells` on a control database that is a cell, and a cell of its own. */

after(dropUnused);

const merchant = (id: string) => ({ id, kind: 'merchant' as const, parentId: null, name: id, settings: {} });

test('the command lists the cells, and places a merchant who has none', async (t) => {
  const [control, east] = [await freshDatabase(), await freshDatabase()];
  t.after(async () => {
    for (const { giveBack } of [control, east]) await giveBack(true);
  });
  const named = {
    databaseUrl: control.url,
    cells: [
      { name: 'main', url: null },
      { name: 'east', url: east.url },
    ],
  };
  const [first, second] = [nextId(), nextId()];
  const { store } = await openDatabases({ ...named, poolMax: 2 });
  await store.insertAccounts({ entities: [merchant(first), merchant(second)], tokens: [] });
  await store.commit(commit(payment({ merchantId: first }), 0));
  const run = async (...words: readonly string[]): Promise<string> => {
    const lines: string[] = [];
    const config = () => named as unknown as Config;
    assert.equal(await cells(words, { config, print: (line) => void lines.push(line) }), 0);
    return lines.join('\n');
  };
  assert.equal(await run('where', first), 'The merchant lives in the cell main.');
  assert.equal(await run('where', second), 'The merchant has no cell yet.');
  // The gateway would choose east, which is emptier.
  assert.equal(await run('place', second, 'main'), 'The merchant lives in the cell main.');
  await store.commit(commit(payment({ merchantId: second }), 0));
  assert.match(await run(), /^main\s+in order\s+2\s+2\neast\s+in order\s+0\s+0$/m);
  assert.deepEqual(JSON.parse(await run('list', '--json'))[1], { name: 'east', merchants: 0, state: 'in order', payments: 0 });
  await store.close();
  await assert.rejects(run('place', second, 'east'), /lives in the cell main already/);
  await assert.rejects(run('place', second, 'west'), /CELLS names no cell "west"/);
  await assert.rejects(run('where', nextId()), /there is no merchant/);
  await assert.rejects(run('move', second), { name: 'UsageError' });
  await assert.rejects(run('move', second, 'west'), /CELLS names no cell "west"/);
  assert.equal(await run('stay', second), 'The merchant lives in the cell main.');
  assert.match(
    await run('move', second, 'east'),
    /^The merchant lives in the cell east\.\nIts writes were stopped for \d+ ms\.$/,
  );
  assert.match(await run(), /^main\s+in order\s+1\s+1\neast\s+in order\s+1\s+1$/m);
  const alone = { config: () => ({ ...named, cells: [] }) as unknown as Config, print: () => {} };
  await assert.rejects(cells(['list'], alone), /all merchants are in one database/);
});
