import { amountText } from '../../money/amount.ts';
import type { BacktestReport, SideReport, Tallies, Tally, Worth } from '../../risk/backtest/backtest.ts';
import type { ReportContext } from '../../risk/backtest/reportJson.ts';
import { COMMIT_DELAY_MS } from '../../risk/backtest/ruleSelector.ts';
import { formatTable } from '../output.ts';

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
