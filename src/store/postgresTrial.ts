import { writeError } from './postgresErrors.ts';
import type { Pool } from './postgresPool.ts';
import { transact } from './postgresTransact.ts';
import type { Store } from './store.ts';
import { postgresTrial, trialWrites } from './trialStatements.ts';

export const postgresTryWrite =
  (pool: Pool): Store['tryWrite'] =>
  async (isThorough) => {
    if (isThorough) {
      await transact(pool, async (step) => {
        await step(postgresTrial.empty, []);
        await step(postgresTrial.fill, []);
      });
      return;
    }
    try {
      await pool.send(trialWrites.tryWrite, ['']);
    } catch (error) {
      throw writeError(error);
    }
  };
