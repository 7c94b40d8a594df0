import type { ReactNode } from 'react';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import type { Tone } from './Status.tsx';
import { Timestamp } from './Timestamp.tsx';

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
