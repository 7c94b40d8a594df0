import { type ConnectionFigures, type CountedQueue, countedQueues } from '../payments/ports.ts';
import type { SweepResult } from '../payments/sweep.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import type { TransactionType } from '../spec/paymentTypes.ts';
import type { Meaning } from '../spec/resultCodes.ts';
import { type MetricName, type MetricRow, metricRows } from './metricRows.ts';
import { addProcessMetrics } from './processMetrics.ts';
import { Counter, Gauge, Histogram, type MergeRule, type MetricFigures, mergeFigures, pageOf, Registry } from './prometheus.ts';

/** Why a connection was refused or closed by the server. A label of the metrics. */
const cutReasons = ['connections', 'connectionsOfAddress', 'slowReader', 'memory'] as const;
export type CutReason = (typeof cutReasons)[number];

/** Metrics for an operator: volume, latency, outcomes. They reveal no merchant, payment or amount. */
export interface Metrics {
  request(endpoint: EndpointName | 'none', status: number, seconds: number): void;
  payment(paymentType: TransactionType, meaning: Meaning): void;
  /** Records one batch of a sweep. The first of a run has the oldest overdue payment. */
  swept(result: Pick<SweepResult, 'looked' | 'settled' | 'failed' | 'oldestMs'>, isFirst: boolean): void;
  /** Counts a client connection that the server refused or closed. */
  connectionCut(reason: CutReason): void;
  /** Sets the source of the connection gauges. It is called for every scrape. */
  connectionsHold(now: () => { readonly open: number; readonly heldBytes: number }): void;
  /** Whether the acquirer of an account answers. */
  acquirerReachable(account: { readonly ownerId: string; readonly name: string }, isReachable: boolean): void;
  /** How many files of the widget differ from their build. */
  widgetFilesChanged(files: number): void;
  /** Sets the source of the backup gauges; it returns null while nothing is known. It is called for every scrape. */
  backupsHold(now: () => BackupAges | null): void;
  /** An acquirer has answered a question, or stayed silent. Seconds are null when the connector answers within the process. */
  acquirerAnswered(about: AcquirerAnswered): void;
  /** A notification of an acquirer was not believed. The reason is one of the connector's few. */
  notificationRefused(connector: string, reason: string): void;
  webhookAttempted(outcome: 'delivered' | 'refused' | 'unanswered', seconds: number): void;
  queueAged(queue: CountedQueue | 'postings', oldestMs: number): void;
  queueCounted(queue: CountedQueue, length: number): void;
  /** Sets the source of the gauges of database connections; it returns null where there are none. It is called for every scrape. */
  databaseHolds(now: () => ConnectionFigures | null): void;
  spansExported(spans: number): void;
  spansDropped(spans: number, reason: 'queue' | 'collector'): void;
  jobEnded(job: string, outcome: 'succeeded' | 'failed' | 'abandoned', seconds: number): void;
  /** Renders the metrics page. The ages of the directory and of the last successful run of each job are given per scrape. */
  page(ages: MetricAges): string;
  /** The page of all threads. `others` are the figures of the others. */
  mergedPage(ages: MetricAges, others: readonly (readonly MetricFigures[])[]): string;
  /** The figures of this thread, for the page of another. */
  figures(): readonly MetricFigures[];
}

export type AcquirerAnswered = {
  readonly account: string;
  readonly question: 'send' | 'inquire' | 'cancel';
  readonly answer: string;
  readonly seconds: number | null;
};

type MetricAges = { readonly directoryMs: number; readonly jobs: readonly JobAge[] };

const rows: Readonly<Record<string, MetricRow>> = metricRows;

/** Counts of threads are added up; of delays the longest holds; all other figures are known to the main thread alone. */
const ruleOf = (name: string): MergeRule =>
  rows[name]?.merge ??
  (/^nodejs_(?:heap|external|gc)/.test(name) ? 'sum' : name.startsWith('nodejs_eventloop_lag') ? 'most' : 'first');

const optionsOf = (name: MetricName, registers: readonly Registry[]) => {
  const { help, labels: labelNames = [] } = rows[name] as MetricRow;
  return { name, help, labelNames, registers };
};
const makeCounter = (registers: readonly Registry[], name: MetricName): Counter => new Counter(optionsOf(name, registers));
const makeGauge = (registers: readonly Registry[], name: MetricName): Gauge => new Gauge(optionsOf(name, registers));
const makeHistogram = (registers: readonly Registry[], name: MetricName): Histogram =>
  new Histogram({ ...optionsOf(name, registers), buckets: rows[name]?.buckets ?? [] });

/** Ages are null where there is none yet. */
export type BackupAges = {
  readonly ageMs: number | null;
  readonly bytes: number;
  readonly proofAgeMs: number | null;
  readonly isProved: boolean;
};

/** A background job and the time since its last successful run. */
export type JobAge = { readonly name: string; readonly ageMs: number };

/** Metrics of client connections: open, buffered bytes, dropped. */
function addConnectionMetrics(registers: Registry[]): Pick<Metrics, 'connectionCut' | 'connectionsHold'> & { update(): void } {
  const cut = makeCounter(registers, 'turnpike_connections_dropped_total');
  for (const reason of cutReasons) cut.inc({ reason }, 0);
  const connections = makeGauge(registers, 'turnpike_connections');
  const held = makeGauge(registers, 'turnpike_connections_buffered_bytes');
  let holding: () => { readonly open: number; readonly heldBytes: number } = () => ({ open: 0, heldBytes: 0 });
  return {
    connectionCut: (reason) => cut.inc({ reason }),
    connectionsHold: (now) => {
      holding = now;
    },
    update() {
      const { open, heldBytes } = holding();
      connections.set(open);
      held.set(heldBytes);
    },
  };
}

/** Metrics of backups. Without a backup, or without a proof, the age is infinite. */
function addBackupMetrics(registers: Registry[]): Pick<Metrics, 'backupsHold'> & { update(): void } {
  const age = makeGauge(registers, 'turnpike_backup_age_seconds');
  const size = makeGauge(registers, 'turnpike_backup_size_bytes');
  const proofAge = makeGauge(registers, 'turnpike_backup_proof_age_seconds');
  const proved = makeGauge(registers, 'turnpike_backup_proof_succeeded');
  const seconds = (ms: number | null): number => (ms === null ? Number.POSITIVE_INFINITY : ms / 1000);
  let holding: () => BackupAges | null = () => null;
  return {
    backupsHold: (now) => {
      holding = now;
    },
    update() {
      const { ageMs, bytes, proofAgeMs, isProved } = holding() ?? { ageMs: null, bytes: 0, proofAgeMs: null, isProved: false };
      age.set(seconds(ageMs));
      size.set(bytes);
      proofAge.set(seconds(proofAgeMs));
      proved.set(isProved ? 1 : 0);
    },
  };
}

function addDatabaseMetrics(registers: Registry[]): Pick<Metrics, 'databaseHolds'> & { update(): void } {
  const connections = makeGauge(registers, 'turnpike_database_connections');
  const waiting = makeGauge(registers, 'turnpike_database_waiting');
  let holding: () => ConnectionFigures | null = () => null;
  return {
    databaseHolds: (now) => {
      holding = now;
    },
    update() {
      const figures = holding();
      if (figures === null) return;
      for (const state of ['busy', 'idle'] as const) connections.set({ state }, figures[state]);
      waiting.set(figures.waiting);
    },
  };
}

function sweepMetrics(registers: Registry[]): Pick<Metrics, 'swept'> {
  const oldest = makeGauge(registers, 'turnpike_oldest_overdue_payment_age_seconds');
  const swept = makeCounter(registers, 'turnpike_payments_swept_total');
  for (const outcome of ['settled', 'open']) swept.inc({ outcome }, 0);
  const unswept = makeCounter(registers, 'turnpike_sweep_failures_total');
  return {
    swept({ looked, settled, failed, oldestMs }, isFirst) {
      if (isFirst) oldest.set((oldestMs ?? 0) / 1000);
      swept.inc({ outcome: 'settled' }, settled);
      swept.inc({ outcome: 'open' }, looked - settled - failed);
      unswept.inc(failed);
    },
  };
}

export function createMetrics(version = 'unknown'): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  const updateProcess = addProcessMetrics(registry);
  const { update: updateConnections, ...ofConnections } = addConnectionMetrics(registers);
  const { update: updateDatabase, ...ofDatabase } = addDatabaseMetrics(registers);
  const { update: updateBackups, ...ofBackups } = addBackupMetrics(registers);
  const requests = makeCounter(registers, 'turnpike_requests_total');
  const latency = makeHistogram(registers, 'turnpike_request_duration_seconds');
  const reachable = makeGauge(registers, 'turnpike_acquirer_reachable');
  const payments = makeCounter(registers, 'turnpike_payments_total');
  const widgetFiles = makeGauge(registers, 'turnpike_widget_files_changed');
  widgetFiles.set(0);
  makeGauge(registers, 'turnpike_build_info').set({ version }, 1);
  const jobs = jobMetrics(registers);
  const update = (ages: MetricAges) => {
    updateConnections();
    updateBackups();
    updateDatabase();
    jobs.age(ages);
    updateProcess();
  };
  return {
    ...ofConnections,
    ...ofBackups,
    ...ofDatabase,
    request(endpoint, status, seconds) {
      requests.inc({ endpoint, status });
      latency.observe({ endpoint }, seconds);
    },
    payment: (paymentType, meaning) => payments.inc({ payment_type: paymentType, outcome: meaning }),
    ...sweepMetrics(registers),
    acquirerReachable: ({ ownerId, name }, isReachable) => reachable.set({ entity: ownerId, account: name }, isReachable ? 1 : 0),
    widgetFilesChanged: (files) => widgetFiles.set(files),
    ...outwardMetrics(registers),
    jobEnded: jobs.ended,
    ...pagesOf(registry, update),
  };
}

/** Metrics of outgoing calls: to acquirers, receivers of webhooks and the collector of traces; and of the queues before them. */
function outwardMetrics(
  registers: readonly Registry[],
): Pick<
  Metrics,
  | 'acquirerAnswered'
  | 'notificationRefused'
  | 'webhookAttempted'
  | 'queueAged'
  | 'queueCounted'
  | 'spansExported'
  | 'spansDropped'
> {
  const answers = makeCounter(registers, 'turnpike_acquirer_answers_total');
  const answerSeconds = makeHistogram(registers, 'turnpike_acquirer_answer_duration_seconds');
  const refused = makeCounter(registers, 'turnpike_notifications_refused_total');
  const queues = makeGauge(registers, 'turnpike_queue_oldest_age_seconds');
  for (const queue of [...countedQueues, 'postings']) queues.set({ queue }, 0);
  const lengths = makeGauge(registers, 'turnpike_queue_length');
  for (const queue of countedQueues) lengths.set({ queue }, 0);
  const attempts = makeCounter(registers, 'turnpike_webhook_attempts_total');
  for (const outcome of ['delivered', 'refused', 'unanswered']) attempts.inc({ outcome }, 0);
  const attemptSeconds = makeHistogram(registers, 'turnpike_webhook_attempt_duration_seconds');
  const exported = makeCounter(registers, 'turnpike_trace_spans_exported_total');
  const dropped = makeCounter(registers, 'turnpike_trace_spans_dropped_total');
  for (const reason of ['queue', 'collector']) dropped.inc({ reason }, 0);
  return {
    acquirerAnswered({ account, question, answer, seconds }) {
      answers.inc({ account, question, answer });
      if (seconds !== null) answerSeconds.observe({ account, question }, seconds);
    },
    notificationRefused: (connector, reason) => refused.inc({ connector, reason }),
    webhookAttempted(outcome, seconds) {
      attempts.inc({ outcome });
      attemptSeconds.observe({}, seconds);
    },
    queueAged: (queue, oldestMs) => queues.set({ queue }, Math.max(0, oldestMs) / 1000),
    queueCounted: (queue, length) => lengths.set({ queue }, length),
    spansExported: (spans) => exported.inc(spans),
    spansDropped: (spans, reason) => dropped.inc({ reason }, spans),
  };
}

/** The pages of a registry. `update` brings its figures up to date. */
const pagesOf = (registry: Registry, update: (ages: MetricAges) => void): Pick<Metrics, 'page' | 'mergedPage' | 'figures'> => ({
  page(ages) {
    update(ages);
    return registry.metrics();
  },
  mergedPage(ages, others) {
    update(ages);
    return pageOf(mergeFigures([registry.figures(), ...others], ruleOf));
  },
  figures() {
    update({ directoryMs: 0, jobs: [] });
    return registry.figures();
  },
});

function jobMetrics(registers: Registry[]) {
  const directory = makeGauge(registers, 'turnpike_directory_age_seconds');
  const age = makeGauge(registers, 'turnpike_job_age_seconds');
  const duration = makeGauge(registers, 'turnpike_job_duration_seconds');
  const runs = makeCounter(registers, 'turnpike_job_runs_total');
  return {
    ended(job: string, outcome: string, seconds: number): void {
      runs.inc({ job, outcome });
      duration.set({ job }, seconds);
    },
    age({ directoryMs, jobs }: MetricAges): void {
      directory.set(directoryMs / 1000);
      for (const { name, ageMs } of jobs) age.set({ job: name }, ageMs / 1000);
    },
  };
}
