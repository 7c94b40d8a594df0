import { hostname } from 'node:os';
import type { Throttler } from '../../merchants/ports.ts';
import { createNodeThrottler, createThrottler } from '../../merchants/throttle.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import type { Job } from '../../workers/loop.ts';
import type { AppOptions } from '../options.ts';

const NOTE_MS = 1_000;
/** A node that was last seen so long ago is gone. */
export const GONE_MS = 10_000;

export type RateLimitModule = {
  readonly throttler: Throttler;
  readonly jobs: readonly Job[];
  /** How many nodes there are. */
  nodes(): number;
  begin(): Promise<void>;
};

/** The threads of a process share it. */
export const nodeIdOf = ({ nodeName }: Pick<AppOptions, 'nodeName'>): string => `${nodeName} ${hostname()} ${process.pid}`;

/** Rate limits: of this process, and of all nodes together where there are others. */
export function createRateLimits({ store, clock, isAlone = false, ...options }: AppOptions): RateLimitModule {
  const local = options.throttler ?? createThrottler(clock);
  if (isAlone) return { throttler: local, jobs: [], nodes: () => 1, begin: async () => {} };
  const id = nodeIdOf(options);
  let nodes = 1;
  const note = async () => {
    nodes = await store.noteNode(id, clock.now(), clock.now() - GONE_MS, options.peerUrl ?? null);
  };
  const throttler = createNodeThrottler({ local, store, clock, nodes: () => nodes });
  return {
    throttler,
    jobs: [
      {
        name: 'share rate limits',
        everyMs: NOTE_MS,
        isPrompt: true,
        async run() {
          await note();
          await throttler.giveBack();
        },
      },
      { name: 'delete old rate limits', everyMs: HOUR_MS, run: async () => void (await store.deleteRates(clock.now() - DAY_MS)) },
    ],
    nodes: () => nodes,
    begin: note,
  };
}
