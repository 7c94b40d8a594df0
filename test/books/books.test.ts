import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { differences } from './compare.ts';
import { admitted, followUps, references } from './families.ts';
import { bookFaults, ledgerOf, uncoined } from './faults.ts';
import { figureDifferences, recomputeFigures } from './figures.ts';
import { recompute, unsquared } from './recompute.ts';
import { type RunOutcome, runFamilies } from './run.ts';

/**
 * The ledger against books that share no code with it: recomputed from the merchant's webhooks and the reconciliation file alone, for every reference that
 * the API takes, in part, repeated, before and after settlement, in three currencies.
 */
const FAMILIES = sized({ quick: 30, assure: 100, reliability: 100 });
let held: Promise<RunOutcome> | null = null;
const played = (): Promise<RunOutcome> => {
  held ??= runFamilies({ seed: 40, families: FAMILIES, isEveryPair: true });
  return held;
};

test('the program that recomputes the books imports nothing', () => {
  assert.doesNotMatch(readFileSync(join(import.meta.dirname, 'recompute.ts'), 'utf8'), /^import|\bimport\(|\brequire\(/m);
});

test('at every moment the ledger is what webhooks and reconciliation file come to', async () => {
  const { moments } = await played();
  assert.equal(moments.length, 4);
  for (const { when, balances, ...view } of moments) {
    assert.deepEqual(differences(recompute(view), balances), [], when);
    assert.deepEqual([...balances.keys()].sort(), ['BHD', 'EUR', 'JPY', 'KWD']);
  }
  reportFigure('R12', 'generated families', FAMILIES);
});

test('when everything is settled nothing is left between merchant and acquirer', async () => {
  const { moments } = await played();
  const last = moments.at(-1) ?? assert.fail('there is no moment');
  assert.deepEqual(unsquared(last), []);
  for (const [currency, { merchant }] of last.balances) assert.equal(merchant, 0n, currency);
});

test('what pages and replies say about the same money is what webhooks and reconciliation file come to', async () => {
  const { moments, figures } = await played();
  const last = moments.at(-1) ?? assert.fail('there is no moment');
  assert.deepEqual(figureDifferences(recomputeFigures(last, figures.customerOf), figures.said), []);
});

/** The first words of figures; every kind occurs in the run but what is not settled. */
const figureKinds = [
  ...['captured', 'refunded', 'reversed', 'disputed'].map((sum) => `${sum}Amount of`),
  ...['payments', 'paid', 'refunded', 'disputed', 'credited'].map((total) => `${total} by`),
  ...[...references, 'attempts'].flatMap((what) => [`${what} in`, `volume of ${what} in`]),
];

test('control: one figure of any kind that is wrong, one too many and one too few are found', async () => {
  const { moments, figures } = await played();
  const expected = recomputeFigures(moments.at(-1) ?? assert.fail('there is no moment'), figures.customerOf);
  for (const kind of figureKinds) {
    const [name = '', sum = 0n] =
      [...figures.said].find(([one]) => one.startsWith(`${kind} `)) ?? assert.fail(`no figure is ${kind}`);
    for (const wrong of [sum + 1n, -sum, 0n])
      assert.equal(figureDifferences(expected, new Map([...figures.said, [name, wrong]])).length, 1, name);
  }
  assert.equal(figureDifferences(expected, new Map([...figures.said, ['unsettled 0', 1n]])).length, 1);
});

test('every type was tried on every type of transaction, and what may be referenced was taken', async () => {
  const { tried } = await played();
  for (const of of references) {
    for (const type of followUps) {
      const counts = tried.get(`${type} of ${of}`) ?? { tried: 0, taken: 0 };
      assert.ok(counts.tried > 0, `${type} of ${of} was not tried`);
      assert.equal(
        counts.taken > 0,
        admitted[type]?.includes(of),
        `${type} of ${of}: ${counts.taken} of ${counts.tried} were taken`,
      );
    }
  }
});

test('of a currency without decimals every amount is whole, fees too', async () => {
  const { moments } = await played();
  assert.deepEqual(uncoined(moments.at(-1) ?? assert.fail('there is no moment')), []);
});

test('control: a webhook about a declined and one about a pending payment without an amount are found', async () => {
  const { moments } = await played();
  const view = moments.at(-1) ?? assert.fail('there is no moment');
  for (const code of ['800.100.151', '000.200.000']) {
    const at = view.webhooks.findIndex((text) => text.includes(`"type":"PAYMENT"`) && text.includes(`"code":"${code}"`));
    const { payload, ...event } = JSON.parse(view.webhooks[at] ?? assert.fail(`no webhook has ${code}`));
    const { amount: _, ...rest } = payload;
    const webhooks = view.webhooks.with(at, JSON.stringify({ ...event, payload: rest }));
    assert.throws(() => recompute({ ...view, webhooks }), new RegExp(`the webhook about ${payload.id} has no amount`));
  }
});

/** The run's last moment, and its ledger by a program that makes a mistake. */
let prepared: Promise<{
  readonly recomputed: ReturnType<typeof recompute>;
  readonly ledgerWith: ReturnType<typeof ledgerOf>;
}> | null = null;
async function prepare() {
  const { moments, postings } = await played();
  const last = moments.at(-1) ?? assert.fail('there is no moment');
  return { recomputed: recompute(last), ledgerWith: ledgerOf(last, postings) };
}

test('control: the postings of the run are its balances', async () => {
  prepared ??= prepare();
  const { recomputed, ledgerWith } = await prepared;
  assert.deepEqual(differences(recomputed, ledgerWith(null)), []);
});

for (const fault of bookFaults) {
  test(`control: a ledger in which ${fault.name} is found`, async () => {
    prepared ??= prepare();
    const { recomputed, ledgerWith } = await prepared;
    assert.notDeepEqual(differences(recomputed, ledgerWith(fault)), []);
  });
}
