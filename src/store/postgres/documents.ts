import type { CabinetStore } from '../../users/documents.ts';
import { cabinetReads, cabinetWrites, checkPapers, type PaperRow, paperOf, paperStep, papersCells } from '../tables/documents.ts';
import type { Pool } from './pool.ts';
import { transact, Unmoved } from './transact.ts';
import { write } from './write.ts';

/** The papers of the back office in PostgreSQL. */
export const postgresCabinet = (pool: Pool): CabinetStore => ({
  paper: async (drawer, id) => {
    const [row] = await pool.read<PaperRow>(cabinetReads.paper, [drawer, id]);
    return row ? paperOf(row) : null;
  },
  papers: async (asked) => (await pool.read<PaperRow>(cabinetReads.papers, papersCells(asked))).map(paperOf),
  filePapers: async (changes) => {
    checkPapers(changes);
    try {
      await transact(pool, async (step) => {
        for (const change of changes) {
          const [name, ...cells] = paperStep(change);
          if ((await step(cabinetWrites[name], cells)) === 0) throw new Unmoved();
        }
      });
      return true;
    } catch (error) {
      if (error instanceof Unmoved) return false;
      throw error;
    }
  },
  forgetPapers: (drawer, before) => write(pool, cabinetWrites.forgetPapers, [drawer, before]),
});
