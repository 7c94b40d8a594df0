import type { ListEntry, ListKind, ListName } from '../ports.ts';

export type RiskEntryListQuery = {
  readonly merchantId: string;
  readonly list: ListName | null;
  readonly kind: ListKind | null;
  /** Only values with this in them, in lower case. */
  readonly containing: string | null;
  readonly now: number;
  /** Only what stands behind this entry in the order of list, kind and value. */
  readonly after: Pick<ListEntry, 'list' | 'kind' | 'value'> | null;
  readonly limit: number;
};

/** What pages of the block and allow lists need of a store. */
export interface EntryLists {
  entriesListed(asked: RiskEntryListQuery): Promise<readonly ListEntry[]>;
}
