import { FIRST, type ListQuery, newestFirst } from '../../merchants/listing.ts';
import { REVIEW_CODE, REVIEW_COLLECTION } from '../../payments/search/listing.ts';
import {
  type Cell,
  type Dialects,
  first,
  inBoth,
  postgresWords,
  type ReadDatabase,
  sqliteWords,
  type Words,
} from '../database.ts';
import { type Listed, readBriefly } from '../records/listedRows.ts';
import type { StoredLists } from '../store.ts';
import { type CheckoutRow, checkoutFrom, checkoutStatements, listedCheckout } from './checkouts.ts';
import { type ListedRow, listable, readBrief } from './payments.ts';
import { listedRegistration, type RegistrationRow, registrationFrom, registrationStatements } from './registrations.ts';
import { listEntryOf, type StoredEntry } from './risk.ts';
import { type ScheduleRow, scheduleColumns, scheduleOf } from './schedules.ts';

/**
 * Lists for the back office, the newest records first. Each walks along an index of 0027 from the place where the page before ended. The
 * places of all: ?1 merchant, ?2 and ?3 the place, ?4 channel, ?5 the limit, then the filters of a list.
 */

/**
 * A string in JSON has its quotes escaped: only a name of ours looks so. It is not read as JSON, which costs every commit more, and which
 * PostgreSQL refuses to do where a string holds a NUL. The indexes of 0027 have the same expressions.
 */
const memberOf = ({ position }: Words, name: string, length: number): string =>
  `substr(data, ${position('data', `'"${name}":"'`)} + ${name.length + 4}, ${length})`;
const last4 = (words: Words): string => memberOf(words, 'last4Digits', 4);
const registrationId = (words: Words): string => memberOf(words, 'registrationId', 32);
const has = ({ position }: Words, text: string, part: string): string => `${position(text, part)} > 0`;

type List = { readonly columns: string; readonly table: string; readonly where: string };

/** Flagged for review, and not decided. */
const WAITING = `AND code = '${REVIEW_CODE}'
        AND NOT EXISTS (SELECT 1 FROM document WHERE document.collection = '${REVIEW_COLLECTION}' AND document.id = payment.id)`;

const lists = (words: Words) => {
  const { text, number } = words;
  return {
    registrationsListed: {
      columns: listedRegistration,
      table: 'registration',
      where: `AND (${text('?6')} IS NULL OR state = ${text('?6')})`,
    },
    registrationsEnding: {
      columns: listedRegistration,
      table: 'registration',
      where: `AND (${text('?6')} IS NULL OR state = ${text('?6')}) AND ${has(words, 'data', `'"last4Digits":"'`)} AND ${last4(words)} = ?7`,
    },
    checkoutsListed: {
      columns: listedCheckout,
      table: 'checkout',
      where: `AND (${number('?6')} IS NULL OR expires_at > ${number('?6')})`,
    },
    listSchedules: {
      columns: scheduleColumns.join(', '),
      table: 'schedule',
      where: `AND (${text('?6')} IS NULL OR state = ${text('?6')})`,
    },
    reviewsWaiting: { columns: listable, table: 'payment', where: WAITING },
    // For a count: the payments themselves are not read.
    reviewKeys: { columns: 'created_at, id', table: 'payment', where: WAITING },
  } as const satisfies Record<string, List>;
};

type ListName = keyof ReturnType<typeof lists>;

/** Of one merchant. */
const ofOne = ({ columns, table, where }: List, merchant: string, { text }: Words): string => `
  SELECT ${columns} FROM ${table}
  WHERE merchant_id = ${merchant} AND (created_at, id) < (?2, ?3) AND (${text('?4')} IS NULL OR entity_id = ${text('?4')}) ${where}
  ORDER BY created_at DESC, id DESC LIMIT ?5`;

/** In PostgreSQL all merchants are asked with one statement; ?1 is a JSON list. In SQLite, where the file is near, each by itself. */
const ofAll = (list: List): string => `
    SELECT f.* FROM json_array_elements_text(?1::text::json) AS m(id) CROSS JOIN LATERAL (
      ${ofOne(list, 'm.id COLLATE "C"', postgresWords)}
    ) AS f ORDER BY f.created_at DESC, f.id DESC LIMIT ?5`;

const [sqliteLists, postgresLists] = [lists(sqliteWords), lists(postgresWords)];
const names = Object.keys(sqliteLists) as readonly ListName[];

export const listStatements = {
  ...(Object.fromEntries(
    names.map((name) => [name, { sqlite: ofOne(sqliteLists[name], '?1', sqliteWords), postgres: ofAll(postgresLists[name]) }]),
  ) as Readonly<Record<ListName, Dialects>>),
  // Payments with stored details: ?1 merchant, ?2 and ?3 the place, ?4 the details, ?5 the limit.
  usesOf: inBoth(
    (words) => `
  SELECT ${listable} FROM payment
  WHERE merchant_id = ?1 AND ${has(words, 'data', `'"registrationId":"'`)} AND ${registrationId(words)} = ?4
    AND (created_at, id) < (?2, ?3)
  ORDER BY created_at DESC, id DESC LIMIT ?5`,
  ),
  // Along the index registration_customer.
  registrationsOfCustomer: `
  SELECT ${listedRegistration} FROM registration
  WHERE merchant_id = ?1 AND customer_id = ?2 AND customer_id IS NOT NULL AND state || '' = 'active'
  ORDER BY created_at DESC, id DESC LIMIT ?3`,
  // ?1 merchant, ?2 to ?4 the entry behind which the page begins, ?5 now, ?6 the limit, ?7 list, ?8 kind, ?9 a part of the value.
  entriesListed: inBoth((words) => {
    const { text } = words;
    return `
  SELECT merchant_id, list, kind, value, expires_at FROM risk_list_entry
  WHERE merchant_id = ?1 AND (list, kind, value) > (?2, ?3, ?4) AND (expires_at IS NULL OR expires_at > ?5)
    AND (${text('?7')} IS NULL OR list = ${text('?7')}) AND (${text('?8')} IS NULL OR kind = ${text('?8')})
    AND (${text('?9')} IS NULL OR ${has(words, 'lower(value)', text('?9'))})
  ORDER BY list, kind, value LIMIT ?6`;
  }),
} as const;

type Placed = { readonly created_at: string | number; readonly id: string };
const placeOf = ({ created_at, id }: Placed) => ({ createdAt: Number(created_at), id });

/** The rows of a list, of all merchants that the user may see. */
async function rowsOf<Row extends Placed>(
  db: ReadDatabase,
  name: ListName,
  { scope, before, limit }: ListQuery,
  ...filters: readonly Cell[]
): Promise<readonly Row[]> {
  const { createdAt, id } = before ?? FIRST;
  const cells = [createdAt, id, scope.entityId, limit, ...filters];
  if (db.dialect === 'postgres') return db.read<Row>(listStatements[name], JSON.stringify(scope.merchantIds), ...cells);
  const found = await Promise.all(
    scope.merchantIds.map((merchantId) => db.read<Row>(listStatements[name], merchantId, ...cells)),
  );
  return found
    .flat()
    .sort((one, other) => newestFirst(placeOf(one), placeOf(other)))
    .slice(0, limit);
}

export function listMethods(db: ReadDatabase): StoredLists {
  const registrations = (rows: readonly Listed<RegistrationRow>[]) =>
    readBriefly(rows, {
      of: registrationFrom,
      whole: ({ merchant_id, id }) =>
        first(db.readEach<RegistrationRow>(registrationStatements.registration, [[merchant_id, id]])),
    });
  return {
    registrationsListed: async (query) => {
      const { state, last4Digits } = query;
      const rows =
        last4Digits === null
          ? rowsOf<Listed<RegistrationRow>>(db, 'registrationsListed', query, state)
          : rowsOf<Listed<RegistrationRow>>(db, 'registrationsEnding', query, state, last4Digits);
      return registrations(await rows);
    },
    registrationsOfCustomer: async (merchantId, customerId, limit) => {
      const { registrationsOfCustomer } = listStatements;
      return registrations(await db.read<Listed<RegistrationRow>>(registrationsOfCustomer, merchantId, customerId, limit));
    },
    checkoutsListed: async (query) =>
      readBriefly(await rowsOf<Listed<CheckoutRow>>(db, 'checkoutsListed', query, query.livingAt), {
        of: checkoutFrom,
        whole: ({ id }) => first(db.read<CheckoutRow>(checkoutStatements.checkout, id)),
      }),
    listSchedules: async (query) => (await rowsOf<ScheduleRow & Placed>(db, 'listSchedules', query, query.state)).map(scheduleOf),
    reviewsWaiting: async (query) => readBrief(db, await rowsOf<ListedRow>(db, 'reviewsWaiting', query)),
    countReviews: async (query) => (await rowsOf(db, 'reviewKeys', { ...query, before: null })).length,
    usesOf: async ({ merchantId, registrationId: stored, before, limit }) => {
      const { createdAt, id } = before ?? FIRST;
      return readBrief(db, await db.read<ListedRow>(listStatements.usesOf, merchantId, createdAt, id, stored, limit));
    },
    entriesListed: async ({ merchantId, list, kind, containing, now, after, limit }) => {
      const place = [after?.list ?? '', after?.kind ?? '', after?.value ?? ''];
      const cells = [merchantId, ...place, now, limit, list, kind, containing];
      return (await db.read<StoredEntry>(listStatements.entriesListed, ...cells)).map(listEntryOf);
    },
  };
}
