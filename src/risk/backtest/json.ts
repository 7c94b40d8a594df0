import type { Entity } from '../../merchants/directory.ts';
import { amountText } from '../../money/amount.ts';
import type { Report, Side, Tallies, Tally } from './backtest.ts';

/** What a report is about. */
export type About = {
  readonly entity: Pick<Entity, 'id' | 'name' | 'kind'>;
  readonly span: { readonly from: number | null; readonly before: number };
  readonly timeZone: string;
  /** How long it took. */
  readonly ms: number;
};

/** A report for machines: amounts are texts with two decimals, as they are on the wire. */
export function reportJson(report: Report, { entity, span, ms }: About) {
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

const side = ({ blocked, challenged, reviewed, rules, shadow }: Side) => ({
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
