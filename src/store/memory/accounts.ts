import type { EntityRow, MerchantStore, TokenLocation, TokenRow } from '../../merchants/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

/** As a database would give it back. */
const asKept = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

/** Merchants, their settings and their tokens in memory. */
export function accountMethods(tables: Tables, whileOpen: WhileOpen): MerchantStore {
  const tokenAt = ({ tokenHash, entityId }: TokenLocation): TokenRow | undefined => tables.tokens.get(join(tokenHash, entityId));
  const putToken = (row: TokenRow) => tables.tokens.set(join(row.tokenHash, row.entityId), row);
  return {
    entities: whileOpen(() => [...tables.entities.values()].sort((one, other) => (one.id < other.id ? -1 : 1))),
    tokens: whileOpen(() => [...tables.tokens].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)),
    insertAccounts: whileOpen((rows) => seed(tables, rows)),
    setSettings: whileOpen((entityId, settings) => {
      const row = tables.entities.get(entityId);
      if (row) tables.entities.set(entityId, { ...row, settings: asKept(settings), revision: row.revision + 1 });
      return row !== undefined;
    }),
    saveEntity: whileOpen(({ id, name, settings, revision }) => {
      const row = tables.entities.get(id);
      if (row?.revision !== revision - 1) return false;
      tables.entities.set(id, { ...row, name, settings: asKept(settings), revision });
      return true;
    }),
    endToken: whileOpen((place, endsAt, now) => {
      const row = tokenAt(place);
      if (!row || (row.endsAt !== undefined && row.endsAt <= now)) return false;
      const { endsAt: _, ...others } = row;
      putToken(endsAt === null ? others : { ...others, endsAt });
      return true;
    }),
    saveTokenUses: whileOpen((used) => {
      for (const { usedOn, ...place } of used) {
        const row = tokenAt(place);
        if (row && (row.usedOn ?? -1) < usedOn) putToken({ ...row, usedOn });
      }
    }),
  };
}

function seed(tables: Tables, rows: Parameters<MerchantStore['insertAccounts']>[0]): number {
  const entities = new Map(rows.entities.map((row): [string, EntityRow] => [row.id, row]));
  const isThere = (id: string) => entities.has(id) || tables.entities.has(id);
  const isWhole =
    rows.entities.every(({ parentId }) => parentId === null || isThere(parentId)) &&
    rows.tokens.every(({ entityId, tokenHash }) => isThere(entityId) && /^[^A-Z]{64}$/.test(tokenHash));
  if (!isWhole) throw new BrokenCommit('an entity stands below one that is not there, or a token makes no sense');
  const before = tables.entities.size + tables.tokens.size;
  for (const row of rows.entities) if (!tables.entities.has(row.id)) tables.entities.set(row.id, { ...row, revision: 1 });
  for (const row of rows.tokens) {
    const at = join(row.tokenHash, row.entityId);
    if (!tables.tokens.has(at)) tables.tokens.set(at, row);
  }
  return tables.entities.size + tables.tokens.size - before;
}
