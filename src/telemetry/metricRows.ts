import type { MergeRule } from './prometheus.ts';

/**
 * Every metric of the gateway itself, as a row: `docs/monitoring.md` derives from it. Metrics of the process and of Node have their usual names
 * (processMetrics.ts). `merge`: how the figures of several threads become one; by default only the main thread knows them.
 */
export type MetricRow = {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
  readonly merge?: MergeRule;
};

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

export const metricRows = {
  turnpike_build_info: { type: 'gauge', help: 'Always 1, with the version of the program.', labels: ['version'] },
  turnpike_connections_dropped_total: {
    type: 'counter',
    help: 'Client connections refused or closed because of a limit.',
    labels: ['reason'],
    merge: 'sum',
  },
  turnpike_connections: { type: 'gauge', help: 'Open client connections.', merge: 'sum' },
  turnpike_connections_buffered_bytes: {
    type: 'gauge',
    help: 'Bytes of unread replies and waiting requests, all connections.',
    merge: 'sum',
  },
  turnpike_requests_total: {
    type: 'counter',
    help: 'Requests by endpoint and HTTP status.',
    labels: ['endpoint', 'status'],
    merge: 'sum',
  },
  turnpike_request_duration_seconds: {
    type: 'histogram',
    help: 'From the head of the request to the end of the reply.',
    labels: ['endpoint'],
    buckets: SECONDS,
    merge: 'sum',
  },
  turnpike_payments_total: {
    type: 'counter',
    help: 'Payment replies by payment type and outcome of the result code.',
    labels: ['payment_type', 'outcome'],
    merge: 'sum',
  },
  turnpike_acquirer_reachable: {
    type: 'gauge',
    help: 'Whether the acquirer of an account answers: 1 it does, 0 requests to it are held back (breaker).',
    labels: ['entity', 'account'],
  },
  turnpike_acquirer_answers_total: {
    type: 'counter',
    help: 'Answers of acquirers by account, question (send, inquire, cancel) and answer (approved, declined, silence and others).',
    labels: ['account', 'question', 'answer'],
    merge: 'sum',
  },
  turnpike_acquirer_answer_duration_seconds: {
    type: 'histogram',
    help: 'From the question to the answer of the acquirer, silence included.',
    labels: ['account', 'question'],
    buckets: SECONDS,
    merge: 'sum',
  },
  turnpike_notifications_refused_total: {
    type: 'counter',
    help: 'Notifications of acquirers that were not believed, by connector and reason: forged, or the secret of the account is wrong.',
    labels: ['connector', 'reason'],
    merge: 'sum',
  },
  turnpike_oldest_overdue_payment_age_seconds: { type: 'gauge', help: 'Age of the oldest overdue payment.' },
  turnpike_payments_swept_total: {
    type: 'counter',
    help: 'Overdue payments that a sweep processed, by outcome: settled, open (a later sweep asks again).',
    labels: ['outcome'],
  },
  turnpike_sweep_failures_total: { type: 'counter', help: 'Overdue payments that a sweep could not process.' },
  turnpike_queue_oldest_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest entry: events (before fan-out), due deliveries, due schedules, postings (before a ledger block). 0: none.',
    labels: ['queue'],
  },
  turnpike_queue_length: {
    type: 'gauge',
    help: 'Entries that wait: events, due deliveries, due schedules. Counted up to 10000.',
    labels: ['queue'],
  },
  turnpike_database_connections: {
    type: 'gauge',
    help: 'Open connections to PostgreSQL by state: busy, idle. No series with SQLite.',
    labels: ['state'],
    merge: 'sum',
  },
  turnpike_database_waiting: {
    type: 'gauge',
    help: 'Statements and transactions that wait for a connection to PostgreSQL.',
    merge: 'sum',
  },
  turnpike_webhook_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver an event, by outcome: delivered, refused (another status than 2xx), unanswered.',
    labels: ['outcome'],
  },
  turnpike_webhook_attempt_duration_seconds: {
    type: 'histogram',
    help: 'From the call of a receiver to its answer.',
    buckets: SECONDS,
  },
  turnpike_directory_age_seconds: { type: 'gauge', help: 'Time since the last reload of merchants and access tokens.' },
  turnpike_job_age_seconds: {
    type: 'gauge',
    help: 'Time since the last successful run of a background job, or since the start.',
    labels: ['job'],
  },
  turnpike_job_duration_seconds: { type: 'gauge', help: 'Duration of the last run of a background job.', labels: ['job'] },
  turnpike_job_runs_total: {
    type: 'counter',
    help: 'Runs of background jobs by outcome: succeeded, failed, abandoned.',
    labels: ['job', 'outcome'],
  },
  turnpike_widget_files_changed: {
    type: 'gauge',
    help: 'Files of the payment widget that differ from their build: as served, in the store or on disk. Checked twice an hour.',
  },
  turnpike_backup_age_seconds: { type: 'gauge', help: 'Time since the last backup was begun; +Inf: there is none.' },
  turnpike_backup_size_bytes: { type: 'gauge', help: 'Size of the last backup.' },
  turnpike_backup_proof_age_seconds: {
    type: 'gauge',
    help: 'Time since a backup was last restored and verified (npx turnpike prove); +Inf: never.',
  },
  turnpike_backup_proof_succeeded: { type: 'gauge', help: 'Whether the last proof found nothing wrong: 1 or 0.' },
  turnpike_trace_spans_exported_total: { type: 'counter', help: 'Spans that the collector has accepted.', merge: 'sum' },
  turnpike_trace_spans_dropped_total: {
    type: 'counter',
    help: 'Spans that were dropped: the queue was full, or the collector refused them or was away.',
    labels: ['reason'],
    merge: 'sum',
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof metricRows;
