import { once } from 'node:events';
import { startChild } from './children.ts';
import type { Job, Round } from './load.ts';

export interface Loader {
  run(job: Job): Promise<Round>;
  stop(): Promise<void>;
}

/** The load generator in a process of its own. A round in which anything was not answered or not approved is an error, not a figure. */
export function startLoader(): Loader {
  const { child, stop } = startChild('load.ts');
  child.setMaxListeners(0);
  return {
    async run(job) {
      const answer = once(child, 'message') as Promise<[{ readonly round?: Round; readonly failure?: string }]>;
      child.send(job);
      const gone = once(child, 'exit').then(() => {
        throw new Error('the load generator ended');
      });
      const [{ round, failure }] = await Promise.race([answer, gone]);
      if (!round) throw new Error(`load on port ${job.ports.join(', ')}: ${failure}`);
      if (round.answered !== round.sent || round.approved !== round.answered) {
        const counts = `${round.sent} sent, ${round.answered} answered, ${round.approved} approved`;
        throw new Error(`not every answer was 000.100.110: ${counts}\n${round.oddAnswer ?? ''}`);
      }
      return round;
    },
    stop,
  };
}
