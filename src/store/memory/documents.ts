import type { DocumentStore, StoredDocument } from '../../users/documents.ts';
import { checkDocuments } from '../tables/documents.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

const isOlder = (one: Pick<StoredDocument, 'at' | 'id'>, other: Pick<StoredDocument, 'at' | 'id'>): boolean =>
  one.at < other.at || (one.at === other.at && one.id < other.id);

/** As a database would give it back. */
const kept = (document: StoredDocument): StoredDocument => ({ ...document, body: JSON.parse(JSON.stringify(document.body)) });

/** The documents of the back office in memory. */
export function documentMethods({ documents }: Tables, whileOpen: WhileOpen): DocumentStore {
  return {
    document: whileOpen((collection, id) => documents.get(join(collection, id)) ?? null),
    documents: whileOpen(({ collection, ownerId, before = { at: Number.MAX_SAFE_INTEGER, id: '' }, limit }) =>
      [...documents.values()]
        .filter((document) => document.collection === collection && document.ownerId === ownerId && isOlder(document, before))
        .sort((one, other) => (isOlder(one, other) ? 1 : -1))
        .slice(0, limit),
    ),
    saveDocuments: whileOpen((changes) => {
      checkDocuments(changes);
      const before = new Map(documents);
      for (const change of changes) {
        const name = join(change.collection, change.id);
        const revision = documents.get(name)?.revision ?? 0;
        if (revision !== (change.isDeleted ? change.revision : change.revision - 1)) {
          documents.clear();
          for (const [key, document] of before) documents.set(key, document);
          return false;
        }
        if (change.isDeleted) documents.delete(name);
        else documents.set(name, kept(change));
      }
      return true;
    }),
    deleteDocuments: whileOpen((collection, before) => {
      const old = [...documents].filter(([, document]) => document.collection === collection && document.at < before);
      for (const [name] of old) documents.delete(name);
      return old.length;
    }),
  };
}
