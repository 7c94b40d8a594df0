import type { Sql } from 'postgres';

/** What others may do with an object that is created again. */
export type Grant = { readonly relation: string; readonly statement: string };

/** Members of extensions are not ours: `DROP EXTENSION` removes them. */
const ofNoExtension = (catalog: string, oid: string): string =>
  `NOT EXISTS (SELECT FROM pg_depend WHERE classid = '${catalog}'::regclass AND objid = ${oid} AND deptype = 'e')`;

/** A sequence of a column goes with its table; the others are last. */
const CONTENT = `
SELECT statement FROM (
SELECT format('DROP %s IF EXISTS %s CASCADE', kind.word, c.oid::regclass) AS statement
  FROM pg_class c
  JOIN (VALUES ('r', 'TABLE'), ('p', 'TABLE'), ('f', 'FOREIGN TABLE'), ('v', 'VIEW'), ('m', 'MATERIALIZED VIEW'), ('S', 'SEQUENCE'))
    AS kind (letter, word) ON kind.letter = c.relkind::text
 WHERE c.relnamespace = current_schema()::regnamespace AND ${ofNoExtension('pg_class', 'c.oid')}
UNION ALL
SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure)
  FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind IN ('f', 'p') AND ${ofNoExtension('pg_proc', 'p.oid')}
UNION ALL
SELECT format('DROP TYPE IF EXISTS %s CASCADE', t.oid::regtype)
  FROM pg_type t WHERE t.typnamespace = current_schema()::regnamespace AND t.typtype IN ('e', 'd') AND ${ofNoExtension('pg_type', 't.oid')}
) AS content ORDER BY statement LIKE 'DROP SEQUENCE %'`;

const TO = `CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END`;

const GRANTS = `
SELECT quote_ident(c.relname) AS relation, format('GRANT %s ON %s %I TO %s%s',
         privilege_type, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.relname, ${TO}) AS statement
  FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl)
 WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'S') AND grantee <> c.relowner
UNION ALL
SELECT quote_ident(c.relname), format('GRANT %s (%I) ON TABLE %I TO %s%s', privilege_type, a.attname, c.relname, ${TO})
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid CROSS JOIN LATERAL aclexplode(a.attacl)
 WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT a.attisdropped AND grantee <> c.relowner`;

/**
 * Removes what the schema holds, and returns the grants on its tables and sequences. The schema itself stays: so do the rights on it, its
 * default privileges, and extensions.
 */
export async function emptySchema(session: Sql): Promise<readonly Grant[]> {
  const grants = await session.unsafe<Grant[]>(GRANTS);
  for (const { statement } of await session.unsafe<{ readonly statement: string }[]>(CONTENT)) await session.unsafe(statement);
  return grants;
}

/** Grants again what was granted, on every table that the restored schema has. */
export async function grantAgain(session: Sql, grants: readonly Grant[]): Promise<void> {
  for (const { relation, statement } of grants) {
    const [row] = await session.unsafe<{ readonly oid: string | null }[]>('SELECT to_regclass($1) AS oid', [relation]);
    if (row?.oid) await session.unsafe(statement);
  }
}
