import uPlot from 'uplot';

/** Draws a plot. Points are evenly spaced, one for each step of time, so a day of 23 hours is as wide as any other. */

export type PlotTone = 'accent' | 'good' | 'warn' | 'bad' | 'muted' | 'ink';

export type PlotSeries = {
  readonly name: string;
  readonly tone: PlotTone;
  /** Null: no data. */
  readonly values: readonly (number | null)[];
  /** A value as people read it. */
  readonly show: (value: number | null, index: number) => string;
  /** The sum of the series, as people read it. */
  readonly total: string;
};

/** The part of a plot that may change while the plot is shown. */
export type PlotData = {
  readonly series: readonly PlotSeries[];
  /** The labels below the points. */
  readonly ticks: readonly string[];
  readonly axis: (value: number) => string;
};

export type PlotKind = 'bars' | 'lines';

const TICK_PX = 84;
const FONT = '13px system-ui, sans-serif';

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Stacks bars, the first series lowest. The tallest are drawn first and the others over them. */
function columnsOf({ series, ticks }: PlotData, kind: PlotKind): uPlot.AlignedData {
  const xs = ticks.map((_, index) => index);
  if (kind === 'lines') return [xs, ...series.map(({ values }) => [...values])];
  const sums = series.map((_, upTo) =>
    xs.map((index) => series.slice(0, upTo + 1).reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
  );
  return [xs, ...sums.toReversed()];
}

/** As many ticks as fit without overlap. */
function splits(count: number, width: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(width / TICK_PX))));
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
}

function seriesOf(data: PlotData, kind: PlotKind): uPlot.Series[] {
  if (kind === 'bars') {
    const paths = uPlot.paths.bars?.({ size: [0.72, 44], radius: 0.08 });
    return data.series.toReversed().map(({ tone }) => ({
      fill: token(tone),
      stroke: token(tone),
      width: 0,
      points: { show: false },
      ...(paths && { paths }),
    }));
  }
  const isSparse = data.ticks.length <= 62;
  return data.series.map(({ tone }) => ({
    stroke: token(tone),
    width: 2,
    // A step in which nothing was measured breaks no line.
    spanGaps: true,
    points: { show: isSparse, size: 5, fill: token('ground') },
  }));
}

/** A line is labelled at its end, above the previous label where two would overlap. */
function nameLines(plot: uPlot, { series }: PlotData): void {
  const { ctx, bbox } = plot;
  const line = 16 * devicePixelRatio;
  let above = Number.POSITIVE_INFINITY;
  ctx.save();
  ctx.font = `${13 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = 'right';
  for (const { name, tone, values } of series) {
    const value = values.findLast((one) => one !== null);
    if (value === null || value === undefined) continue;
    const wanted = plot.valToPos(value, 'y', true) - line / 2;
    const y = Math.max(bbox.top + line, Math.abs(above - wanted) < line ? above - line : wanted);
    above = y;
    ctx.fillStyle = token(tone);
    ctx.fillText(name, bbox.left + bbox.width - 4, y);
  }
  ctx.restore();
}

type PlotWish = {
  readonly kind: PlotKind;
  /** The upper end of the axis. Default: just above the highest value. */
  readonly top?: number | undefined;
  /** Read at every drawing, because the data may be newer than the plot. */
  readonly latest: () => PlotData;
  readonly onMove: (index: number | null) => void;
};

function optionsOf(element: HTMLElement, { kind, top, latest, onMove }: PlotWish): uPlot.Options {
  const count = latest().ticks.length;
  const axis = { stroke: token('muted'), font: FONT, ticks: { show: false }, grid: { stroke: token('line'), width: 1 } };
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    padding: [12, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: kind === 'lines' }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.5, count - 0.5] },
      // The axis starts at zero, so that lengths of bars are proportional.
      y: { range: (_plot, _low, high) => [0, top ?? (high > 0 ? high * 1.08 : 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 32,
        splits: (plot) => splits(latest().ticks.length, plot.bbox.width / devicePixelRatio),
        values: (_plot, at) => at.map((index) => latest().ticks[index] ?? ''),
      },
      { ...axis, size: 76, space: 44, values: (_plot, at) => at.map((value) => latest().axis(value)) },
    ],
    series: [{}, ...seriesOf(latest(), kind)],
    hooks: {
      setCursor: [(plot) => onMove(plot.cursor.idx ?? null)],
      draw: [(plot) => (kind === 'lines' && latest().series.length > 1 ? nameLines(plot, latest()) : undefined)],
    },
  };
}

/** A plot that is there. */
export type DrawnPlot = {
  /** Draws the latest data. */
  readonly draw: () => void;
  /** Takes the size of its element. */
  readonly fit: () => void;
  /** Puts the cursor to a point. */
  readonly point: (index: number) => void;
  readonly end: () => void;
};

export function drawPlot(element: HTMLElement, wish: PlotWish): DrawnPlot {
  const { kind, latest } = wish;
  const plot = new uPlot(optionsOf(element, wish), columnsOf(latest(), kind), element);
  return {
    draw: () => plot.setData(columnsOf(latest(), kind)),
    fit: () => plot.setSize({ width: element.clientWidth, height: element.clientHeight }),
    point: (index) => plot.setCursor({ left: plot.valToPos(index, 'x'), top: 0 }),
    end: () => plot.destroy(),
  };
}
