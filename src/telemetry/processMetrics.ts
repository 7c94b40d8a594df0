import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, type Registry } from './prometheus.ts';

/** Figures of the process under the names that dashboards for Node already know. */

const LAGS = { min: 'min', max: 'max', mean: 'mean', stddev: 'stddev' } as const;
const PERCENTILES = [50, 90, 99] as const;
const NANOSECONDS = 1e9;
/** Every tick of the event loop is measured. A timer of its own would wake an idle process a hundred times a second. */
const EVERY_TURN: object = { samplePerIteration: true };
const GC_SECONDS = [0.001, 0.01, 0.1, 1, 2, 5];
const GC_KINDS: Readonly<Record<number, string>> = { 1: 'minor', 4: 'major', 8: 'incremental', 16: 'weakcb' };

/** Adds the metrics and returns the function that updates them. */
export function addProcessMetrics(registry: Registry): () => void {
  const updates = [processFigures(registry), memoryFigures(registry), loopFigures(registry)];
  watchGarbageCollection(registry);
  return () => {
    for (const update of updates) update();
  };
}

const gaugeIn = (registry: Registry) => (name: string, help: string) => new Gauge({ name, help, registers: [registry] });

function processFigures(registry: Registry): () => void {
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  const gauge = gaugeIn(registry);
  const user = counter('process_cpu_user_seconds_total', 'Processor time in user mode, in seconds.');
  const system = counter('process_cpu_system_seconds_total', 'Processor time in system mode, in seconds.');
  const all = counter('process_cpu_seconds_total', 'Processor time, in seconds.');
  const started = gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970.');
  started.set(Math.round(performance.timeOrigin / 1000));
  const { version } = process;
  const [major = '', minor = '', patch = ''] = version.slice(1).split('.');
  const labelNames = ['version', 'major', 'minor', 'patch'];
  const node = new Gauge({ name: 'nodejs_version_info', help: 'Version of Node.', labelNames, registers: [registry] });
  node.set({ version, major, minor, patch }, 1);
  const descriptors = openDescriptors() === null ? null : gauge('process_open_fds', 'Open file descriptors.');
  const most = maxDescriptors();
  if (most !== null) gauge('process_max_fds', 'Most file descriptors that may be open.').set(most);
  let before = process.cpuUsage();
  return () => {
    const now = process.cpuUsage();
    const [inUser, inSystem] = [(now.user - before.user) / 1e6, (now.system - before.system) / 1e6].map((s) => Math.max(0, s));
    before = now;
    user.inc(inUser);
    system.inc(inSystem);
    all.inc((inUser ?? 0) + (inSystem ?? 0));
    descriptors?.set(openDescriptors() ?? 0);
  };
}

/** Null where the system has no such folder. */
function openDescriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}

function maxDescriptors(): number | null {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined ? null : Number(most);
  } catch {
    return null;
  }
}

function memoryFigures(registry: Registry): () => void {
  const gauge = gaugeIn(registry);
  const resident = gauge('process_resident_memory_bytes', 'Resident memory, in bytes.');
  const total = gauge('nodejs_heap_size_total_bytes', 'Size of the heap, in bytes.');
  const used = gauge('nodejs_heap_size_used_bytes', 'Used part of the heap, in bytes.');
  const external = gauge('nodejs_external_memory_bytes', 'Memory outside of the heap, in bytes.');
  return () => {
    const memory = process.memoryUsage();
    resident.set(memory.rss);
    total.set(memory.heapTotal);
    used.set(memory.heapUsed);
    external.set(memory.external);
  };
}

function loopFigures(registry: Registry): () => void {
  const gauge = gaugeIn(registry);
  const delay = monitorEventLoopDelay(EVERY_TURN);
  delay.enable();
  // The first tick is measured from the start of the process.
  setImmediate(() => delay.reset());
  const about = 'of the delay of the event loop since the last reading, in seconds.';
  const figures = Object.values(LAGS).map((kind) => {
    const figure = gauge(`nodejs_eventloop_lag_${kind}_seconds`, `The ${kind} ${about}`);
    return () => figure.set(delay[kind] / NANOSECONDS);
  });
  const percentiles = PERCENTILES.map((percent) => {
    const figure = gauge(`nodejs_eventloop_lag_p${percent}_seconds`, `The percentile ${percent} ${about}`);
    return () => figure.set(delay.percentile(percent) / NANOSECONDS);
  });
  return () => {
    for (const update of [...figures, ...percentiles]) update();
    delay.reset();
  };
}

function watchGarbageCollection(registry: Registry): void {
  const duration = new Histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Garbage collections by kind (minor, major, incremental or weakcb).',
    labelNames: ['kind'],
    buckets: GC_SECONDS,
    registers: [registry],
  });
  new PerformanceObserver((list) => {
    for (const { duration: ms, detail } of list.getEntries() as unknown as readonly GcEntry[])
      duration.observe({ kind: GC_KINDS[detail?.kind ?? 0] ?? 'other' }, ms / 1000);
  }).observe({ entryTypes: ['gc'] });
}

type GcEntry = { readonly duration: number; readonly detail?: { readonly kind?: number } };
