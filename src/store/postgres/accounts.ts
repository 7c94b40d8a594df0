import type { DirectoryReads, EntityCells, GrantCells } from '../../merchants/ports.ts';
import type { AccountWrites } from '../sqlite/accounts.ts';
import {
  changeOf,
  listedOf,
  pageOf,
  postgresDirectoryReads as reads,
  type StoredChange,
  type StoredListed,
  type StoredPage,
} from '../tables/directory.ts';
import { entityOf, type StoredEntity, type StoredToken, tokenOf } from '../tables/payments.ts';
import { writes } from '../tables/statements.ts';
import type { Pool } from './pool.ts';
import { deleteInPortions, write } from './write.ts';

/** What changes about merchants and their tokens, in PostgreSQL. */
export const postgresAccounts = (pool: Pool): AccountWrites => ({
  setSettings: async (entityId, settings) => (await write(pool, writes.setSettings, [entityId, JSON.stringify(settings)])) > 0,
  saveEntity: async ({ id, name, settings, revision }) =>
    (await write(pool, writes.saveEntity, [id, name, JSON.stringify(settings), revision])) > 0,
  endToken: async ({ tokenHash, entityId }, endsAt, now) =>
    (await write(pool, writes.endToken, [tokenHash, entityId, endsAt, now])) > 0,
  setTokenAddresses: async ({ tokenHash, entityId }, allowed, now) =>
    (await write(pool, writes.setTokenAddresses, [tokenHash, entityId, allowed && JSON.stringify(allowed), now])) > 0,
  saveTokenUses: async (used) => {
    for (const { tokenHash, entityId, usedOn } of used) await write(pool, writes.saveTokenUses, [tokenHash, entityId, usedOn]);
  },
  deleteDirectoryChanges: (kept) => deleteInPortions(pool, writes.deleteDirectoryChanges, kept),
});

/** Entities and tokens by id or in pages, in PostgreSQL. */
export const postgresDirectory = (pool: Pool): DirectoryReads => ({
  lineages: async (ids) => (await pool.read<StoredEntity>(reads.lineages, [JSON.stringify(ids)])).map(entityOf),
  entitiesBelow: async (parentId, after, limit) => {
    const cells = [after?.name ?? '', after?.id ?? '', limit];
    const rows =
      parentId === null
        ? pool.read<StoredListed>(reads.entitiesAtTop, cells)
        : pool.read<StoredListed>(reads.entitiesBelow, [parentId, ...cells]);
    return (await rows).map(listedOf);
  },
  countBelow: async (parentId) => {
    const [row] = await pool.read<Pick<StoredListed, 'below'>>(reads.countBelow, [parentId]);
    return Number(row?.below ?? 0);
  },
  entityPage: async (after, limit) =>
    pageOf<EntityCells>(await pool.read<StoredPage>(reads.entityPage, [after ?? '', limit]), limit, ([id]) => id),
  grantPage: async (after, limit) => {
    const [tokenHash = '', entityId = ''] = String(after ?? '').split(' ');
    const rows = await pool.read<StoredPage>(reads.grantPage, [tokenHash, entityId, limit]);
    return pageOf<GrantCells>(rows, limit, ([hash, entity]) => `${hash} ${entity}`);
  },
  tokenPage: async (after, limit) =>
    (await pool.read<StoredToken>(reads.tokenPage, [after?.tokenHash ?? '', after?.entityId ?? '', limit])).map(tokenOf),
  tokensOfUsers: async (userIds) => (await pool.read<StoredToken>(reads.tokensOfUsers, [JSON.stringify(userIds)])).map(tokenOf),
  tokensOfEntity: async (entityId) => (await pool.read<StoredToken>(reads.tokensOfEntity, [entityId])).map(tokenOf),
  directoryChanges: async (from, limit) => (await pool.read<StoredChange>(reads.directoryChanges, [from, limit])).map(changeOf),
  lastDirectoryChange: async () => {
    const [row] = await pool.read<Pick<StoredChange, 'seq'>>(reads.lastDirectoryChange);
    return Number(row?.seq ?? 0);
  },
});
