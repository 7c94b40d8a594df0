import type { ReactNode } from 'react';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import { useDataAge } from '../app/dataAge.ts';
import { shellTexts } from '../texts/shell.ts';
import { localeOf, useLanguage, useTexts } from '../texts/texts.ts';
import { Icon } from './icons.tsx';

/** The replica is compared with the primary once a second: below this age it is as good as up to date. */
const SHOWN_SECONDS_MIN = 3;
const MINUTES_FROM = 120;

/** How old the data of a page may be, where they come from a replica that is behind. */
export function DataAge({ of }: { readonly of: AdminEndpointName }): ReactNode {
  const t = useTexts(shellTexts);
  const locale = localeOf(useLanguage());
  const seconds = useDataAge(of);
  if (seconds === null || seconds < SHOWN_SECONDS_MIN) return null;
  const [count, unit] = seconds < MINUTES_FROM ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  const age = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  return (
    <span className="data-age" title={t.dataAgeSays}>
      <Icon name="clock" size={14} />
      {t.dataAge(age)}
    </span>
  );
}
