import type { CabinetStore } from '../people/cabinet.ts';
import { checkPapers, type PaperRow, paperOf, paperStep, papersCells } from './cabinetRows.ts';
import { cabinetReads, cabinetWrites } from './cabinetStatements.ts';
import type { Pool } from './postgresPool.ts';
import { transact, Unmoved } from './postgresTransact.ts';
import { write } from './postgresWrite.ts';

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
