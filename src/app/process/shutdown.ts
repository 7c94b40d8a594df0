import type { Gateway } from '../../http/gateway.ts';
import type { Timers } from '../../payments/ports.ts';
import { SECOND_MS } from '../../spec/time.ts';
import type { Store } from '../../store/store.ts';
import type { Loop } from '../../workers/loop.ts';
import type { Peers } from '../nodes/peers.ts';
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
 * durable already, and the next process finishes what is cut off. Returns the names of parts that did not end; rejects with the first error
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
