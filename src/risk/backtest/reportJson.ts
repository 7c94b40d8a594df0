import type { Entity } from '../../merchants/directory.ts';
import { amountText } from '../../money/amount.ts';
import type { BacktestReport, SideReport, Tallies, Tally } from './backtest.ts';

/** The entity and the period of a report. */
export type ReportContext = {
  readonly entity: Pick<Entity, 'id' | 'name' | 'kind'>;
  readonly span: { readonly from: number | null; readonly before: number };
  readonly timeZone: string;
  /** How long it took. */
  readonly ms: number;
};

/** The report as JSON; amounts are in wire format. */
export function reportJson(report: BacktestReport, { entity, span, ms }: ReportContext) {
  return {
    entity: { id: entity.id, kind: entity.kind, name: entity.name },
    span: { from: span.from === null ? null : instant(span.from), to: instant(span.before) },
    seconds: ms / 1_000,
    all: tallies(report.all),
    before: side(report.before),
    after: side(report.after),
    blockedNow: tallies(report.blockedNow),
    freedNow: tallies(report.freedNow),
  };
}

const instant = (ms: number): string => Temporal.Instant.fromEpochMilliseconds(ms).toString();

const side = ({ blocked, challenged, reviewed, rules, shadow }: SideReport) => ({
  blocked: tallies(blocked),
  challenged: tallies(challenged),
  reviewed: tallies(reviewed),
  rules,
  shadow,
});

const tallies = ({ good, bad, other }: Tallies) => ({ good: tally(good), bad: tally(bad), other: tally(other) });

const tally = ({ count, money }: Tally) => ({
  count,
  money: Object.fromEntries(Object.entries(money).map(([currency, amount]) => [currency, amountText(amount)])),
});
