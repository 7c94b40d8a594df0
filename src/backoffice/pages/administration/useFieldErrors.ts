import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Problem } from '../../app/problem.ts';
import { problemText } from '../../app/problemText.ts';
import { administrationTexts } from '../../texts/administration.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

/** What is wrong, at the fields that a form has, and the rest as a sentence of its own. */
export type FieldErrors = { readonly at: Readonly<Record<string, string | undefined>>; readonly rest: string | null };

/** Takes a problem apart for a form with these fields. That somebody was faster has words of its own, and what is there now is shown. */
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
