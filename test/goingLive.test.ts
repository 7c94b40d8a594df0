import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { assertWentLive, FAR_QUERY } from './goingLive.ts';
import { commandsIn, runGuides } from './guides.ts';
import { programWords } from './programs.ts';

/** The commands of docs/goingLive.md, on SQLite. guides.long.test.ts runs them from the package, on PostgreSQL. */
const folder = mkdtempSync(join(tmpdir(), 'turnpike-live-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('the guide leads from nothing to a captured and refunded payment in live, a webhook and a backup', async () => {
  assert.ok(commandsIn('goingLive.md').length >= 12);
  const program = [process.execPath, ...programWords('src/cli/main.ts')];
  assertWentLive(await runGuides({ guides: ['goingLive.md'], folder, program, epilogue: FAR_QUERY }));
  assert.match(readFileSync(join(folder, 'live/webhook.json'), 'utf8'), /"key": *"[0-9a-f]{64}"/);
});
