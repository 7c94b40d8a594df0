/** Every alert, as a row: the rules for Prometheus, their tests and the table of docs/monitoring.md derive from it. */
export type Alert = {
  readonly name: string;
  readonly expr: string;
  /** How long the condition must hold. */
  readonly for: string;
  readonly severity: 'page' | 'ticket';
  readonly means: string;
  readonly remedy: string;
  /** A fault that fires it: series with their values by the minute, in the notation of promtool. */
  readonly fault: Readonly<Record<string, string>>;
};

const JOB = '{job="turnpike"}';

export const alerts: readonly Alert[] = [
  {
    name: 'TurnpikeDown',
    expr: `up${JOB} == 0`,
    for: '1m',
    severity: 'page',
    means: 'a gateway does not answer Prometheus',
    remedy: 'systemctl status turnpike, journalctl -u turnpike; the last line says why it ended',
    fault: { 'up{job="turnpike"}': '0x20' },
  },
  {
    name: 'TurnpikeErrors',
    expr: 'sum(rate(turnpike_requests_total{status=~"5.."}[5m])) / sum(rate(turnpike_requests_total[5m])) > 0.01',
    for: '5m',
    severity: 'page',
    means: 'more than 1 % of the requests are answered with 5xx',
    remedy: 'curl /health/ready names the cause; the log has the error of each under its requestId',
    fault: {
      'turnpike_requests_total{endpoint="pay",status="200"}': '0+100x30',
      'turnpike_requests_total{endpoint="pay",status="503"}': '0+10x30',
    },
  },
  {
    name: 'TurnpikeSlow',
    expr: 'histogram_quantile(0.95, sum by (le) (rate(turnpike_request_duration_seconds_bucket{endpoint="pay"}[5m]))) > 2',
    for: '10m',
    severity: 'ticket',
    means: 'one payment request of twenty takes longer than 2 s',
    remedy:
      'compare with turnpike_acquirer_answer_duration_seconds: if that rose too, it is the acquirer; otherwise npx turnpike doctor --only disk,postgres',
    fault: {
      'turnpike_request_duration_seconds_bucket{endpoint="pay",le="1"}': '0+10x40',
      'turnpike_request_duration_seconds_bucket{endpoint="pay",le="5"}': '0+90x40',
      'turnpike_request_duration_seconds_bucket{endpoint="pay",le="+Inf"}': '0+100x40',
    },
  },
  {
    name: 'TurnpikeAcquirerUnreachable',
    expr: 'turnpike_acquirer_reachable == 0',
    for: '2m',
    severity: 'page',
    means: 'the acquirer of an account does not answer; payments through it are declined or routed elsewhere',
    remedy: "the acquirer's status page; npx turnpike doctor --only accounts; the log names the account and the reason",
    fault: { 'turnpike_acquirer_reachable{entity="shop",account="main"}': '1 0x20' },
  },
  {
    name: 'TurnpikeAcquirerSilent',
    expr: 'sum by (account) (rate(turnpike_acquirer_answers_total{answer="silence"}[5m])) / sum by (account) (rate(turnpike_acquirer_answers_total[5m])) > 0.05',
    for: '5m',
    severity: 'page',
    means: 'more than 5 % of the questions to an account get no answer',
    remedy: 'payments stay pending and are inquired about; look at the latency of the account, then call the acquirer',
    fault: {
      'turnpike_acquirer_answers_total{account="main",question="send",answer="approved"}': '0+90x30',
      'turnpike_acquirer_answers_total{account="main",question="send",answer="silence"}': '0+10x30',
    },
  },
  {
    name: 'TurnpikeApprovalsLow',
    expr: 'sum by (account) (rate(turnpike_acquirer_answers_total{question="send",answer="approved"}[15m])) / sum by (account) (rate(turnpike_acquirer_answers_total{question="send",answer=~"approved|declined"}[15m])) < 0.5 and sum by (account) (increase(turnpike_acquirer_answers_total{question="send"}[15m])) > 50',
    for: '5m',
    severity: 'ticket',
    means: 'an account approves less than half of its payments',
    remedy:
      'back office, Statistics, by result code: one code points to the acquirer or to a wrong setting, one BIN to card testing',
    fault: {
      'turnpike_acquirer_answers_total{account="main",question="send",answer="approved"}': '0+10x40',
      'turnpike_acquirer_answers_total{account="main",question="send",answer="declined"}': '0+90x40',
    },
  },
  {
    name: 'TurnpikePaymentsOverdue',
    expr: 'turnpike_oldest_overdue_payment_age_seconds > 600',
    for: '5m',
    severity: 'page',
    means: 'an open payment should have been settled ten minutes ago',
    remedy: 'turnpike_job_age_seconds of sweep, then npx turnpike doctor --only queue',
    fault: { turnpike_oldest_overdue_payment_age_seconds: '0+60x30' },
  },
  {
    name: 'TurnpikeJobLate',
    expr: 'turnpike_job_age_seconds{exported_job=~"sweep|fan out events|dispatch deliveries|seal ledger blocks|run due schedules"} > 300',
    for: '1m',
    severity: 'page',
    means: 'a job that runs every few seconds has not succeeded for five minutes',
    remedy: 'the log has the error under the field job; systemctl restart turnpike loses nothing',
    fault: { 'turnpike_job_age_seconds{exported_job="sweep"}': '0+60x20' },
  },
  {
    name: 'TurnpikeJobAbandoned',
    expr: 'increase(turnpike_job_runs_total{outcome="abandoned"}[15m]) > 0',
    for: '0m',
    severity: 'ticket',
    means: 'a job took longer than its limit and was left',
    remedy: 'usually a slow database: npx turnpike doctor --only postgres,disk',
    fault: { 'turnpike_job_runs_total{exported_job="sweep",outcome="abandoned"}': '0x10 1x10' },
  },
  {
    name: 'TurnpikeEventsWaiting',
    expr: 'turnpike_queue_oldest_age_seconds{queue="events"} > 300',
    for: '2m',
    severity: 'page',
    means: 'events wait for more than five minutes: webhooks are late',
    remedy: 'the job "fan out events" in the log; npx turnpike doctor --only queue',
    fault: { 'turnpike_queue_oldest_age_seconds{queue="events"}': '0+60x30' },
  },
  {
    name: 'TurnpikeDeliveriesLate',
    expr: 'turnpike_queue_oldest_age_seconds{queue="deliveries"} > 600',
    for: '5m',
    severity: 'ticket',
    means: 'a due webhook delivery has waited ten minutes for its attempt',
    remedy:
      'the job "dispatch deliveries" in the log; turnpike_queue_length says how many wait, npx turnpike webhooks for which receivers',
    fault: { 'turnpike_queue_oldest_age_seconds{queue="deliveries"}': '0+60x40' },
  },
  {
    name: 'TurnpikeDatabaseBusy',
    expr: 'turnpike_database_waiting > 10',
    for: '5m',
    severity: 'ticket',
    means: 'requests have waited for a connection to PostgreSQL at every look for five minutes',
    remedy: 'npx turnpike doctor --only postgres: slow statements or a full disk; otherwise more nodes',
    fault: { turnpike_database_waiting: '0 20x20' },
  },
  {
    name: 'TurnpikeLedgerUnsealed',
    expr: 'turnpike_queue_oldest_age_seconds{queue="postings"} > 900',
    for: '5m',
    severity: 'ticket',
    means: 'postings have been in no block of the ledger for a quarter of an hour',
    remedy: 'the job "seal ledger blocks" in the log; npx turnpike verify',
    fault: { 'turnpike_queue_oldest_age_seconds{queue="postings"}': '0+60x40' },
  },
  {
    name: 'TurnpikeWebhooksFailing',
    expr: 'sum(rate(turnpike_webhook_attempts_total{outcome!="delivered"}[15m])) / sum(rate(turnpike_webhook_attempts_total[15m])) > 0.5',
    for: '15m',
    severity: 'ticket',
    means: 'more than half of the attempts to deliver events fail',
    remedy: 'npx turnpike webhooks shows which receiver; events are repeated for days, nothing is lost yet',
    fault: {
      'turnpike_webhook_attempts_total{outcome="delivered"}': '0+1x60',
      'turnpike_webhook_attempts_total{outcome="refused"}': '0+9x60',
    },
  },
  {
    name: 'TurnpikeWidgetChanged',
    expr: 'turnpike_widget_files_changed > 0',
    for: '0m',
    severity: 'page',
    means: 'files of the payment widget differ from the build that was started: a tampered file, or an update without a restart',
    remedy:
      'the log names the files; after an update restart the node; otherwise take it out of service and install the package again',
    fault: { turnpike_widget_files_changed: '0 1x5' },
  },
  {
    name: 'TurnpikeBackupOld',
    expr: 'turnpike_backup_age_seconds > 172800',
    for: '5m',
    severity: 'page',
    means: 'there is no backup of the last two days',
    remedy: 'npx turnpike backup, and read what it says; docs/backup.md',
    fault: { turnpike_backup_age_seconds: '172000+60x40' },
  },
  {
    name: 'TurnpikeBackupUnproven',
    expr: 'turnpike_backup_proof_succeeded == 0 or turnpike_backup_proof_age_seconds > 3024000',
    for: '5m',
    severity: 'ticket',
    means: 'no backup was restored and verified within 35 days, or the last proof failed',
    remedy: 'npx turnpike prove',
    fault: { turnpike_backup_proof_succeeded: '1 0x20' },
  },
  {
    name: 'TurnpikeBusy',
    expr: 'nodejs_eventloop_lag_p99_seconds > 0.5',
    for: '5m',
    severity: 'ticket',
    means: 'the event loop of a thread is late by half a second',
    remedy: 'more THREADS or more nodes; a single long task shows in the traces',
    fault: { nodejs_eventloop_lag_p99_seconds: '1x20' },
  },
  {
    name: 'TurnpikeConnectionsDropped',
    expr: 'sum by (reason) (increase(turnpike_connections_dropped_total[5m])) > 20',
    for: '0m',
    severity: 'ticket',
    means: 'clients are refused because of a limit',
    remedy: 'an attack, or CONNECTIONS_MAX and CONNECTIONS_PER_ADDRESS_MAX are too small for a proxy that is not in TRUST_PROXY',
    fault: { 'turnpike_connections_dropped_total{reason="connectionsOfAddress"}': '0+30x20' },
  },
  {
    name: 'TurnpikeDirectoryStale',
    expr: 'turnpike_directory_age_seconds > 300',
    for: '1m',
    severity: 'page',
    means: 'a node has not read merchants and access tokens for five minutes; revoked tokens still work there',
    remedy: 'the database of this node: npx turnpike doctor --only database',
    fault: { turnpike_directory_age_seconds: '0+60x20' },
  },
  {
    name: 'TurnpikeTracesDropped',
    expr: 'increase(turnpike_trace_spans_dropped_total[15m]) > 0',
    for: '0m',
    severity: 'ticket',
    means: 'spans are lost; payments are not affected',
    remedy: 'the collector at OTEL_EXPORTER_OTLP_ENDPOINT, or a lower OTEL_TRACES_SAMPLER_ARG',
    fault: { 'turnpike_trace_spans_dropped_total{reason="queue"}': '0x5 100x10' },
  },
];
