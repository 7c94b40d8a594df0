import { useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { PageLink } from './PageLink.tsx';
import type { DrawnPlot, PlotData, PlotKind, PlotSeries, PlotTone } from './plotDraw.ts';

export type PlotProps = PlotData & {
  /** The accessible name. */
  readonly label: string;
  readonly kind: PlotKind;
  /** Each point's time in full. */
  readonly times: readonly string[];
  readonly top?: number;
  /** Opens the payments behind a point. */
  readonly onOpen?: (index: number) => void;
};

/** The plot lives outside React. It is created again when its shape or the colours change, and updated when only its numbers change. */
function usePlot({ kind, top, ...data }: PlotProps, onMove: (index: number | null) => void) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<DrawnPlot | null>(null);
  const latest = useRef<PlotData>(data);
  latest.current = data;
  const scheme = useComputedColorScheme('light');
  const shape = [kind, scheme, top, data.ticks.length, ...data.series.map(({ name, tone }) => `${name} ${tone}`)].join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for everything that a new plot is made for
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let isOver = false;
    const observer = new ResizeObserver(() => plot.current?.fit());
    void import('./plotDraw.ts').then(({ drawPlot }) => {
      if (isOver) return;
      plot.current = drawPlot(element, { kind, top, latest: () => latest.current, onMove });
      observer.observe(element);
    });
    return () => {
      isOver = true;
      observer.disconnect();
      plot.current?.end();
      plot.current = null;
    };
  }, [shape]);
  const numbers = JSON.stringify([data.series.map(({ values }) => values), data.ticks]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again when the numbers or what stands below them have changed
  useEffect(() => plot.current?.draw(), [numbers]);
  return { box, point: (index: number) => plot.current?.point(index) };
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_at, last) => last,
};

/** The values of one point, or the totals. */
const readOut = (series: readonly PlotSeries[], at: number | null): readonly (readonly [PlotSeries, string])[] =>
  series.map((one) => [one, at === null ? one.total : one.show(one.values[at] ?? null, at)] as const);

/** Values over time. The line above shows the values of the point under the pointer, or of the one that the arrow keys chose. */
export function Plot(props: PlotProps): ReactNode {
  const { series, times, label, onOpen } = props;
  const [at, setAt] = useState<number | null>(null);
  const { box, point } = usePlot(props, setAt);
  // Arrow keys go no further than something is known.
  const last = Math.max(0, ...series.map(({ values }) => values.findLastIndex((value) => value !== null)));
  const shown = at !== null && at < times.length ? at : null;
  const spoken = readOut(series, shown).map(([{ name }, value]) => `${name} ${value}`);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      point(Math.min(last, Math.max(0, step(shown ?? last + 1, last))));
    }
    if (event.key === 'Enter' && shown !== null) onOpen?.(shown);
  };
  return (
    <div className="plot">
      <p className="plot-readout" aria-hidden="true">
        <span className="plot-time">{shown === null ? '' : times[shown]}</span>
        {readOut(series, shown).map(([{ name, tone }, value]) => (
          <span key={name} className="plot-value">
            <span className="plot-key" data-tone={tone} />
            {name} <b>{value}</b>
          </span>
        ))}
      </p>
      <div
        ref={box}
        className="plot-canvas"
        style={{ cursor: onOpen ? 'pointer' : undefined }}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={shown ?? last}
        aria-valuetext={[...(shown === null ? [] : [times[shown]]), ...spoken].join(', ')}
        onKeyDown={move}
        onClick={() => shown !== null && onOpen?.(shown)}
      />
    </div>
  );
}

/** The same as a table. */
export function PlotTable({ series, times, label, when }: PlotProps & { readonly when: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a part that scrolls
    <section className="table-scroll plot-table" aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{when}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" data-number="true">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, index) => (
            <tr key={time}>
              <th scope="row">{time}</th>
              {series.map(({ name, values, show }) => (
                <td key={name} data-number="true">
                  {show(values[index] ?? null, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

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
