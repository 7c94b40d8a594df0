import { backtestInThreads } from '../../app/backtest/backtest.ts';
import { OperatorError } from '../../app/operatorError.ts';
import { amountText } from '../../money/amount.ts';
import { type BacktestRun, BacktestStopped, type RunBacktest } from '../../payments/backtest/run.ts';
import {
  type BacktestReport,
  type ReportContext,
  reportJson,
  type SideReport,
  type Tallies,
  type Tally,
  type Worth,
} from '../../risk/backtest/backtest.ts';
import { COMMIT_DELAY_MS, createBacktestJob } from '../../risk/backtest/ruleSelector.ts';
import { type Command, type Context, parseFlaggedOptions, requiredOption } from '../command.ts';
import { findMerchant } from '../context.ts';
import { formatTable } from '../output.ts';
import { riskFile, withRisk } from './riskRules.ts';

/** The exit code of what Ctrl-C ended, as shells know it. */
const STOPPED = 130;

/** Judges the stored payments by other rules, and tells what would have been different. */
export const backtestCommand: Command = {
  name: 'backtest',
  summary: 'try risk rules on the stored payments: whom they would have blocked, and what they would have caught',
  usage: [
    'backtest --entity id --rules file.json [--from date] [--to date] [--json]',
    '  --entity id        a merchant with all its channels, or one channel',
    '  --rules file.json  the setting risk as it would be on this entity; turnpike risk-rules prints the present one',
    '  --from date        from the beginning of this day on, in the time zone of the entity; the month before is remembered',
    '  --to date          until the beginning of this day',
    '  --json             for machines',
  ].join('\n'),
  run: (words, context) => backtest(words, context, backtestInThreads),
};

export async function backtest(words: readonly string[], context: Context, judge: RunBacktest): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['entity', 'rules', 'from', 'to'], ['json']);
  const [entityId, path] = [requiredOption(texts.entity, 'entity'), requiredOption(texts.rules, 'rules')];
  const store = await context.store();
  const named = await findMerchant(store, entityId);
  const changed = withRisk(named.rows, entityId, riskFile(context, 'rules', path));
  const { timeZone } = named.entity.settings;
  const now = context.clock.now();
  const span = {
    from: texts.from === undefined ? null : dayOf('from', texts.from, timeZone),
    before: Math.min(now - COMMIT_DELAY_MS, texts.to === undefined ? now : dayOf('to', texts.to, timeZone)),
  };
  if (span.from !== null && span.from >= span.before) throw new OperatorError('--from: nothing lies between it and --to');
  const entries = await store.listEntries(now, named.merchantId);
  const job = createBacktestJob({ ...named, trees: { before: named.tree, after: changed }, span, entries });
  const beganAt = context.clock.now();
  try {
    const onStep: BacktestRun['onStep'] = ({ done, firstAt, at }) => {
      const part = (at - firstAt) / Math.max(1, span.before - firstAt);
      context.progress({ phase: 'judging', done, total: part > 0 ? Math.max(done, Math.round(done / part)) : null });
    };
    const report = await judge({ job, signal: context.signal(), onStep });
    const ms = context.clock.now() - beganAt;
    const about = { entity: named.entity, span, timeZone, ms };
    if (flags.json) context.print(JSON.stringify(reportJson(report, about), null, 2));
    else for (const line of formatBacktest(report, about)) context.print(line);
    return 0;
  } catch (error) {
    if (error instanceof BacktestStopped) {
      context.printError('Stopped. Nothing was changed: a back-test only reads.');
      return STOPPED;
    }
    throw error;
  }
}

function dayOf(option: string, text: string, timeZone: string): number {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toZonedDateTime(timeZone).epochMilliseconds;
  } catch {
    throw new OperatorError(`--${option}: ${JSON.stringify(text)} is no date such as 2026-03-31`);
  }
}

/** A readable report: figures with bars, then the changes, then every rule. */
export function formatBacktest(report: BacktestReport, about: ReportContext): readonly string[] {
  const { good, bad, other } = report.all;
  const all = good.count + bad.count + other.count;
  if (all === 0)
    return [
      `${headOf(about)}: there are no payments to test the rules on. Those of the last ${COMMIT_DELAY_MS / 1_000} s are left out.`,
    ];
  return [
    `${headOf(about)}: ${grouped(all)} payments in ${Math.max(1, Math.round(about.ms / 1_000))} s`,
    `  ${grouped(good.count)} good, ${grouped(bad.count)} bad (fraud or charged back), ${grouped(other.count)} unknown`,
    '',
    ...figures(report),
    '',
    ...changes(report),
    '',
    ...rules(report),
  ];
}

function headOf({ entity, span, timeZone }: ReportContext): string {
  const day = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  const from = span.from === null ? '' : ` from ${day(span.from)}`;
  return `Back-test of ${entity.name}${from} to ${day(span.before)}`;
}

const BAR = 20;

function barOf(part: number, of: number): string {
  const full = of === 0 ? 0 : Math.ceil((BAR * part) / of);
  return `${'#'.repeat(full)}${'.'.repeat(BAR - full)}`;
}

function percent(part: number, of: number): string {
  if (of === 0) return '-';
  const hundredths = String(Math.round((10_000 * part) / of)).padStart(3, '0');
  return `${hundredths.slice(0, -2)}.${hundredths.slice(-2)} %`;
}

const grouped = (count: number): string => String(count).replace(/\B(?=(?:[0-9]{3})+$)/g, ',');

const shown: readonly (readonly [title: string, does: 'blocked' | 'challenged' | 'reviewed', worth: Worth])[] = [
  ['bad caught', 'blocked', 'bad'],
  ['good blocked', 'blocked', 'good'],
  ['bad challenged', 'challenged', 'bad'],
  ['good challenged', 'challenged', 'good'],
  ['bad reviewed', 'reviewed', 'bad'],
  ['good reviewed', 'reviewed', 'good'],
];

function figures({ before, after, all }: BacktestReport): readonly string[] {
  const rows = shown.flatMap(([title, does, worth], at) => {
    const line = (name: string, side: SideReport, isFirst: boolean): readonly string[] => {
      const count = side[does][worth].count;
      const of = all[worth].count;
      return [isFirst ? title : '', name, grouped(count), percent(count, of), barOf(count, of)];
    };
    const pair = [line('before', before, true), line('after', after, false)];
    // An action that neither side ever takes is not worth two lines, except blocking.
    return at > 1 && before[does][worth].count + after[does][worth].count === 0 ? [] : pair;
  });
  return formatTable([['', 'RULES', 'PAYMENTS', 'SHARE', ''], ...rows], [2, 3]);
}

function changes({ blockedNow, freedNow }: BacktestReport): readonly string[] {
  const of = (title: string, tallies: Tallies) =>
    (['good', 'bad', 'other'] as const)
      .filter((worth) => tallies[worth].count > 0)
      .map((worth) => [`${title}, ${worth}`, grouped(tallies[worth].count), moneyOf(tallies[worth])]);
  const rows = [...of('newly blocked', blockedNow), ...of('newly freed', freedNow)];
  if (rows.length === 0) return ['No payment is newly blocked, and none is newly let through.'];
  return formatTable([['WHAT CHANGES', 'PAYMENTS', 'MONEY'], ...rows], [1]);
}

const moneyOf = ({ money }: Tally): string =>
  Object.entries(money)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, amount]) => `${amountText(amount)} ${currency}`)
    .join(', ');

type Counts = Readonly<Record<Worth, number>>;
const none: Counts = { good: 0, bad: 0, other: 0 };

/** The number of payments that each rule met by itself: a payment that two rules met counts for both. */
function rules({ before, after }: BacktestReport): readonly string[] {
  const named = (side: 'rules' | 'shadow') => [...new Set([...Object.keys(before[side]), ...Object.keys(after[side])])];
  const row = (id: string, kind: 'rules' | 'shadow'): readonly string[] => {
    const [then, now] = [before[kind][id] ?? none, after[kind][id] ?? none];
    const cells = [then, now].flatMap(({ good, bad, other }) => [good, bad, other].map(grouped));
    return [kind === 'shadow' ? `${id} (shadow)` : id, ...cells, barOf(now.bad, now.good + now.bad)];
  };
  const rows = [...named('rules').map((id) => row(id, 'rules')), ...named('shadow').map((id) => row(id, 'shadow'))];
  if (rows.length === 0) return ['No rule has fired.'];
  const head = ['RULE', 'BEFORE good', 'bad', 'other', 'AFTER good', 'bad', 'other', 'bad of good and bad, after'];
  return [
    ...formatTable([head, ...rows], [1, 2, 3, 4, 5, 6]),
    ...(named('shadow').length > 0 ? ['(shadow): report-only; it counts the payments that it would have stopped.'] : []),
  ];
}
