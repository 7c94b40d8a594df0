import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { createGateway, createLooseGateway, type GatewayProcess } from './gatewayProcess.ts';
import { assertNothingWentWrong, assertQuick, describeRun, killRun, SETTLE_MS_MAX, type Survived } from './killRun.ts';
import { reconcile } from './reconcile.ts';

const run = { postgres: null, perSecond: sized({ quick: 200, assure: 300, reliability: 500 }) };
const KILLS = sized({ quick: 2, assure: 4, reliability: 200 });
const CONTROL_KILLS = sized({ quick: 2, assure: 3, reliability: 3 });
const PAYMENTS_MIN = sized({ quick: 250, assure: 1_000, reliability: 100_000 });
const timeout = sized({ quick: 120_000, assure: 120_000, reliability: 3_600_000 });

let gateway: GatewayProcess;
let survived: Survived;
before(async () => {
  // Kills meet one request thread and two, and what one of them has left is found by the other.
  gateway = await createGateway({ threads: [2, 1, 2] });
});
after(() => gateway.kill());

test('SQLite: the gateway is ready within 5 s of every kill under load', { timeout }, async () => {
  survived = await killRun({ ...run, gateway, kills: { ofGateway: KILLS, ofPostgres: 0 }, seed: 9 });
  assertQuick(survived);
});

// Runs between the kills and the reading, while the sweeper waits.
test('SQLite, the control: a store that acknowledges too early is detected', { timeout }, async (t) => {
  const loose = await createLooseGateway();
  t.after(() => loose.kill());
  const lived = await killRun({
    ...run,
    gateway: loose,
    kills: { ofGateway: CONTROL_KILLS, ofPostgres: 0 },
    seed: 10,
    strangeMs: 0,
  });
  const found = await reconcile(loose.url, lived.journal, { settleMsMax: 0 });
  t.diagnostic(describeRun('SQLite without durability', lived, found));
  assert.ok(found.lost.length >= 1, 'nothing was lost although nothing was made durable: the test below proves nothing');
});

test('SQLite: what was acknowledged before the kills is stored unchanged', { timeout }, async (t) => {
  const found = await reconcile(gateway.url, survived.journal, { settleMsMax: SETTLE_MS_MAX });
  t.diagnostic(describeRun('SQLite', survived, found));
  assertNothingWentWrong(survived.journal, found);
  assert.ok(found.checked >= PAYMENTS_MIN, `only ${found.checked} payments were acknowledged`);
  reportFigure('R9', 'kills', KILLS);
  reportFigure('R9', 'acknowledged', found.checked);
  reportFigure('R9', 'lost', found.lost.length);
  reportFigure('R10', 'starts', survived.readyMs.length);
});
