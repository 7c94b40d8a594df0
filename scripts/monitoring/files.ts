import { type MetricRow, metricRows } from '../../src/telemetry/metricRows.ts';
import { type SpanRow, spanRows } from '../../src/telemetry/tracer.ts';
import { alerts } from './alerts.ts';
import { logFields } from './logFields.ts';

/** The files for Prometheus and Grafana, and the tables of docs/monitoring.md. */

export const RULES = 'deploy/prometheus/turnpike.rules.yaml';
export const DASHBOARD = 'deploy/grafana/turnpike.json';

/** YAML without a library: every text stands in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const rulesText = (): string =>
  `# Generated from scripts/monitoring/alerts.ts by npm run docs.
groups:
  - name: turnpike
    rules:
${alerts
  .map(
    ({ name, expr, for: holds, severity, means, remedy }) => `      - alert: ${name}
        expr: ${quoted(expr)}
        for: ${holds}
        labels:
          severity: ${severity}
        annotations:
          summary: ${quoted(means)}
          description: ${quoted(remedy)}`,
  )
  .join('\n')}
`;

type Panel = {
  readonly title: string;
  readonly unit: string;
  readonly queries: readonly (readonly [legend: string, expr: string])[];
};

const quantiles = (metric: string, by: string): Panel['queries'] => [
  ['p50', `histogram_quantile(0.5, sum by (le${by}) (rate(${metric}_bucket[$__rate_interval])))`],
  ['p95', `histogram_quantile(0.95, sum by (le${by}) (rate(${metric}_bucket[$__rate_interval])))`],
];

const panels: readonly Panel[] = [
  {
    title: 'Requests',
    unit: 'reqps',
    queries: [['{{status}}', 'sum by (status) (rate(turnpike_requests_total[$__rate_interval]))']],
  },
  { title: 'Request duration', unit: 's', queries: quantiles('turnpike_request_duration_seconds', '') },
  {
    title: 'Payments',
    unit: 'reqps',
    queries: [
      ['{{payment_type}} {{outcome}}', 'sum by (payment_type, outcome) (rate(turnpike_payments_total[$__rate_interval]))'],
    ],
  },
  {
    title: 'Answers of acquirers',
    unit: 'reqps',
    queries: [['{{account}} {{answer}}', 'sum by (account, answer) (rate(turnpike_acquirer_answers_total[$__rate_interval]))']],
  },
  {
    title: 'Answer duration of acquirers',
    unit: 's',
    queries: quantiles('turnpike_acquirer_answer_duration_seconds', ', account'),
  },
  {
    title: 'Refused notifications of acquirers',
    unit: 'reqps',
    queries: [
      ['{{connector}} {{reason}}', 'sum by (connector, reason) (rate(turnpike_notifications_refused_total[$__rate_interval]))'],
    ],
  },
  { title: 'Acquirers reachable', unit: 'short', queries: [['{{account}}', 'min by (account) (turnpike_acquirer_reachable)']] },
  {
    title: 'Oldest waiting',
    unit: 's',
    queries: [
      ['overdue payment', 'max(turnpike_oldest_overdue_payment_age_seconds)'],
      ['{{queue}}', 'max by (queue) (turnpike_queue_oldest_age_seconds)'],
    ],
  },
  { title: 'Queue lengths', unit: 'short', queries: [['{{queue}}', 'max by (queue) (turnpike_queue_length)']] },
  {
    title: 'Payments swept',
    unit: 'reqps',
    queries: [['{{outcome}}', 'sum by (outcome) (rate(turnpike_payments_swept_total[$__rate_interval]))']],
  },
  {
    title: 'Database connections',
    unit: 'short',
    queries: [
      ['{{state}} {{instance}}', 'sum by (instance, state) (turnpike_database_connections)'],
      ['waiting {{instance}}', 'sum by (instance) (turnpike_database_waiting)'],
    ],
  },
  {
    title: 'Webhook attempts',
    unit: 'reqps',
    queries: [['{{outcome}}', 'sum by (outcome) (rate(turnpike_webhook_attempts_total[$__rate_interval]))']],
  },
  { title: 'Webhook duration', unit: 's', queries: quantiles('turnpike_webhook_attempt_duration_seconds', '') },
  { title: 'Age of jobs', unit: 's', queries: [['{{exported_job}}', 'max by (exported_job) (turnpike_job_age_seconds)']] },
  {
    title: 'Job runs that failed',
    unit: 'short',
    queries: [
      [
        '{{exported_job}} {{outcome}}',
        'sum by (exported_job, outcome) (increase(turnpike_job_runs_total{outcome!="succeeded"}[$__rate_interval]))',
      ],
    ],
  },
  {
    title: 'Backups',
    unit: 's',
    queries: [
      ['age', 'max(turnpike_backup_age_seconds)'],
      ['age of the proof', 'max(turnpike_backup_proof_age_seconds)'],
    ],
  },
  { title: 'Event loop lag', unit: 's', queries: [['{{instance}}', 'max by (instance) (nodejs_eventloop_lag_p99_seconds)']] },
  {
    title: 'Processor and memory',
    unit: 'short',
    queries: [
      ['cores {{instance}}', 'sum by (instance) (rate(process_cpu_seconds_total[$__rate_interval]))'],
      ['GB {{instance}}', 'sum by (instance) (process_resident_memory_bytes) / 1e9'],
    ],
  },
  {
    title: 'Connections',
    unit: 'short',
    queries: [
      ['open', 'sum(turnpike_connections)'],
      ['dropped {{reason}}', 'sum by (reason) (increase(turnpike_connections_dropped_total[$__rate_interval]))'],
    ],
  },
  {
    title: 'Versions and traces',
    unit: 'short',
    queries: [
      ['{{version}}', 'count by (version) (turnpike_build_info)'],
      ['spans dropped: {{reason}}', 'sum by (reason) (increase(turnpike_trace_spans_dropped_total[$__rate_interval]))'],
    ],
  },
];

const [COLUMNS, WIDTH, HEIGHT] = [3, 8, 8];

export const dashboardText = (): string =>
  `${JSON.stringify(
    {
      uid: 'turnpike',
      title: 'Turnpike',
      schemaVersion: 39,
      refresh: '30s',
      time: { from: 'now-6h', to: 'now' },
      templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
      panels: panels.map(({ title, unit, queries }, at) => ({
        id: at + 1,
        type: 'timeseries',
        title,
        datasource: { type: 'prometheus', uid: '$datasource' },
        gridPos: { x: (at % COLUMNS) * WIDTH, y: Math.floor(at / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        targets: queries.map(([legendFormat, expr], index) => ({ refId: String.fromCharCode(65 + index), expr, legendFormat })),
      })),
    },
    null,
    2,
  )}\n`;

type Rows = (heads: readonly string[], lines: readonly (readonly string[])[]) => string;
const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The tables of docs/monitoring.md, by their marks. */
export const monitoringTables = (rows: Rows): Readonly<Record<string, string>> => ({
  alerts: rows(
    ['Alert', 'Severity', 'Meaning', 'Remedy'],
    alerts.map(({ name, severity, means, remedy }) => [`\`${name}\``, severity, cell(means), cell(remedy)]),
  ),
  metrics: rows(
    ['Metric', 'Type', 'Meaning'],
    Object.entries<MetricRow>(metricRows).map(([name, { type, help, labels = [] }]) => [
      `\`${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`}\``,
      type,
      cell(help),
    ]),
  ),
  spans: rows(
    ['Span', 'Kind', 'Meaning', 'Attributes'],
    Object.entries<SpanRow>(spanRows).map(([name, { kind, means, attributes }]) => [
      name,
      kind,
      means,
      attributes.map((one) => `\`${one}\``).join(', '),
    ]),
  ),
  fields: rows(
    ['Field', 'Meaning'],
    Object.entries(logFields).map(([name, means]) => [`\`${name}\``, means]),
  ),
});
