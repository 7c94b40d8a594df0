import { MessageChannel, Worker } from 'node:worker_threads';
import type { Timers } from '../../payments/ports.ts';
import type { MetricFigures } from '../../telemetry/prometheus.ts';
import { OperatorError } from '../operatorError.ts';
import type { MainCalls, ThreadCalls, ThreadData, ThreadStart } from './calls.ts';
import { createLink, type Link } from './link.ts';
import { createMainCalls, type MainParts } from './mainThread.ts';

/** The request threads, as the main thread sees them. */
export interface RequestThreads {
  /** Resolves when all of them listen; they answer requests after `open`. */
  listen(data: ThreadData, parts: MainParts): Promise<void>;
  open(): Promise<void>;
  /** Each asks its clients to close their connections. */
  announceStop(): Promise<void>;
  /** Each has read merchants and access tokens again, or could not within a few seconds. */
  reload(): Promise<void>;
  /** Each has written its inspected requests. */
  flush(): Promise<void>;
  figures(): Promise<readonly (readonly MetricFigures[])[]>;
  /** Takes note of everything that they have told. */
  drain(): void;
  /** Finishes their requests and ends them. */
  stop(): Promise<void>;
}

/** A thread that does not answer within this time is busy with one request: it follows with the next reload. */
const ANSWER_MS_MAX = 5_000;

/** The calls to all threads that need no data. */
type Simple = 'open' | 'announceStop' | 'reload' | 'flush' | 'figures';
type Answer<Name extends Simple> = Awaited<ReturnType<ThreadCalls[Name]>>;

type RequestThread = { readonly worker: Worker; readonly link: Link<ThreadCalls> };

/** A literal path, because the bundler and the package search for it. */
const program = new URL('./requestThread.ts', import.meta.url);

export type ThreadNeeds = {
  readonly count: number;
  readonly timers: Timers;
  readonly log: { warn(about: object, message: string): void };
  /** A thread has ended by itself. */
  readonly crash: (error: unknown) => void;
};

/** The calls that the main thread answers, once it has started. */
function lateCalls(parts: () => MainParts | null, link: () => Link<ThreadCalls>, crash: MainCalls['crash']): MainCalls {
  let calls: ReturnType<typeof createMainCalls> | null = null;
  const ready = () => {
    const given = parts();
    if (!given) throw new Error('the main thread has not started yet');
    calls ??= createMainCalls(given, link);
    return calls;
  };
  return {
    request: (about) => ready().request(about),
    evaluate: (about) => ready().evaluate(about),
    countAttempt: (about) => ready().countAttempt(about),
    countOutcome: (about) => ready().countOutcome(about),
    drive: (about) => ready().drive(about),
    putSecrets: (about) => ready().putSecrets(about),
    dropSecrets: (about) => ready().dropSecrets(about),
    enrolment: (about) => ready().enrolment(about),
    packCalls: (about) => ready().packCalls(about),
    writerPort: (about) => ready().writerPort(about),
    noteRequest: (about) => ready().noteRequest(about),
    log: (about) => ready().log(about),
    crash,
  };
}

/** The room for young objects in MiB: three times what the flag of the main thread names (scripts/supervise.mjs). */
const YOUNG_MB = 48;

/** Starts one thread. `end` learns that it has ended, for whatever reason. */
function startThread(parts: () => MainParts | null, end: (error: Error) => void): RequestThread {
  const { port1, port2 } = new MessageChannel();
  // Without the flags of the process: some of them are about its own entry, and a thread refuses to start with them.
  const worker = new Worker(program, {
    workerData: { link: port2 } satisfies ThreadStart,
    transferList: [port2],
    execArgv: [],
    name: 'requests',
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  worker.once('error', (error: Error) => end(error));
  worker.once('exit', () => end(new Error('a request thread has ended')));
  const crash: MainCalls['crash'] = (error) => end(Object.assign(new Error(error.message), error));
  const link: Link<ThreadCalls> = createLink<ThreadCalls>(
    port1,
    lateCalls(parts, () => link, crash),
  );
  return { worker, link };
}

/** Starts the threads: they load their programs while the main thread opens the store. */
export function startThreads({ count, timers, log, crash }: ThreadNeeds): RequestThreads {
  let isStopping = false;
  let parts: MainParts | null = null;
  const end = (error: Error): void => {
    if (!isStopping) crash(error);
  };
  const threads = Array.from({ length: count }, () => startThread(() => parts, end));
  const askAll = async <Name extends Simple>(name: Name): Promise<readonly Answer<Name>[]> => {
    const asked = threads.map(({ link }) => timers.within(ANSWER_MS_MAX, link.ask(name, null as never)));
    return (await Promise.allSettled(asked)).flatMap((one) => {
      if (one.status === 'fulfilled') return [one.value as Answer<Name>];
      if (!isStopping) log.warn({ asked: name, error: String(one.reason) }, 'a request thread did not do what it was asked');
      return [];
    });
  };
  return {
    async listen(data, given) {
      parts = given;
      try {
        await Promise.all(threads.map(({ link }) => link.ask('listen', data)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOTSUP')
          throw new OperatorError('THREADS: this system cannot share a port between threads; set it to 1');
        throw error;
      }
    },
    open: async () => void (await askAll('open')),
    announceStop: async () => void (await askAll('announceStop')),
    reload: async () => void (await askAll('reload')),
    flush: async () => void (await askAll('flush')),
    figures: () => askAll('figures'),
    drain: () => {
      for (const { link } of threads) link.drain();
    },
    async stop() {
      isStopping = true;
      await Promise.all(threads.map(({ link }) => link.ask('stop', null)));
      await Promise.all(
        threads.map(({ worker, link }) => {
          link.close();
          return worker.terminate();
        }),
      );
    },
  };
}
