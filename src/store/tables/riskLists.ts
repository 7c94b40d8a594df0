import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { ListEntry, ListKind, ListName } from '../../risk/ports.ts';

/** Every statement about the block and allow lists, in the form of statements.ts. */

const columns = 'merchant_id, list, kind, value, expires_at';
const key = 'merchant_id, list, kind, value';
const isValid = '(expires_at IS NULL OR expires_at > ?1)';

export const riskReads = {
  listVersion: 'SELECT count FROM risk_list_change WHERE id = 1',
  listEntries: `SELECT ${columns} FROM risk_list_entry WHERE ${isValid} ORDER BY ${key}`,
  listEntriesOf: `SELECT ${columns} FROM risk_list_entry WHERE merchant_id = ?2 AND ${isValid} ORDER BY ${key}`,
} as const;

export const riskWrites = {
  // One that is put again as it is changes nothing, and is not counted.
  putListEntry: `
    INSERT INTO risk_list_entry (${columns}) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (${key}) DO UPDATE SET expires_at = excluded.expires_at
    WHERE risk_list_entry.expires_at IS DISTINCT FROM excluded.expires_at`,
  removeListEntry: 'DELETE FROM risk_list_entry WHERE merchant_id = ?1 AND list = ?2 AND kind = ?3 AND value = ?4',
  // In portions, so that no commit waits long behind it.
  deleteListEntries: `
    DELETE FROM risk_list_entry WHERE (${key}) IN
      (SELECT ${key} FROM risk_list_entry WHERE expires_at < ?1 ORDER BY expires_at LIMIT ?2)`,
} as const;

/** Rows of the lists as they are read. 64-bit columns come as text from PostgreSQL. */
export type StoredEntry = {
  readonly merchant_id: string;
  readonly list: ListName;
  readonly kind: ListKind;
  readonly value: string;
  readonly expires_at: string | number | null;
};

export const listEntryOf = ({ merchant_id, list, kind, value, expires_at }: StoredEntry): ListEntry => ({
  merchantId: merchant_id,
  list,
  kind,
  value,
  expiresAt: expires_at === null ? null : Number(expires_at),
});

type EntryName = Omit<ListEntry, 'expiresAt'>;

export const entryNameCells = ({ merchantId, list, kind, value }: EntryName): [string, string, string, string] => [
  merchantId,
  list,
  kind,
  value,
];

export const listEntryCells = (entry: ListEntry): [...ReturnType<typeof entryNameCells>, number | null] => [
  ...entryNameCells(entry),
  entry.expiresAt,
];

const lists: readonly string[] = ['block', 'allow'] satisfies readonly ListName[];
const kinds: Readonly<Record<ListKind, true>> = {
  card: true,
  bin: true,
  email: true,
  emailDomain: true,
  ip: true,
  country: true,
  customer: true,
};
const VALUE_CHARACTERS_MAX = 255;

/** PostgreSQL holds no NUL, and half a character would come back as another one: two values would become one. */
const isText = (text: string): boolean => text !== '' && !text.includes('\0') && text.isWellFormed();

/** Whether the lists can hold an entry of that name at all. */
export const canBeListed = ({ merchantId, list, kind, value }: EntryName): boolean =>
  lists.includes(list) &&
  Object.hasOwn(kinds, kind) &&
  isText(merchantId) &&
  isText(value) &&
  value.length <= VALUE_CHARACTERS_MAX;

/** Throws for what cannot be an entry, so that every driver refuses the same ones. The error omits the value: it may be personal. */
export function checkEntry(entry: ListEntry): void {
  const isEnd = entry.expiresAt === null || (Number.isSafeInteger(entry.expiresAt) && entry.expiresAt >= 0);
  if (!canBeListed(entry) || !isEnd) throw new BrokenCommit(`an entry of kind ${entry.kind} cannot be kept`);
}
