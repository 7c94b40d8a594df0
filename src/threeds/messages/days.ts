/** A day of the calendar as YYYYMMDD, 99991231 included. */
export function isDay(text: string): boolean {
  const parts = /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text);
  if (!parts) return false;
  const [, year = '', month = '', day = ''] = parts;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** `2031-02-28` → `20310228`. */
export const dayOf = (date: string): string => date.replaceAll('-', '');

/** An instant as YYYYMMDDHHMMSS in UTC. */
export const momentOf = (instant: number): string => new Date(instant).toISOString().replaceAll(/[-T:]|\..*$/g, '');
