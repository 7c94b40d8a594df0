import { REVIEW_CODE, REVIEW_COLLECTION } from '../../payments/search/listing.ts';
import { listedCheckout } from './checkouts.ts';
import { listable } from './listedPayments.ts';
import { listedRegistration } from './registrations.ts';
import { scheduleColumns } from './schedules.ts';

/**
 * Lists for the back office, the newest first. Each walks along an index of 0027 from the place where the page before ended. The places
 * of all: ?1 merchant, ?2 and ?3 the place, ?4 channel, ?5 how many, then what a list is filtered by.
 */
type Words = {
  /** Parameters of types that the database cannot infer. */
  readonly text: (place: string) => string;
  readonly number: (place: string) => string;
  /** The part of a text in JSON that the index has. */
  readonly last4: string;
  readonly registrationId: string;
  readonly has: (text: string, part: string) => string;
};

/**
 * Text in JSON has its quotes escaped: only a name of ours looks so. It is not read as JSON, which costs every commit more, and which
 * PostgreSQL refuses to do where a text holds a NUL. The indexes of 0027 have the same expressions.
 */
const sqliteWords: Words = {
  text: (place) => place,
  number: (place) => place,
  last4: `substr(data, instr(data, '"last4Digits":"') + 15, 4)`,
  registrationId: `substr(data, instr(data, '"registrationId":"') + 18, 32)`,
  has: (text, part) => `instr(${text}, ${part}) > 0`,
};

const postgresWords: Words = {
  text: (place) => `${place}::text`,
  number: (place) => `${place}::bigint`,
  last4: `substr(data, strpos(data, '"last4Digits":"') + 15, 4)`,
  registrationId: `substr(data, strpos(data, '"registrationId":"') + 18, 32)`,
  has: (text, part) => `strpos(${text}, ${part}) > 0`,
};

type List = { readonly columns: string; readonly table: string; readonly where: string };

/** Flagged for review, and not decided. */
const WAITING = `AND code = '${REVIEW_CODE}'
        AND NOT EXISTS (SELECT 1 FROM document WHERE document.collection = '${REVIEW_COLLECTION}' AND document.id = payment.id)`;

const lists = ({ text, number, last4, has }: Words) =>
  ({
    registrationsListed: {
      columns: listedRegistration,
      table: 'registration',
      where: `AND (${text('?6')} IS NULL OR state = ${text('?6')})`,
    },
    registrationsEnding: {
      columns: listedRegistration,
      table: 'registration',
      where: `AND (${text('?6')} IS NULL OR state = ${text('?6')}) AND ${has('data', `'"last4Digits":"'`)} AND ${last4} = ?7`,
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
  }) as const satisfies Record<string, List>;

export type ListedName = keyof ReturnType<typeof lists>;

/** Of one merchant. */
const ofOne = ({ columns, table, where }: List, merchant: string, { text }: Words): string => `
  SELECT ${columns} FROM ${table}
  WHERE merchant_id = ${merchant} AND (created_at, id) < (?2, ?3) AND (${text('?4')} IS NULL OR entity_id = ${text('?4')}) ${where}
  ORDER BY created_at DESC, id DESC LIMIT ?5`;

/** Payments with stored details: ?1 merchant, ?2 and ?3 the place, ?4 the details, ?5 how many. */
const usesOf = ({ registrationId, has }: Words): string => `
  SELECT ${listable} FROM payment
  WHERE merchant_id = ?1 AND ${has('data', `'"registrationId":"'`)} AND ${registrationId} = ?4 AND (created_at, id) < (?2, ?3)
  ORDER BY created_at DESC, id DESC LIMIT ?5`;

/** Along the index registration_customer. */
const registrationsOfCustomer = `
  SELECT ${listedRegistration} FROM registration
  WHERE merchant_id = ?1 AND customer_id = ?2 AND customer_id IS NOT NULL AND state || '' = 'active'
  ORDER BY created_at DESC, id DESC LIMIT ?3`;

/** ?1 merchant, ?2 to ?4 the entry behind which the page begins, ?5 now, ?6 how many, ?7 list, ?8 kind, ?9 a part of the value. */
const entriesListed = ({ text, has }: Words): string => `
  SELECT merchant_id, list, kind, value, expires_at FROM risk_list_entry
  WHERE merchant_id = ?1 AND (list, kind, value) > (?2, ?3, ?4) AND (expires_at IS NULL OR expires_at > ?5)
    AND (${text('?7')} IS NULL OR list = ${text('?7')}) AND (${text('?8')} IS NULL OR kind = ${text('?8')})
    AND (${text('?9')} IS NULL OR ${has('lower(value)', text('?9'))})
  ORDER BY list, kind, value LIMIT ?6`;

const each = <Name extends string>(rows: Readonly<Record<Name, List>>, write: (list: List) => string) =>
  Object.fromEntries(Object.entries<List>(rows).map(([name, list]) => [name, write(list)])) as Readonly<Record<Name, string>>;

/** In SQLite one merchant after the other is asked: the file is at hand. */
export const sqliteListReads = {
  ...each(lists(sqliteWords), (list) => ofOne(list, '?1', sqliteWords)),
  usesOf: usesOf(sqliteWords),
  registrationsOfCustomer,
  entriesListed: entriesListed(sqliteWords),
} as const;

/** In PostgreSQL all are asked at once; ?1 is a JSON list. */
export const postgresListReads = {
  ...each(
    lists(postgresWords),
    (list) => `
    SELECT f.* FROM json_array_elements_text(?1::text::json) AS m(id) CROSS JOIN LATERAL (
      ${ofOne(list, 'm.id COLLATE "C"', postgresWords)}
    ) AS f ORDER BY f.created_at DESC, f.id DESC LIMIT ?5`,
  ),
  usesOf: usesOf(postgresWords),
  registrationsOfCustomer,
  entriesListed: entriesListed(postgresWords),
} as const;
