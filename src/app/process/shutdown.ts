import type { Gateway } from '../../http/gateway.ts';
import type { Timers } from '../../payments/ports.ts';
import { SECOND_MS } from '../../spec/time.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Loop } from '../../workers/loop.ts';
import type { Peers } from '../nodes/handover.ts';
import { sleep, timers } from '../system.ts';
import type { RequestThreads } from '../threads/startThreads.ts';
import type { Telemetry } from './telemetry.ts';

/** How long a shutdown waits for requests and jobs, and then for the store. The next process continues what has not ended by then. */
const WORK_MS_MAX = 11_000;
const JOBS_MS_MAX = 10_500;
const STORE_MS_MAX = 2_000;
/** With the others still less than the 15 s that supervisors wait. */
const HANDOVER_MS_MAX = 1_900;

/** An orderly end; returns what did not end in time. */
export async function endInOrder(
  parts: Parts & Omit<Announced, 'drainSeconds'>,
  drainSeconds: number,
): Promise<readonly string[]> {
  await announceStop({ ...parts, drainSeconds });
  return shutDown(shutdownPhases(parts), timers);
}

type Announced = {
  readonly gateway: Pick<Gateway, 'announceStop'>;
  readonly office: Pick<Gateway, 'announceStop'> | null;
  readonly threads: Pick<RequestThreads, 'announceStop'>;
  readonly peers: Pick<Peers, 'announceStop'>;
  readonly drainSeconds: number;
};

/** Load balancers see first that this node is not ready, and send nothing more. Until then it serves what they send. */
async function announceStop({ gateway, office, threads, peers, drainSeconds }: Announced): Promise<void> {
  peers.announceStop();
  if (drainSeconds === 0) return;
  gateway.announceStop();
  office?.announceStop();
  await threads.announceStop();
  await sleep(drainSeconds * SECOND_MS);
}

type Parts = {
  readonly gateway: Gateway;
  readonly office: Gateway | null;
  readonly threads: Pick<RequestThreads, 'stop'>;
  readonly peers: Pick<Peers, 'end'>;
  readonly loop: Loop;
  readonly store: Store;
  readonly telemetry: Telemetry | null;
  stop(): Promise<void>;
};

/** The phases of a shutdown: the store last. */
function shutdownPhases({
  gateway,
  office,
  threads,
  peers,
  loop,
  stop,
  store,
  telemetry,
}: Parts): readonly (readonly Stopping[])[] {
  const phase = (name: string, end: () => Promise<void> | undefined, ms = WORK_MS_MAX): Stopping => ({
    name,
    ms,
    stop: async () => {
      await end();
      return [];
    },
  });
  return [
    [
      phase('requests', gateway.stop),
      phase('back office requests', () => office?.stop()),
      phase('requests of the request threads', threads.stop),
      { name: 'jobs', ms: WORK_MS_MAX, stop: () => loop.stop(JOBS_MS_MAX) },
      phase('work started by jobs', stop),
    ],
    // Nothing in this process uses the authentications any more, so they can be handed over.
    [phase('open authentications', peers.end, HANDOVER_MS_MAX)],
    [phase('the database', store.close, STORE_MS_MAX), phase('traces', () => telemetry?.stop(), STORE_MS_MAX)],
  ];
}

/** A part to stop, with its time limit. `stop` returns the names of work that it gave up waiting for. */
type Stopping = {
  readonly name: string;
  readonly ms: number;
  readonly stop: () => Promise<readonly string[]>;
};

/**
 * Stops everything: phases one after the other, the parts of one phase at the same time, each within its limit. Everything acknowledged is
 * durable already, and the next process finishes the rest. Returns the names of parts that did not end; rejects with the first error
 * after everything was stopped.
 */
export async function shutDown(steps: readonly (readonly Stopping[])[], { within }: Timers): Promise<readonly string[]> {
  const left: string[] = [];
  const errors: unknown[] = [];
  const end = async ({ name, ms, stop }: Stopping): Promise<void> => {
    const ended = stop().then(
      (more) => left.push(...more.map((one) => `${name}: ${one}`)),
      (error: unknown) => errors.push(error),
    );
    await within(ms, ended).catch(() => left.push(name));
  };
  for (const step of steps) await Promise.all(step.map(end));
  if (errors.length > 0) throw errors[0];
  return left;
}

/** The exit code by which `npm start` knows that the gateway did not end on purpose (scripts/supervise.mjs). */
export const CRASH_CODE = 70;
/** Open requests may finish within this time. The state of the process is unknown, so it waits no longer. */
const ANSWERS_MS_MAX = 1_000;

type CrashParts = {
  readonly log: Pick<Log, 'fatal'>;
  readonly timers: Timers;
  /** Stops taking requests; resolves when the open ones are answered. */
  readonly stopServing: () => Promise<unknown>;
  /** Flushes the log and ends the process. */
  readonly exit: (code: number) => void;
};

/** Only name, message and stack, without other properties of the error. The log masks card numbers in them. */
function bare(error: unknown): Error {
  const copy = new Error(error instanceof Error ? error.message : String(error));
  if (error instanceof Error) [copy.name, copy.stack] = [error.name, error.stack ?? ''];
  return copy;
}

/**
 * Ends the process after an uncaught error, such as one that a dependency throws from a timer: one line in the log, no new requests, a
 * short time for open ones, and an exit code that asks for a restart. A second error ends it immediately.
 */
export function createCrashHandler({ log, timers, stopServing, exit }: CrashParts): (error: unknown) => Promise<void> {
  let isCrashing = false;
  return async (error) => {
    if (isCrashing) return exit(CRASH_CODE);
    isCrashing = true;
    log.fatal({ err: bare(error) }, 'uncaught error: the process ends and must be restarted');
    await timers.within(ANSWERS_MS_MAX, stopServing()).catch(() => {});
    exit(CRASH_CODE);
  };
}
