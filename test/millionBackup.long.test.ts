import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fillBooks, MERCHANTS } from '../bench/fillBooks.ts';
import { makeBackup } from '../src/app/backup/makeBackup.ts';
import { openPlace } from '../src/app/backup/places.ts';
import { proveBackup } from '../src/app/backup/proveBackup.ts';
import { type Config, configOf } from '../src/config/config.ts';
import { thisMachine } from '../src/config/machine.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { localMasters } from '../src/vault/masterKey.ts';
import { openVault } from '../src/vault/vault.ts';
import { sized } from './long.ts';

const PAYMENTS = sized({ quick: 20_000, assure: 1_000_000, reliability: 1_000_000 });
/** Every so many-th payment has a sealed text. */
const SEALED_EVERY = 50;
/** Far below the size of the database: neither a backup nor a restore holds it in memory. */
const MEMORY_MAX = 300e6;

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-million-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

test(`a database of ${PAYMENTS} payments is backed up and proved`, async () => {
  const masters = localMasters(Buffer.alloc(32, 7), []);
  const database = { databaseUrl: null, dataDir };
  const store = await openSqliteStore({ dataDir });
  const vault = await openVault({ masters, store, now: () => 1_790_000_000_000 });
  for (let merchant = 0; merchant < MERCHANTS; merchant += 1) await vault.ready(`merchant${merchant}`);
  await store.close();
  let paid = 0;
  fillBooks(join(dataDir, 'turnpike.db'), {
    payments: PAYMENTS,
    sealedOf: ({ merchantId, entityId, id }) => {
      paid += 1;
      if (paid % SEALED_EVERY !== 0) return null;
      return vault.seal({ merchantId, entityId, recordId: id, field: 'instrument' }, 'a sealed text');
    },
  });
  const size = statSync(join(dataDir, 'turnpike.db')).size;
  const { backup } = configOf({ DATA_DIR: dataDir }, thisMachine) as Config;
  const place = await openPlace({ kind: 'folder', path: join(dataDir, 'backups') }, backup);
  const { rss } = process.memoryUsage();
  let most = rss;
  const onProgress = () => {
    most = Math.max(most, process.memoryUsage().rss);
  };
  const began = performance.now();
  const made = await makeBackup({ database, key: masters[0], place, now: Date.now, onProgress });
  const madeMs = performance.now() - began;
  assert.ok(most - rss < MEMORY_MAX, `${most - rss} bytes of memory`);
  assert.ok(made.bytes < size);
  const signal = new AbortController().signal;
  const proof = await proveBackup(place.get(made.name), {
    database,
    keys: masters,
    masters,
    now: Date.now,
    signal,
    onStep: () => {},
  });
  assert.deepEqual([proof.ok, proof.payments, proof.drawn, proof.unopened], [true, PAYMENTS, 100, 0], JSON.stringify(proof));
  const proved = performance.now() - began - madeMs;
  console.log(`${size} bytes: backup of ${made.bytes} bytes in ${Math.round(madeMs)} ms, proof in ${Math.round(proved)} ms`);
});
