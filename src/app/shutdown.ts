import type { Timers } from '../payments/ports.ts';

/** One thing that has to end, and how long it may take. `stop` answers the names of what it gave up waiting for itself. */
export type Stopping = {
  readonly name: string;
  readonly ms: number;
  readonly stop: () => Promise<readonly string[]>;
};

/**
 * Ends everything: steps one after the other, what stands in one step at the same time. Nothing is waited for longer than its bound: what
 * was acknowledged is durable already, and whatever else is cut off is found and finished by the next process. Answers the names of what
 * had not ended; rejects with the first error after everything was tried.
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
