import { Button, Progress, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView } from '../../../spec/answers/account.ts';
import type { RoutingFigures, RoutingFiguresOfRule, RoutingRule, RoutingBacktest as Tried } from '../../../spec/routing.ts';
import { type Problem, problemText } from '../../app/api.ts';
import { useMay } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { useMoneyText } from '../../kit/Money.tsx';
import { Section } from '../../kit/Page.tsx';
import { type Bar, PlotBars } from '../../kit/Plot.tsx';
import { routingTexts } from '../../texts/routing.ts';
import { shellTexts } from '../../texts/shell.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';

type BacktestProps = { readonly account: AccountView; readonly rules: readonly RoutingRule[] };

const instantOf = (day: string): string | null => {
  const at = new Date(`${day}T00:00:00`);
  return day === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
};

/** The server's fault of a request, with the number of the rule. */
const problemOf = (problem: Problem, words: (typeof shellTexts)['en']): string => {
  const atRules = Object.entries(problem.faults).filter(([name]) => name.startsWith('rules'));
  return atRules.length === 0 ? problemText(problem, words) : atRules.map(([, says]) => says).join('; ');
};

/** Tries the rules of the editor on past payments of the channel. */
export function RoutingBacktest({ account, rules }: BacktestProps): ReactNode {
  const t = useTexts(routingTexts);
  const shell = useTexts(shellTexts);
  const mayTry = useMay('readPayments', account.id);
  const [days, setDays] = useState({ from: '', to: '' });
  const [tried, setTried] = useState('');
  const { run, isRunning, problem, answer } = useApiCommand('tryRouting', { isQuiet: true });
  if (!mayTry) return null;
  const start = () => {
    setTried(JSON.stringify(rules));
    const [from, to] = [instantOf(days.from), instantOf(days.to)];
    run({ values: { entityId: account.id, rules, ...(from !== null && { from }), ...(to !== null && { to }) } });
  };
  const set = (changed: Partial<typeof days>) => setDays({ ...days, ...changed });
  return (
    <Section title={t.backtest}>
      <p className="muted">
        {t.trySays} {t.tryHint}
      </p>
      <div className="try-row">
        <TextInput type="date" label={t.from} value={days.from} onChange={(event) => set({ from: event.currentTarget.value })} />
        <TextInput type="date" label={t.tryTo} value={days.to} onChange={(event) => set({ to: event.currentTarget.value })} />
        <Button variant="default" loading={isRunning} onClick={start}>
          {t.tryStart}
        </Button>
      </div>
      <div role="status" aria-live="polite">
        {isRunning && <Progress value={100} animated aria-label={t.tryRunning} />}
        {isRunning && <p className="muted">{t.tryRunning}</p>}
        {!isRunning && problem && (
          <p className="fault" lang="en">
            {problemOf(problem, shell)}
          </p>
        )}
        {!isRunning && answer && tried !== JSON.stringify(rules) && <p className="try-note">{t.tryOther}</p>}
      </div>
      {!isRunning && answer && <RoutingReport report={answer} />}
    </Section>
  );
}

type ReportProps = { readonly report: Tried };

const noFigures: RoutingFigures = { count: 0, share: 0, amounts: {} };

/** Numbers as the user reads them. */
function useNumbers() {
  const locale = localeOf(useLanguage());
  const count = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  return {
    count: (value: number) => count.format(value),
    percent: (value: number) => percent.format(value / 100),
    day: (at: string) => day.format(new Date(at)),
  };
}

/** Results of proposed rules on past payments, next to the results of the rules in force. */
function RoutingReport({ report }: ReportProps): ReactNode {
  const t = useTexts(routingTexts);
  const { count, day } = useNumbers();
  if (report.payments === 0) return <p className="muted">{t.tryNone}</p>;
  return (
    <div className="stack try-report">
      <div>
        <p className="try-done">{t.tryDone(count(report.payments), day(report.from), day(report.to))}</p>
        {report.isCut && <p className="try-note">{t.tryCut}</p>}
        <p className="muted">{t.tryAmong}</p>
      </div>
      <Bars report={report} />
      <ByAccount report={report} />
      <ByRule title={t.now} rules={report.present.rules} />
      <ByRule title={t.proposed} rules={report.proposed.rules} />
    </div>
  );
}

type AccountRow = { readonly account: string | null; readonly now: RoutingFigures; readonly proposed: RoutingFigures };

/** Every account of either side, or that took a payment in fact. */
function accountRows({ present, proposed, accounts }: Tried): readonly AccountRow[] {
  const names = new Set([...proposed.accounts, ...present.accounts, ...accounts].map(({ account }) => account));
  const figuresIn = (side: Tried['present'], name: string | null) =>
    side.accounts.find(({ account }) => account === name) ?? noFigures;
  return [...names].map((account) => ({
    account,
    now: figuresIn(present, account),
    proposed: figuresIn(proposed, account),
  }));
}

/** Two bars for each account: in force and proposed. */
function Bars({ report }: ReportProps): ReactNode {
  const t = useTexts(routingTexts);
  const { count, percent } = useNumbers();
  const barOf = (key: string, label: string, figures: RoutingFigures, tone: Bar['tone']): Bar => ({
    key,
    label,
    count: figures.count,
    shown: `${count(figures.count)} · ${percent(figures.share)}`,
    tone,
  });
  const bars = accountRows(report).flatMap(({ account, now, proposed }) => {
    const name = account ?? t.noAccount;
    return [barOf(`${name} now`, t.nowOf(name), now, 'muted'), barOf(`${name} proposed`, t.proposedOf(name), proposed, 'accent')];
  });
  return (
    <section aria-label={t.payments} className="routing-bars">
      <PlotBars bars={bars} />
    </section>
  );
}

/** A count with its share and its amounts. */
function Figures({ figures }: { readonly figures: RoutingFigures }): ReactNode {
  const { count, percent } = useNumbers();
  const moneyText = useMoneyText();
  const amounts = Object.entries(figures.amounts).map(([currency, amount]) => moneyText(amount, currency));
  return (
    <>
      <span className="try-count">{count(figures.count)}</span> <span className="muted">{percent(figures.share)}</span>
      {amounts.length > 0 && <span className="routing-sums">{amounts.join(', ')}</span>}
    </>
  );
}

function ByAccount({ report }: ReportProps): ReactNode {
  const t = useTexts(routingTexts);
  const { count, percent } = useNumbers();
  const approvals = (name: string | null): string => {
    const record = report.accounts.find(({ account }) => account === name);
    if (!record || record.approvalRate === null) return '–';
    return t.approvedOf(percent(record.approvalRate), count(record.approved), count(record.decided));
  };
  return (
    <table className="try-figures" aria-label={t.byAccount}>
      <thead>
        <tr>
          <th scope="col">{t.account}</th>
          <th scope="col">{t.now}</th>
          <th scope="col">{t.proposed}</th>
          <th scope="col">{t.approved}</th>
        </tr>
      </thead>
      <tbody>
        {accountRows(report).map(({ account, now, proposed }) => (
          <tr key={account ?? ''}>
            <th scope="row">{account === null ? t.noAccount : <span className="routing-account">{account}</span>}</th>
            <td>
              <Figures figures={now} />
            </td>
            <td>
              <Figures figures={proposed} />
            </td>
            <td>{approvals(account)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type ByRuleProps = { readonly title: string; readonly rules: readonly RoutingFiguresOfRule[] };

function ByRule({ title, rules }: ByRuleProps): ReactNode {
  const t = useTexts(routingTexts);
  return (
    <table className="try-figures" aria-label={`${t.byRule}: ${title}`}>
      <thead>
        <tr>
          <th scope="col">
            {t.byRule}: {title}
          </th>
          <th scope="col">{t.payments}</th>
        </tr>
      </thead>
      <tbody>
        {rules.map(({ rule, name, ...figures }) => (
          <tr key={rule ?? ''}>
            <th scope="row">
              {rule === null ? t.noRule : t.rule(rule)} {name !== null && <span className="muted">{name}</span>}
            </th>
            <td>
              <Figures figures={figures} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
