import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Problem, problemText } from '../app/api.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { Curl } from './Code.tsx';

export type EmptyProps = {
  readonly title: string;
  readonly says?: ReactNode;
  /** The line that makes the first one. */
  readonly curl?: string;
  readonly children?: ReactNode;
};

/** An empty state, with the command that creates the first row. */
export function Empty({ title, says, curl, children }: EmptyProps): ReactNode {
  const t = useTexts(shellTexts);
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {says && <p className="empty-says">{says}</p>}
      {curl && <Curl text={curl} label={t.firstRow} />}
      {children}
    </div>
  );
}

/** A failed load, with its reason and a button to retry. */
export function LoadError({ problem, retry }: { readonly problem: Problem; readonly retry?: () => void }): ReactNode {
  const t = useTexts(shellTexts);
  const title = { 403: t.noPermission, 404: t.absentTitle }[problem.status];
  return (
    <div className="empty" role="alert">
      <p className="empty-title">{title ?? t.troubleTitle}</p>
      <p className="empty-says">{problemText(problem, t)}</p>
      {/* Without a permission, or without the object, a retry does not help. */}
      {retry && title === undefined && (
        <Button variant="default" onClick={retry}>
          {t.tryAgain}
        </Button>
      )}
    </div>
  );
}

/** An error of a form that belongs to none of its fields. */
export function Fault({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <p role="alert" className="fault">
      {children}
    </p>
  );
}
