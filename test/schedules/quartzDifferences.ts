/** Where schedules differ from Quartz 2.3.2 on purpose (decisions/0100-cron-and-quartz.md), and what follows for its runs. */

/** `runs` as the fixture has them: seconds after the run before, `-`, `refused` or `endless`. */
export type QuartzLine = {
  readonly expression: string;
  readonly zone: string;
  readonly start: number;
  readonly runs: readonly string[];
};

type Difference = { readonly name: string; readonly quartz: string; readonly here: string };

const refusals = {
  mixedRange: /\d-[A-Z]|[A-Z]{3}-\d/,
  lastInList: /(?:^| )L(?:-\d+)?W?,|,L(?:-\d+)?W?(?: |$)/,
  severalNth: /#\d,.*#/,
} as const;

const NAME_STEP = /([A-Z]{3}(?:-[A-Z]{3})?)\/\d+/g;
const SEVERAL_NEAREST = /(\d+)W,(\d+)W/;
const NEAREST = / (\d+)W /;
const OUT_OF_MONTH = / (?:L-\d+|\d+)W /;
/** The day lies before the beginning of some months. */
const BEFORE_THE_MONTH = / L-(?:28|29|30)W /;

export const differences = [
  {
    name: 'repeated',
    quartz: 'runs the second time when the clocks show a time twice',
    here: 'runs the first time, as in RFC 5545; once in both',
  },
  {
    name: 'gap',
    quartz: 'drops the run when the clocks skip its time',
    here: 'runs at the first instant after the gap: a charge is not lost to daylight saving',
  },
  {
    name: 'shortMonth',
    quartz: 'moves `31W` to the 30th where the 1st of the next month is a Saturday; otherwise skips a month without a 31st',
    here: 'skips every month without that day, as a plain `31` does',
  },
  {
    name: 'beforeMonth',
    quartz: 'runs `L-30W` in the next month, or loops for ever, where the day lies before the month',
    here: 'skips the month',
  },
  {
    name: 'nameStep',
    quartz: 'ignores a step behind a name: `MON-FRI/2`, `MAR/3`',
    here: 'counts it: the document has `/` for these fields',
  },
  { name: 'severalNearest', quartz: 'reads one entry of `4W,16W`', here: 'reads both' },
  { name: 'lastInList', quartz: 'refuses `L` beside other days: `L,15`', here: 'takes it' },
  { name: 'severalNth', quartz: 'refuses a second `#`: `2#1,6#3`', here: 'takes it' },
  { name: 'mixedRange', quartz: 'refuses a range from a number to a name: `4-SEP`', here: 'takes it' },
  {
    name: 'never',
    quartz: 'takes an expression that never comes true: 30 February',
    here: 'refuses it with 100.250.120 when the schedule is created',
  },
] as const satisfies readonly Difference[];

type Name = (typeof differences)[number]['name'];

/** What the expression means to Quartz, as far as texts can say it. */
function asQuartzReads(expression: string, use: (name: Name) => void): string {
  const [second, minute, hour, dayOfMonth = '', month = '', dayOfWeek = '', ...year] = expression.split(' ');
  const withoutSteps = (field: string): string => field.replace(NAME_STEP, '$1');
  if ([month, dayOfWeek].some((field) => withoutSteps(field) !== field)) use('nameStep');
  const several = SEVERAL_NEAREST.exec(dayOfMonth);
  if (several) use('severalNearest');
  const day = several ? `${Math.min(Number(several[1]), Number(several[2]))}W` : dayOfMonth;
  return [second, minute, hour, day, withoutSteps(month), withoutSteps(dayOfWeek), ...year].join(' ');
}

type Runs = (expression: string, count: number) => readonly number[] | null;

/** What differs from Quartz without a reason, or null. The reasons that applied are added to `used`. */
export function unexplained({ expression, zone, start, runs }: QuartzLine, ours: Runs, used: Set<string>): string | null {
  const use = (name: Name): void => void used.add(name);
  const plain = ours(expression, 1);
  const [first = ''] = runs;
  if (first === 'refused') {
    const reason = (Object.keys(refusals) as (keyof typeof refusals)[]).find((name) => refusals[name].test(expression));
    if (reason === undefined) return plain === null ? null : 'taken, but refused by Quartz';
    use(reason);
    return null;
  }
  if (first === 'endless') {
    use('beforeMonth');
    return BEFORE_THE_MONTH.test(expression) ? null : 'Quartz does not end, though the day lies in every month';
  }
  if (plain === null) {
    use('never');
    return first === '-' || OUT_OF_MONTH.test(expression) ? null : 'refused, but Quartz runs it';
  }
  const quartz = instantsOf(start, runs);
  const found = ours(asQuartzReads(expression, use), runs.length * 2) ?? [];
  return compareRuns({ expression, zone, start }, { quartz, found, hasEnd: runs.at(-1) === '-' }, use);
}

function instantsOf(start: number, runs: readonly string[]): readonly number[] {
  let at = start;
  return runs.filter((run) => run !== '-').map((run) => (at += Number(run)));
}

type Compared = { readonly quartz: readonly number[]; readonly found: readonly number[]; readonly hasEnd: boolean };

/** Both in their order; a run of one side alone needs its reason. */
function compareRuns(
  { expression, zone, start }: Pick<QuartzLine, 'expression' | 'zone' | 'start'>,
  { quartz, found, hasEnd }: Compared,
  use: (name: Name) => void,
): string | null {
  let at = 0;
  for (const run of quartz) {
    const early = firstTime(run, zone);
    while (isGapEnd(found[at], zone) && found[at] !== run && found[at] !== early) {
      use('gap');
      at += 1;
    }
    if (found[at] === run) at += 1;
    else if (early !== run && (found[at] === early || early <= start)) {
      use('repeated');
      if (found[at] === early) at += 1;
    } else if (isOfShortMonth(expression, run, zone)) use('shortMonth');
    else return `runs at ${shown(found[at], zone)}, with Quartz at ${shown(run, zone)}`;
  }
  return hasEnd && found.length > at ? `runs at ${shown(found[at], zone)}, with Quartz never` : null;
}

const shown = (at: number | undefined, zone: string): string => (at === undefined ? 'no time' : zoned(at, zone).toString());

const zoned = (at: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(zone);

/** The instant at which the clocks showed the same time first. */
const firstTime = (at: number, zone: string): number =>
  zoned(at, zone).toPlainDateTime().toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds / 1000;

/** Whether the clocks have just jumped forward. */
function isGapEnd(at: number | undefined, zone: string): boolean {
  return at !== undefined && zoned(at, zone).offsetNanoseconds > zoned(at - 1, zone).offsetNanoseconds;
}

/** The last day of a month without the day of W, where the day counted on into the next month is a Saturday. */
function isOfShortMonth(expression: string, at: number, zone: string): boolean {
  const date = zoned(at, zone).toPlainDate();
  const day = Number(NEAREST.exec(expression)?.[1] ?? 0);
  const countedOn = date.add({ days: 1 });
  return day === date.daysInMonth + 1 && countedOn.day === 1 && countedOn.dayOfWeek === 6;
}
