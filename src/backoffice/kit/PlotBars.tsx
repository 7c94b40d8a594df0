import type { ReactNode } from 'react';
import { PageLink } from './PageLink.tsx';
import type { PlotTone } from './plotData.ts';

export type Bar = {
  readonly key: string;
  readonly label: ReactNode;
  readonly count: number;
  /** The count as people read it. */
  readonly shown: string;
  readonly tone: PlotTone;
  readonly to?: { readonly path: string; readonly search: Readonly<Record<string, string | undefined>> };
};

/** Counts as bars, the largest one the longest. They are a list, so that screen readers read them. */
export function PlotBars({ bars }: { readonly bars: readonly Bar[] }): ReactNode {
  const most = bars.reduce((max, { count }) => Math.max(max, count), 1);
  return (
    <ul className="bars">
      {bars.map(({ key, label, count, shown, tone, to }) => {
        const row = (
          <>
            <span className="bar-label">{label}</span>
            <span className="bar-count">{shown}</span>
            <span className="bar-track" aria-hidden="true">
              <span className="bar-fill" data-tone={tone} style={{ width: `${(100 * count) / most}%` }} />
            </span>
          </>
        );
        return (
          <li key={key}>
            {to ? (
              <PageLink to={to.path} search={to.search} className="bar bar-open">
                {row}
              </PageLink>
            ) : (
              <div className="bar">{row}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
