import type { Call, CallQuery } from '../../developer/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';

/** Every statement about calls, in the form of statements.ts. */

/** In the order of callCells. */
export const callColumns = ['id', 'merchant_id', 'entity_id', 'endpoint', 'status', 'code', 'words', 'data'] as const;
const columns = callColumns.join(', ');

/** Along the ids, which are in the order of time: only so many calls of one owner are kept among which something is looked for. */
const calls = (merchants: string): string => `
    SELECT data FROM api_call
    WHERE ${merchants} AND id < ?2 AND id > ?3 AND (?4 = '' OR endpoint = ?4) AND status BETWEEN ?5 AND ?6
      AND code LIKE ?7 ESCAPE '\\' AND words LIKE ?8 ESCAPE '\\' AND words LIKE ?9 ESCAPE '\\'
    ORDER BY id DESC LIMIT ?10`;

export const callReads = {
  call: 'SELECT data FROM api_call WHERE id = ?1',
  callsOfEntity: calls('entity_id = ?1'),
  callsOfMerchant: calls('merchant_id = ?1'),
  // A user with many merchants sees most of the calls, so the scan passes over the others.
  callsOfMany: calls("?1 LIKE '%' || merchant_id || '%'"),
} as const;

export const callWrites = {
  addCall: `INSERT INTO api_call (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING`,
  deleteCalls: 'DELETE FROM api_call WHERE id IN (SELECT id FROM api_call WHERE id < ?1 ORDER BY id LIMIT ?2)',
  trimCalls: `
    DELETE FROM api_call WHERE id IN (
      SELECT id FROM api_call
      WHERE merchant_id = ?1
        AND id < (SELECT id FROM api_call WHERE merchant_id = ?1 AND id > '' ORDER BY id DESC LIMIT 1 OFFSET ?2)
      ORDER BY id LIMIT ?3
    )`,
} as const;

/** Many at once, in PostgreSQL. */
export const addCallsPostgres = `
  INSERT INTO api_call (${columns})
  SELECT ${columns} FROM json_to_recordset($1::text::json) AS c (${callColumns
    .map((name) => `${name} ${name === 'status' ? 'bigint' : 'text'}`)
    .join(', ')})
  ON CONFLICT DO NOTHING`;

export type CallRow = { readonly data: string };

export const callOf = ({ data }: CallRow): Call => JSON.parse(data) as Call;

type CallCells = readonly [
  id: string,
  merchantId: string,
  entityId: string,
  endpoint: string,
  status: number,
  code: string,
  words: string,
  data: string,
];

/** The texts by which a call can be found. */
export const wordsOf = ({ id, ndc, aboutIds, merchantTransactionId }: Call): string =>
  [id, ndc ?? '', ...aboutIds, merchantTransactionId ?? ''].join(' ').toLowerCase();

export const callCells = (call: Call): CallCells => [
  call.id,
  call.merchantId,
  call.entityId,
  call.endpoint,
  call.status,
  call.code,
  wordsOf(call),
  JSON.stringify(call),
];

export function checkCalls(calls: readonly Call[]): void {
  if (!calls.every(({ at, status }) => Number.isSafeInteger(at) && Number.isSafeInteger(status)))
    throw new BrokenCommit('a call that cannot be stored');
}

const TIME_DIGITS = 12;
const [FIRST, LAST] = ['', 'g'];
const [LOWEST, HIGHEST] = [0, 999];

/** Every id that was made before the instant is less than this, as ids begin with their time. */
export const idAt = (instant: number): string => Math.max(0, Math.ceil(instant)).toString(16).padStart(TIME_DIGITS, '0');

const least = (...ids: readonly (string | undefined)[]): string =>
  ids.filter((id) => id !== undefined).reduce((one, other) => (other < one ? other : one), LAST);
const greatest = (...ids: readonly (string | undefined)[]): string =>
  ids.filter((id) => id !== undefined).reduce((one, other) => (other > one ? other : one), FIRST);
const escaped = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, '\\$&');

function listFor(merchants: CallQuery['merchants']) {
  switch (merchants.is) {
    case 'entity':
      return ['callsOfEntity', merchants.entityId] as const;
    case 'merchant':
      return ['callsOfMerchant', merchants.merchantId] as const;
    case 'merchants':
      return ['callsOfMany', merchants.merchantIds.join(' ')] as const;
  }
}

/** The list that a query reads, and its cells. */
export function callsCells(query: CallQuery) {
  const { merchants, endpoint = '', statuses = [LOWEST, HIGHEST], code = '', text = '', paymentId = '' } = query;
  const [name, owner] = listFor(merchants);
  const cells = [
    owner,
    least(query.after, query.to === undefined ? undefined : idAt(query.to)),
    greatest(query.newer, query.from === undefined ? undefined : idAt(query.from)),
    endpoint,
    ...statuses,
    `${escaped(code)}%`,
    `%${escaped(text)}%`,
    `%${escaped(paymentId)}%`,
    query.limit,
  ] as const;
  return { name, cells };
}
