import type {
  CellPage,
  DirectoryChange,
  DirectoryReads,
  EntityCells,
  EntityKind,
  EntityRow,
  GrantCells,
  ListedEntity,
  MerchantStore,
  PageCursor,
  TokenRow,
  VersionedEntity,
} from '../../merchants/ports.ts';
import { type Cell, type Database, type Dialects, deleteInBatches, inBoth, step } from '../database.ts';

/** Entities, their settings and access tokens. The drivers insert them: parents are checked when all rows are there. */

const entityColumns = 'id, kind, parent_id, name, settings, revision';
const prefixed = 'e.id, e.kind, e.parent_id, e.name, e.settings, e.revision';
const listed = `SELECT ${prefixed}, (SELECT count(*) FROM entity c WHERE c.parent_id = e.id) AS below FROM entity e`;
const tokenColumns = 'token_hash, entity_id, user_id, created_at, name, created_by, ends_at, used_on, allowed_addresses';
const grantColumns = 'token_hash, entity_id, user_id, ends_at, used_on, allowed_addresses';

/** SQLite reads pages in the order of the file: the order of a key would read a page of the file for each row. */
const inFileOrder = (columns: string, table: string): string =>
  `SELECT ${columns}, rowid FROM ${table} WHERE rowid > ?1 ORDER BY rowid LIMIT ?2`;

/** PostgreSQL returns a page as one string: the driver takes several times as long for as many rows. */
const asText = (columns: string, order: string, source: string): string =>
  `SELECT json_agg(json_build_array(${columns}) ORDER BY ${order})::text AS page FROM (SELECT ${columns} FROM ${source}) paged`;

export const accountStatements = {
  entities: 'SELECT id, kind, parent_id, name, settings, revision FROM entity ORDER BY id',
  tokens: `SELECT ${tokenColumns} FROM access_token ORDER BY token_hash, entity_id`,
  insertEntity: 'INSERT INTO entity (id, kind, parent_id, name, settings) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING',
  insertToken: `INSERT INTO access_token (${tokenColumns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING`,
  setSettings: 'UPDATE entity SET settings = ?2, revision = revision + 1 WHERE id = ?1',
  saveEntity: 'UPDATE entity SET name = ?2, settings = ?3, revision = ?4 WHERE id = ?1 AND revision + 1 = ?4',
  endToken: `
    UPDATE access_token SET ends_at = ?3 WHERE token_hash = ?1 AND entity_id = ?2 AND (ends_at IS NULL OR ends_at > ?4)`,
  setTokenAddresses: `
    UPDATE access_token SET allowed_addresses = ?3 WHERE token_hash = ?1 AND entity_id = ?2 AND (ends_at IS NULL OR ends_at > ?4)`,
  saveTokenUses: `
    UPDATE access_token SET used_on = ?3 WHERE token_hash = ?1 AND entity_id = ?2 AND (used_on IS NULL OR used_on < ?3)`,
  /** The entities with these ids, all above them, and all channels of the merchants among those. */
  lineages: inBoth(
    ({ among }) => `
    WITH RECURSIVE up (id, kind, parent_id) AS (
      SELECT id, kind, parent_id FROM entity WHERE id IN (${among('?1')})
      UNION
      SELECT e.id, e.kind, e.parent_id FROM up CROSS JOIN entity e WHERE e.id = up.parent_id
    )
    SELECT ${prefixed} FROM up CROSS JOIN entity e WHERE e.id = up.id
    UNION
    SELECT ${prefixed} FROM up CROSS JOIN entity e WHERE up.kind = 'merchant' AND e.parent_id = up.id`,
  ),
  entitiesBelow: `${listed} WHERE e.parent_id = ?1 AND (e.name, e.id) > (?2, ?3) ORDER BY e.name, e.id LIMIT ?4`,
  entitiesAtTop: `${listed} WHERE e.parent_id IS NULL AND (e.name, e.id) > (?1, ?2) ORDER BY e.name, e.id LIMIT ?3`,
  countBelow: 'SELECT count(*) AS below FROM entity WHERE parent_id = ?1',
  tokenPage: `
    SELECT ${tokenColumns} FROM access_token WHERE (token_hash, entity_id) > (?1, ?2) ORDER BY token_hash, entity_id LIMIT ?3`,
  tokensOfUsers: inBoth(
    ({ among }) => `SELECT ${tokenColumns} FROM access_token WHERE user_id IN (${among('?1')}) ORDER BY token_hash, entity_id`,
  ),
  tokensOfEntity: `SELECT ${tokenColumns} FROM access_token WHERE entity_id = ?1 ORDER BY token_hash`,
  entityPage: {
    sqlite: inFileOrder(entityColumns, 'entity'),
    postgres: asText(entityColumns, 'id', 'entity WHERE id > ?1 ORDER BY id LIMIT ?2'),
  },
  grantPage: {
    sqlite: inFileOrder(grantColumns, 'access_token'),
    postgres: asText(
      grantColumns,
      'token_hash, entity_id',
      'access_token WHERE (token_hash, entity_id) > (?1, ?2) ORDER BY token_hash, entity_id LIMIT ?3',
    ),
  },
  directoryChanges: 'SELECT seq, kind, key FROM directory_change WHERE seq >= ?1 ORDER BY seq LIMIT ?2',
  lastDirectoryChange: 'SELECT seq FROM directory_change ORDER BY seq DESC LIMIT 1',
  /** The newest rows stay. A node that is further behind reads everything anew. */
  deleteDirectoryChanges: `
    DELETE FROM directory_change WHERE seq IN (
      SELECT seq FROM directory_change WHERE seq <= (SELECT max(seq) FROM directory_change) - ?1 ORDER BY seq LIMIT ?2
    )`,
} as const;

export const accountMethods = (db: Database): Omit<MerchantStore, 'insertAccounts'> => ({
  entities: async () => (await db.read<StoredEntity>(accountStatements.entities)).map(entityOf),
  tokens: async () => (await db.read<StoredToken>(accountStatements.tokens)).map(tokenOf),
  setSettings: async (entityId, settings) =>
    (await db.write(step(accountStatements.setSettings, entityId, JSON.stringify(settings)))) > 0,
  saveEntity: async ({ id, name, settings, revision }) =>
    (await db.write(step(accountStatements.saveEntity, id, name, JSON.stringify(settings), revision))) > 0,
  endToken: async ({ tokenHash, entityId }, endsAt, now) =>
    (await db.write(step(accountStatements.endToken, tokenHash, entityId, endsAt, now))) > 0,
  setTokenAddresses: async ({ tokenHash, entityId }, allowed, now) => {
    const text = allowed && JSON.stringify(allowed);
    return (await db.write(step(accountStatements.setTokenAddresses, tokenHash, entityId, text, now))) > 0;
  },
  saveTokenUses: (used) =>
    db.writeApart(
      ...used.map(({ tokenHash, entityId, usedOn }) => step(accountStatements.saveTokenUses, tokenHash, entityId, usedOn)),
    ),
  deleteDirectoryChanges: (kept) => deleteInBatches(db, accountStatements.deleteDirectoryChanges, kept),
  ...directoryReads(db),
});

const directoryReads = (db: Database): DirectoryReads => ({
  lineages: async (ids) => (await db.read<StoredEntity>(accountStatements.lineages, JSON.stringify(ids))).map(entityOf),
  entitiesBelow: async (parentId, after, limit) => {
    const cells = [after?.name ?? '', after?.id ?? '', limit];
    const rows =
      parentId === null
        ? db.read<StoredListed>(accountStatements.entitiesAtTop, ...cells)
        : db.read<StoredListed>(accountStatements.entitiesBelow, parentId, ...cells);
    return (await rows).map(listedOf);
  },
  countBelow: async (parentId) => {
    const [row] = await db.read<Pick<StoredListed, 'below'>>(accountStatements.countBelow, parentId);
    return Number(row?.below ?? 0);
  },
  entityPage: (after, limit) =>
    db.dialect === 'sqlite'
      ? pageInFileOrder<EntityCells>(db, accountStatements.entityPage, after, limit)
      : pageAsText<EntityCells>(db, accountStatements.entityPage, { cells: [after ?? ''], limit, cursorOf: ([id]) => id }),
  grantPage: (after, limit) => {
    if (db.dialect === 'sqlite') return pageInFileOrder<GrantCells>(db, accountStatements.grantPage, after, limit);
    const [tokenHash = '', entityId = ''] = String(after ?? '').split(' ');
    return pageAsText<GrantCells>(db, accountStatements.grantPage, {
      cells: [tokenHash, entityId],
      limit,
      cursorOf: ([hash, entity]) => `${hash} ${entity}`,
    });
  },
  tokenPage: async (after, limit) =>
    (await db.read<StoredToken>(accountStatements.tokenPage, after?.tokenHash ?? '', after?.entityId ?? '', limit)).map(tokenOf),
  tokensOfUsers: async (userIds) =>
    (await db.read<StoredToken>(accountStatements.tokensOfUsers, JSON.stringify(userIds))).map(tokenOf),
  tokensOfEntity: async (entityId) => (await db.read<StoredToken>(accountStatements.tokensOfEntity, entityId)).map(tokenOf),
  directoryChanges: async (from, limit) =>
    (await db.read<StoredChange>(accountStatements.directoryChanges, from, limit)).map(changeOf),
  lastDirectoryChange: async () => {
    const [row] = await db.read<Pick<StoredChange, 'seq'>>(accountStatements.lastDirectoryChange);
    return Number(row?.seq ?? 0);
  },
});

/** A page in the order of row numbers, which come last in a row. */
async function pageInFileOrder<Cells>(
  db: Database,
  statement: Dialects,
  after: PageCursor | null,
  limit: number,
): Promise<CellPage<Cells>> {
  let last = 0;
  const rows = await db.walk<unknown[], Cells>(statement, [after ?? 0, limit], (cells) => {
    last = cells.pop() as number;
    return cells as Cells;
  });
  return { rows, next: rows.length >= limit ? last : null };
}

type TextPage<Cells> = {
  readonly cells: readonly Cell[];
  readonly limit: number;
  /** The cursor behind the last row of a page. */
  readonly cursorOf: (last: Cells) => PageCursor;
};

async function pageAsText<Cells>(
  db: Database,
  statement: Dialects,
  { cells, limit, cursorOf }: TextPage<Cells>,
): Promise<CellPage<Cells>> {
  const [stored] = await db.read<{ readonly page: string | null }>(statement, ...cells, limit);
  const rows = stored?.page ? (JSON.parse(stored.page) as readonly Cells[]) : [];
  const last = rows.at(-1);
  return { rows, next: last && rows.length >= limit ? cursorOf(last) : null };
}

type StoredChange = { readonly seq: number | string; readonly kind: DirectoryChange['kind']; readonly key: string };
const changeOf = ({ seq, kind, key }: StoredChange): DirectoryChange => ({ seq: Number(seq), kind, key });

type StoredListed = StoredEntity & { readonly below: number | string };
const listedOf = (row: StoredListed): ListedEntity => ({ row: entityOf(row), below: Number(row.below) });

export type StoredEntity = {
  readonly id: string;
  readonly kind: EntityKind;
  readonly parent_id: string | null;
  readonly name: string;
  readonly settings: string;
  readonly revision: string | number;
};

export const entityCells = ({ id, kind, parentId, name, settings }: EntityRow): Cell[] => [
  id,
  kind,
  parentId,
  name,
  JSON.stringify(settings),
];

export const entityOf = ({ id, kind, parent_id, name, settings, revision }: StoredEntity): VersionedEntity => ({
  id,
  kind,
  parentId: parent_id,
  name,
  settings: settings === '{}' ? {} : (JSON.parse(settings) as EntityRow['settings']),
  revision: Number(revision),
});

export type StoredToken = {
  readonly token_hash: string;
  readonly entity_id: string;
  readonly user_id: string;
  readonly created_at: string | number;
  readonly name: string | null;
  readonly created_by: string | null;
  readonly ends_at: string | number | null;
  readonly used_on: string | number | null;
  /** JSON. */
  readonly allowed_addresses: string | null;
};

export const tokenCells = ({ tokenHash, entityId, userId, createdAt, ...known }: TokenRow): Cell[] => [
  tokenHash,
  entityId,
  userId,
  createdAt,
  known.name ?? null,
  known.createdBy ?? null,
  known.endsAt ?? null,
  known.usedOn ?? null,
  known.allowedAddresses ? JSON.stringify(known.allowedAddresses) : null,
];

/** Without copies by spreading: a node reads some hundred thousand tokens at its start. */
export const tokenOf = (row: StoredToken): TokenRow => ({
  tokenHash: row.token_hash,
  entityId: row.entity_id,
  userId: row.user_id,
  createdAt: Number(row.created_at),
  ...(row.name !== null && { name: row.name }),
  ...(row.created_by !== null && { createdBy: row.created_by }),
  ...(row.ends_at !== null && { endsAt: Number(row.ends_at) }),
  ...(row.used_on !== null && { usedOn: Number(row.used_on) }),
  ...(row.allowed_addresses !== null && { allowedAddresses: JSON.parse(row.allowed_addresses) as readonly string[] }),
});
