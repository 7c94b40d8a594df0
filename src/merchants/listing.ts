/** Lists of merchants' objects, the newest first, for any node of the hierarchy. */

/** The owners of listed objects: these merchants, or one channel of one of them. */
export type ListScope = { readonly merchantIds: readonly string[]; readonly entityId: string | null };

/** A position in a list. */
export type ListCursor = { readonly createdAt: number; readonly id: string };

export type ListQuery = {
  readonly scope: ListScope;
  /** Only objects after this position; null: from the newest on. */
  readonly before: ListCursor | null;
  readonly limit: number;
};

/** The position before every object. */
export const FIRST: ListCursor = { createdAt: Number.MAX_SAFE_INTEGER, id: '~' };

/** The newest first; at the same instant the higher id first. */
export const newestFirst = (one: ListCursor, other: ListCursor): number =>
  other.createdAt - one.createdAt || (one.id === other.id ? 0 : one.id < other.id ? 1 : -1);

const PLACE = /^([0-9]{1,16})-([0-9A-Za-z.-]{1,64})$/;

/** The cursor of the next page, as a string for the client. */
export const cursorText = ({ createdAt, id }: ListCursor): string => `${createdAt}-${id}`;

export function parseCursor(text: string): ListCursor | null {
  const [, at, id] = PLACE.exec(text) ?? [];
  return at !== undefined && id !== undefined ? { createdAt: Number(at), id } : null;
}
