import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { assertWentLive, FAR_QUERY } from './goingLive.ts';
import { runGuides } from './guides.ts';
import { installRelease, packRelease } from './packageFixture.ts';
import { testDatabase } from './postgres.ts';

/** The commands of all guides for operators, one after the other in one shell: the package, installed by npm, on PostgreSQL. */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-guides-'));
chmodSync(folder, 0o755);
const [dist, home, work] = ['dist', 'home', 'work'].map((name) => join(folder, name)) as [string, string, string];
const database = await testDatabase();
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const guides = ['goingLive.md', 'users.md', 'rotation.md', 'postgresql.md', 'upgrading.md', 'moving.md', 'pciDss.md'];
const QUARTER_HOUR_MS = 15 * 60_000;

test('the guides lead from an empty folder to a live gateway, and through its maintenance', async () => {
  const startedAt = performance.now();
  await packRelease(dist);
  await installRelease(dist, home, ['--ignore-scripts']);
  mkdirSync(work);
  const program = [process.execPath, join(home, 'node_modules/turnpike/scripts/turnpike.mjs')];
  const said = await runGuides({ guides, folder: work, program, databaseUrl: database.url, epilogue: FAR_QUERY });
  assert.ok(performance.now() - startedAt < QUARTER_HOUR_MS);
  const parts = new Map(said.split(/^=== /m).map((text) => [text.slice(0, text.indexOf('\n')), text]));
  const partOf = (name: string): string => parts.get(name) ?? assert.fail(`${name} was not run`);
  assertWentLive(`${partOf('goingLive.md')}${/far: .*/.exec(said)?.[0]}`);
  assert.match(partOf('users.md'), /^bob@shop\.example\s+Bob\s+invited[\s\S]*EUR 500\.00/m);
  assert.match(partOf('rotation.md'), /No other master key is needed[\s\S]*"paymentType":"DB"[^\n]*"code":"000\.000\.000"/);
  assert.match(partOf('upgrading.md'), /books are in order/);
  const ids = readFileSync(join(work, 'live/ids.csv'), 'utf8').trim().split('\n');
  assert.equal(ids.length, 2);
  for (const line of ids) assert.match(line, /^8ac7a4a[12],[0-9a-f]{32}$/);
  assert.match(partOf('moving.md'), /"amount":"3\.00"[^\n]*"code":"000\.000\.000"/);
  for (const text of ['no card number in clear', 'TLS 1.1 is refused', 'plain HTTP is refused', 'is good:'])
    assert.ok(partOf('pciDss.md').includes(text), text);
});
