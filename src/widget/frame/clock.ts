import type { Today } from '../runtime/forms/expiryText.ts';

/** Where the day ends last on earth: a card is good until its month is over there. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** The month that it still is somewhere. */
export function today(): Today {
  const date = new Date(Date.now() - LAST_ZONE_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}
