import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Problem } from '../../app/problem.ts';
import { problemText } from '../../app/problemText.ts';
import { administrationTexts } from '../../texts/administration.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

/** The errors of a form: by field, and the rest as one sentence. */
export type FieldErrors = { readonly at: Readonly<Record<string, string | undefined>>; readonly rest: string | null };

/** Maps a problem to the fields of a form. On a conflict (409) it loads the current data again and says so. */
export function useFieldErrors(problem: Problem | null, fields: readonly string[]): FieldErrors {
  const t = useTexts(administrationTexts);
  const shell = useTexts(shellTexts);
  const client = useQueryClient();
  useEffect(() => {
    if (problem?.status === 409) void client.invalidateQueries();
  }, [client, problem]);
  if (!problem) return { at: {}, rest: null };
  if (problem.status === 409) return { at: {}, rest: t.faster };
  const isAtField = Object.keys(problem.faults).some((name) => fields.includes(name));
  return { at: problem.faults, rest: isAtField ? null : problemText(problem, shell) };
}
