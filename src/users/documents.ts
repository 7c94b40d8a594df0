/**
 * One document of the back office: a user, a session, an invitation, a saved view. Documents are few and small, are found by their
 * names or by whom they belong to, and changed by one person at a time: one table for all of them is enough.
 */
export type StoredDocument<Body = unknown> = {
  /** The kind of the document. */
  readonly collection: string;
  readonly id: string;
  /** The owner: a user, an entity, or '' for a shared document. */
  readonly ownerId: string;
  /** The creation or expiry time. The collection is sorted by it. */
  readonly at: number;
  /** 1 when it is new. */
  readonly revision: number;
  /** Any JSON value. */
  readonly body: Body;
};

/** A document as it will be, or the name and revision of one that is deleted. */
export type DocumentChange =
  | (StoredDocument & { readonly isDeleted?: undefined })
  | (Pick<StoredDocument, 'collection' | 'id' | 'revision'> & { readonly isDeleted: true });

export type DocumentQuery = {
  readonly collection: string;
  readonly ownerId: string;
  /** Only older documents: by `at`, then by id. */
  readonly before?: { readonly at: number; readonly id: string };
  readonly limit: number;
};

export interface DocumentStore {
  document(collection: string, id: string): Promise<StoredDocument | null>;
  /** The newest first. */
  documents(asked: DocumentQuery): Promise<readonly StoredDocument[]>;
  /** Saves all changes or none, each on the revision before it (a deletion: on the revision it names); false: a concurrent change won. */
  saveDocuments(changes: readonly DocumentChange[]): Promise<boolean>;
  /** Deletes documents before an instant; returns how many. */
  deleteDocuments(collection: string, before: number): Promise<number>;
}
