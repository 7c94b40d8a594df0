import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileCache, programWords } from '../../../test/programs.ts';
import { backtestInThreads } from '../../app/backtest/backtest.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { BacktestStopped, createChargebackReader, pastOf } from '../../payments/backtest/run.ts';
import { exampleCommit, examplePayment } from '../../payments/examples.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Commit } from '../../payments/ports.ts';
import { backtest, type PastPayment, reportJson } from '../../risk/backtest/backtest.ts';
import { createRuleSelector } from '../../risk/backtest/ruleSelector.ts';
import { createSandboxLookups } from '../../risk/lookups/lookups.ts';
import { openSqliteStore } from '../../store/sqlite/sqliteStore.ts';
import { formatBacktest } from './backtest.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-backtest-'));
after(() => rmSync(folder, { recursive: true }));
const { merchantId, channelId, lenientChannelId } = sandbox.demoShop;
const env = { DATA_DIR: folder, MASTER_KEY: '11'.repeat(32), TURNPIKE_CALLED_FROM: folder };
const DAY = 24 * 3_600_000;
const COUNT = 1_300;
const T0 = Date.UTC(2026, 0, 1);

/** The command line as an operator meets it: a process of its own. */
function run(words: readonly string[], onText: (text: string, child: ChildProcess) => void = () => {}) {
  const child = spawn(process.execPath, [...programWords('src/cli/main.ts'), 'backtest', ...words], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
  });
  const said = { out: '', err: '' };
  const listen = (name: 'out' | 'err') => (chunk: Buffer) => {
    said[name] += chunk.toString();
    onText(chunk.toString(), child);
  };
  child.stdout.on('data', listen('out'));
  child.stderr.on('data', listen('err'));
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...said })),
  );
}

/** A shop with 40 shoppers on two channels, some payments an hour; now and then somebody tries out numbers. */
function paymentAt(at: number): Payment {
  const isAttack = at % 130 > 100;
  const shopper = isAttack ? 1_000 + at : (at * 7) % 40;
  const createdAt = T0 + Math.floor(at / 130) * DAY + (isAttack ? 3_600_000 * 20 + at * 900 : (at % 130) * 600_000);
  const code = isAttack ? '800.100.159' : at % 23 === 0 ? '800.100.155' : '000.100.110';
  const id = `${createdAt.toString(16).padStart(12, '0')}${String(at).padStart(20, '0')}`;
  return examplePayment({
    id,
    entityId: at % 4 === 0 ? lenientChannelId : channelId,
    amount: BigInt(1_000 + ((at * 37) % 9_000)),
    currency: at % 5 === 0 ? 'CHF' : 'EUR',
    createdAt,
    phase: at % 301 === 300 ? { at: 'doubt', tries: 1, dueAt: createdAt } : { at: 'final', code },
    fingerprint: `card-${shopper}`,
    fields: {
      'customer.email': isAttack ? 'x@nowhere.example' : `s${shopper}@shop.example`,
      'customer.ip': `10.0.0.${shopper % 250}`,
    },
  });
}

const payments = Array.from({ length: COUNT }, (_, at) => paymentAt(at)).sort((one, other) => one.createdAt - other.createdAt);
const store = await openSqliteStore({ dataDir: folder });
await store.insertAccounts(sandboxRows(0));
await store.setSettings(sandbox.psp, { connectors: { default: 'simulator' } });
const commitOf = (payment: Payment): Commit =>
  exampleCommit(payment, {
    version: payment.referencedId === null ? 0 : 1,
    event: { id: payment.id, type: 'PAYMENT', action: null, code: '000.100.110' },
  });
await Promise.all(payments.map((payment) => store.commit(commitOf(payment))));
const [captured] = payments.filter(({ phase }) => phase.at === 'final' && phase.code === '000.100.110') as [Payment];
const refund = { paymentType: 'RF', referencedId: captured.id, familyId: captured.id } as const;
await store.commit(commitOf({ ...captured, ...refund, id: `f${captured.id.slice(1)}`, amount: 1n }));
await store.putListEntry({ merchantId, list: 'block', kind: 'email', value: 's3@shop.example', expiresAt: null });
await store.close();

const rules = {
  limits: { EUR: { amountMax: '90.00' } },
  rules: [{ id: 'trial', says: 'x', when: 'amount > 50', gives: { verdict: 'decline' }, mode: 'shadow' }],
};
for (const [name, content] of Object.entries({
  'rules.json': JSON.stringify(rules),
  'bad.json': JSON.stringify({ rules: [{ ...rules.rules[0], when: 'amount >' }] }),
  'no.json': '{',
})) {
  writeFileSync(join(folder, name), content);
}

const usual = ['--entity', merchantId, '--rules', 'rules.json'];

/** What the pure function says about the same payments. */
async function reference(judged: readonly string[], from: number | null) {
  const channels = (risk: Record<string, unknown>) =>
    Object.fromEntries(
      [channelId, lenientChannelId].map((id) => [id, { timeZone: 'UTC', risk, isEvaluated: judged.includes(id) }]),
    );
  const lookups = createSandboxLookups();
  const pasts = payments.flatMap((payment) => pastOf(payment, lookups, channels({})) ?? []);
  async function* each(): AsyncIterable<PastPayment> {
    yield* pasts;
  }
  const { createLists } = await import('../../risk/lists/lists.ts');
  const lists = createLists({ now: () => T0 });
  await lists.put({ merchantId, list: 'block', kind: 'email', value: 's3@shop.example', expiresAt: null });
  const [before, changed] = [
    createRuleSelector({ channels: channels({}), from }),
    createRuleSelector({ channels: channels(rules), from }),
  ];
  return backtest(each(), { before, after: changed, lists });
}

const about = {
  entity: { id: merchantId, kind: 'merchant', name: 'Demo Shop' },
  span: { from: null, before: T0 },
  timeZone: 'UTC',
} as const;

const spans: readonly (readonly [what: string, words: readonly string[], judged: readonly string[], from: number | null])[] = [
  ['all channels of a merchant', usual, [channelId, lenientChannelId], null],
  ['one channel', ['--entity', channelId, '--rules', 'rules.json'], [channelId], null],
  ['from a day on', [...usual, '--from', '2026-01-06'], [channelId, lenientChannelId], T0 + 5 * DAY],
];
for (const [what, words, judged, from] of spans) {
  test(`the command, its threads and SQLite report what the pure function reports: ${what}`, async () => {
    const { code, out, err } = await run([...words, '--json']);
    assert.equal(code, 0, err);
    const { span: _, seconds: __, entity, ...figures } = JSON.parse(out) as Record<string, unknown> & { entity: { id: string } };
    assert.equal(entity.id, words[1]);
    const {
      span: _own,
      seconds: __own,
      entity: ___own,
      ...expected
    } = reportJson(await reference(judged, from), { ...about, ms: 1 });
    assert.deepEqual(figures, JSON.parse(JSON.stringify(expected)));
    assert.ok(expected.after.blocked.bad.count > 10 && expected.blockedNow.good.count > 10, 'something happens in it');
  });
}

test('people see figures with bars, what changes with the money, and every rule', async () => {
  const { code, out } = await run(usual);
  assert.equal(code, 0);
  assert.match(out, /^Back-test of Demo Shop to \d{4}-\d\d-\d\d: 1,300 payments in \d+ s$/m);
  assert.match(out, /^bad caught +before +[\d,]+ +\d+\.\d\d % +#+\.*$/m);
  assert.match(out, /^ +after +[\d,]+ +\d+\.\d\d % +#+\.*$/m);
  assert.match(out, /^newly blocked, good +\d+ +\d+\.\d\d EUR$/m);
  assert.match(out, /^limit\.amount\.EUR +0 +0 +0 +\d+ +\d+ +\d+ +[#.]{20}$/m);
  assert.match(out, /^trial \(shadow\) +0 +0 +0 +\d+ +\d+ +\d+/m);
});

test('until a day, and a span without payments', async () => {
  const { out } = await run([...usual, '--to', '2026-01-03', '--json']);
  const { all } = JSON.parse(out) as { all: Record<string, { count: number }> };
  assert.equal(
    Object.values(all).reduce((sum, { count }) => sum + count, 0),
    payments.filter(({ createdAt }) => createdAt < T0 + 2 * DAY).length,
  );
  const { code, out: empty } = await run(['--entity', sandbox.otherShop.merchantId, '--rules', 'rules.json']);
  assert.deepEqual(
    [code, empty.split(': ')[1]],
    [0, 'there are no payments to test the rules on. Those of the last 5 s are left out.\n'],
  );
});

test('rules that change nothing', async () => {
  const { before, ...rest } = await reference([channelId], null);
  const none = { good: { count: 0, money: {} }, bad: { count: 0, money: {} }, other: { count: 0, money: {} } };
  const same = formatBacktest({ ...rest, before, after: before, blockedNow: none, freedNow: none }, { ...about, ms: 1_000 }).join(
    '\n',
  );
  assert.match(same, /^No payment is newly blocked, and none is newly let through\.$/m);
});

test('what became of a payment, and what is none', () => {
  const is = (given: Partial<Payment>) => pastOf(examplePayment(given), createSandboxLookups(), {})?.is ?? null;
  const risk = {
    ruleSet: 'usual',
    verdict: { is: 'decline', code: '800.120.101' },
    asksReview: false,
    score: 0,
    fired: [],
    shadow: [],
  };
  const output: readonly (readonly [is: string | null, expected: string | null])[] = [
    [is({}), 'approved'],
    [is({ phase: { at: 'final', code: '800.100.155' } }), 'declined'],
    [is({ phase: { at: 'final', code: '100.396.104' } }), 'unbooked'],
    [is({ phase: { at: 'final', code: '900.100.300' } }), 'open'],
    [is({ phase: { at: 'acquirer', dueAt: 1 } }), 'open'],
    [is({ phase: { at: 'final', code: '800.120.101' }, risk: risk as Payment['risk'] }), 'blocked'],
    [is({ paymentType: 'RG', amount: 0n }), 'approved'],
    [is({ paymentType: 'CP', referencedId: 'x' }), null],
    [is({ paymentType: 'PA', referencedId: 'x' }), null],
    [is({ paymentType: 'RI' }), null],
  ];
  for (const [found, expected] of output) assert.equal(found, expected);
});

test('a payment that a bank took back is labelled, and one whose refund came back is not', () => {
  const chargebacks = createChargebackReader();
  const read = (id: string, paymentType: string, familyId: string, referencedId: string | null) =>
    chargebacks.read(examplePayment({ id, paymentType: paymentType as never, familyId, referencedId }));
  read('bad', 'DB', 'bad', null);
  read('bad-cb', 'CB', 'bad', 'bad');
  read('captured', 'PA', 'captured', null);
  read('capture', 'CP', 'captured', 'captured');
  read('capture-cb', 'CB', 'captured', 'capture');
  read('good', 'DB', 'good', null);
  // Of one instant they come in the order of their ids.
  read('good-cb', 'CB', 'good', 'good-rf');
  read('good-rf', 'RF', 'good', 'good');
  assert.deepEqual(chargebacks.chargedBack(), ['bad', 'captured']);
});

const job = { merchantId, from: null, until: T0, channels: { before: {}, after: {} }, entries: [] } as const;

test('Ctrl-C ends the thread that reads, and a thread that cannot read says why', async () => {
  const ending = new AbortController();
  const onStep = () => assert.fail('nothing is read');
  const running = backtestInThreads({ job, signal: ending.signal, onStep });
  ending.abort();
  await assert.rejects(running, BacktestStopped);
  await assert.rejects(backtestInThreads({ job, signal: ending.signal, onStep }), BacktestStopped);
  Object.assign(process.env, { DATA_DIR: join(folder, 'nowhere'), MASTER_KEY: env.MASTER_KEY });
  const { signal } = new AbortController();
  await assert.rejects(backtestInThreads({ job, signal, onStep }), { name: 'StoreOutOfOrder' });
});

const wrong: readonly (readonly [words: readonly string[], code: number, says: RegExp])[] = [
  [[], 2, /^--entity: is missing\nusage: turnpike backtest --entity/m],
  [['--entity', merchantId], 2, /^--rules: is missing\nusage/m],
  [[...usual, '--fast'], 2, /^Unknown option '--fast'\nusage/m],
  [['--entity', 'nobody', '--rules', 'rules.json'], 1, /^--entity: there is no entity "nobody"$/m],
  [['--entity', sandbox.psp, '--rules', 'rules.json'], 1, /^--entity: Sandbox is a psp; name a merchant/m],
  [['--entity', merchantId, '--rules', 'gone.json'], 1, /^--rules: gone\.json cannot be read: /m],
  [['--entity', merchantId, '--rules', 'no.json'], 1, /^--rules: no\.json is no JSON: /m],
  [['--entity', merchantId, '--rules', 'bad.json'], 1, /rule "trial": "when", character \d+: /m],
  [[...usual, '--from', 'monday'], 1, /^--from: "monday" is no date such as 2026-03-31$/m],
  [[...usual, '--from', '2026-02-30'], 1, /^--from: "2026-02-30" is no date/m],
  [[...usual, '--from', '2026-01-05', '--to', '2026-01-05'], 1, /^--from: nothing lies between it and --to$/m],
];
for (const [words, code, says] of wrong) {
  test(`backtest ${words.join(' ')} ends with ${code}`, async () => {
    const ended = await run(words);
    assert.match(ended.err, says);
    assert.equal(ended.code, code);
    assert.doesNotMatch(ended.err, /\n\s+at /, 'no trace');
  });
}
