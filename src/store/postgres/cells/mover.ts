import { StoreOutOfOrder } from '../../../payments/storeErrors.ts';
import type { CopiedRow, MovingCell, MovingKey, OwnedState, RangeDigest, RestRows, RowDigest, Walk } from '../../cells/moving.ts';
import { constraintOf, writeError } from '../errors.ts';
import type { Parameter, Pool } from '../pool.ts';
import type { Transaction } from '../transaction.ts';
import { type MovedTable, movedTables, ownerOf, primaryOf, restTables, walkOf } from './movedTables.ts';

/** The statements of a move in one of its two databases. Rows travel as JSON, which the server writes and reads. */

/** How long the lock of a merchant is waited for: its writers queue behind the mover. */
const LOCK_MS = 300;
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 7120946218))';

type Columns = ReadonlyMap<string, string>;
type Row = { readonly row: string };

const tableNamed = (name: string): MovedTable => {
  const table = movedTables.find((one) => one.name === name);
  if (!table) throw new StoreOutOfOrder(`the table ${name} is not one of a merchant`);
  return table;
};

/** The columns of a table with their types. */
async function readColumns(pool: Pool, name: string): Promise<Columns> {
  const rows = await pool.read<{ readonly name: string; readonly type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = ?1::text::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [name],
  );
  return new Map(rows.map((row) => [row.name, row.type]));
}

const listOf = (rows: readonly string[]): string => `[${rows.join(',')}]`;
const keyJson = (table: MovedTable): string =>
  `json_build_object(${table.key.map((name) => `'${name}', t.${name}`).join(', ')})::text`;

type Bounds = { readonly after: string | null /** Of the last row; null: to the end. */; readonly to?: string | null };

/** The rows of a portion along the index. ?1 the merchant, ?2 the limit, then the places that it lies between. */
function portion(table: MovedTable, columns: Columns, wanted: string, { after, to = null }: Bounds): string {
  const walk = walkOf(table);
  const names = walk.map((name) => `t.${name}`).join(', ');
  const placeFrom = (first: number): string => walk.map((name, at) => `?${at + first}::text::${columns.get(name)}`).join(', ');
  const lower = after === null ? '' : `AND (${names}) > (${placeFrom(3)})`;
  const upper = to === null ? '' : `AND (${names}) <= (${placeFrom(after === null ? 3 : 3 + walk.length)})`;
  const at = `json_build_array(${walk.map((name) => `t.${name}::text`).join(', ')})::text AS at`;
  return `
    SELECT ${wanted}, ${at}, row_number() OVER (ORDER BY ${names}) AS place FROM ${table.name} t
    WHERE t.${ownerOf(table)} = ?1 AND ${table.only ?? 'true'} ${lower} ${upper} ORDER BY ${names} LIMIT ?2`;
}

/** One digest of all rows of a portion. */
const rangeDigest = (rows: string): string => `
  SELECT count(*)::int AS count, md5(string_agg(one.digest, '' ORDER BY one.place)) AS digest,
    (array_agg(one.at ORDER BY one.place DESC))[1] AS at FROM (${rows}) one`;

/**
 * The tuples of the rows with given keys. `OFFSET 0` makes the server look for each key in the index: without statistics, such as in a
 * cell that has just been filled, it would compare all keys with all rows.
 */
const byKeys = (table: MovedTable, wanted: string, { merchant, keys }: { merchant: string; keys: string }): string => `
  ROWS FROM (json_populate_recordset(NULL::${table.name}, ${keys}::text::json)) WITH ORDINALITY k
  LEFT JOIN LATERAL (
    SELECT ${wanted} AS found FROM ${table.name} t WHERE t.${ownerOf(table)} = ${merchant} AND ${table.only ?? 'true'} AND ${table.key
      .map((name) => `t.${name} = k.${name}`)
      .join(' AND ')} OFFSET 0
  ) f ON true`;

/** In the order of the keys. */
const readByKeys = (table: MovedTable, wanted: string): string =>
  `SELECT f.found FROM ${byKeys(table, wanted, { merchant: '?1', keys: '?2' })} ORDER BY k.ordinality`;

/** `only` has names of columns, which a join would make ambiguous. */
const qualified = (table: MovedTable): MovedTable => (table.only ? { ...table, only: `t.${table.only}` } : table);

function insert(table: MovedTable, columns: Columns, onConflict: 'nothing' | 'update'): string {
  const names = [...columns.keys()];
  const changed = names.filter((name) => !primaryOf(table).includes(name));
  const updates = changed.map((name) => `${name} = excluded.${name}`).join(', ');
  const action =
    onConflict === 'nothing' || changed.length === 0 ? 'DO NOTHING' : `(${primaryOf(table).join(', ')}) DO UPDATE SET ${updates}`;
  return `
    INSERT INTO ${table.name} (${names.join(', ')})
    SELECT ${names.join(', ')} FROM json_populate_recordset(NULL::${table.name}, $1::text::json) ON CONFLICT ${action}`;
}

/** Nobody but the mover changes a copy, so that its tuples stay where they were found. */
const remove = (table: MovedTable): string => `
  DELETE FROM ${table.name} WHERE ctid = ANY (ARRAY(
    SELECT f.found FROM ${byKeys(qualified(table), 't.ctid', { merchant: '$1', keys: '$2' })} WHERE f.found IS NOT NULL
  ))`;

/** Another run of the mover has taken over, or the move was taken back. */
export class MoverReplaced extends StoreOutOfOrder {}

export function postgresMoving(pool: Pool): MovingCell {
  const known = new Map<string, Promise<Columns>>();
  const columnsOf = (name: string): Promise<Columns> => {
    const columns = known.get(name) ?? readColumns(pool, name);
    known.set(name, columns);
    return columns;
  };
  /** Steps as the mover, who is refused once another run has taken over. */
  const asMover = <T>(merchantId: string, run: string, steps: (tx: Transaction) => Promise<T>): Promise<T> =>
    inOne(pool, async (tx) => {
      const held = await tx.run(
        "SELECT set_config('turnpike.mover', $2, true) FROM owned_merchant WHERE merchant_id = $1 AND mover = $2 FOR SHARE",
        [merchantId, run],
      );
      if (held.count === 0) throw new MoverReplaced('another run of the mover has taken over');
      return steps(tx);
    });
  return {
    ...statesIn(pool),
    ...notesIn(pool),
    ...readsIn(pool, columnsOf),
    addPortion: async (merchantId, run, { table: name, rows, at }) => {
      // Before the transaction, which has a connection for itself.
      const text = insert(tableNamed(name), await columnsOf(name), 'nothing');
      await asMover(merchantId, run, async (tx) => {
        if (rows.length > 0) await tx.run(text, [listOf(rows)]);
        await tx.run(
          `INSERT INTO moving_progress (merchant_id, relation, after) VALUES ($1, $2, $3)
           ON CONFLICT (merchant_id, relation) DO UPDATE SET after = excluded.after`,
          [merchantId, name, at],
        );
      });
    },
    apply: async (merchantId, run, changes) => {
      const texts = new Map<string, string>();
      for (const { table: name } of changes) texts.set(name, insert(tableNamed(name), await columnsOf(name), 'update'));
      await asMover(merchantId, run, async (tx) => {
        for (const { table: name, rows, removed } of changes) {
          if (removed.length > 0) await tx.run(remove(tableNamed(name)), [merchantId, listOf(removed)]);
          if (rows.length > 0) await tx.run(texts.get(name) ?? '', [listOf(rows)]);
        }
      });
    },
    putRest: (merchantId, run, rest) => asMover(merchantId, run, (tx) => putRest(tx, merchantId, rest)),
    removePortion: (merchantId, run, name, limit) =>
      asMover(merchantId, run, async (tx) => {
        const table = movedTables.find((one) => one.name === name) ?? { name, key: [], fence: {} };
        const only = table.owner ? table.only : 'true';
        const text = `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE ${ownerOf(table)} = $1 AND ${only} LIMIT $2))`;
        return (await tx.run(text, [merchantId, limit])).count;
      }),
    removeKeys: (merchantId, run, name, keys) =>
      asMover(merchantId, run, async (tx) => void (await tx.run(remove(tableNamed(name)), [merchantId, listOf(keys)]))),
  };
}

/** One transaction, with our own errors. */
async function inOne<T>(pool: Pool, steps: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await pool.transaction(steps);
  } catch (error) {
    throw error instanceof StoreOutOfOrder ? error : moveError(error);
  }
}

const moveError = (error: unknown): Error =>
  constraintOf(error) === 'owned_merchant_rises' ? new MoverReplaced('another run of the mover was first') : writeError(error);

type States = 'owned' | 'takeOver' | 'arrive' | 'leave' | 'stop' | 'depart' | 'change';

function statesIn(pool: Pool): Pick<MovingCell, States> {
  /** After all writers of the merchant who are under way; those who come later read what it changes. */
  const alone = (merchantId: string, text: string, cells: readonly Parameter[]): Promise<boolean> =>
    inOne(pool, async (tx) => {
      await tx.run(`SET LOCAL lock_timeout = ${LOCK_MS}`);
      await tx.run(LOCK, [merchantId]);
      return (await tx.run(text, [merchantId, ...cells])).count > 0;
    });
  const set = async (text: string, cells: readonly Parameter[]): Promise<boolean> =>
    (await inOne(pool, (tx) => tx.run(text, cells))).count > 0;
  return {
    owned: async (merchantId) => {
      const [row] = await pool.read<{ readonly state: OwnedState }>('SELECT state FROM owned_merchant WHERE merchant_id = ?1', [
        merchantId,
      ]);
      return row?.state ?? null;
    },
    takeOver: async (merchantId, run) => {
      await set('UPDATE owned_merchant SET mover = $2, epoch = epoch + 1 WHERE merchant_id = $1', [merchantId, run]);
    },
    arrive: (merchantId, run) =>
      set(
        `INSERT INTO owned_merchant AS o (merchant_id, epoch, state, mover) VALUES ($1, 1, 'arriving', $2)
         ON CONFLICT (merchant_id) DO UPDATE SET state = 'arriving', mover = $2, epoch = o.epoch + 1 WHERE o.state = 'left'`,
        [merchantId, run],
      ),
    leave: (merchantId, run) =>
      alone(
        merchantId,
        `UPDATE owned_merchant SET state = 'leaving', mover = $2, epoch = epoch + 1 WHERE merchant_id = $1 AND state = 'here'`,
        [run],
      ),
    stop: (merchantId, run, ms) =>
      alone(
        merchantId,
        `UPDATE owned_merchant SET stopped_until = clock_timestamp() + $3 * interval '1 millisecond', epoch = epoch + 1
         WHERE merchant_id = $1 AND mover = $2 AND state = 'leaving'`,
        [run, ms],
      ),
    // Whatever a writer has done after the end of the stop has noted its keys.
    depart: (merchantId, run) =>
      alone(
        merchantId,
        `UPDATE owned_merchant SET state = 'gone', stopped_until = NULL, epoch = epoch + 1
         WHERE merchant_id = $1 AND mover = $2 AND state = 'leaving' AND stopped_until > clock_timestamp()
           AND NOT EXISTS (SELECT 1 FROM moving_key WHERE merchant_id = $1)`,
        [run],
      ),
    change: (merchantId, from, to, run) =>
      set(
        `UPDATE owned_merchant SET state = $3, stopped_until = NULL, epoch = epoch + 1
         WHERE merchant_id = $1 AND state = $2 AND ($4::text IS NULL OR mover = $4)`,
        [merchantId, from, to, run],
      ),
  };
}

type Notes = 'progress' | 'keys' | 'dropKeys' | 'countKeys' | 'unfinishedFiles' | 'fileIds' | 'webhooks' | 'addWebhooks';

function notesIn(pool: Pool): Pick<MovingCell, Notes> {
  const rowsOf = async (text: string, cells: readonly Parameter[]): Promise<readonly string[]> =>
    (await pool.read<Row>(text, cells)).map(({ row }) => row);
  return {
    progress: async (merchantId) => {
      type Progress = { readonly relation: string; readonly after: string | null };
      const rows = await pool.read<Progress>('SELECT relation, after FROM moving_progress WHERE merchant_id = ?1', [merchantId]);
      return new Map(rows.map(({ relation, after }) => [relation, after]));
    },
    keys: (merchantId, limit) =>
      pool.read<MovingKey>(
        'SELECT n::text AS n, relation AS table, key FROM moving_key WHERE merchant_id = ?1 ORDER BY moving_key.n LIMIT ?2',
        [merchantId, limit],
      ),
    dropKeys: async (merchantId, numbers) => {
      const text = 'DELETE FROM moving_key WHERE merchant_id = $1 AND n = ANY ($2::text::bigint[])';
      await inOne(pool, (tx) => tx.run(text, [merchantId, `{${numbers.join(',')}}`]));
    },
    countKeys: async (merchantId) => {
      const [row] = await pool.read<{ readonly count: number }>(
        'SELECT count(*)::int AS count FROM (SELECT 1 FROM moving_key WHERE merchant_id = ?1 LIMIT 10000) noted',
        [merchantId],
      );
      return row?.count ?? 0;
    },
    unfinishedFiles: (merchantId) =>
      rowsOf(
        `SELECT f.id AS row FROM settlement_file f WHERE f.state IN ('reading', 'dropping')
           AND EXISTS (SELECT 1 FROM settlement_record r WHERE r.file_id = f.id AND r.merchant_id = ?1)`,
        [merchantId],
      ),
    fileIds: (merchantId) => rowsOf('SELECT DISTINCT file_id AS row FROM settlement_record WHERE merchant_id = ?1', [merchantId]),
    webhooks: () => rowsOf('SELECT row_to_json(t)::text AS row FROM webhook t', []),
    addWebhooks: async (rows) => {
      const text =
        'INSERT INTO webhook SELECT * FROM json_populate_recordset(NULL::webhook, $1::text::json) ON CONFLICT DO NOTHING';
      if (rows.length > 0) await inOne(pool, (tx) => tx.run(text, [listOf(rows)]));
    },
  };
}

type Reads = 'portion' | 'digests' | 'rangeDigest' | 'rows' | 'digestsOf' | 'balancesOf' | 'rest' | 'totals';

const DIGEST = 'md5(row_to_json(t)::text)';

function readsIn(pool: Pool, columnsOf: (name: string) => Promise<Columns>): Pick<MovingCell, Reads> {
  const walk = async <Found extends object>(
    name: string,
    { wanted, as = (rows) => rows }: { readonly wanted: string; readonly as?: (rows: string) => string },
    { merchantId, after, to = null, limit }: Walk,
  ): Promise<Found[]> => {
    const text = as(portion(qualified(tableNamed(name)), await columnsOf(name), wanted, { after, to }));
    const places = [after, to].flatMap((place) => (place === null ? [] : (JSON.parse(place) as string[])));
    return pool.read<Found>(text, [merchantId, limit, ...places], 'anew');
  };
  const readKeys = async (name: string, wanted: string, cells: readonly Parameter[]): Promise<readonly (string | null)[]> => {
    const text = readByKeys(qualified(tableNamed(name)), wanted);
    return (await pool.read<{ readonly found: string | null }>(text, cells, 'anew')).map(({ found }) => found);
  };
  return {
    portion: (name, asked) => walk<CopiedRow>(name, { wanted: 'row_to_json(t)::text AS row' }, asked),
    digests: (name, asked) =>
      walk<RowDigest>(name, { wanted: `${keyJson(tableNamed(name))} AS key, ${DIGEST} AS digest` }, asked),
    rangeDigest: async (name, asked) => {
      const [found] = await walk<RangeDigest>(name, { wanted: `${DIGEST} AS digest`, as: rangeDigest }, asked);
      return found ?? { count: 0, digest: null, at: null };
    },
    rows: (name, merchantId, keys) => readKeys(name, 'row_to_json(t)::text', [merchantId, listOf(keys)]),
    digestsOf: (name, merchantId, keys) => readKeys(name, DIGEST, [merchantId, listOf(keys)]),
    balancesOf: async (merchantId, familyIds) => {
      const rows = await pool.read<Row>(balances, [merchantId, JSON.stringify(familyIds)], 'anew');
      return rows.map(({ row }) => row);
    },
    rest: (merchantId, fileIds) => readRest(pool, merchantId, fileIds),
    totals: async (merchantId) => (await pool.read<{ readonly totals: string }>(totals, [merchantId]))[0]?.totals ?? '',
  };
}

/** The sums of the members of some families. */
const balances = `
  SELECT row_to_json(t)::text AS row FROM (
    SELECT f.id FROM json_array_elements_text(?2::text::json) f (id)
    UNION
    SELECT p.id FROM json_array_elements_text(?2::text::json) f (id)
    CROSS JOIN LATERAL (
      SELECT id FROM payment WHERE merchant_id = ?1 AND family_id = f.id AND referenced_id IS NOT NULL OFFSET 0
    ) p
  ) member
  CROSS JOIN LATERAL (SELECT * FROM balance b WHERE b.merchant_id = ?1 AND b.payment_id = member.id OFFSET 0) t`;

/** Sums by which both sides are compared: payments, the head of the ledger, and what is not sealed yet. */
const totals = `
  SELECT json_build_array(
    (SELECT COALESCE(SUM(count), 0) FROM payment_count WHERE merchant_id = ?1 AND span = 86400000),
    (SELECT b.number || ' ' || b.hash FROM ledger_block b WHERE b.merchant_id = ?1 ORDER BY b.number DESC LIMIT 1),
    (SELECT json_build_array(COUNT(*), SUM(merchant), SUM(acquirer), SUM(fees)) FROM posting WHERE merchant_id = ?1 AND block = 0),
    (SELECT COUNT(*) FROM statistic_change WHERE merchant_id = ?1)
  )::text AS totals`;

async function readRest(pool: Pool, merchantId: string, fileIds: readonly string[]): Promise<RestRows> {
  const rowsOf = async (text: string, cell: string): Promise<readonly string[]> =>
    (await pool.read<Row>(text, [cell])).map(({ row }) => row);
  const tables = restTables.map(
    async ({ name, only }) =>
      [
        name,
        await rowsOf(`SELECT row_to_json(t)::text AS row FROM ${name} t WHERE merchant_id = ?1 AND ${only}`, merchantId),
      ] as const,
  );
  const files = rowsOf(
    'SELECT row_to_json(t)::text AS row FROM settlement_file t WHERE id IN (SELECT json_array_elements_text(?1::text::json))',
    JSON.stringify(fileIds),
  );
  return { tables: Object.fromEntries(await Promise.all(tables)), files: await files };
}

/** In place of what an earlier try has left. A due delivery of a webhook that was removed meanwhile is none. */
async function putRest(tx: Transaction, merchantId: string, { tables, files }: RestRows): Promise<void> {
  for (const { name, only } of restTables) {
    await tx.run(`DELETE FROM ${name} WHERE merchant_id = $1 AND ${only}`, [merchantId]);
    const rows = tables[name] ?? [];
    if (rows.length === 0) continue;
    // Lines of the queue of statistics are numbered by each database.
    const columns = name === 'statistic_change' ? 'merchant_id, subject_id, revision, line' : '*';
    const into = name === 'statistic_change' ? `(${columns})` : '';
    await tx.run(`INSERT INTO ${name} ${into} SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1::text::json)`, [
      listOf(rows),
    ]);
  }
  const addFiles =
    'INSERT INTO settlement_file SELECT * FROM json_populate_recordset(NULL::settlement_file, $1::text::json) ON CONFLICT DO NOTHING';
  if (files.length > 0) await tx.run(addFiles, [listOf(files)]);
  await tx.run(
    `DELETE FROM delivery WHERE merchant_id = $1 AND state = 'due' AND NOT EXISTS (SELECT 1 FROM webhook w WHERE w.id = webhook_id)`,
    [merchantId],
  );
}
