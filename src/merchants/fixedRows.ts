import type { DirectoryStore } from './directory.ts';
import { type EntityRow, entityCellsOf, grantCellsOf, type TokenRow } from './ports.ts';

type Rows = { readonly entities: readonly EntityRow[]; readonly tokens: readonly TokenRow[] };

/** A directory's store with rows that are read elsewhere. It keeps no changes, so every look reads all rows anew, in one page. */
export const fixedRows = (rows: () => Rows | Promise<Rows>): DirectoryStore => ({
  entityPage: async () => ({ rows: (await rows()).entities.map((row) => entityCellsOf({ ...row, revision: 1 })), next: null }),
  grantPage: async () => ({ rows: (await rows()).tokens.map(grantCellsOf), next: null }),
  lineages: async () => [],
  tokensOfUsers: async () => [],
  directoryChanges: async () => [],
  lastDirectoryChange: async () => 0,
});
