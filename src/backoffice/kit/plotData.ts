/** The data of a plot. The code that draws it is loaded later, because its library is large. */

export type PlotTone = 'accent' | 'good' | 'warn' | 'bad' | 'muted' | 'ink';

export type PlotSeries = {
  readonly name: string;
  readonly tone: PlotTone;
  /** Null: nothing is known there. */
  readonly values: readonly (number | null)[];
  /** A value as people read it. */
  readonly show: (value: number | null, index: number) => string;
  /** The sum of the series, as people read it. */
  readonly total: string;
};

/** The part of a plot that may change while it is shown. */
export type PlotData = {
  readonly series: readonly PlotSeries[];
  /** The labels below the points. */
  readonly ticks: readonly string[];
  readonly axis: (value: number) => string;
};

export type PlotKind = 'bars' | 'lines';

export const PLOT_HEIGHT = 220;
