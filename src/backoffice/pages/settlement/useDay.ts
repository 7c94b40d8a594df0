import { useCallback } from 'react';
import { localeOf, useLanguage } from '../../texts/texts.ts';

/** A day of settlement such as 2031-10-02, as people write it. It is no instant: no time zone moves it. */
export function useDay(): (day: string) => string {
  const locale = localeOf(useLanguage());
  return useCallback(
    (day) => {
      const at = new Date(`${day}T00:00:00Z`);
      return Number.isNaN(at.getTime())
        ? day
        : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
    },
    [locale],
  );
}
