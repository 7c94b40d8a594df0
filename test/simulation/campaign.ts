import { type Result, simulate } from './simulate.ts';
import { createTally, type Tally } from './tally.ts';

/** Every so many seeds one is run twice, and both runs must be the same to the last event. */
const REPLAY_EVERY = 50;

export type Campaign = {
  readonly seeds: number;
  readonly payments: number;
  readonly events: number;
  readonly replays: number;
  /** Seeds that broke an invariant or did not replay, with the story of each. */
  readonly failures: readonly string[];
  readonly tally: Tally;
  /** Virtual milliseconds from the healing until the last payment came to rest, one for each seed, in order of length. */
  readonly rests: readonly number[];
};

export type Plan = {
  readonly from: number;
  readonly seeds: number;
  readonly failuresMax: number;
  readonly onSeed?: ((done: number, failures: readonly string[]) => void) | undefined;
};

/** Many seeds one after the other. Ends early when there is more than enough to look at. */
export async function campaign({ from, seeds, failuresMax, onSeed }: Plan): Promise<Campaign> {
  const tally = createTally();
  const failures: string[] = [];
  const rests: number[] = [];
  let payments = 0;
  let events = 0;
  let replays = 0;
  for (let seed = from; seed < from + seeds && failures.length < failuresMax; seed += 1) {
    const result = await simulate(seed);
    payments += result.payments;
    events += result.events;
    rests.push(result.restMs);
    tally.add(result.tally);
    if (result.broken.length > 0) failures.push(storyOf(result));
    if (seed % REPLAY_EVERY === 0) {
      const again = await simulate(seed);
      replays += 1;
      if (again.hash !== result.hash) failures.push(`Seed ${seed} is not the same twice: ${result.hash}, then ${again.hash}.`);
    }
    onSeed?.(seed - from + 1, failures);
  }
  rests.sort((one, other) => one - other);
  return { seeds: rests.length, payments, events, replays, failures, tally, rests };
}

/** What is needed to look into a failing seed: what broke, in which weather, what happened last, how to see it again. */
function storyOf({ seed, broken, weather, last }: Result): string {
  return [
    `Seed ${seed} broke ${broken.length}:`,
    ...broken.slice(0, 20).map(({ invariant, says }) => `  ${invariant}: ${says}`),
    `Options: ${JSON.stringify(weather)}`,
    `The last ${last.length} events:`,
    ...last.map((event) => `  ${event}`),
    `Replay: npm run simulate -- --seed ${seed}`,
  ].join('\n');
}
