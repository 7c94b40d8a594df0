import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MetricRow, metricRows } from './metricRows.ts';
import { createMetrics } from './metrics.ts';

/** A page after everything that is counted has happened once. */
function fullPage(): string {
  const metrics = createMetrics('1.0.0');
  metrics.request('pay', 200, 0.01);
  metrics.payment('DB', 'approved');
  metrics.swept({ looked: 3, settled: 1, failed: 1, oldestMs: 10 }, true);
  metrics.connectionsHold(() => ({ open: 1, heldBytes: 2 }));
  metrics.acquirerReachable({ ownerId: 'owner', name: 'account' }, true);
  metrics.backupsHold(() => ({ ageMs: 1, bytes: 2, proofAgeMs: 3, isProved: true }));
  metrics.acquirerAnswered({ account: 'account', question: 'send', answer: 'approved', seconds: 0.1 });
  metrics.notificationRefused('adyen', 'the signature is wrong');
  metrics.webhookAttempted('delivered', 0.1);
  metrics.databaseHolds(() => ({ busy: 1, idle: 2, waiting: 3 }));
  metrics.spansExported(1);
  metrics.jobEnded('sweep', 'succeeded', 0.5);
  return metrics.page({ directoryMs: 1, jobs: [{ name: 'sweep', ageMs: 1 }] });
}

const page = fullPage();
const lines = page.split('\n');

/** The label names of every sample of a metric, without the bounds of buckets. */
const labelsOf = (name: string): readonly string[] =>
  lines.flatMap((line) => {
    const [, labels = ''] = new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{(.*)\\})? \\S+$`).exec(line) ?? [undefined, null];
    if (labels === null) return [];
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label ?? '');
    return [
      names
        .filter((label) => label !== 'le')
        .sort()
        .join(),
    ];
  });

/** What the page lacks of a row. */
function faultsOf(name: string, { type, help, labels = [] }: MetricRow): readonly string[] {
  const samples = labelsOf(name);
  const expected = [...labels].sort().join();
  return [
    ...(lines.includes(`# TYPE ${name} ${type}`) ? [] : ['type']),
    ...(lines.includes(`# HELP ${name} ${help}`) ? [] : ['help']),
    ...(samples.length > 0 && samples.every((sample) => sample === expected) ? [] : [`labels ${samples.join(' | ')}`]),
  ];
}

for (const [name, row] of Object.entries<MetricRow>(metricRows))
  test(`${name} is on the page, with its type, its help and its labels`, () => assert.deepEqual(faultsOf(name, row), []));

test('the page has no metric of the gateway without a row', () => {
  const named = lines.flatMap((line) => /^# TYPE (turnpike_\w+) /.exec(line)?.[1] ?? []);
  assert.deepEqual(named.toSorted(), Object.keys(metricRows).toSorted());
});

test('the control: another type, help or label is noticed', () => {
  const row: MetricRow = metricRows.turnpike_payments_total;
  for (const other of [{ type: 'gauge' }, { help: 'x' }, { labels: ['payment_type'] }] as const)
    assert.equal(faultsOf('turnpike_payments_total', { ...row, ...other }).length, 1);
  assert.equal(faultsOf('turnpike_unknown_total', row).length, 3);
});
