import type { ReactNode } from 'react';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import { shellTexts } from '../texts/shell.ts';
import { localeOf, useLanguage, useTexts } from '../texts/texts.ts';
import type { Tone } from './Status.tsx';

const STEPS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', 1_000],
] as const;

/** The distance of other times says nothing. */
const RELATIVE_MS_MAX = 7 * DAY_MS;

/** `15 Nov 2026, 01:20`, with seconds where they matter. */
const dateText = (at: number | string, locale: string, hasSeconds = false): string =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: hasSeconds ? 'medium' : 'short',
  }).format(new Date(at));

/** `5 min ago`; null: too far away. */
function relativeText(at: number, now: number, locale: string): string | null {
  const ms = at - now;
  if (Math.abs(ms) > RELATIVE_MS_MAX) return null;
  const [unit, size] = STEPS.find(([, step]) => Math.abs(ms) >= step) ?? ['second', 1_000];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }).format(Math.round(ms / size), unit);
}

export const useDateText = (): ((at: number | string, hasSeconds?: boolean) => string) => {
  const locale = localeOf(useLanguage());
  return (at, hasSeconds) => dateText(at, locale, hasSeconds);
};

/** An instant as date and time, with seconds and the distance from now on hover. `now`: where it is not that of the browser. */
export function Timestamp({
  at,
  hasSeconds = false,
  now,
}: {
  readonly at: number | string | null;
  readonly hasSeconds?: boolean;
  readonly now?: number;
}): ReactNode {
  const locale = localeOf(useLanguage());
  if (at === null) return null;
  const instant = new Date(at);
  if (Number.isNaN(instant.getTime())) return null;
  const exact = dateText(at, locale, true);
  const relative = relativeText(instant.getTime(), now ?? Date.now(), locale);
  return (
    <time dateTime={instant.toISOString()} title={relative === null ? exact : `${exact} · ${relative}`} className="when">
      {hasSeconds ? exact : dateText(at, locale)}
    </time>
  );
}

export type TimelineEvent = {
  readonly key: string;
  readonly at: number | string | null;
  readonly title: ReactNode;
  readonly says?: ReactNode;
  readonly tone?: Tone;
  /** Raw messages, facts: whatever belongs to it. */
  readonly detail?: ReactNode;
};

/** Events from top to bottom along one line. */
export function Timeline({ events, label }: { readonly events: readonly TimelineEvent[]; readonly label: string }): ReactNode {
  const t = useTexts(shellTexts);
  return (
    <ol className="timeline" aria-label={label}>
      {events.map(({ key, at, title, says, tone = 'quiet', detail }) => (
        <li key={key} data-tone={tone}>
          <span className="dot" aria-hidden="true" />
          <div className="happening">
            <div className="happening-head">
              <span className="happening-title">{title}</span>
              {at === null ? (
                <span className="when" title={t.noTimestamp}>
                  –
                </span>
              ) : (
                <Timestamp at={at} hasSeconds />
              )}
            </div>
            {says && <div className="happening-says">{says}</div>}
            {detail}
          </div>
        </li>
      ))}
    </ol>
  );
}
