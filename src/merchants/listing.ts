/** Lists of what merchants have, the newest first, for whoever looks at any node of the hierarchy. */

/** Whose things a list is made of: those of these merchants, or of one channel of one of them. */
export type ListScope = { readonly merchantIds: readonly string[]; readonly entityId: string | null };

/** A place in the order of a list. */
export type ListCursor = { readonly createdAt: number; readonly id: string };

export type ListQuery = {
  readonly scope: ListScope;
  /** Only what stands behind this place; null: from the newest on. */
  readonly before: ListCursor | null;
  readonly limit: number;
};

/** In front of everything that a list can hold. */
export const FIRST: ListCursor = { createdAt: Number.MAX_SAFE_INTEGER, id: '~' };

/** The youngest first; of the same instant the one with the higher id. */
export const newestFirst = (one: ListCursor, other: ListCursor): number =>
  other.createdAt - one.createdAt || (one.id === other.id ? 0 : one.id < other.id ? 1 : -1);

const PLACE = /^([0-9]{1,16})-([0-9A-Za-z.-]{1,64})$/;

/** A place as a client is told it, to ask for the next page with. */
export const cursorText = ({ createdAt, id }: ListCursor): string => `${createdAt}-${id}`;

export function parseCursor(text: string): ListCursor | null {
  const [, at, id] = PLACE.exec(text) ?? [];
  return at !== undefined && id !== undefined ? { createdAt: Number(at), id } : null;
}
