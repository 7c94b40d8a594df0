// Starts the gateway again after a crash. Plain JavaScript for any Node from 20 on, like run.mjs.

/**
 * The runtime's flags for a gateway (docs/performance.md has the figures). Young objects get two times 16 MiB at most in each thread that
 * takes payments (src/main.ts): with half of it the payments under way are copied twice as often. One thread copies them: several wait for
 * each other longer than they help. The others are marked when they have grown by half: left to itself, the engine lets them grow to four times
 * of what is alive. Every object begins young: by the sites of their creation the engine takes those of payments under way for old ones,
 * which they are not.
 */
export const startFlags = [
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
];

/**
 * More arenas of the C library keep memory that nothing uses. Values that are bound to a statement are freed many at a time: a longer list
 * of free pieces for each size, and none that are put together again at every larger request, took 0 to 5 % less of a payment.
 */
export const startEnv = { MALLOC_ARENA_MAX: '2', GLIBC_TUNABLES: 'glibc.malloc.tcache_count=32:glibc.malloc.mxfast=0' };

/** The exit code of a gateway that an unexpected error has ended (src/app/process/shutdown.ts). */
const CRASH = 70;
const FIRST_MS = 1_000;
const MOST_MS = 30_000;
/** A gateway that ran for so long was well: crashes are counted anew after it. */
const STEADY_MS = 60_000;
const FAILURES_MAX = 10;

/**
 * Runs the gateway until it ends on purpose. A crash, also a death by a signal that this process did not send, is followed by a new start after a
 * pause that doubles each time. A gateway that cannot start in the first place (a setting, a port, no database) is for the operator
 * to correct and ends immediately; after a crash a start is tried again, because a database may be away. Returns the
 * exit code.
 */
export async function supervise({ run, sleep, now, log }) {
  let [failures, hasCrashed] = [0, false];
  for (;;) {
    const began = now();
    const { code, signal, isAsked } = await run();
    const exit = code ?? 1;
    const isCrash = code === null || code === CRASH || code >= 128;
    if (isAsked || exit === 0 || (!isCrash && !hasCrashed)) return exit;
    hasCrashed = true;
    const ranMs = now() - began;
    failures = ranMs >= STEADY_MS ? 1 : failures + 1;
    const ended = `The gateway ended with ${signal ?? `code ${code}`} after ${Math.round(ranMs / 1_000)} s`;
    if (failures > FAILURES_MAX) {
      log(`${ended}; it has failed ${failures} times in a row and is not started again.`);
      return exit;
    }
    const restMs = Math.min(FIRST_MS * 2 ** (failures - 1), MOST_MS);
    log(`${ended}; it is started again in ${restMs / 1_000} s (failure ${failures} of at most ${FAILURES_MAX} in a row).`);
    if (await sleep(restMs)) return 0;
  }
}
