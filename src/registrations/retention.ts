import type { Registration } from './registration.ts';

/** Stored details are kept 14 months after the card's expiry, or after the last use of what does not expire. */
const RETENTION_MONTHS = 14;
const EXTENSION_MONTHS = 24;

/** The same day so many months later; the last of the month where it has no such day. */
export function monthsAfter(instant: number, months: number): number {
  const at = new Date(instant);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, lastDay));
  return at.getTime();
}

/** Until when a registration may be kept, by its instrument, its last use and its extension. */
export function retainedUntil({
  instrument,
  usedAt,
  extendedUntil,
}: Pick<Registration, 'instrument' | 'usedAt' | 'extendedUntil'>): number {
  const end =
    instrument.kind === 'card'
      ? Date.UTC(Number(instrument.expiryYear), Number(instrument.expiryMonth) + RETENTION_MONTHS, 1)
      : monthsAfter(usedAt, RETENTION_MONTHS);
  return Math.max(end, extendedUntil ?? 0);
}

/** An extension keeps it for 24 months from now at least, and never shortens its life. */
export const extension = (now: number): number => monthsAfter(now, EXTENSION_MONTHS);
