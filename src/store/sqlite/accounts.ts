import type { CellPage, DirectoryReads, EntityCells, GrantCells, MerchantStore, PageCursor } from '../../merchants/ports.ts';
import { changeOf, listedOf, type StoredChange, type StoredListed } from '../tables/directory.ts';
import { entityOf, type StoredEntity, type StoredToken, tokenOf } from '../tables/payments.ts';
import type { Reads } from './reads.ts';
import { deleteInPortions, write } from './registrations.ts';
import type { Writer } from './threads.ts';

export type AccountWrites = Pick<
  MerchantStore,
  'setSettings' | 'saveEntity' | 'endToken' | 'setTokenAddresses' | 'saveTokenUses' | 'deleteDirectoryChanges'
>;

/** What changes about merchants and their tokens, in SQLite. */
export const sqliteAccounts = (writer: Writer): AccountWrites => ({
  setSettings: async (entityId, settings) => (await write(writer, ['setSettings', entityId, JSON.stringify(settings)])) > 0,
  saveEntity: async ({ id, name, settings, revision }) =>
    (await write(writer, ['saveEntity', id, name, JSON.stringify(settings), revision])) > 0,
  endToken: async ({ tokenHash, entityId }, endsAt, now) =>
    (await write(writer, ['endToken', tokenHash, entityId, endsAt, now])) > 0,
  setTokenAddresses: async ({ tokenHash, entityId }, allowed, now) =>
    (await write(writer, ['setTokenAddresses', tokenHash, entityId, allowed && JSON.stringify(allowed), now])) > 0,
  saveTokenUses: async (used) => {
    const steps = used.map(({ tokenHash, entityId, usedOn }) => ['saveTokenUses', tokenHash, entityId, usedOn] as const);
    if (steps.length > 0) await writer.ask({ do: 'write', steps });
  },
  deleteDirectoryChanges: (kept) => deleteInPortions(writer, 'deleteDirectoryChanges', kept),
});

/** A page in the order of row numbers, which come behind the cells. */
function pageOf<Cells>(read: Reads, name: 'entityPage' | 'grantPage', after: PageCursor | null, limit: number): CellPage<Cells> {
  let last = 0;
  const rows = read.walk<unknown[], Cells>(name, [after ?? 0, limit], (cells) => {
    last = cells.pop() as number;
    return cells as Cells;
  });
  return { rows, next: rows.length >= limit ? last : null };
}

/** Entities and tokens by id or in pages, in SQLite. */
export const sqliteDirectory = (read: Reads): DirectoryReads => ({
  lineages: async (ids) => read.all<StoredEntity>('lineages', JSON.stringify(ids)).map(entityOf),
  entitiesBelow: async (parentId, after, limit) => {
    const cells = [after?.name ?? '', after?.id ?? '', limit];
    const rows =
      parentId === null
        ? read.all<StoredListed>('entitiesAtTop', ...cells)
        : read.all<StoredListed>('entitiesBelow', parentId, ...cells);
    return rows.map(listedOf);
  },
  countBelow: async (parentId) =>
    read.all<Pick<StoredListed, 'below'>>('countBelow', parentId).map(({ below }) => Number(below))[0] ?? 0,
  entityPage: async (after, limit) => pageOf<EntityCells>(read, 'entityPage', after, limit),
  grantPage: async (after, limit) => pageOf<GrantCells>(read, 'grantPage', after, limit),
  tokenPage: async (after, limit) =>
    read.all<StoredToken>('tokenPage', after?.tokenHash ?? '', after?.entityId ?? '', limit).map(tokenOf),
  tokensOfUsers: async (userIds) => read.all<StoredToken>('tokensOfUsers', JSON.stringify(userIds)).map(tokenOf),
  tokensOfEntity: async (entityId) => read.all<StoredToken>('tokensOfEntity', entityId).map(tokenOf),
  directoryChanges: async (from, limit) => read.all<StoredChange>('directoryChanges', from, limit).map(changeOf),
  lastDirectoryChange: async () =>
    read.all<Pick<StoredChange, 'seq'>>('lastDirectoryChange').map(({ seq }) => Number(seq))[0] ?? 0,
});
