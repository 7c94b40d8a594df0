import type { MerchantStore } from '../../merchants/ports.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

export type AccountWrites = Pick<MerchantStore, 'setSettings' | 'saveEntity' | 'endToken' | 'saveTokenUses'>;

/** What changes about merchants and their tokens, in SQLite. */
export const sqliteAccounts = (writer: Writer): AccountWrites => ({
  setSettings: async (entityId, settings) => (await write(writer, ['setSettings', entityId, JSON.stringify(settings)])) > 0,
  saveEntity: async ({ id, name, settings, revision }) =>
    (await write(writer, ['saveEntity', id, name, JSON.stringify(settings), revision])) > 0,
  endToken: async ({ tokenHash, entityId }, endsAt, now) =>
    (await write(writer, ['endToken', tokenHash, entityId, endsAt, now])) > 0,
  saveTokenUses: async (used) => {
    const steps = used.map(({ tokenHash, entityId, usedOn }) => ['saveTokenUses', tokenHash, entityId, usedOn] as const);
    if (steps.length > 0) await writer.ask({ do: 'write', steps });
  },
});
