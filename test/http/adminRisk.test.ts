import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { backtestInBackground } from '../../src/app/backtest/backtest.ts';
import { rest } from '../../src/app/system.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { backtestHere } from '../../src/payments/backtest/run.ts';
import { createBacktestJob, treeOf, treeWith } from '../../src/risk/backtest/ruleSelector.ts';
import { emptyLookups } from '../../src/risk/lookups/lookups.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { compileCache, programWords } from '../programs.ts';
import { createClient, DEMO, type Fields, OTHER, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** Risk in the back office: rules, back-tests and the rights for them. */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-office-risk-'));
const env = { DATA_DIR: folder, MASTER_KEY: '07'.repeat(32) };
let gateway: TestGateway;
let store: Store;

before(async () => {
  store = await openSqliteStore({ dataDir: folder });
  gateway = await startGateway({ store });
  // The command line runs in real time and skips payments that are seconds old: everything it shall see must be older.
  gateway.pass(-600_000);
});
after(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

const rule = (id: string, when: string, gives: object, mode = 'on') => ({ id, says: `Rule ${id}.`, when, gives, mode });
const OFF = { velocity: 'off', cardTesting: 'off', duplicateSeconds: 0 } as const;
const shop = () => createClient(gateway.url);
type Ask = Awaited<ReturnType<typeof signedInAs>>['ask'];
const rulesOf = (ask: Ask, entityId: string): Promise<Reply> => ask('GET', `/riskRules?entityId=${entityId}`);

async function save(ask: Ask, entityId: string, risk: object): Promise<Reply> {
  const { revision } = (await rulesOf(ask, entityId)).body;
  return ask('POST', '/riskRules', { entityId, risk, revision });
}

test('the rules in force say where they come from and what they mean', async () => {
  const { ask } = await signedInAs(gateway, { role: 'readOnly' });
  const { status, body } = await ask('GET', `/riskRules?entityId=${DEMO.entityId}&language=de`);
  assert.equal(status, 200);
  assert.deepEqual([body.own, body.inherited, body.mode, body.canBeTried], [null, { mode: 'report' }, 'report', true]);
  const velocity = body.rules.find((one: { rule: { id: string } }) => one.rule.id === 'velocity.card');
  assert.equal(velocity.from, 'builtIn');
  assert.match(velocity.words.when, /Anzahl der Versuche mit dieser Karte innerhalb von 1 Stunde ist mindestens 20/);
  assert.equal((await rulesOf(ask, sandbox.psp)).body.canBeTried, false);
});

test('faults have a path, and nothing is stored', async () => {
  const { ask } = await signedInAs(gateway, { role: 'administrator' });
  const risk = {
    mode: 'loud',
    rules: [rule('good', 'amount > 1.00', { verdict: 'review' }), rule('bad', 'amount >', { verdict: 'review' })],
  };
  const checked = await ask('POST', '/riskRules/check', { entityId: DEMO.entityId, risk });
  assert.equal(checked.status, 200);
  assert.deepEqual(
    checked.body.faults.map(({ place, character }: { place: string; character: number | null }) => [place, character]),
    [
      ['mode', null],
      ['rules.1', 9],
    ],
  );
  assert.equal(checked.body.words[0].when, 'When the amount is above 1.');
  assert.equal(checked.body.words[1], null);
  const saved = await save(ask, DEMO.entityId, risk);
  assert.equal(saved.status, 400);
  assert.deepEqual(
    saved.body.result.parameterErrors.map(({ name }: { name: string }) => name),
    ['risk.mode', 'risk.rules.1'],
  );
  assert.equal((await rulesOf(ask, DEMO.entityId)).body.own, null);
});

test('rules are stored on the revision that was read, hold at once, and are audited', async () => {
  const { ask, user } = await signedInAs(gateway, { role: 'administrator' });
  const before = (await rulesOf(ask, DEMO.lenientId)).body;
  const risk = { mode: 'on', ...OFF, rules: [rule('dear', 'amount > 500.00', { verdict: 'decline', code: '800.120.200' })] };
  const saved = await ask('POST', '/riskRules', { entityId: DEMO.lenientId, risk, revision: before.revision });
  assert.equal(saved.status, 200);
  assert.deepEqual([saved.body.own, saved.body.revision], [risk, before.revision + 1]);
  const again = await ask('POST', '/riskRules', { entityId: DEMO.lenientId, risk: {}, revision: before.revision });
  assert.equal(again.status, 409);
  const dear = await createClient(gateway.url, { ...DEMO, entityId: DEMO.lenientId }).pay({ amount: '501.00' });
  assert.equal(dear.code, '800.120.200');
  const explained = await ask('GET', `/riskExplanations/${dear.id}?entityId=${DEMO.merchantId}`);
  const [fired] = explained.body.assessment.rules;
  assert.deepEqual([fired.id, fired.is, fired.values], ['dear', 'fired', { amount: '501.00' }]);
  assert.ok(explained.body.assessment.rules.some((one: { is: string }) => one.is === 'quiet'));
  const acts = await ask('GET', `/audit?entityId=${sandbox.psp}&what=saveRiskRules`);
  assert.ok(acts.status !== 200 || JSON.stringify(acts.body).includes(user.id));
  assert.equal((await save(ask, DEMO.lenientId, {})).body.own, null);
});

test('rights, and rules of other merchants', async () => {
  const reader = await signedInAs(gateway, { role: 'readOnly', entityId: DEMO.merchantId });
  const other = await signedInAs(gateway, { role: 'administrator', entityId: OTHER.entityId });
  const risk = { mode: 'on' };
  const { revision } = (await rulesOf(reader.ask, DEMO.entityId)).body;
  assert.equal((await reader.ask('POST', '/riskRules', { entityId: DEMO.entityId, risk, revision })).status, 403);
  const entry = { entityId: DEMO.merchantId, list: 'block', kind: 'bin', value: '420000' };
  assert.equal((await reader.ask('POST', '/riskLists', entry)).status, 403);
  assert.equal((await other.ask('POST', '/riskLists', entry)).status, 404);
  assert.equal((await other.ask('POST', '/riskRules', { entityId: DEMO.entityId, risk, revision })).status, 404);
  assert.equal((await rulesOf(other.ask, DEMO.entityId)).status, 404);
  assert.equal((await other.ask('GET', `/riskBacktest?entityId=${DEMO.merchantId}`)).status, 404);
  const { id } = await shop().pay();
  assert.equal((await other.ask('GET', `/riskExplanations/${id}?entityId=${OTHER.entityId}`)).status, 404);
  assert.equal((await reader.ask('GET', `/riskExplanations/${id}?entityId=${DEMO.entityId}`)).status, 200);
  assert.equal((await reader.ask('GET', `/riskExplanations/none?entityId=${DEMO.entityId}`)).status, 404);
});

async function finished(ask: Ask, entityId: string): Promise<Reply['body']> {
  for (let tries = 0; tries < 500; tries += 1) {
    const { backtest } = (await ask('GET', `/riskBacktest?entityId=${entityId}`)).body;
    if (backtest?.state !== 'running') return backtest;
    await rest();
  }
  throw new Error('the back-test does not end');
}

const TRIED = {
  mode: 'on',
  ...OFF,
  rules: [rule('dear', 'amount > 90.00', { verdict: 'decline' }), rule('look', "currency = 'CHF'", { verdict: 'review' })],
};

test('a back-test finds what the command line finds, and names payments', async () => {
  const made: Fields[] = Array.from({ length: 30 }, (_, at) => ({
    amount: `${80 + at}.00`,
    currency: at % 3 === 0 ? 'CHF' : 'EUR',
    'card.number': at % 2 === 0 ? '4200000000000000' : '5454545454545454',
    paymentBrand: at % 2 === 0 ? 'VISA' : 'MASTER',
  }));
  for (const fields of made) await shop().pay(fields);
  gateway.pass(600_000);
  const { ask } = await signedInAs(gateway, { role: 'readOnly', entityId: DEMO.merchantId });
  assert.equal((await ask('GET', `/riskBacktest?entityId=${DEMO.entityId}`)).body.backtest, null);
  const started = await ask('POST', '/riskBacktest', { entityId: DEMO.entityId, risk: TRIED });
  assert.equal(started.status, 200, JSON.stringify(started.body));
  const done = await finished(ask, DEMO.entityId);
  assert.equal(done.state, 'done');
  assert.equal(done.progress.percent, 100);
  const { entity, seconds: _, span: __, ...found } = done.report;
  assert.equal(entity.id, DEMO.entityId);
  writeFileSync(join(folder, 'rules.json'), JSON.stringify(TRIED));
  const words = ['backtest', '--entity', DEMO.entityId, '--rules', 'rules.json', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [...programWords('src/cli/main.ts'), ...words], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...env, TURNPIKE_CALLED_FROM: folder },
  });
  const { entity: ___, seconds: ____, span: _____, ...printed } = JSON.parse(stdout);
  assert.deepEqual(found, printed);
  assert.ok(found.blockedNow.good.count >= 19, JSON.stringify(found.blockedNow));
  const [sample] = done.samples.blockedNow;
  assert.equal(sample.worth, 'good');
  const payment = await store.payment(DEMO.merchantId, sample.id);
  assert.ok(payment && payment.amount > 9_000n);
  assert.ok(done.samples.reviewedNow.length > 0);
});

test('threads beside the gateway find the same', async () => {
  const rows = await store.entities();
  const changed = treeWith(rows, DEMO.merchantId, TRIED as never);
  assert.ok('tree' in changed);
  const job = createBacktestJob({
    entity: { id: DEMO.merchantId, kind: 'merchant' },
    merchantId: DEMO.merchantId,
    trees: { before: treeOf(rows), after: changed.tree },
    span: { from: null, before: Date.now() },
    entries: [],
  });
  Object.assign(process.env, env);
  const samples: unknown[] = [];
  const run = { job, signal: new AbortController().signal, onStep: () => {}, onSamples: (found: unknown) => samples.push(found) };
  const aside = await backtestInBackground(run);
  assert.deepEqual(aside, await backtestHere({ history: store, lookups: emptyLookups, rest })(run));
  assert.deepEqual(samples[0], samples[1]);
  const ended = AbortSignal.abort();
  await assert.rejects(backtestInBackground({ ...run, signal: ended }), { name: 'BacktestStopped' });
});

test('an impossible back-test is refused, one runs at a time, and it can be cancelled', async () => {
  const { ask } = await signedInAs(gateway, { role: 'readOnly' });
  const start = (entityId: string, more: object = {}) => ask('POST', '/riskBacktest', { entityId, risk: TRIED, ...more });
  assert.equal((await start(sandbox.psp)).body.result.parameterErrors[0].name, 'entityId');
  assert.equal((await start(DEMO.entityId, { risk: { rules: 1 } })).body.result.parameterErrors[0].name, 'risk.rules');
  const backwards = { from: '2031-01-02T00:00:00Z', to: '2031-01-01T00:00:00Z' };
  assert.equal((await start(DEMO.entityId, backwards)).body.result.parameterErrors[0].name, 'from');
  assert.equal((await ask('DELETE', `/riskBacktest?entityId=${DEMO.lenientId}`)).status, 404);
  const [one, two, other] = await Promise.all([start(DEMO.merchantId), start(DEMO.merchantId), start(DEMO.entityId)]);
  const statuses = [one, two, other].map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses));
  assert.ok([one, two, other].every(({ status, code }) => status === 200 || code === '800.120.100'));
  const entityId = statuses[2] === 200 ? DEMO.entityId : DEMO.merchantId;
  const ended = await ask('DELETE', `/riskBacktest?entityId=${entityId}`);
  // It may be done before it is cancelled.
  if (ended.status === 200) assert.match(ended.body.backtest.state, /^(?:cancelled|done)$/);
  assert.notEqual((await finished(ask, entityId)).state, 'running');
});

test('a back-test whose process is gone is shown as lost, and another may begin', async () => {
  const { ask } = await signedInAs(gateway, { role: 'readOnly' });
  const now = gateway.services.world.clock.now();
  const body = {
    id: 'x',
    by: 'y',
    state: 'running',
    isEnding: false,
    startedAt: now - 90_000,
    beatAt: now - 61_000,
    span: { from: null, before: now },
    risk: {},
    done: 5,
    percent: 50,
    report: null,
    samples: null,
  };
  const document = await store.document('backtest', DEMO.lenientId);
  const revision = (document?.revision ?? 0) + 1;
  await store.saveDocuments([{ collection: 'backtest', id: DEMO.lenientId, ownerId: DEMO.merchantId, at: now, revision, body }]);
  const lost = (await ask('GET', `/riskBacktest?entityId=${DEMO.lenientId}`)).body.backtest;
  assert.deepEqual([lost.state, lost.progress.percent], ['lost', 50]);
  assert.equal((await ask('POST', '/riskBacktest', { entityId: DEMO.lenientId, risk: TRIED })).status, 200);
  assert.equal((await finished(ask, DEMO.lenientId)).state, 'done');
});
