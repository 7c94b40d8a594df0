import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Advice } from '../../spec/resultCodes/advice.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import type { Tone } from './Status.tsx';

type Words = (typeof shellTexts)['en'];

const adviceWords: Readonly<Record<Advice, keyof Words>> = {
  none: 'adviceNone',
  wait: 'adviceWait',
  'retry later': 'adviceRetryLater',
  'fix data': 'adviceFixData',
  'ask shopper': 'adviceAskShopper',
  'other instrument': 'adviceOtherInstrument',
  'do not retry': 'adviceDoNotRetry',
  'contact support': 'adviceContactSupport',
};

const tones = { approved: 'good', pending: 'warn', declined: 'bad', refused: 'bad', chargeback: 'warn' } as const;

/** The catalogue is long: it comes when the first code is shown. */
const catalogue = () => import('../../spec/resultCodes.ts').then(({ resultCodes }) => resultCodes);

/** What the catalogue says of a code; undefined while it is on its way or where it knows none. */
export function useResultCode(code: string | null) {
  const { data } = useQuery({ queryKey: ['catalogue of codes'], queryFn: catalogue, staleTime: Number.POSITIVE_INFINITY });
  const entry = code === null ? undefined : data?.[code as keyof typeof data];
  const tone: Tone = entry ? tones[entry.means] : 'quiet';
  return { entry, tone };
}

/** A result code; with `isFull` also what it means and what to do. */
export function ResultCode({ code, isFull = false }: { readonly code: string; readonly isFull?: boolean }): ReactNode {
  const t = useTexts(shellTexts);
  const { entry, tone } = useResultCode(code);
  const shown = (
    <code className="result-code" data-tone={tone} title={isFull ? undefined : entry?.text}>
      {code}
    </code>
  );
  if (!isFull) return shown;
  return (
    <div className="result">
      {shown}
      {entry && (
        <dl className="result-words">
          <dt>{t.meaning}</dt>
          <dd lang="en">{entry.text}</dd>
          <dt>{t.advice}</dt>
          <dd>{t[adviceWords[entry.advice]] as string}</dd>
        </dl>
      )}
    </div>
  );
}
