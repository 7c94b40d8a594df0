import {
  type CellPage,
  type DirectoryChange,
  type DirectoryReads,
  type EntityRow,
  entityCellsOf,
  grantCellsOf,
  type MerchantStore,
  type PageCursor,
  type TokenLocation,
  type TokenRow,
  type VersionedEntity,
} from '../../merchants/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

/** As a database would give it back. */
const asKept = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

/** Merchants, their settings and their tokens in memory. */
export function accountMethods(tables: Tables, whileOpen: WhileOpen): MerchantStore {
  const tokenAt = ({ tokenHash, entityId }: TokenLocation): TokenRow | undefined => tables.tokens.get(join(tokenHash, entityId));
  const putToken = (row: TokenRow) => tables.tokens.set(join(row.tokenHash, row.entityId), row);
  const putEntity = (row: VersionedEntity) => {
    tables.entities.set(row.id, row);
    noteChange(tables, 'entity', changedBy(row));
  };
  return {
    entities: whileOpen(() => [...tables.entities.values()].sort((one, other) => (one.id < other.id ? -1 : 1))),
    tokens: whileOpen(() => [...tables.tokens].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)),
    insertAccounts: whileOpen((rows) => seed(tables, rows)),
    setSettings: whileOpen((entityId, settings) => {
      const row = tables.entities.get(entityId);
      if (row) putEntity({ ...row, settings: asKept(settings), revision: row.revision + 1 });
      return row !== undefined;
    }),
    saveEntity: whileOpen(({ id, name, settings, revision }) => {
      const row = tables.entities.get(id);
      if (row?.revision !== revision - 1) return false;
      putEntity({ ...row, name, settings: asKept(settings), revision });
      return true;
    }),
    endToken: whileOpen((place, endsAt, now) => {
      const row = tokenAt(place);
      if (!row || (row.endsAt !== undefined && row.endsAt <= now)) return false;
      const { endsAt: _, ...others } = row;
      putToken(endsAt === null ? others : { ...others, endsAt });
      noteChange(tables, 'token', row.userId);
      return true;
    }),
    setTokenAddresses: whileOpen((place, allowed, now) => {
      const row = tokenAt(place);
      if (!row || (row.endsAt !== undefined && row.endsAt <= now)) return false;
      const { allowedAddresses: _, ...others } = row;
      putToken(allowed === null ? others : { ...others, allowedAddresses: asKept(allowed) });
      noteChange(tables, 'token', row.userId);
      return true;
    }),
    saveTokenUses: whileOpen((used) => {
      for (const { usedOn, ...place } of used) {
        const row = tokenAt(place);
        if (row && (row.usedOn ?? -1) < usedOn) putToken({ ...row, usedOn });
      }
    }),
    deleteDirectoryChanges: whileOpen(
      (kept) => tables.directoryChanges.splice(0, Math.max(0, tables.directoryChanges.length - kept)).length,
    ),
    ...directoryReads(tables, whileOpen),
  };
}

/** The key of an entity's change: a channel is part of its merchant. */
const changedBy = ({ id, kind, parentId }: EntityRow): string => (kind === 'channel' ? (parentId ?? id) : id);

function noteChange({ directoryChanges }: Tables, kind: DirectoryChange['kind'], key: string): void {
  directoryChanges.push({ seq: (directoryChanges.at(-1)?.seq ?? 0) + 1, kind, key });
}

const order = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** A page by the number of rows before it. */
function pageOf<Cells>(rows: readonly Cells[], after: PageCursor | null, limit: number): CellPage<Cells> {
  const end = Number(after ?? 0) + limit;
  return { rows: rows.slice(end - limit, end), next: end <= rows.length ? end : null };
}

function directoryReads(tables: Tables, whileOpen: WhileOpen): DirectoryReads {
  const rows = () => [...tables.entities.values()];
  const above = (row: VersionedEntity): readonly VersionedEntity[] => {
    const parent = row.parentId === null ? undefined : tables.entities.get(row.parentId);
    return parent ? [row, ...above(parent)] : [row];
  };
  const tokens = () => [...tables.tokens].sort(([one], [other]) => order(one, other)).map(([, row]) => row);
  return {
    lineages: whileOpen((ids) => {
      const found = new Set(ids.flatMap((id) => tables.entities.get(id) ?? []).flatMap(above));
      const merchants = new Set([...found].flatMap(({ id, kind }) => (kind === 'merchant' ? id : [])));
      for (const row of rows()) if (merchants.has(row.parentId ?? '')) found.add(row);
      return [...found];
    }),
    entitiesBelow: whileOpen((parentId, after, limit) =>
      rows()
        .filter((row) => row.parentId === parentId)
        .filter(({ name, id }) => after === null || (order(name, after.name) || order(id, after.id)) > 0)
        .sort((one, other) => order(one.name, other.name) || order(one.id, other.id))
        .slice(0, limit)
        .map((row) => ({ row, below: rows().filter((child) => child.parentId === row.id).length })),
    ),
    countBelow: whileOpen((parentId) => rows().filter((row) => row.parentId === parentId).length),
    entityPage: whileOpen((after, limit) => pageOf(rows().map(entityCellsOf), after, limit)),
    tokenPage: whileOpen((after, limit) =>
      tokens()
        .filter(
          ({ tokenHash, entityId }) =>
            after === null || (order(tokenHash, after.tokenHash) || order(entityId, after.entityId)) > 0,
        )
        .slice(0, limit),
    ),
    grantPage: whileOpen((after, limit) => pageOf(tokens().map(grantCellsOf), after, limit)),
    tokensOfUsers: whileOpen((userIds) => tokens().filter(({ userId }) => userIds.includes(userId))),
    tokensOfEntity: whileOpen((entityId) => tokens().filter((row) => row.entityId === entityId)),
    directoryChanges: whileOpen((from, limit) => tables.directoryChanges.filter(({ seq }) => seq >= from).slice(0, limit)),
    lastDirectoryChange: whileOpen(() => tables.directoryChanges.at(-1)?.seq ?? 0),
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
  for (const row of rows.entities) {
    if (tables.entities.has(row.id)) continue;
    tables.entities.set(row.id, { ...row, revision: 1 });
    noteChange(tables, 'entity', changedBy(row));
  }
  for (const row of rows.tokens) {
    const at = join(row.tokenHash, row.entityId);
    if (tables.tokens.has(at)) continue;
    tables.tokens.set(at, row);
    noteChange(tables, 'token', row.userId);
  }
  return tables.entities.size + tables.tokens.size - before;
}
