import type { AccountWrites } from '../sqlite/accounts.ts';
import { writes } from '../tables/statements.ts';
import type { Pool } from './pool.ts';
import { write } from './write.ts';

/** What changes about merchants and their tokens, in PostgreSQL. */
export const postgresAccounts = (pool: Pool): AccountWrites => ({
  setSettings: async (entityId, settings) => (await write(pool, writes.setSettings, [entityId, JSON.stringify(settings)])) > 0,
  saveEntity: async ({ id, name, settings, revision }) =>
    (await write(pool, writes.saveEntity, [id, name, JSON.stringify(settings), revision])) > 0,
  endToken: async ({ tokenHash, entityId }, endsAt, now) =>
    (await write(pool, writes.endToken, [tokenHash, entityId, endsAt, now])) > 0,
  saveTokenUses: async (used) => {
    for (const { tokenHash, entityId, usedOn } of used) await write(pool, writes.saveTokenUses, [tokenHash, entityId, usedOn]);
  },
});
