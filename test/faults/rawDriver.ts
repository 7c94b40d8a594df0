import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';

/**
 * The control of killPostgresNodes.test.ts: transactions on the driver alone, every error caught, as a careful program would. When the
 * server is killed the driver throws from a timer, and this process ends. It also ends with its parent process.
 */
const sql = postgres(process.argv[2] ?? '', { max: 8, fetch_types: false, backoff: () => 0.1, onnotice: () => {} });
process.stdin.once('end', () => process.exit(0)).resume();

async function work(): Promise<never> {
  for (;;) {
    try {
      await sql.begin(async (tx) => {
        for (let step = 0; step < 5; step += 1) await tx.unsafe('SELECT 1');
      });
      // A kill still finds some of the eight under way, and the others have the processor.
      await pause(4);
    } catch {
      await pause(20);
    }
  }
}

await Promise.all(Array.from({ length: 8 }, work));
