import type { ReactNode } from 'react';
import type { TimelineEntry } from '../../../spec/answers/payments.ts';
import { RawMessage } from '../../kit/Json.tsx';
import { ResultCode } from '../../kit/ResultCode.tsx';
import { Timeline } from '../../kit/Timeline.tsx';
import { To } from '../../kit/To.tsx';
import { type PaymentWords, paymentTexts, wordFor } from '../../texts/payments.ts';
import { useTexts } from '../../texts/texts.ts';

const CODE = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/;
const tones = { plain: 'quiet', good: 'good', warn: 'warn', bad: 'bad' } as const;

/** The story of a payment. The first thing that went wrong is where a link to the cause leads. */
export function PaymentTimeline({ entries }: { readonly entries: readonly TimelineEntry[] }): ReactNode {
  const t = useTexts(paymentTexts);
  const cause = entries.findIndex(({ tone }) => tone === 'bad');
  return (
    <>
      <Timeline
        label={t.timeline}
        events={entries.map((entry, at) => ({
          key: `${at} ${entry.kind} ${entry.what}`,
          at: entry.at,
          tone: tones[entry.tone],
          title: <span {...(at === cause && { id: 'cause' })}>{titleOf(entry, t)}</span>,
          says: <Says entry={entry} />,
          detail: entry.raw !== null && <RawMessage value={entry.raw} label={t.rawOf} />,
        }))}
      />
      {entries.some(({ at }) => at === null) && <p className="muted">{t.noInstant}</p>}
    </>
  );
}

const titleOf = ({ kind, what }: TimelineEntry, t: PaymentWords): string =>
  kind === 'family' ? wordFor(t, what) : wordFor(t, `${kind}.${what}`);

function Says({ entry }: { readonly entry: TimelineEntry }): ReactNode {
  const t = useTexts(paymentTexts);
  const { kind, what, note, detail, paymentId } = entry;
  const isScore = kind === 'risk' && what !== 'fired';
  const parts = [
    note && <Word key="note" word={isScore ? t.score(note) : note} />,
    detail && detail !== note && <Word key="detail" word={detail} />,
    paymentId && (
      <To key="to" to={`/payments/${paymentId}`}>
        {t.payment}
      </To>
    ),
  ].filter(Boolean);
  return parts.length > 0 ? <span className="payment-says">{parts}</span> : null;
}

const Word = ({ word }: { readonly word: string }): ReactNode =>
  CODE.test(word) ? <ResultCode code={word} /> : <span>{word}</span>;
