import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';
import { Counter, Gauge, Histogram, type MetricFigures, mergeFigures, pageOf, Registry } from './prometheus.ts';

test('the page is what Prometheus reads', () => {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'requests_total',
    help: 'Requests.\nBy \\ path.',
    labelNames: ['path', 'status'],
    registers,
  });
  const age = new Gauge({ name: 'age_seconds', help: 'Age.', registers });
  const seconds = new Histogram({ name: 'seconds', help: 'Time.', labelNames: ['path'], buckets: [0.5, 0.1], registers });
  new Counter({ name: 'faults_total', help: 'Faults.', registers });
  requests.inc({ status: 200, path: '/a' });
  requests.inc({ path: '/a', status: 200 }, 2);
  requests.inc({ path: 'a "quoted" \\ one\nof two lines', status: 404 });
  age.set(1.5);
  age.set(Number.POSITIVE_INFINITY);
  for (const value of [0.1, 0.2, 0.5, 7]) seconds.observe({ path: '/a' }, value);
  assert.equal(
    registry.metrics(),
    `# HELP requests_total Requests.\\nBy \\\\ path.
# TYPE requests_total counter
requests_total{path="/a",status="200"} 3
requests_total{path="a \\"quoted\\" \\\\ one\\nof two lines",status="404"} 1

# HELP age_seconds Age.
# TYPE age_seconds gauge
age_seconds +Inf

# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{le="0.1",path="/a"} 1
seconds_bucket{le="0.5",path="/a"} 3
seconds_bucket{le="+Inf",path="/a"} 4
seconds_sum{path="/a"} 7.8
seconds_count{path="/a"} 4

# HELP faults_total Faults.
# TYPE faults_total counter
faults_total 0
`,
  );
});

test('what would spoil a page is refused', () => {
  const registers = [new Registry()];
  const counter = new Counter({ name: 'one_total', help: 'One.', labelNames: ['path'], registers });
  assert.throws(() => new Gauge({ name: 'one_total', help: 'Again.', registers }), /twice/);
  assert.throws(() => new Gauge({ name: 'no-name', help: 'None.' }), /no name of a metric/);
  assert.throws(() => new Gauge({ name: 'a', help: 'None.', labelNames: ['__own'] }), /no name of a label/);
  assert.throws(() => counter.inc({ paht: '/a' }), /no label paht/);
  for (const by of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => counter.inc({ path: '/a' }, by), /cannot grow/);
});

const LINE =
  /^[a-zA-Z_:][a-zA-Z0-9_:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)+\})? (?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/;

test('every line of the real page has the form, and figures of the process are among them', () => {
  const metrics = createMetrics();
  metrics.request('pay', 200, 0.01);
  metrics.payment('DB', 'approved');
  metrics.jobEnded('sweep', 'abandoned', 120);
  metrics.jobEnded('sweep', 'succeeded', 0.5);
  const jobs = [{ name: 'sweep', ageMs: 2_500 }];
  const first = metrics.page({ directoryMs: 1_500, jobs });
  const lines = first.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.deepEqual(
    lines.filter((line) => !LINE.test(line)),
    [],
  );
  const figure = (page: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]);
  assert.equal(figure(first, 'turnpike_directory_age_seconds'), 1.5);
  const ofSweep = { age_seconds: '2.5', duration_seconds: '0.5' };
  for (const [name, value] of Object.entries(ofSweep))
    assert.ok(lines.includes(`turnpike_job_${name}{job="sweep"} ${value}`), name);
  assert.ok(lines.includes('turnpike_job_runs_total{job="sweep",outcome="abandoned"} 1'));
  assert.ok(figure(first, 'process_resident_memory_bytes') > 10_000_000);
  assert.ok(figure(first, 'nodejs_heap_size_used_bytes') < figure(first, 'nodejs_heap_size_total_bytes'));
  assert.ok(figure(first, 'process_start_time_seconds') > 1_600_000_000);
  // The counter of processor time grows with work, whatever else the machine does.
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 50_000) Math.sqrt(process.cpuUsage().user);
  assert.ok(
    figure(metrics.page({ directoryMs: 0, jobs }), 'process_cpu_user_seconds_total') -
      figure(first, 'process_cpu_user_seconds_total') >=
      0.05,
  );
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_eventloop_lag_mean_seconds', 'process_cpu_seconds_total'])
    assert.match(first, new RegExp(`^# TYPE ${name} `, 'm'));
});

test('sweeps, queues and database connections are on the page', () => {
  const metrics = createMetrics();
  const page = () => metrics.page({ directoryMs: 0, jobs: [] }).split('\n');
  assert.ok(
    !page().some((line) => line.startsWith('turnpike_database_connections{')),
    'a store without connections has no series',
  );
  metrics.swept({ looked: 100, settled: 70, failed: 0, oldestMs: 9_000 }, true);
  metrics.swept({ looked: 10, settled: 5, failed: 2, oldestMs: 4_000 }, false);
  metrics.queueCounted('deliveries', 3);
  metrics.queueAged('deliveries', 1_500);
  metrics.databaseHolds(() => ({ busy: 3, idle: 5, waiting: 2 }));
  const lines = page();
  for (const line of [
    'turnpike_oldest_overdue_payment_age_seconds 9',
    'turnpike_payments_swept_total{outcome="settled"} 75',
    'turnpike_payments_swept_total{outcome="open"} 33',
    'turnpike_sweep_failures_total 2',
    'turnpike_queue_length{queue="deliveries"} 3',
    'turnpike_queue_length{queue="events"} 0',
    'turnpike_queue_oldest_age_seconds{queue="deliveries"} 1.5',
    'turnpike_database_connections{state="busy"} 3',
    'turnpike_database_connections{state="idle"} 5',
    'turnpike_database_waiting 2',
  ])
    assert.ok(lines.includes(line), line);
});

test('figures of several threads: counts are added up, of delays the longest holds, and the rest is that of the first', () => {
  const figures = (requests: number, lag: number, age: number): readonly MetricFigures[] => [
    {
      name: 'requests',
      head: '# requests',
      lines: [['requests{a="1"}', requests], ...(lag > 5 ? [['requests{a="2"}', 1] as const] : [])],
    },
    { name: 'lag', head: '# lag', lines: [['lag', lag]] },
    { name: 'age', head: '# age', lines: [['age', age]] },
  ];
  const ruleOf = (name: string) => (name === 'requests' ? 'sum' : name === 'lag' ? 'most' : 'first');
  assert.equal(
    pageOf(mergeFigures([figures(2, 3, 4), figures(40, 9, 99)], ruleOf)),
    '# requests\nrequests{a="1"} 42\nrequests{a="2"} 1\n\n# lag\nlag 9\n\n# age\nage 4\n',
  );
});
