import type { CellPage, DirectoryChange, ListedEntity, PageCursor } from '../../merchants/ports.ts';
import { entityOf, type StoredEntity } from './payments.ts';

/** Every statement about entities and access tokens that are read on demand, in the form of statements.ts. */

const entityColumns = 'id, kind, parent_id, name, settings, revision';
const prefixed = 'e.id, e.kind, e.parent_id, e.name, e.settings, e.revision';

const listed = `SELECT ${prefixed}, (SELECT count(*) FROM entity c WHERE c.parent_id = e.id) AS below FROM entity e`;

/** `among`: how the database expands a JSON list of texts, as a list of one column. */
const directoryReads = (among: (place: string) => string, tokenColumns: string) => ({
  /** The entities with these ids, all above them, and all channels of the merchants among those. */
  lineages: `
    WITH RECURSIVE up (id, kind, parent_id) AS (
      SELECT id, kind, parent_id FROM entity WHERE id IN (${among('?1')})
      UNION
      SELECT e.id, e.kind, e.parent_id FROM up CROSS JOIN entity e WHERE e.id = up.parent_id
    )
    SELECT ${prefixed} FROM up CROSS JOIN entity e WHERE e.id = up.id
    UNION
    SELECT ${prefixed} FROM up CROSS JOIN entity e WHERE up.kind = 'merchant' AND e.parent_id = up.id`,
  entitiesBelow: `${listed} WHERE e.parent_id = ?1 AND (e.name, e.id) > (?2, ?3) ORDER BY e.name, e.id LIMIT ?4`,
  entitiesAtTop: `${listed} WHERE e.parent_id IS NULL AND (e.name, e.id) > (?1, ?2) ORDER BY e.name, e.id LIMIT ?3`,
  countBelow: 'SELECT count(*) AS below FROM entity WHERE parent_id = ?1',
  tokenPage: `
    SELECT ${tokenColumns} FROM access_token WHERE (token_hash, entity_id) > (?1, ?2) ORDER BY token_hash, entity_id LIMIT ?3`,
  tokensOfUsers: `SELECT ${tokenColumns} FROM access_token WHERE user_id IN (${among('?1')}) ORDER BY token_hash, entity_id`,
  tokensOfEntity: `SELECT ${tokenColumns} FROM access_token WHERE entity_id = ?1 ORDER BY token_hash`,
  directoryChanges: 'SELECT seq, kind, key FROM directory_change WHERE seq >= ?1 ORDER BY seq LIMIT ?2',
  lastDirectoryChange: 'SELECT seq FROM directory_change ORDER BY seq DESC LIMIT 1',
});

const tokenColumnNames = 'token_hash, entity_id, user_id, created_at, name, created_by, ends_at, used_on, allowed_addresses';

const grantColumns = 'token_hash, entity_id, user_id, ends_at, used_on, allowed_addresses';

/** Pages in the order of the file: the order of a key would read a page of the file for each row. */
const inFileOrder = (columns: string, table: string): string =>
  `SELECT ${columns}, rowid FROM ${table} WHERE rowid > ?1 ORDER BY rowid LIMIT ?2`;

export const sqliteDirectoryReads = {
  ...directoryReads((place) => `SELECT value FROM json_each(${place})`, tokenColumnNames),
  entityPage: inFileOrder(entityColumns, 'entity'),
  grantPage: inFileOrder(grantColumns, 'access_token'),
};

/** A page is one text: the driver takes several times as long for as many rows. */
const asText = (columns: string, order: string, source: string): string =>
  `SELECT json_agg(json_build_array(${columns}) ORDER BY ${order})::text AS page FROM (SELECT ${columns} FROM ${source}) paged`;

export const postgresDirectoryReads = {
  ...directoryReads((place) => `SELECT json_array_elements_text(${place}::text::json)`, tokenColumnNames),
  entityPage: asText(entityColumns, 'id', 'entity WHERE id > ?1 ORDER BY id LIMIT ?2'),
  grantPage: asText(
    grantColumns,
    'token_hash, entity_id',
    'access_token WHERE (token_hash, entity_id) > (?1, ?2) ORDER BY token_hash, entity_id LIMIT ?3',
  ),
};

export type StoredPage = { readonly page: string | null };

/** A page of PostgreSQL. `cursorOf`: where the row stands that a page ends with. */
export function pageOf<Cells>(
  [stored]: readonly StoredPage[],
  limit: number,
  cursorOf: (last: Cells) => PageCursor,
): CellPage<Cells> {
  const rows = stored?.page ? (JSON.parse(stored.page) as readonly Cells[]) : [];
  const last = rows.at(-1);
  return { rows, next: last && rows.length >= limit ? cursorOf(last) : null };
}

export const directoryWrites = {
  /** The newest rows stay. A node that is further behind reads everything anew. */
  deleteDirectoryChanges: `
    DELETE FROM directory_change WHERE seq IN (
      SELECT seq FROM directory_change WHERE seq <= (SELECT max(seq) FROM directory_change) - ?1 ORDER BY seq LIMIT ?2
    )`,
} as const;

export type StoredChange = { readonly seq: number | string; readonly kind: DirectoryChange['kind']; readonly key: string };

export const changeOf = ({ seq, kind, key }: StoredChange): DirectoryChange => ({ seq: Number(seq), kind, key });

export type StoredListed = StoredEntity & { readonly below: number | string };

export const listedOf = (row: StoredListed): ListedEntity => ({ row: entityOf(row), below: Number(row.below) });
