import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { ListEntry, ListKind, ListName, RiskStore } from '../../risk/ports.ts';
import { type Database, deleteInBatches, step } from '../database.ts';

/** Block and allow lists. */

const columns = 'merchant_id, list, kind, value, expires_at';
const key = 'merchant_id, list, kind, value';
const isValid = '(expires_at IS NULL OR expires_at > ?1)';

export const riskStatements = {
  listVersion: 'SELECT count FROM risk_list_change WHERE id = 1',
  listEntries: `SELECT ${columns} FROM risk_list_entry WHERE ${isValid} ORDER BY ${key}`,
  listEntriesOf: `SELECT ${columns} FROM risk_list_entry WHERE merchant_id = ?2 AND ${isValid} ORDER BY ${key}`,
  // One that is put again as it is changes nothing, and is not counted.
  putListEntry: `
    INSERT INTO risk_list_entry (${columns}) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (${key}) DO UPDATE SET expires_at = excluded.expires_at
    WHERE risk_list_entry.expires_at IS DISTINCT FROM excluded.expires_at`,
  removeListEntry: 'DELETE FROM risk_list_entry WHERE merchant_id = ?1 AND list = ?2 AND kind = ?3 AND value = ?4',
  // In batches, so that no commit is delayed for long.
  deleteListEntries: `
    DELETE FROM risk_list_entry WHERE (${key}) IN
      (SELECT ${key} FROM risk_list_entry WHERE expires_at < ?1 ORDER BY expires_at LIMIT ?2)`,
} as const;

export const riskMethods = (db: Database): RiskStore => ({
  listVersion: async () => {
    const [row] = await db.read<{ readonly count: number | string }>(riskStatements.listVersion);
    return Number(row?.count ?? 0);
  },
  listEntries: async (now, merchantId) => {
    const rows =
      merchantId === null
        ? db.read<StoredEntry>(riskStatements.listEntries, now)
        : db.read<StoredEntry>(riskStatements.listEntriesOf, now, merchantId);
    return (await rows).map(listEntryOf);
  },
  putListEntry: async (entry) => {
    checkEntry(entry);
    await db.write(step(riskStatements.putListEntry, ...entryNameCells(entry), entry.expiresAt));
  },
  removeListEntry: async (entry) =>
    canBeListed(entry) && (await db.write(step(riskStatements.removeListEntry, ...entryNameCells(entry)))) > 0,
  deleteListEntries: (before) => deleteInBatches(db, riskStatements.deleteListEntries, before),
});

/** PostgreSQL returns large integers as strings. */
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
