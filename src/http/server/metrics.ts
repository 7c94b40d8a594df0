import type { EndpointName } from '../../spec/endpoints.ts';
import type { TransactionType } from '../../spec/paymentTypes.ts';
import type { Meaning } from '../../spec/resultCodes.ts';
import { type CutReason, cutReasons } from './connections.ts';
import { addProcessMetrics } from './processMetrics.ts';
import { Counter, Gauge, Histogram, Registry } from './prometheus.ts';

/** Figures for an operator: how much, how fast, how it ended. No merchant, payment or amount can be told from them. */
export interface Metrics {
  request(endpoint: EndpointName | 'none', status: number, seconds: number): void;
  payment(paymentType: TransactionType, meaning: Meaning): void;
  /** What a round of the sweeper found: the age of the oldest payment that is overdue, and how many it could not look at. */
  swept(oldestMs: number | null, failed: number): void;
  /** A client's connection was refused or ended by us. */
  connectionCut(reason: CutReason): void;
  /** Where the page finds how many connections there are, and how much they hold. */
  connectionsHold(now: () => { readonly open: number; readonly heldBytes: number }): void;
  /** A run of a background job has ended so. */
  jobEnded(job: string, end: 'done' | 'failed' | 'abandoned', seconds: number): void;
  /** Called when the page is asked for, to say how old the directory and the last good run of each job are. */
  page(ages: { readonly directoryMs: number; readonly jobs: readonly JobAge[] }): string;
}

/** A background job and the time since its last run that ended well. */
export type JobAge = { readonly name: string; readonly ageMs: number };

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What the connections of clients hold, and which were cut. */
function addConnectionMetrics(registers: Registry[]): Pick<Metrics, 'connectionCut' | 'connectionsHold'> & { update(): void } {
  const cut = new Counter({
    name: 'turnpike_connections_cut_total',
    help: 'Connections of clients that were refused or ended because of a bound.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of cutReasons) cut.inc({ reason }, 0);
  const connections = new Gauge({ name: 'turnpike_connections', help: 'Connections of clients.', registers });
  const held = new Gauge({
    name: 'turnpike_connections_held_bytes',
    help: 'Bytes of answers that were not read and of requests that wait, of all connections.',
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

export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  const updateProcess = addProcessMetrics(registry);
  const { update: updateConnections, ...ofConnections } = addConnectionMetrics(registers);
  const requests = new Counter({
    name: 'turnpike_requests_total',
    help: 'Requests by endpoint and HTTP status.',
    labelNames: ['endpoint', 'status'],
    registers,
  });
  const latency = new Histogram({
    name: 'turnpike_request_seconds',
    help: 'From the head of the request to the end of the answer.',
    labelNames: ['endpoint'],
    buckets: SECONDS,
    registers,
  });
  const payments = new Counter({
    name: 'turnpike_payments_total',
    help: 'Answers about a payment by its type and what its result means.',
    labelNames: ['paymentType', 'means'],
    registers,
  });
  const oldest = new Gauge({ name: 'turnpike_open_payment_age_seconds', help: 'Age of the oldest overdue payment.', registers });
  const unswept = new Counter({
    name: 'turnpike_sweep_failures_total',
    help: 'Overdue payments that could not be looked at.',
    registers,
  });
  const directory = new Gauge({
    name: 'turnpike_directory_age_seconds',
    help: 'Since merchants and tokens were read.',
    registers,
  });
  const jobs = jobMetrics(registers);
  return {
    ...ofConnections,
    request(endpoint, status, seconds) {
      requests.inc({ endpoint, status });
      latency.observe({ endpoint }, seconds);
    },
    payment: (paymentType, means) => payments.inc({ paymentType, means }),
    swept(oldestMs, failed) {
      oldest.set((oldestMs ?? 0) / 1000);
      if (failed > 0) unswept.inc(failed);
    },
    jobEnded: jobs.ended,
    page(ages) {
      updateConnections();
      directory.set(ages.directoryMs / 1000);
      jobs.age(ages.jobs);
      updateProcess();
      return registry.metrics();
    },
  };
}

function jobMetrics(registers: Registry[]) {
  const age = new Gauge({
    name: 'turnpike_job_age_seconds',
    help: 'Since the last run of a background job that ended well, or since the start.',
    labelNames: ['job'],
    registers,
  });
  const duration = new Gauge({
    name: 'turnpike_job_duration_seconds',
    help: 'How long the last run of a background job took.',
    labelNames: ['job'],
    registers,
  });
  const runs = new Counter({
    name: 'turnpike_job_runs_total',
    help: 'Runs of background jobs by how they ended: done, failed, abandoned.',
    labelNames: ['job', 'end'],
    registers,
  });
  return {
    ended(job: string, end: string, seconds: number): void {
      runs.inc({ job, end });
      duration.set({ job }, seconds);
    },
    age(jobs: readonly JobAge[]): void {
      for (const { name, ageMs } of jobs) age.set({ job: name }, ageMs / 1000);
    },
  };
}
