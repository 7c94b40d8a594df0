import type { CabinetStore } from '../../users/documents.ts';
import { BrokenCommit } from '../errors.ts';
import { checkPapers, type PaperRow, paperOf, paperStep, papersCells } from '../tables/documents.ts';
import { UNMOVED } from './jobs.ts';
import type { Reads } from './reads.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** The papers of the back office in SQLite. */
export const sqliteCabinet = (read: Reads, writer: Writer): CabinetStore => ({
  paper: async (drawer, id) => {
    const [row] = read.all<PaperRow>('paper', drawer, id);
    return row ? paperOf(row) : null;
  },
  papers: async (asked) => read.all<PaperRow>('papers', ...papersCells(asked)).map(paperOf),
  filePapers: async (changes) => {
    checkPapers(changes);
    try {
      await writer.ask({ do: 'write', steps: changes.map(paperStep), isEach: true });
      return true;
    } catch (error) {
      if (error instanceof BrokenCommit && error.message.includes(UNMOVED)) return false;
      throw error;
    }
  },
  forgetPapers: (drawer, before) => write(writer, ['forgetPapers', drawer, before]),
});
