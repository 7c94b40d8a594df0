/** What a plot shows. How it is drawn comes later, because the library that does it is large. */

export type PlotTone = 'accent' | 'good' | 'warn' | 'bad' | 'muted' | 'ink';

export type PlotSeries = {
  readonly name: string;
  readonly tone: PlotTone;
  /** Null: nothing is known there. */
  readonly values: readonly (number | null)[];
  /** A value as people read it. */
  readonly show: (value: number | null, index: number) => string;
  /** What all of it comes to. */
  readonly total: string;
};

/** What changes while a plot is shown. */
export type PlotData = {
  readonly series: readonly PlotSeries[];
  /** The labels below the points. */
  readonly ticks: readonly string[];
  readonly axis: (value: number) => string;
};

export type PlotKind = 'bars' | 'lines';

export const PLOT_HEIGHT = 220;
