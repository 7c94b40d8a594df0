import { parseArgs } from 'node:util';
import { type Campaign, campaign } from './campaign.ts';
import { simulate } from './simulate.ts';

/**
 * `npm run simulate`: many seeds and an account of what they met, or with `--seed N` one seed and everything that happened in it.
 */
const FULL_RUN = 20_000;
/** As often every fault should meet every operation in a full run. */
const HITS_ASKED = 100;
const FAILURES_MAX = 5;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    from: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help) {
  console.log('npm run simulate -- [--seeds N] [--from N]   many seeds, 20,000 when nothing is said');
  console.log('npm run simulate -- --seed N                 one seed, every event');
} else if (values.seed !== undefined) process.exitCode = await showOne(whole('seed', values.seed));
else process.exitCode = await showMany(whole('from', values.from ?? '1'), whole('seeds', values.seeds ?? String(FULL_RUN)));

function whole(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  console.error(`--${name} wants a whole number above 0, not "${text}"`);
  process.exit(2);
}

async function showOne(seed: number): Promise<number> {
  const result = await simulate(seed, { keep: Number.MAX_SAFE_INTEGER });
  console.log(result.last.join('\n'));
  console.log(`Options: ${JSON.stringify(result.weather, null, 2)}`);
  console.log(`${result.payments} payments, ${result.events} events, hash ${result.hash}`);
  for (const { invariant, says } of result.broken) console.log(`BROKEN ${invariant}: ${says}`);
  if (result.broken.length === 0) console.log('No invariant was broken.');
  return result.broken.length === 0 ? 0 : 1;
}

async function showMany(from: number, seeds: number): Promise<number> {
  const began = performance.now();
  const done = await campaign({ from, seeds, failuresMax: FAILURES_MAX, onSeed: progress(seeds) });
  const seconds = (performance.now() - began) / 1000;
  for (const failure of done.failures) console.log(`${failure}\n`);
  console.log(done.tally.table());
  console.log(summary(done, seconds));
  const empty = done.tally.empty();
  if (empty.length > 0) console.log(`Never met (${empty.length}): ${empty.join('; ')}`);
  const rare = done.tally.below(HITS_ASKED).filter(([, hits]) => hits > 0);
  if (rare.length > 0) {
    const shown = rare.map(([cell, hits]) => `${cell} ${hits}`).join('; ');
    console.log(`Met fewer than ${HITS_ASKED} times (${rare.length}): ${shown}`);
  }
  // A short run may miss a rare meeting of fault and operation; a full one may not.
  const isMissed = empty.length > 0 && seeds >= FULL_RUN;
  return done.failures.length === 0 && !isMissed ? 0 : 1;
}

function summary({ seeds, payments, events, replays, failures, rests }: Campaign, seconds: number): string {
  const minutes = (share: number) => ((rests[Math.ceil(rests.length * share) - 1] ?? 0) / 60_000).toFixed(1);
  return [
    '',
    `${seeds} seeds, ${payments} payments, ${events} events in ${Math.round(seconds)} s: ${(seeds / seconds).toFixed(1)} seeds/s`,
    `${replays} seeds run twice; ${failures.length} failures`,
    `at rest after the healing: half within ${minutes(0.5)} min, 99 % within ${minutes(0.99)}, all within ${minutes(1)}`,
  ].join('\n');
}

/** One line that is written over, and only in a terminal. */
function progress(seeds: number): (done: number, failures: readonly string[]) => void {
  if (!process.stderr.isTTY) return () => {};
  const width = 40;
  return (done, failures) => {
    if (done % 20 !== 0 && done !== seeds) return;
    const filled = Math.floor((done / seeds) * width);
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
    process.stderr.write(
      `\r${bar} ${done}/${seeds}${failures.length > 0 ? `, ${failures.length} failures` : ''}${done === seeds ? '\n' : ''}`,
    );
  };
}
