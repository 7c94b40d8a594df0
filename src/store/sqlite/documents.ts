import type { DocumentStore } from '../../users/documents.ts';
import { checkDocuments, type DocumentRow, documentCells, documentOf, documentStep } from '../tables/documents.ts';
import { Unmoved } from './jobs.ts';
import type { Reads } from './reads.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** The documents of the back office in SQLite. */
export const sqliteDocuments = (read: Reads, writer: Writer): DocumentStore => ({
  document: async (collection, id) => {
    const [row] = read.all<DocumentRow>('document', collection, id);
    return row ? documentOf(row) : null;
  },
  documents: async (query) => read.all<DocumentRow>('documents', ...documentCells(query)).map(documentOf),
  saveDocuments: async (changes) => {
    checkDocuments(changes);
    try {
      await writer.ask({ do: 'write', steps: changes.map(documentStep), isEach: true });
      return true;
    } catch (error) {
      if (error instanceof Unmoved) return false;
      throw error;
    }
  },
  deleteDocuments: (collection, before) => write(writer, ['deleteDocuments', collection, before]),
});
