import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verify } from '../../src/ledger/verify.ts';
import { withAudit } from '../../src/store/open.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { sized } from '../long.ts';
import { testDatabase } from '../postgres.ts';
import { differences } from './compare.ts';
import { figureDifferences, recomputeFigures } from './figures.ts';
import { recompute, unsquared } from './recompute.ts';
import { runFamilies } from './run.ts';

/** The same books, recomputed from webhooks and reconciliation file, where both databases keep them and refuse what does not add up. */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-books-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const FAMILIES = sized({ quick: 12, assure: 300, reliability: 300 });

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: the ledger, and what pages say, are what webhooks and reconciliation file come to`, async (t) => {
    const created = dialect === 'postgres' ? await testDatabase() : null;
    const store = created ? await openPostgresStore({ url: created.url }) : await openSqliteStore({ dataDir: folder });
    t.after(async () => {
      await store.close();
      await created?.drop();
    });
    const { moments, figures } = await runFamilies({ seed: 4_040, families: FAMILIES, store });
    for (const { when, balances, ...view } of moments) assert.deepEqual(differences(recompute(view), balances), [], when);
    const last = moments.at(-1) ?? assert.fail('there is no moment');
    assert.deepEqual(unsquared(last), []);
    assert.deepEqual(figureDifferences(recomputeFigures(last, figures.customerOf), figures.said), []);
    const needs = { merchantId: null, onStep: () => {}, signal: new AbortController().signal };
    const place = created ? { databaseUrl: created.url } : { dataDir: folder };
    const { findings } = await withAudit(place, (audit) => verify(audit, needs));
    assert.deepEqual(findings, []);
  });
}
