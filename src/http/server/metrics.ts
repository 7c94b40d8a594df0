import type { EndpointName } from '../../spec/endpoints.ts';
import type { TransactionType } from '../../spec/paymentTypes.ts';
import type { Meaning } from '../../spec/resultCodes.ts';
import { type CutReason, cutReasons } from './connections.ts';
import { addProcessMetrics } from './processMetrics.ts';
import { Counter, Gauge, Histogram, type MergeRule, type MetricFigures, mergeFigures, pageOf, Registry } from './prometheus.ts';

/** Metrics for an operator: volume, latency, outcomes. They reveal no merchant, payment or amount. */
export interface Metrics {
  request(endpoint: EndpointName | 'none', status: number, seconds: number): void;
  payment(paymentType: TransactionType, meaning: Meaning): void;
  /** Records one sweep: the age of the oldest overdue payment, and the number of payments that could not be processed. */
  swept(oldestMs: number | null, failed: number): void;
  /** Counts a client connection that the server refused or closed. */
  connectionCut(reason: CutReason): void;
  /** Sets the source of the connection gauges. It is called for every scrape. */
  connectionsHold(now: () => { readonly open: number; readonly heldBytes: number }): void;
  /** Whether the acquirer of an account answers. */
  acquirerReachable(account: { readonly ownerId: string; readonly name: string }, isReachable: boolean): void;
  /** Sets the source of the backup gauges; it returns null while nothing is known. It is called for every scrape. */
  backupsHold(now: () => BackupAges | null): void;
  jobEnded(job: string, outcome: 'succeeded' | 'failed' | 'abandoned', seconds: number): void;
  /** Renders the metrics page. The ages of the directory and of the last successful run of each job are given per scrape. */
  page(ages: MetricAges): string;
  /** The page of all threads. `others` are the figures of the others. */
  mergedPage(ages: MetricAges, others: readonly (readonly MetricFigures[])[]): string;
  /** The figures of this thread, for the page of another. */
  figures(): readonly MetricFigures[];
}

type MetricAges = { readonly directoryMs: number; readonly jobs: readonly JobAge[] };

/** What each thread counts by itself is added up; of delays the longest holds; all else is known to the main thread alone. */
const mergeRules: readonly (readonly [pattern: RegExp, rule: MergeRule])[] = [
  [/^turnpike_(?:requests|request_duration|payments|connections)/, 'sum'],
  [/^nodejs_(?:heap|external|gc)/, 'sum'],
  [/^nodejs_eventloop_lag/, 'most'],
];
const ruleOf = (name: string): MergeRule => mergeRules.find(([pattern]) => pattern.test(name))?.[1] ?? 'first';

/** Ages are null where there is none yet. */
export type BackupAges = {
  readonly ageMs: number | null;
  readonly bytes: number;
  readonly proofAgeMs: number | null;
  readonly isProved: boolean;
};

/** A background job and the time since its last successful run. */
export type JobAge = { readonly name: string; readonly ageMs: number };

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of client connections: open, buffered bytes, dropped. */
function addConnectionMetrics(registers: Registry[]): Pick<Metrics, 'connectionCut' | 'connectionsHold'> & { update(): void } {
  const cut = new Counter({
    name: 'turnpike_connections_dropped_total',
    help: 'Client connections refused or closed because of a limit.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of cutReasons) cut.inc({ reason }, 0);
  const connections = new Gauge({ name: 'turnpike_connections', help: 'Open client connections.', registers });
  const held = new Gauge({
    name: 'turnpike_connections_buffered_bytes',
    help: 'Bytes of unread replies and waiting requests, all connections.',
    registers,
  });
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
  const gauge = (name: string, help: string): Gauge => new Gauge({ name: `turnpike_backup_${name}`, help, registers });
  const age = gauge('age_seconds', 'Time since the last backup was begun.');
  const size = gauge('size_bytes', 'Size of the last backup.');
  const proofAge = gauge('proof_age_seconds', 'Time since a backup was last restored and verified (npx turnpike prove).');
  const proved = gauge('proof_succeeded', 'Whether the last proof found nothing wrong: 1 or 0.');
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

export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  const updateProcess = addProcessMetrics(registry);
  const { update: updateConnections, ...ofConnections } = addConnectionMetrics(registers);
  const { update: updateBackups, ...ofBackups } = addBackupMetrics(registers);
  const requests = new Counter({
    name: 'turnpike_requests_total',
    help: 'Requests by endpoint and HTTP status.',
    labelNames: ['endpoint', 'status'],
    registers,
  });
  const latency = new Histogram({
    name: 'turnpike_request_duration_seconds',
    help: 'From the head of the request to the end of the reply.',
    labelNames: ['endpoint'],
    buckets: SECONDS,
    registers,
  });
  const reachable = new Gauge({
    name: 'turnpike_acquirer_reachable',
    help: 'Whether the acquirer of an account answers: 1 it does, 0 requests to it are held back.',
    labelNames: ['entity', 'account'],
    registers,
  });
  const payments = new Counter({
    name: 'turnpike_payments_total',
    help: 'Payment replies by payment type and outcome of the result code.',
    labelNames: ['payment_type', 'outcome'],
    registers,
  });
  const oldest = new Gauge({
    name: 'turnpike_oldest_overdue_payment_age_seconds',
    help: 'Age of the oldest overdue payment.',
    registers,
  });
  const unswept = new Counter({
    name: 'turnpike_sweep_failures_total',
    help: 'Overdue payments that a sweep could not process.',
    registers,
  });
  const jobs = jobMetrics(registers);
  const update = (ages: MetricAges) => {
    updateConnections();
    updateBackups();
    jobs.age(ages);
    updateProcess();
  };
  return {
    ...ofConnections,
    ...ofBackups,
    request(endpoint, status, seconds) {
      requests.inc({ endpoint, status });
      latency.observe({ endpoint }, seconds);
    },
    payment: (paymentType, meaning) => payments.inc({ payment_type: paymentType, outcome: meaning }),
    swept(oldestMs, failed) {
      oldest.set((oldestMs ?? 0) / 1000);
      if (failed > 0) unswept.inc(failed);
    },
    acquirerReachable: ({ ownerId, name }, isReachable) => reachable.set({ entity: ownerId, account: name }, isReachable ? 1 : 0),
    jobEnded: jobs.ended,
    ...pagesOf(registry, update),
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
  const directory = new Gauge({
    name: 'turnpike_directory_age_seconds',
    help: 'Time since the last reload of merchants and access tokens.',
    registers,
  });
  const age = new Gauge({
    name: 'turnpike_job_age_seconds',
    help: 'Time since the last successful run of a background job, or since the start.',
    labelNames: ['job'],
    registers,
  });
  const duration = new Gauge({
    name: 'turnpike_job_duration_seconds',
    help: 'Duration of the last run of a background job.',
    labelNames: ['job'],
    registers,
  });
  const runs = new Counter({
    name: 'turnpike_job_runs_total',
    help: 'Runs of background jobs by outcome: succeeded, failed, abandoned.',
    labelNames: ['job', 'outcome'],
    registers,
  });
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
