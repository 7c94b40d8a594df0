import type { AuditEntry, AuditStore } from '../../audit/entry.ts';
import type { DocumentStore, StoredDocument } from '../../users/documents.ts';
import { auditQuestionCells, checkDocuments } from '../areas/users.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

const isOlder = (one: Pick<StoredDocument, 'at' | 'id'>, other: Pick<StoredDocument, 'at' | 'id'>): boolean =>
  one.at < other.at || (one.at === other.at && one.id < other.id);

/** As a database would give it back. */
const kept = (document: StoredDocument): StoredDocument => ({ ...document, body: JSON.parse(JSON.stringify(document.body)) });

/** The documents of the back office in memory. */
export function documentMethods({ documents }: Tables, whileOpen: WhileOpen): DocumentStore {
  /** The names of the documents, by collection and owner. */
  const owned = new Map<string, Set<string>>();
  const ownedBy = (collection: string, ownerId: string): Set<string> => owned.get(join(collection, ownerId)) ?? new Set();

  function put(name: string, document: StoredDocument): void {
    remove(name);
    documents.set(name, document);
    const group = join(document.collection, document.ownerId);
    owned.set(group, ownedBy(document.collection, document.ownerId).add(name));
  }

  function remove(name: string): void {
    const before = documents.get(name);
    documents.delete(name);
    if (before) ownedBy(before.collection, before.ownerId).delete(name);
  }

  return {
    document: whileOpen((collection, id) => documents.get(join(collection, id)) ?? null),
    documents: whileOpen(({ collection, ownerId, before = { at: Number.MAX_SAFE_INTEGER, id: '' }, limit }) =>
      [...ownedBy(collection, ownerId)]
        .flatMap((name) => documents.get(name) ?? [])
        .filter((document) => isOlder(document, before))
        .sort((one, other) => (isOlder(one, other) ? 1 : -1))
        .slice(0, limit),
    ),
    saveDocuments: whileOpen((changes) => {
      checkDocuments(changes);
      const before: [string, StoredDocument | undefined][] = [];
      for (const change of changes) {
        const name = join(change.collection, change.id);
        const known = documents.get(name);
        if ((known?.revision ?? 0) !== (change.isDeleted ? change.revision : change.revision - 1)) {
          for (const [changed, document] of before.reverse())
            if (document) put(changed, document);
            else remove(changed);
          return false;
        }
        before.push([name, known]);
        if (change.isDeleted) remove(name);
        else put(name, kept(change));
      }
      return true;
    }),
    deleteDocuments: whileOpen((collection, before) => {
      const old = [...documents].filter(([, document]) => document.collection === collection && document.at < before);
      for (const [name] of old) remove(name);
      return old.length;
    }),
  };
}

const isOlderEntry = (entry: AuditEntry, at: number, number: number): boolean =>
  entry.at < at || (entry.at === at && entry.number < number);

/** The audit log in memory. */
export function auditLogMethods({ audit }: Tables, whileOpen: WhileOpen): AuditStore {
  return {
    auditHead: whileOpen(() => audit.head),
    appendAudit: whileOpen((head, entries, next) => {
      if (head.number !== audit.head.number || head.hash !== audit.head.hash) return false;
      audit.entries.push(...entries);
      audit.head = next;
      return true;
    }),
    auditEntries: whileOpen((query) => {
      const [at, number, from, limit] = auditQuestionCells(query);
      return audit.entries
        .filter((entry) => isOlderEntry(entry, at, number) && entry.at >= from)
        .sort((one, other) => other.at - one.at || other.number - one.number)
        .slice(0, limit);
    }),
    auditChain: whileOpen((after, limit) => audit.entries.filter(({ number }) => number > after).slice(0, limit)),
  };
}
