import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fitsBrand } from '../src/spec/cards/cardRanges.ts';
import { onlyLong } from '../test/long.ts';
import { againstSettings, measureAgainst } from './against.ts';
import { answerLength, parseAnswer } from './answer.ts';
import { measureCost } from './cost.ts';
import { portions } from './fill.ts';
import { startOwnServer } from './postgresSide.ts';
import { createProgress } from './progress.ts';
import { measure, type Report } from './report.ts';
import { number, payTemplate } from './request.ts';
import { full, optionsOf, type Settings } from './settings.ts';
import { median, type Speed } from './speed.ts';
import type { Stage } from './stage.ts';
import { print, printAgainst, printCost } from './table.ts';
import { createVariedPayments, DECLINED_CODE } from './variedPayments.ts';

/** Few: to fill the databases is most of the work. */
const ROWS = 1_000;

/**
 * The harness itself at a size that says nothing about speed: whether it counts right, not how fast anything is. Rounds end by the number
 * of their requests; the seconds only bound a round that finds none.
 */
const tiny: Settings = {
  rounds: 1,
  seconds: 2,
  warmUpSeconds: 2,
  requestsMax: 100,
  connections: [8],
  postgresConnections: [4],
  rows: [ROWS],
  reads: 50,
  captures: 20,
  storedCards: 16,
  repeats: 200,
};

let report: Report | null = null;

test('the bench measures both stores, and every payment it counts is stored', async () => {
  const { TEST_DATABASE_URL: shared } = process.env;
  const startServer = shared ? async () => ({ url: () => shared, stop: async () => {} }) : startOwnServer;
  const options = {
    settings: tiny,
    json: true,
    stores: ['sqlite', 'postgres'],
    profileDir: null,
    isCostOnly: false,
    against: null,
    threads: 1,
  } as const;
  const silent = { ...createProgress(), step: () => {}, at: () => {} };
  // Answers that were not 000.100.110, and a count that the database does not confirm, are errors in there.
  report = await measure(options, silent, startServer);
  assert.equal(report.first.answerBytes, report.first.bareAnswerBytes, 'gateway and bare server answer with as many bytes');
  assert.ok((report.group[8] ?? 0) >= 1);
  for (const micros of Object.values(report.micro)) assert.ok(micros > 0);
  assert.equal(report.sqlite?.length, 1);
  assert.equal(report.postgres?.stages.length, 1);
  for (const stage of [...(report.sqlite ?? []), ...(report.postgres?.stages ?? [])]) assertStage(stage);
  for (const { speed } of report.postgres?.twoNodes ?? []) assertSpeed(speed);
});

function assertStage({ rows, pay, read, capture, oneClick, acknowledged }: Stage): void {
  assertSpeed(oneClick.stored);
  assertSpeed(oneClick.card);
  assert.equal(rows, ROWS);
  assert.equal(read.gateway.count, tiny.reads);
  assert.equal(capture.gateway.count, tiny.captures);
  const [compared] = pay;
  assert.ok(compared);
  assertSpeed(compared.gateway);
  assert.ok(compared.gateway.count <= tiny.requestsMax);
  assert.ok(acknowledged > compared.gateway.count + capture.gateway.count, 'the warm-up counts too');
  for (const [name, limit] of Object.entries(compared.limits)) assert.ok(limit.count > 0 && limit.perSecond > 0, name);
}

function assertSpeed({ perSecond, p50Ms, p99Ms, maxMs, count }: Speed): void {
  assert.ok(perSecond > 0 && count > 0);
  assert.ok(p50Ms !== null && p99Ms !== null && maxMs !== null);
  assert.ok(0 < p50Ms && p50Ms <= p99Ms && p99Ms <= maxMs);
}

test('the report can be printed and kept', () => {
  assert.ok(report);
  const text = print(report);
  for (const word of ['payments/s', 'one-click/s', 'bare', 'raw', 'GET p50', 'capture p50', 'decide', 'Two nodes'])
    assert.ok(text.includes(word), word);
  assert.deepEqual(JSON.parse(JSON.stringify(report)).settings, tiny);
});

test('the cost of every kind of request is measured beside a bare server', async () => {
  const silent = { ...createProgress(), step: () => {}, at: () => {} };
  const rows = await measureCost(
    { rounds: 1, warmUp: 1, requests: 40, connections: 4, storedCards: 8, stores: ['sqlite'], threads: 1 },
    silent,
  );
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    [
      'payment, inspector off',
      'payments all alike',
      'payment, inspector on',
      'payment beside other requests',
      'capture',
      'refund',
      'GET',
      'checkout',
      'one-click',
      'payment with webhook',
    ],
  );
  for (const { kind, speed, bare } of rows) {
    assertSpeed(speed);
    assert.ok((bare.used?.threads.main ?? 0) > 0 && (speed.used?.threads.main ?? 0) > 0, kind);
    assert.ok('writer' in (speed.used?.threads ?? {}), kind);
  }
  assert.match(printCost(rows), /KiB written/);
});

test('two checkouts are compared in turns', { skip: onlyLong }, async () => {
  const silent = { ...createProgress(), step: () => {}, at: () => {} };
  const rows = await measureAgainst(
    join(import.meta.dirname, '..'),
    { ...againstSettings, rounds: 2, warmUp: 1, requests: 40, connections: 4 },
    silent,
  );
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['payment', 'GET', 'checkout'],
  );
  for (const { kind, ratio, here, there } of rows) {
    assert.ok(ratio > 0.05 && ratio < 20, `${kind}: ${ratio}`);
    assert.ok((here.main ?? 0) > 0 && (there.main ?? 0) > 0, kind);
  }
  assert.match(printAgainst(rows), /this ÷ other/);
  await assert.rejects(measureAgainst('/', againstSettings, silent), /no checkout of the gateway/);
});

test('answers are cut by their Content-Length', () => {
  const whole = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody');
  assert.equal(answerLength(whole), whole.length);
  assert.equal(answerLength(whole.subarray(0, 20)), 0);
  assert.equal(answerLength(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n')), 39 + 12);
  assert.throws(() => answerLength(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')), /no Content-Length/);
  assert.deepEqual(parseAnswer(whole), { status: 200, headers: [['Content-Length', '4']], body: 'body' });
});

test('every order number stands where the template has its zeros', () => {
  const template = payTemplate('DB');
  number(template, 1_234_567);
  assert.match(template.bytes.toString(), /&merchantTransactionId=order-0001234567&/);
});

test('varied payments differ in everything that a shop would vary, and each is read as a form', () => {
  const requestOf = createVariedPayments();
  const forms = Array.from({ length: 2_000 }, (_, order) => {
    const [head = '', body = ''] = requestOf(order).toString('latin1').split('\r\n\r\n');
    assert.match(head, new RegExp(`Content-Length: ${body.length}$`));
    return new URLSearchParams(body);
  });
  const different = (name: string): number => new Set(forms.map((form) => form.get(name))).size;
  for (const name of ['card.number', 'customer.email', 'customer.ip', 'merchantTransactionId'])
    assert.equal(different(name), forms.length, name);
  const few = ['entityId', 'paymentBrand', 'currency', 'customer.surname', 'cart.items[0].name'].map(different);
  assert.deepEqual(few, [3, 5, 4, 8, 5]);
  assert.ok(forms.every((form) => fitsBrand(form.get('paymentBrand') ?? '', form.get('card.number') ?? '')));
  const declined = forms.filter((form) => form.get('card.holder') === DECLINED_CODE).length;
  assert.ok(declined > 150 && declined < 180, `${declined} of ${forms.length} are declined`);
});

test('the command line', () => {
  const usual = {
    settings: full,
    json: false,
    stores: ['sqlite', 'postgres'],
    profileDir: null,
    isCostOnly: false,
    against: null,
    threads: 1,
  };
  assert.deepEqual(optionsOf([]), usual);
  assert.deepEqual(optionsOf(['--cost']), { ...usual, isCostOnly: true });
  assert.deepEqual(optionsOf(['--against', '../before', '--threads', '2']), { ...usual, against: '../before', threads: 2 });
  const some = optionsOf(['--rows', '20,000', '--only', 'sqlite']);
  assert.ok(typeof some === 'object');
  assert.deepEqual([some.settings.rows, some.stores], [[10_000, 20_000], ['sqlite']]);
  for (const words of [['--rows', '0'], ['--rows', 'many'], ['--only', 'oracle'], ['--fast'], ['--threads', '0']]) {
    assert.equal(typeof optionsOf(words), 'string', words.join(' '));
  }
});

test('portions cover every row once, the median is the middle', () => {
  assert.deepEqual(portions(5, 2), [
    [0, 2],
    [2, 4],
    [4, 5],
  ]);
  assert.deepEqual([median([]), median([3]), median([9, 1, 2]), median([1, 2, 3, 10])], [null, 3, 2, 2.5]);
});
