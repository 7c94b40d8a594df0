import type { Clock } from '../spec/time.ts';

type Texts = Readonly<Record<string, string>>;
/** `clock`: that of the merchant, by which the entry expires. */
type HeldFields = { readonly fields: Texts; readonly until: number; readonly clock: Clock };

/**
 * Fields that must not be stored, such as a security code, until the merchant confirms the form: only in the memory of this process, and
 * no longer than the checkout lives.
 */
export interface HeldCodes {
  keep(checkoutId: string, held: HeldFields): void;
  of(checkoutId: string): Texts;
  drop(checkoutId: string): void;
  /** Deletes expired entries. A job calls it every few seconds. */
  forget(): void;
}

/** Forms that are never confirmed must not fill the memory; the oldest are dropped. */
const HELD_MAX = 10_000;

export function createHeldCodes(): HeldCodes {
  const forms = new Map<string, HeldFields>();
  const isExpired = ({ until, clock }: HeldFields): boolean => until <= clock.now();
  return {
    keep(checkoutId, held) {
      forms.delete(checkoutId);
      if (Object.keys(held.fields).length === 0) return;
      forms.set(checkoutId, held);
      const [oldest] = forms.size > HELD_MAX ? forms.keys() : [];
      if (oldest !== undefined) forms.delete(oldest);
    },
    of(checkoutId) {
      const held = forms.get(checkoutId);
      return held && !isExpired(held) ? held.fields : {};
    },
    drop: (checkoutId) => {
      forms.delete(checkoutId);
    },
    forget() {
      for (const [id, held] of forms) if (isExpired(held)) forms.delete(id);
    },
  };
}
