import type { DocumentStore } from '../../users/documents.ts';
import {
  checkDocuments,
  type DocumentRow,
  documentCells,
  documentOf,
  documentReads,
  documentStep,
  documentWrites,
} from '../tables/documents.ts';
import type { Pool } from './pool.ts';
import { transact, Unmoved } from './transact.ts';
import { write } from './write.ts';

/** The documents of the back office in PostgreSQL. */
export const postgresDocuments = (pool: Pool): DocumentStore => ({
  document: async (collection, id) => {
    const [row] = await pool.read<DocumentRow>(documentReads.document, [collection, id]);
    return row ? documentOf(row) : null;
  },
  documents: async (query) => (await pool.read<DocumentRow>(documentReads.documents, documentCells(query))).map(documentOf),
  saveDocuments: async (changes) => {
    checkDocuments(changes);
    try {
      await transact(pool, async (step) => {
        for (const change of changes) {
          const [name, ...cells] = documentStep(change);
          if ((await step(documentWrites[name], cells)) === 0) throw new Unmoved();
        }
      });
      return true;
    } catch (error) {
      if (error instanceof Unmoved) return false;
      throw error;
    }
  },
  deleteDocuments: (collection, before) => write(pool, documentWrites.deleteDocuments, [collection, before]),
});
