import { type ReactNode, useMemo } from 'react';
import type { Backtest, BacktestSample, BacktestReport as Report, Tally, Worth } from '../../../spec/answers/risk.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { Disclosure } from '../../kit/Json.tsx';
import { useMoneyText } from '../../kit/Money.tsx';
import { paymentColumns } from '../../kit/PaymentsTable.tsx';
import { Status } from '../../kit/Status.tsx';
import { paymentTexts } from '../../texts/payments.ts';
import { riskTexts } from '../../texts/risk.ts';
import { storedTexts } from '../../texts/stored.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import type { Words } from './words.ts';

export type BacktestReportProps = { readonly report: Report; readonly samples: Backtest['samples'] };

/** Less is not worth telling. */
const SECONDS_LEAST = 0.1;

const useNumber = (): ((value: number) => string) => {
  const locale = localeOf(useLanguage());
  const format = useMemo(() => new Intl.NumberFormat(locale), [locale]);
  return (value) => format.format(value);
};

/** What rules would have done with the past, beside those in force. */
export function BacktestReport({ report, samples }: BacktestReportProps): ReactNode {
  const t = useTexts(riskTexts);
  const number = useNumber();
  const locale = localeOf(useLanguage());
  const all = report.all.good.count + report.all.bad.count + report.all.other.count;
  if (all === 0) return <p className="muted">{t.tryNone}</p>;
  const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(Math.max(SECONDS_LEAST, report.seconds));
  return (
    <div className="stack try-report">
      <p className="try-done">{t.tryDone(number(all), seconds)}</p>
      <Figures report={report} />
      <p className="muted">{t.worthSays}</p>
      <Changes report={report} />
      {samples && <Samples samples={samples} />}
      <Disclosure label={t.byRule}>
        <ByRule report={report} />
      </Disclosure>
    </div>
  );
}

type Figure = {
  readonly label: string;
  readonly before: number;
  readonly after: number;
  readonly of: number;
  readonly tone: string;
};

/** Without what neither side ever does. */
function figuresOf({ before, after, all }: Report, t: Words): readonly Figure[] {
  const rows = [
    { label: t.blockedBad, does: 'blocked', worth: 'bad', tone: 'good' },
    { label: t.blockedGood, does: 'blocked', worth: 'good', tone: 'bad' },
    { label: t.challengedBad, does: 'challenged', worth: 'bad', tone: 'accent' },
    { label: t.challengedGood, does: 'challenged', worth: 'good', tone: 'warn' },
    { label: t.reviewedBad, does: 'reviewed', worth: 'bad', tone: 'accent' },
    { label: t.reviewedGood, does: 'reviewed', worth: 'good', tone: 'warn' },
  ] as const;
  const counted = rows.map(({ label, does, worth, tone }) => ({
    label,
    tone,
    of: all[worth].count,
    before: before[does][worth].count,
    after: after[does][worth].count,
  }));
  const missed = {
    label: t.missedBad,
    tone: 'bad',
    of: all.bad.count,
    before: all.bad.count - before.blocked.bad.count,
    after: all.bad.count - after.blocked.bad.count,
  };
  return [...counted.filter((row, at) => at < 2 || row.before + row.after > 0), missed];
}

const share = (part: number, of: number): number => (of === 0 ? 0 : (100 * part) / of);

/** Each figure as two bars, of all payments of that worth. */
function Figures({ report }: { readonly report: Report }): ReactNode {
  const t = useTexts(riskTexts);
  const number = useNumber();
  const locale = localeOf(useLanguage());
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  return (
    <table className="try-figures" aria-label={t.figures}>
      <thead>
        <tr>
          <th scope="col">{t.figure}</th>
          <th scope="col">{t.before}</th>
          <th scope="col">{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {figuresOf(report, t).map(({ label, before, after, of, tone }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {[before, after].map((count, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the first is before, the second after
              <td key={at}>
                <span className="try-count">{number(count)}</span>{' '}
                <span className="muted">{percent.format(share(count, of) / 100)}</span>
                <span className="try-track" aria-hidden="true">
                  <span className="try-fill" data-tone={tone} style={{ width: `${share(count, of)}%` }} />
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Change = { readonly key: string; readonly what: string; readonly worth: Worth; readonly tally: Tally };

const worths: readonly Worth[] = ['good', 'bad', 'other'];
const worthTones = { good: 'good', bad: 'bad', other: 'quiet' } as const;

function Changes({ report }: { readonly report: Report }): ReactNode {
  const t = useTexts(riskTexts);
  const number = useNumber();
  const moneyText = useMoneyText();
  const rows: readonly Change[] = (['blockedNow', 'freedNow'] as const).flatMap((kind) =>
    worths
      .filter((worth) => report[kind][worth].count > 0)
      .map((worth) => ({ key: `${kind} ${worth}`, what: t[kind], worth, tally: report[kind][worth] })),
  );
  if (rows.length === 0) return <p>{t.nothingChanges}</p>;
  const columns: readonly Column<Change>[] = [
    { id: 'what', header: t.changes, isFixed: true, cell: ({ what }) => what },
    { id: 'worth', header: t.worth, cell: ({ worth }) => <Status tone={worthTones[worth]}>{t[worth]}</Status> },
    { id: 'count', header: t.count, isNumber: true, cell: ({ tally }) => number(tally.count) },
    {
      id: 'amounts',
      header: t.amounts,
      isNumber: true,
      cell: ({ tally }) =>
        Object.entries(tally.money)
          .map(([currency, amount]) => moneyText(amount, currency))
          .join(', '),
    },
  ];
  return (
    <DataTable
      name="backtestChanges"
      label={t.changes}
      rows={rows}
      columns={columns}
      keyOf={({ key }) => key}
      empty={<Empty title={t.nothingChanges} />}
    />
  );
}

const kinds = ['blockedNow', 'freedNow', 'reviewedNow'] as const;
type ShownSample = BacktestSample & { readonly kind: (typeof kinds)[number] };

function Samples({ samples }: { readonly samples: NonNullable<Backtest['samples']> }): ReactNode {
  const t = useTexts(riskTexts);
  const stored = useTexts(storedTexts);
  const types = useTexts(paymentTexts);
  const rows: readonly ShownSample[] = kinds.flatMap((kind) => samples[kind].map((sample) => ({ ...sample, kind })));
  const columns = useMemo<readonly Column<ShownSample>[]>(
    () => [
      { id: 'kind', header: t.changes, isFixed: true, cell: ({ kind }) => t[kind] },
      { id: 'worth', header: t.worth, cell: ({ worth }) => <Status tone={worthTones[worth]}>{t[worth]}</Status> },
      ...paymentColumns<ShownSample>(stored, types),
    ],
    [t, stored, types],
  );
  if (rows.length === 0) return null;
  return (
    <div>
      <h3 className="try-heading">{t.samples}</h3>
      <DataTable
        name="backtestSamples"
        label={t.samples}
        rows={rows}
        columns={columns}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        to={({ id }) => `/payments/${id}`}
        empty={<Empty title={t.nothingChanges} />}
      />
    </div>
  );
}

type RuleRow = {
  readonly id: string;
  readonly isTrial: boolean;
  readonly before: number;
  readonly after: number;
  readonly bad: number;
};

const sum = (counts: Readonly<Record<Worth, number>> | undefined): number =>
  counts ? counts.good + counts.bad + counts.other : 0;

function ByRule({ report: { before, after } }: { readonly report: Report }): ReactNode {
  const t = useTexts(riskTexts);
  const number = useNumber();
  const rows: readonly RuleRow[] = (['rules', 'shadow'] as const).flatMap((kind) =>
    [...new Set([...Object.keys(before[kind]), ...Object.keys(after[kind])])].sort().map((id) => ({
      id,
      isTrial: kind === 'shadow',
      before: sum(before[kind][id]),
      after: sum(after[kind][id]),
      bad: after[kind][id]?.bad ?? 0,
    })),
  );
  const columns: readonly Column<RuleRow>[] = [
    { id: 'rule', header: t.rule, isFixed: true, cell: ({ id, isTrial }) => <code>{isTrial ? t.ruleTrial(id) : id}</code> },
    { id: 'before', header: t.before, isNumber: true, cell: (row) => number(row.before), sortBy: (row) => row.before },
    { id: 'after', header: t.after, isNumber: true, cell: (row) => number(row.after), sortBy: (row) => row.after },
    { id: 'bad', header: t.bad, isNumber: true, cell: ({ bad }) => number(bad), sortBy: ({ bad }) => bad },
  ];
  return (
    <DataTable
      name="backtestRules"
      label={t.byRule}
      rows={rows}
      columns={columns}
      keyOf={({ id, isTrial }) => `${isTrial} ${id}`}
      empty={<Empty title={t.noRules} />}
    />
  );
}
