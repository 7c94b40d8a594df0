import { Button, Progress, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView } from '../../../spec/answers/account.ts';
import type { RoutingRule } from '../../../spec/routing.ts';
import { useMay } from '../../app/me.ts';
import type { Problem } from '../../app/problem.ts';
import { problemText } from '../../app/problemText.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Section } from '../../kit/Facts.tsx';
import { routingTexts } from '../../texts/routing.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { RoutingReport } from './RoutingReport.tsx';

type BacktestProps = { readonly account: AccountView; readonly rules: readonly RoutingRule[] };

const instantOf = (day: string): string | null => {
  const at = new Date(`${day}T00:00:00`);
  return day === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
};

/** What the server says about a request, with the number of the rule in it. */
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
    <Section title={t.tryTitle}>
      <p className="muted">
        {t.trySays} {t.tryHint}
      </p>
      <div className="try-row">
        <TextInput
          type="date"
          label={t.tryFrom}
          value={days.from}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
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
