/** Counters, gauges and histograms, and the text in which Prometheus reads them (exposition format 0.0.4). */

export type Labels = Readonly<Record<string, string | number>>;

type Options = {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly registers?: readonly Registry[];
};

/** One line: the name's ending, the labels, the value. */
type Sample = { readonly end?: string; readonly labels: Labels; readonly value: number };

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

const numberText = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';

function seriesOf(name: string, { end = '', labels }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(String(text))}"`);
  return `${name}${end}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`}`;
}

/** One metric as plain data: its comment lines, and the value of each series. */
export type MetricFigures = {
  readonly name: string;
  readonly head: string;
  readonly lines: readonly (readonly [series: string, value: number])[];
};

/** How figures of one series from several threads become one. `first`: only the first thread knows it. */
export type MergeRule = 'sum' | 'most' | 'first';

/** The figures of several threads as one. The first thread has every metric. */
export function mergeFigures(
  [first = [], ...others]: readonly (readonly MetricFigures[])[],
  ruleOf: (name: string) => MergeRule,
): readonly MetricFigures[] {
  return first.map((metric) => {
    const rule = ruleOf(metric.name);
    if (rule === 'first') return metric;
    const merged = new Map(metric.lines);
    for (const other of others) {
      for (const [series, value] of other.find(({ name }) => name === metric.name)?.lines ?? []) {
        const before = merged.get(series);
        merged.set(series, before === undefined ? value : rule === 'sum' ? before + value : Math.max(before, value));
      }
    }
    return { ...metric, lines: [...merged] };
  });
}

/** The page that Prometheus reads. */
export const pageOf = (figures: readonly MetricFigures[]): string =>
  figures
    .map(({ head, lines }) => `${[head, ...lines.map(([series, value]) => `${series} ${numberText(value)}`)].join('\n')}\n`)
    .join('\n');

/** All metrics of one page, in the order in which they were created. */
export class Registry {
  readonly #metrics = new Map<string, Metric<unknown>>();

  register(metric: Metric<unknown>): void {
    if (this.#metrics.has(metric.name)) throw new Error(`the metric ${metric.name} is registered twice`);
    this.#metrics.set(metric.name, metric);
  }

  figures(): readonly MetricFigures[] {
    return [...this.#metrics.values()].map((metric) => metric.figures());
  }

  metrics(): string {
    return pageOf(this.figures());
  }
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

/** The series by the values of the labels, one label after the other. */
type Found<Series> = {
  readonly of: Map<string | number | undefined, Found<Series>>;
  series: { value: Series } | null;
};

/** One metric with a series for each set of label values. A label that was not declared is a bug of the caller and throws. */
abstract class Metric<Series> {
  readonly name: string;
  protected readonly labelNames: readonly string[];
  protected readonly series = new Map<string, { readonly labels: Labels; value: Series }>();
  readonly #found: Found<Series> = { of: new Map(), series: null };
  readonly #help: string;

  constructor({ name, help, labelNames = [], registers = [] }: Options) {
    if (!NAME.test(name)) throw new Error(`${name} is no name of a metric`);
    for (const label of labelNames) if (!LABEL.test(label)) throw new Error(`${label} is no name of a label`);
    this.name = name;
    this.labelNames = labelNames;
    this.#help = help;
    for (const registry of registers) registry.register(this);
  }

  protected abstract readonly type: 'counter' | 'gauge' | 'histogram';
  protected abstract initial(): Series;
  protected abstract samplesOf(labels: Labels, value: Series): readonly Sample[];

  /** The series of these labels. They are found value by value: to join a key for each request would cost more than to count it. */
  protected at(labels: Labels): { value: Series } {
    let node = this.#found;
    for (const name of this.labelNames) {
      const value = labels[name];
      let next = node.of.get(value);
      if (next === undefined) {
        next = { of: new Map(), series: null };
        node.of.set(value, next);
      }
      node = next;
    }
    const series = node.series ?? this.#make(labels);
    node.series = series;
    return series;
  }

  /** Makes the series of these labels, unless it is there for the same values of another type. */
  #make(labels: Labels): { value: Series } {
    let key = '';
    for (const name of this.labelNames) key += `${labels[name] ?? ''}\0`;
    const found = this.series.get(key);
    if (found) return found;
    for (const name of Object.keys(labels))
      if (!this.labelNames.includes(name)) throw new Error(`the metric ${this.name} has no label ${name}`);
    const ordered = this.labelNames.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]] as const]));
    const made = { labels: Object.fromEntries(ordered), value: this.initial() };
    this.series.set(key, made);
    return made;
  }

  figures(): MetricFigures {
    const samples = [...this.series.values()].flatMap(({ labels, value }) => this.samplesOf(labels, value));
    const head = `# HELP ${this.name} ${escapeHelp(this.#help)}\n# TYPE ${this.name} ${this.type}`;
    return { name: this.name, head, lines: samples.map((sample) => [seriesOf(this.name, sample), sample.value] as const) };
  }
}

/** A metric of single numbers: without labels it begins at 0, so that the page has it before anything happened. */
abstract class NumberMetric extends Metric<number> {
  constructor(options: Options) {
    super(options);
    if (this.labelNames.length === 0) this.at({});
  }
  protected override initial = (): number => 0;
  protected override samplesOf = (labels: Labels, value: number): readonly Sample[] => [{ labels, value }];
}

export class Counter extends NumberMetric {
  protected override readonly type = 'counter';

  inc(by?: number): void;
  inc(labels: Labels, by?: number): void;
  inc(first: Labels | number = 1, second = 1): void {
    const labels = typeof first === 'number' ? {} : first;
    const by = typeof first === 'number' ? first : second;
    if (!(by >= 0 && Number.isFinite(by))) throw new Error(`the counter ${this.name} cannot grow by ${by}`);
    this.at(labels).value += by;
  }
}

export class Gauge extends NumberMetric {
  protected override readonly type = 'gauge';

  set(value: number): void;
  set(labels: Labels, value: number): void;
  set(first: Labels | number, second = 0): void {
    const [labels, value] = typeof first === 'number' ? [{}, first] : [first, second];
    this.at(labels).value = value;
  }
}

type Distribution = { readonly counts: number[]; sum: number; count: number };

/** How many observations were at most as large as each bound. */
export class Histogram extends Metric<Distribution> {
  protected override readonly type = 'histogram';
  readonly #bounds: readonly number[];

  constructor({ buckets, ...options }: Options & { readonly buckets: readonly number[] }) {
    super(options);
    this.#bounds = buckets.toSorted((a, b) => a - b);
  }

  observe(labels: Labels, value: number): void {
    const series = this.at(labels).value;
    const place = this.#bounds.findIndex((bound) => value <= bound);
    if (place >= 0) series.counts[place] = (series.counts[place] ?? 0) + 1;
    series.sum += value;
    series.count += 1;
  }

  protected override initial = (): Distribution => ({ counts: this.#bounds.map(() => 0), sum: 0, count: 0 });

  protected override samplesOf = (labels: Labels, { counts, sum, count }: Distribution): readonly Sample[] => {
    let below = 0;
    const buckets = this.#bounds.map((bound, place): Sample => {
      below += counts[place] ?? 0;
      return { end: '_bucket', labels: { le: numberText(bound), ...labels }, value: below };
    });
    return [
      ...buckets,
      { end: '_bucket', labels: { le: '+Inf', ...labels }, value: count },
      { end: '_sum', labels, value: sum },
      { end: '_count', labels, value: count },
    ];
  };
}
