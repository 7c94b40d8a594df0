import type { Timers } from '../payments/ports.ts';

/** A part to stop, with its time limit. `stop` returns the names of work that it gave up waiting for. */
export type Stopping = {
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
