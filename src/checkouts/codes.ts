import type { World } from '../payments/ports.ts';

type Texts = Readonly<Record<string, string>>;
type Kept = { readonly fields: Texts; readonly until: number };

/** Forms that are never confirmed must not fill the memory; the oldest go first. */
const KEPT_MAX = 10_000;
const books = new WeakMap<World, Map<string, Kept>>();

function bookOf(world: World): Map<string, Kept> {
  const book = books.get(world) ?? new Map<string, Kept>();
  books.set(world, book);
  return book;
}

/**
 * Keeps what may be written nowhere, such as a security code, for a form that waits until the merchant carries it out: in the memory of
 * this process alone, and no longer than the checkout lives.
 */
export function keepCodes(world: World, checkoutId: string, kept: Kept): void {
  const book = bookOf(world);
  book.delete(checkoutId);
  if (Object.keys(kept.fields).length === 0) return;
  book.set(checkoutId, kept);
  const [oldest] = book.size > KEPT_MAX ? book.keys() : [];
  if (oldest !== undefined) book.delete(oldest);
}

/** What is kept for a checkout. */
export function codesOf(world: World, checkoutId: string): Texts {
  const kept = bookOf(world).get(checkoutId);
  return kept && kept.until > world.clock.now() ? kept.fields : {};
}

export function dropCodes(world: World, checkoutId: string): void {
  bookOf(world).delete(checkoutId);
}

/** Deletes expired entries. To be called every few seconds. */
export function forgetCodes(world: World): void {
  const now = world.clock.now();
  for (const [id, { until }] of bookOf(world)) if (until <= now) bookOf(world).delete(id);
}
