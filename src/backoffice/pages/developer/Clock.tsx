import { Button, Progress, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ClockView } from '../../../spec/answers/developer.ts';
import { problemText } from '../../app/api.ts';
import { useOneMerchant } from '../../app/me.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { Fault, LoadError } from '../../kit/Empty.tsx';
import { MerchantPicker } from '../../kit/MerchantPicker.tsx';
import { PageHead, Section } from '../../kit/Page.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp, useDateText } from '../../kit/Timestamp.tsx';
import { toolTexts } from '../../texts/developer.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

/** The intervals at which the clock is polled, while it moves and otherwise. */
const [MOVING_MS, RESTING_MS] = [500, 5_000];

/** The clock of the merchant. */
export function Clock(): ReactNode {
  const t = useTexts(toolTexts);
  const merchant = useOneMerchant();
  return (
    <>
      <PageHead title={t.testClock} says={t.clockSays} />
      {merchant ? <OfMerchant key={merchant.id} entityId={merchant.id} /> : <MerchantPicker />}
    </>
  );
}

type MoveValues = { readonly freeze?: true; readonly real?: true; readonly by?: string; readonly to?: string };

function OfMerchant({ entityId }: { readonly entityId: string }): ReactNode {
  const t = useTexts(toolTexts);
  const shell = useTexts(shellTexts);
  const [isMoving, setMoving] = useState(false);
  const { data: clock, error } = useApiQuery('readClock', { entityId }, { everyMs: isMoving ? MOVING_MS : RESTING_MS });
  const { run, isRunning, problem, answer } = useApiCommand('moveClock', { isQuiet: true });
  const [began, setBegan] = useState<string | null>(null);
  const move = (values: MoveValues) => {
    setBegan(clock?.now ?? null);
    setMoving(true);
    run({ values: { entityId, ...values } }, { onSettled: () => setMoving(false) });
  };
  if (error && !clock) return <LoadError problem={error} />;
  if (!clock) return null;
  const isBusy = isRunning || clock.isMoving;
  return (
    <>
      <div className="dev-clock">
        <Face clock={clock} />
        {isBusy && <Way clock={clock} began={began} onStop={() => move({ freeze: true })} />}
        <Acts clock={clock} isBusy={isBusy} onMove={move} />
        {problem && <Fault>{problemText(problem, shell)}</Fault>}
      </div>
      {answer?.did && !isBusy && (
        <Section title={t.did}>
          <p>{t.didSays(answer.did.payments, answer.did.runs, answer.did.deliveries)}</p>
        </Section>
      )}
      <Due entityId={entityId} now={clock.now} />
    </>
  );
}

function Face({ clock }: { readonly clock: ClockView }): ReactNode {
  const t = useTexts(toolTexts);
  const dateText = useDateText();
  const state = clock.isReal ? t.real : clock.isFrozen ? t.frozen : t.moved;
  return (
    <div>
      <div className="dev-now" data-testid="clock">
        {dateText(clock.now, true)}
      </div>
      <Status tone={clock.isReal ? 'quiet' : 'warn'}>
        {clock.isMoving && clock.target ? t.moving(dateText(clock.target)) : state}
      </Status>
    </div>
  );
}

type WayProps = { readonly clock: ClockView; readonly began: string | null; readonly onStop: () => void };

/** How far it has come on its way. */
function Way({ clock, began, onStop }: WayProps): ReactNode {
  const t = useTexts(toolTexts);
  const [from, to, at] = [began, clock.target, clock.now].map((instant) => (instant ? Date.parse(instant) : Number.NaN)) as [
    number,
    number,
    number,
  ];
  const share = to > from ? Math.max(0, Math.min(100, ((at - from) / (to - from)) * 100)) : 0;
  return (
    <div className="stack">
      <Progress value={share} aria-label={t.progress} animated />
      {clock.isMoving && (
        <div>
          <Button variant="default" size="xs" onClick={onStop}>
            {t.stop}
          </Button>
        </div>
      )}
    </div>
  );
}

type ActsProps = { readonly clock: ClockView; readonly isBusy: boolean; readonly onMove: (values: MoveValues) => void };

function Acts({ clock, isBusy, onMove }: ActsProps): ReactNode {
  const t = useTexts(toolTexts);
  const spans = [
    ['PT1H', t.hour],
    ['P1D', t.day],
    ['P1W', t.week],
    ['P1M', t.month],
    ['P1Y', t.year],
  ] as const;
  return (
    <div className="stack">
      <fieldset className="dev-row dev-group" disabled={isBusy}>
        <legend>{t.moveBy}</legend>
        {spans.map(([by, label]) => (
          <Button key={by} variant="default" disabled={isBusy} onClick={() => onMove({ by })}>
            {label}
          </Button>
        ))}
      </fieldset>
      <Wish label={t.other} isBusy={isBusy} onWish={(by) => onMove({ by })} />
      <Wish label={t.moveTo} type="datetime-local" isBusy={isBusy} onWish={(to) => onMove({ to: new Date(to).toISOString() })} />
      <div className="dev-row">
        <Button variant="default" disabled={isBusy || clock.isFrozen} onClick={() => onMove({ freeze: true })}>
          {t.freeze}
        </Button>
        <Button variant="default" disabled={isBusy || clock.isReal} onClick={() => onMove({ real: true })}>
          {t.makeReal}
        </Button>
      </div>
    </div>
  );
}

type WishProps = {
  readonly label: string;
  readonly type?: 'text' | 'datetime-local';
  readonly isBusy: boolean;
  readonly onWish: (text: string) => void;
};

/** A field with a button: how far, or where to. */
function Wish({ label, type = 'text', isBusy, onWish }: WishProps): ReactNode {
  const t = useTexts(toolTexts);
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== '') onWish(text);
  };
  return (
    <form className="dev-row" onSubmit={submit}>
      <TextInput label={label} type={type} value={text} onChange={(event) => setText(event.currentTarget.value)} w={260} />
      <Button type="submit" variant="default" disabled={isBusy || text === ''} aria-label={`${t.move}: ${label}`}>
        {t.move}
      </Button>
    </form>
  );
}

const dueWords = { run: 'dueRun', delivery: 'dueDelivery', other: 'dueOther' } as const;

/** Events that fall due later. */
function Due({ entityId, now }: { readonly entityId: string; readonly now: string }): ReactNode {
  const t = useTexts(toolTexts);
  const { data } = useApiQuery('readDue', { entityId }, { everyMs: RESTING_MS });
  if (!data) return null;
  return (
    <Section title={t.due}>
      {data.due.length === 0 ? (
        <p className="muted">{t.dueNothing}</p>
      ) : (
        <ul className="dev-list">
          {data.due.map(({ at, kind }) => (
            <li key={at}>
              <Timestamp at={at} hasSeconds now={Date.parse(now)} /> <span className="muted">{t[dueWords[kind]]}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
