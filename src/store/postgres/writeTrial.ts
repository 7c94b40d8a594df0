import type { Store } from '../store.ts';
import { postgresTrial, trialWrites } from '../tables/writeTrial.ts';
import { writeError } from './errors.ts';
import type { Pool } from './pool.ts';
import { transact } from './transact.ts';

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
