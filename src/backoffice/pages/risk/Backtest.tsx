import { Button, Progress, TextInput } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { BacktestSample, BacktestReport as Report, Tally, Backtest as Tried, Worth } from '../../../spec/answers/risk.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { Disclosure } from '../../kit/Code.tsx';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { useMoneyText } from '../../kit/Money.tsx';
import { Section } from '../../kit/Page.tsx';
import { paymentColumns } from '../../kit/PaymentsTable.tsx';
import { Status } from '../../kit/Status.tsx';
import { storedTexts } from '../../texts/paymentStatus.ts';
import { paymentTexts } from '../../texts/payments.ts';
import { riskTexts } from '../../texts/risk.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { type Draft, isSame, type Words } from './draft.ts';

type BacktestProps = {
  readonly entityId: string;
  readonly draft: Draft;
  /** Whether the draft has no faults. */
  readonly isSound: boolean;
  readonly canBeTried: boolean;
};

const EVERY_MS = 1_000;

const instantOf = (day: string): string => {
  const at = new Date(`${day}T00:00:00`);
  return day === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString();
};

/** Tries the rules of the editor on the stored payments. */
export function Backtest({ entityId, draft, isSound, canBeTried }: BacktestProps): ReactNode {
  const t = useTexts(riskTexts);
  const [isRunning, setRunning] = useState(false);
  const { data } = useApiQuery('readBacktest', { entityId }, { isWanted: canBeTried, ...(isRunning && { everyMs: EVERY_MS }) });
  const tried = data?.backtest ?? null;
  const isUnderWay = tried?.state === 'running';
  if (isUnderWay !== isRunning) setRunning(isUnderWay);
  return (
    <Section title={t.backtest}>
      <p className="muted">{canBeTried ? t.trySays : t.tryWhere}</p>
      {canBeTried && <Start entityId={entityId} draft={draft} isDisabled={!isSound || isUnderWay} />}
      <div role="status" aria-live="polite">
        {tried && <Outcome entityId={entityId} tried={tried} isOther={!isSame(tried.risk, draft)} />}
      </div>
    </Section>
  );
}

type StartProps = { readonly entityId: string; readonly draft: Draft; readonly isDisabled: boolean };

function Start({ entityId, draft, isDisabled }: StartProps): ReactNode {
  const t = useTexts(riskTexts);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const { run, isRunning } = useApiCommand('startBacktest');
  return (
    <div className="try-row">
      <TextInput type="date" label={t.tryFrom} value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
      <TextInput type="date" label={t.to} value={to} onChange={(event) => setTo(event.currentTarget.value)} />
      <Button
        variant="default"
        loading={isRunning}
        disabled={isDisabled}
        onClick={() => run({ values: { entityId, risk: draft, from: instantOf(from), to: instantOf(to) } })}
      >
        {t.tryStart}
      </Button>
    </div>
  );
}

type OutcomeProps = { readonly entityId: string; readonly tried: Tried; readonly isOther: boolean };

function Outcome({ entityId, tried, isOther }: OutcomeProps): ReactNode {
  const t = useTexts(riskTexts);
  switch (tried.state) {
    case 'running':
      return <Running entityId={entityId} tried={tried} />;
    case 'done':
      return (
        <>
          {isOther && <p className="try-note">{t.tryOther}</p>}
          {tried.report && <BacktestReport report={tried.report} samples={tried.samples} />}
        </>
      );
    case 'cancelled':
      return <p className="muted">{t.tryCancelled}</p>;
    case 'failed':
      return <p className="fault">{t.tryFailed}</p>;
    case 'lost':
      return <p className="fault">{t.tryLost}</p>;
  }
}

function Running({ entityId, tried: { progress } }: Pick<OutcomeProps, 'entityId' | 'tried'>): ReactNode {
  const t = useTexts(riskTexts);
  const number = new Intl.NumberFormat(localeOf(useLanguage()));
  const { run, isRunning } = useApiCommand('cancelBacktest');
  return (
    <div className="try-progress">
      <Progress value={progress.percent} aria-label={t.tryRunning(progress.percent)} />
      <p>
        {t.tryRunning(progress.percent)}
        <span className="muted"> · {t.tryRate(number.format(progress.done), number.format(progress.perSecond))}</span>
      </p>
      <Button variant="default" size="xs" loading={isRunning} onClick={() => run({ values: { entityId } })}>
        {t.cancel}
      </Button>
    </div>
  );
}

type BacktestReportProps = { readonly report: Report; readonly samples: Tried['samples'] };

/** Less is not worth telling. */
const SECONDS_LEAST = 0.1;

const useNumber = (): ((value: number) => string) => {
  const locale = localeOf(useLanguage());
  const format = useMemo(() => new Intl.NumberFormat(locale), [locale]);
  return (value) => format.format(value);
};

/** Results of proposed rules on past payments, next to the results of the rules in force. */
function BacktestReport({ report, samples }: BacktestReportProps): ReactNode {
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
          <th scope="col">{t.payments}</th>
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
    { id: 'count', header: t.payments, isNumber: true, cell: ({ tally }) => number(tally.count) },
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

function Samples({ samples }: { readonly samples: NonNullable<Tried['samples']> }): ReactNode {
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
