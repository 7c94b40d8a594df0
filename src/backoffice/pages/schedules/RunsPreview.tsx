import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { RunsPreview as Preview } from '../../../spec/answers/stored.ts';
import type { Problem } from '../../app/problem.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { scheduleFormTexts } from '../../texts/scheduleForm.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { timesIn } from './words.ts';

const PAUSE_MS = 300;

export type PreviewQuery = {
  readonly entityId: string;
  readonly expression: string | null;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly payments?: number;
};

export type PreviewState = { readonly preview: Preview | null; readonly problem: Problem | null };

/** The runs of what the form says, a moment after the last key. */
export function usePreview(query: PreviewQuery): PreviewState {
  const language = useLanguage();
  const [text] = useDebouncedValue(JSON.stringify(query), PAUSE_MS);
  const { expression, ...asked } = JSON.parse(text) as PreviewQuery;
  const isWanted = expression !== null;
  const { data, error } = useApiQuery('previewRuns', { ...asked, expression: expression ?? '', language }, { isWanted });
  if (!isWanted) return { preview: null, problem: null };
  return error ? { preview: null, problem: error } : { preview: data ?? null, problem: null };
}

/** The recurrence in words, and when it runs next. */
export function RunsPreview({ preview }: Pick<PreviewState, 'preview'>): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const locale = localeOf(useLanguage());
  if (!preview) return null;
  const format = timesIn(locale, preview.timeZone, 'full');
  return (
    <section className="runs-preview" aria-label={t.preview} aria-live="polite">
      <strong>{preview.words}</strong>
      <p className="muted">{`${t.preview} · ${t.previewIn(preview.timeZone)}`}</p>
      <ol>
        {preview.nextRuns.map((at) => (
          <li key={at}>
            <time dateTime={at}>{format.format(new Date(at))}</time>
          </li>
        ))}
      </ol>
      {preview.lastRun !== null && (
        <p>{t.lastRun(timesIn(locale, preview.timeZone, 'medium').format(new Date(preview.lastRun)))}</p>
      )}
    </section>
  );
}
