import { Button, Progress, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Backtest as Tried } from '../../../spec/answers/risk.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { Section } from '../../kit/Facts.tsx';
import { riskTexts } from '../../texts/risk.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { BacktestReport } from './BacktestReport.tsx';
import { type Draft, isSame } from './draft.ts';

export type BacktestProps = {
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
    <Section title={t.tryTitle}>
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
      <TextInput type="date" label={t.tryTo} value={to} onChange={(event) => setTo(event.currentTarget.value)} />
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
        {t.tryCancel}
      </Button>
    </div>
  );
}
