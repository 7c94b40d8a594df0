import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { shellTexts } from '../texts/shell.ts';
import { useLanguage, useTexts } from '../texts/texts.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'quiet';

/** A state as a word and a dot: never by colour alone. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span className="status" data-tone={tone}>
      <span className="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

const tones = { approved: 'good', pending: 'warn', declined: 'bad', refused: 'bad', chargeback: 'warn' } as const;

/** The catalogue is long: it is loaded when the first code is shown. */
const loadCatalogue = async () => {
  const [{ resultCodes, isResultCode }, { explainCode, reasonFor }] = await Promise.all([
    import('../../spec/resultCodes.ts'),
    import('../../spec/explain/explain.ts'),
  ]);
  return { resultCodes, isResultCode, explainCode, reasonFor };
};

/** The entry of a code in the catalogue and its explanation; undefined while the catalogue loads, and for an unknown code. */
export function useResultCode(code: string | null) {
  const language = useLanguage();
  const { data } = useQuery({ queryKey: ['result codes'], queryFn: loadCatalogue, staleTime: Number.POSITIVE_INFINITY });
  const known = data && code !== null && data.isResultCode(code) ? code : null;
  const entry = known && data ? data.resultCodes[known] : undefined;
  const tone: Tone = entry ? tones[entry.means] : 'quiet';
  return {
    entry,
    tone,
    explanation: known && data ? data.explainCode(known, language) : undefined,
    reason: known && data ? data.reasonFor(known, language) : code,
  };
}

/** The reason of an outcome in words, with the code on hover. An approval needs no reason. */
export function ResultReason({ code }: { readonly code: string }): ReactNode {
  const { entry, reason } = useResultCode(code);
  if (reason === null) return null;
  return (
    <span className="reason" title={entry ? `${code} ${entry.text}` : undefined}>
      {reason}
    </span>
  );
}

/** A result code; with `isFull` also its meaning, who should act, and what to do. */
export function ResultCode({ code, isFull = false }: { readonly code: string; readonly isFull?: boolean }): ReactNode {
  const t = useTexts(shellTexts);
  const { entry, tone, explanation } = useResultCode(code);
  const shown = (
    <code className="result-code" data-tone={tone} title={isFull ? undefined : entry?.text}>
      {code}
    </code>
  );
  if (!isFull) return shown;
  return (
    <div className="result">
      <span>
        {shown} {entry && <span lang="en">{entry.text}</span>}
      </span>
      {explanation && (
        <dl className="result-words">
          <dt>{t.meaning}</dt>
          <dd>{explanation.what}</dd>
          <dt>{t.whoShouldAct}</dt>
          <dd>{explanation.actor}</dd>
          <dt>{t.advice}</dt>
          <dd>{explanation.next}</dd>
        </dl>
      )}
    </div>
  );
}
