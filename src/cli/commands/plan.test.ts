import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Context } from '../command.ts';
import { capacityFor, type Demand, figures, planCommand } from './plan.ts';

const usual: Demand = {
  peak: 100,
  peakToAverage: 5,
  months: 12,
  readsPerPayment: 1,
  webhooksPerPayment: 1,
  coresPerNode: 4,
  isRedundant: true,
  corePrice: 20,
  gigabytePrice: 0.1,
};

async function output(...words: string[]): Promise<string> {
  const lines: string[] = [];
  const code = await planCommand.run(words, { print: (line: string) => lines.push(line) } as unknown as Context);
  assert.equal(code, 0);
  return lines.join('\n');
}

const anyDemand: fc.Arbitrary<Demand> = fc
  .record({
    peak: fc.double({ min: 0.01, max: 100_000, noNaN: true }),
    coresPerNode: fc.integer({ min: 1, max: 64 }),
    isRedundant: fc.boolean(),
    readsPerPayment: fc.integer({ min: 0, max: 5 }),
    webhooksPerPayment: fc.integer({ min: 0, max: 5 }),
  })
  .map((given) => ({ ...usual, ...given }));

test('what is advised carries the peak, also when one node is gone', () => {
  fc.assert(
    fc.property(anyDemand, (demand) => {
      const { engine, nodes, primaries, databaseCores, databaseServers } = capacityFor(demand);
      const { peak, readsPerPayment, webhooksPerPayment, coresPerNode, isRedundant } = demand;
      const payment = engine === 'SQLite' ? figures.paymentAlone : figures.payment;
      const each = payment.value + readsPerPayment * figures.read.value + webhooksPerPayment * figures.delivery.value;
      const left = nodes - (isRedundant ? 1 : 0);
      assert.ok(left * coresPerNode * figures.load.value >= ((peak * each) / 1e6) * 0.999_999);
      assert.equal(databaseServers, primaries * (isRedundant ? 2 : 1));
      if (engine === 'SQLite') assert.deepEqual([nodes, primaries, databaseCores, isRedundant], [1, 0, null, false]);
      else
        assert.ok(primaries * (databaseCores ?? 0) * figures.load.value >= ((peak * figures.database.value) / 1e6) * 0.999_999);
    }),
  );
});

test('more payments never need less', () => {
  fc.assert(
    fc.property(anyDemand, fc.double({ min: 1, max: 10, noNaN: true }), (demand, times) => {
      const [less, more] = [capacityFor(demand), capacityFor({ ...demand, peak: demand.peak * times })];
      assert.ok(more.primaries >= less.primaries && more.gigabytesKept >= less.gigabytesKept);
      if (more.engine === less.engine) assert.ok(more.nodes >= less.nodes && more.costPerMonth >= less.costPerMonth);
    }),
  );
});

const refused: readonly (readonly [words: readonly string[], says: RegExp])[] = [
  [[], /--peak: is missing/],
  [['--peak', '0'], /--peak: must be a number from 0.01 to 1000000/],
  [['--peak', 'many'], /--peak: must be a number/],
  [['--peak', '1e3'], /--peak: must be a number/],
  [['--peak', '10', '--months', '0'], /--months: must be a number from 1 to 240/],
  [['--peak', '10', '--nodes', '3'], /Unknown option '--nodes'/],
];
for (const [words, says] of refused) {
  test(`refused: plan ${words.join(' ')}`, () => assert.rejects(output(...words), says));
}

test('as JSON it has the demand, the capacity and every figure', async () => {
  const { demand, capacity, figures: used } = JSON.parse(await output('--peak', '100', '--months', '12', '--json'));
  assert.deepEqual(demand, usual);
  assert.deepEqual(capacity, capacityFor(usual));
  assert.deepEqual(used, figures);
});

test('the documentation shows what the command prints', async () => {
  const page = readFileSync('docs/scale.md', 'utf8');
  const shown = [...page.matchAll(/```\n\$ npx turnpike plan ([^\n]*)\n([\s\S]*?)```/g)];
  assert.equal(shown.length, 3);
  for (const [, words = '', text] of shown) {
    const [table] = (await output(...words.split(' '))).split('\n\n');
    assert.equal(text, `${table}\n`);
  }
});
