import type { World } from '../payments/ports.ts';

type Texts = Readonly<Record<string, string>>;
type HeldFields = { readonly fields: Texts; readonly until: number };

/** Forms that are never confirmed must not fill the memory; the oldest are dropped. */
const HELD_MAX = 10_000;
const heldByWorld = new WeakMap<World, Map<string, HeldFields>>();

function heldIn(world: World): Map<string, HeldFields> {
  const forms = heldByWorld.get(world) ?? new Map<string, HeldFields>();
  heldByWorld.set(world, forms);
  return forms;
}

/**
 * Holds fields that must not be stored, such as a security code, until the merchant confirms the form: only in the memory of this
 * process, and no longer than the checkout lives.
 */
export function keepCodes(world: World, checkoutId: string, held: HeldFields): void {
  const forms = heldIn(world);
  forms.delete(checkoutId);
  if (Object.keys(held.fields).length === 0) return;
  forms.set(checkoutId, held);
  const [oldest] = forms.size > HELD_MAX ? forms.keys() : [];
  if (oldest !== undefined) forms.delete(oldest);
}

/** The held fields of a checkout. */
export function codesOf(world: World, checkoutId: string): Texts {
  const held = heldIn(world).get(checkoutId);
  return held && held.until > world.clock.now() ? held.fields : {};
}

export function dropCodes(world: World, checkoutId: string): void {
  heldIn(world).delete(checkoutId);
}

/** Deletes expired entries. A job calls it every few seconds. */
export function forgetCodes(world: World): void {
  const now = world.clock.now();
  for (const [id, { until }] of heldIn(world)) if (until <= now) heldIn(world).delete(id);
}
