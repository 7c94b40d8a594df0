import type { ListEntry, ListKind, ListName } from '../risk/needs.ts';
import { BrokenCommit } from './errors.ts';

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

/** Whether an entry of that name can stand in the lists at all. */
export const canBeListed = ({ merchantId, list, kind, value }: EntryName): boolean =>
  lists.includes(list) &&
  Object.hasOwn(kinds, kind) &&
  isText(merchantId) &&
  isText(value) &&
  value.length <= VALUE_CHARACTERS_MAX;

/** Throws for what cannot be an entry, so that every driver refuses the same ones. The value may be a person's, and is not told. */
export function checkEntry(entry: ListEntry): void {
  const isEnd = entry.expiresAt === null || (Number.isSafeInteger(entry.expiresAt) && entry.expiresAt >= 0);
  if (!canBeListed(entry) || !isEnd) throw new BrokenCommit(`an entry of kind ${entry.kind} cannot be kept`);
}
